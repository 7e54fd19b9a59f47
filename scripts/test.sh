#!/usr/bin/env bash
# Every check that must pass before a change is merged. `scripts/test.sh check` stops after the fast part.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fast="${1:-}"
started=$SECONDS
say() { printf '== [%d:%02d] %s\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)) "$*" >&2; }

tools="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools/bin"
export PATH="$tools:$PWD/end2end/node_modules/.bin:$PATH"

say "tools"
scripts/setup.sh "$([[ -n "$fast" ]] || echo browser)"
# The tests need exactly this model, whatever else is installed.
KEEPSAKE_MODEL_DIR="$(scripts/model.sh minilm)"
export KEEPSAKE_MODEL_DIR

say "format"
cargo fmt --all --check

say "lints of the server"
cargo clippy --quiet --workspace --all-targets -- -D warnings
say "lints of the browser"
# A separate target folder, because the build for the browser has other flags.
cargo clippy --quiet --package console --package frontend --features console/hydrate --lib --target wasm32-unknown-unknown --target-dir "${CARGO_TARGET_DIR:-target}/browser-lints" -- -D warnings

if [[ "$fast" == check ]]; then
  say "unit tests"
  cargo test --quiet --workspace --lib
  exit 0
fi

say "licences and sources of dependencies"
cargo-deny --log-level error check licenses bans sources

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --lib

say "unit, conformance, API and process tests"
cargo test --workspace

say "the API, called by a client that knows only its document"
scripts/fuzz.sh "${CARGO_TARGET_DIR:-target}/debug/keepsake"
say "the clients, and MCP with its official clients"
"${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools/mcp-clients/bin/python" clients/tests/run.py "${CARGO_TARGET_DIR:-target}/debug/keepsake"

say "the optimised server and browser bundle"
scripts/build.sh

say "browser tests"
(cd end2end && npx playwright test --project console)
say "all passed"
