#!/usr/bin/env bash
# Builds the optimised server (in the target folder) and the browser files (target/site).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
printf '== building server and browser bundle (about 10 minutes the first time on 2 cores, seconds when nothing changed)\n' >&2
export PATH="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools/bin:$PWD/end2end/node_modules/.bin:$PATH"
target="${CARGO_TARGET_DIR:-target}"
site=target/site
cargo build --release --bin keepsake
cargo build --package frontend --target wasm32-unknown-unknown --profile wasm-release

mkdir -p "$site/pkg"
cp -r public/. "$site"
program="$target/wasm32-unknown-unknown/wasm-release/frontend.wasm"
made="$site/pkg/keepsake.wasm"
if [[ ! "$made" -nt "$program" || ! "$made" -nt scripts/build.sh ]]; then
  wasm-bindgen --target web --no-typescript --out-name keepsake --out-dir target/bundle "$program"
  esbuild --log-level=warning --minify target/bundle/keepsake.js --outfile="$site/pkg/keepsake.js"
  wasm-opt -Oz target/bundle/keepsake_bg.wasm -o "$made"
fi
sass --style=compressed --no-source-map style/main.scss "$site/pkg/keepsake.css"
node scripts/precompress.mjs "$site"
