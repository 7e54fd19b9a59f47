#!/usr/bin/env bash
# The optimised server (in the target folder) and what the browser loads (target/site).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
printf '== building server and browser bundle (about 10 minutes the first time on 2 cores, seconds when nothing changed)\n' >&2
# Views without their types: less than half the code for the browser, and sooner compiled.
RUSTFLAGS="${RUSTFLAGS:-} --cfg erase_components" cargo leptos build --release --precompress
