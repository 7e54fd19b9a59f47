#!/usr/bin/env bash
# The optimised server (in the target folder) and what the browser loads (target/site).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
printf '== building server and browser bundle (about 10 minutes the first time on 2 cores, seconds when nothing changed)\n' >&2
# One sheet of the rooms in style/, in the order of the cascade.
mkdir -p target
(cd style && cat tokens.css base.css shell.css parts.css sign-in.css rows.css candidate.css review.css stats.css facts.css records.css settings.css erasures.css phones.css preferences.css) >target/keepsake.css
# Views without their types: less than half the code for the browser, and sooner compiled.
RUSTFLAGS="${RUSTFLAGS:-} --cfg erase_components" cargo leptos build --release --precompress
