#!/usr/bin/env bash
# Lets a client that knows nothing but the OpenAPI document call a served Keepsake for at most 90 seconds: with what the document
# allows, and with what it forbids. Fails if an answer is not what the document promises.
#   scripts/fuzz.sh BINARY [an option of `schemathesis run` …]
# KEEPSAKE_FUZZ_SEED: the same calls again; KEEPSAKE_FUZZ_SECONDS: another limit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

binary="$(realpath "$1")"
shift
python="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/tools/python"
data="$(mktemp -d)"
server=""
# The server may still write its last lines when it is told to end.
trap 'if [[ -n "$server" ]]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$data"' EXIT

port="$("$python/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
export KEEPSAKE_DATA_DIR="$data/keepsake" KEEPSAKE_LISTEN="127.0.0.1:$port" KEEPSAKE_EMBEDDER=lexical KEEPSAKE_EXTRACTOR=rules
export KEEPSAKE_ENV=test KEEPSAKE_RATE_LIMIT=1000000 KEEPSAKE_ARRIVAL_BATCH=0 KEEPSAKE_REHEARSE_HOUR=never KEEPSAKE_LOG=warn
# The API needs no browser files, the server does.
export LEPTOS_SITE_ROOT="$data/site"
mkdir -p "$data/site/pkg"
touch "$data/site/pkg/keepsake.js" "$data/site/pkg/keepsake.css" "$data/site/pkg/keepsake.wasm"
unset KEEPSAKE_DATABASE_URL KEEPSAKE_PUBLIC_URL

"$binary" serve >"$data/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  curl -sf "http://127.0.0.1:$port/readyz" >/dev/null && break
  sleep 0.1
done
key="$("$binary" key add fuzz --scope read --scope write --scope erase --scope export |
  "$python/bin/python" -c 'import json, sys; print(json.load(sys.stdin)["key"])')"

# A limit of the client's own, and one for the case that it hangs.
config="$PWD/scripts/schemathesis.toml"
cd "$data"
timeout 120 "$python/bin/schemathesis" --config-file "$config" run "http://127.0.0.1:$port/openapi.json" \
  --header "Authorization: Bearer $key" --seed "${KEEPSAKE_FUZZ_SEED:-20261120}" --max-time "${KEEPSAKE_FUZZ_SECONDS:-75}" "$@" || {
  status=$?
  tail -n 20 "$data/server.log" >&2
  exit "$status"
}
if grep -i "panicked" "$data/server.log" >&2; then
  exit 1
fi
