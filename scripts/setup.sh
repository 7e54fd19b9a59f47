#!/usr/bin/env bash
# Installs what building and running Keepsake needs and this machine does not have yet. Instant when nothing is missing.
#   scripts/setup.sh          to build and run
#   scripts/setup.sh browser  a browser for the tests as well
# Tools go into a cache folder of their own, so that no tool of yours is replaced.
set -euo pipefail

readonly WASM_BINDGEN=0.2.130 # the very version that Cargo.toml names
tools="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '== %s\n' "$*" >&2; }
need() { command -v "$1" >/dev/null 2>&1 || { say "$1 is needed: $2"; exit 1; }; }

need cargo "install Rust with rustup, https://rustup.rs"
need rustup "install Rust with rustup, https://rustup.rs"
need node "install Node.js 20 or newer"
need npm "install Node.js 20 or newer with npm"
need python3 "install Python 3 with pip"
need cc "install a C compiler (Debian: apt-get install build-essential)"
need c++ "install a C++ compiler (Debian: apt-get install build-essential)"

if ! rustup target list --installed | grep -qx wasm32-unknown-unknown; then
  say "adding the wasm target (about 10 s)"
  rustup target add wasm32-unknown-unknown
fi

# Tools are built once; a little optimisation is enough for them.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1
if [[ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" != "wasm-bindgen $WASM_BINDGEN" ]]; then
  say "building wasm-bindgen $WASM_BINDGEN (about 2 minutes on 2 cores, once)"
  cargo install --quiet --root "$tools" "wasm-bindgen-cli@$WASM_BINDGEN"
fi
stamp="$here/end2end/node_modules/.installed"
if ! cmp -s "$here/end2end/package-lock.json" "$stamp"; then
  say "installing npm packages: wasm-opt, esbuild and Playwright (about 10 s)"
  (cd "$here/end2end" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error)
  cp "$here/end2end/package-lock.json" "$stamp"
fi

if [[ "${1:-}" == browser && -z "${KEEPSAKE_CHROMIUM:-}" && ! -x /usr/bin/chromium ]]; then
  if [[ "$(id -u)" == 0 ]] && command -v apt-get >/dev/null; then
    say "installing Chromium for the browser tests (about 1 minute)"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
  else
    say "a browser is needed for the tests: install chromium, or name one in KEEPSAKE_CHROMIUM"
    exit 1
  fi
fi
