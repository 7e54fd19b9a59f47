#!/usr/bin/env bash
# Builds the optimised server (in the target folder) and the browser files (target/site).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
printf '== building server and browser bundle (about 10 minutes the first time on 2 cores, seconds when nothing changed)\n' >&2
tools="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools/bin"
export PATH="$tools:$PWD/end2end/node_modules/.bin:$PATH"
target="${CARGO_TARGET_DIR:-target}"
site=target/site
# The name of the wasm file in the page that the server renders.
export LEPTOS_OUTPUT_NAME=keepsake
cargo build --release --features ssr --bin keepsake
# Built as a cdylib alone: together with an rlib, cargo does not optimise across crates (measured: 7 % of the wasm).
cargo rustc --lib --no-default-features --features hydrate --target wasm32-unknown-unknown --profile wasm-release --crate-type cdylib

mkdir -p "$site/pkg"
cp -r public/. "$site"
wasm="$target/wasm32-unknown-unknown/wasm-release/keepsake.wasm"
made="$site/pkg/keepsake.wasm"
stale=
for maker in scripts/build.sh scripts/short-names.mjs "$tools/keepsake-bindgen"; do
  [[ "$made" -nt "$maker" ]] || stale=1
done
if [[ -n "$stale" ]] || ! cmp -s "$wasm" target/bundle/built.wasm; then
  rm -rf target/bundle
  keepsake-bindgen "$wasm" target/bundle
  # Measured: -Oz makes 7 % fewer bytes, and they compress to 2 % more. In the order of their names like functions are neighbours (1 %).
  wasm-opt -O2 --one-caller-inline-max-function-size 0 --reorder-functions-by-name --minify-imports-and-exports-and-modules \
    target/bundle/keepsake_bg.wasm -o "$made" >target/bundle/names.json
  node scripts/short-names.mjs target/bundle/keepsake.js target/bundle/names.json target/bundle/short.js
  cp "$wasm" target/bundle/built.wasm
fi
esbuild --log-level=warning --minify target/bundle/short.js --outfile="$site/pkg/keepsake.js"
sass --style=compressed --no-source-map style/main.scss "$site/pkg/keepsake.css"
node scripts/precompress.mjs "$site"
