#!/usr/bin/env bash
# Runs Lighthouse on every screen of a separate Keepsake with the sample data. Prints one line per page; the reports are in
# target/lighthouse.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
port="${KEEPSAKE_LIGHTHOUSE_PORT:-3999}"
url="http://127.0.0.1:$port"
data="$(mktemp -d)"
reports=target/lighthouse
mkdir -p "$reports"
KEEPSAKE_DATA_DIR="$data" KEEPSAKE_LISTEN="127.0.0.1:$port" scripts/run.sh 2>"$data/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$data"' EXIT
until curl -sf "$url/healthz" >/dev/null; do sleep 0.5; done
password="$(awk '/password  /{print $2; exit}' "$data/log")"
curl -s -o /dev/null -c "$data/jar" --data-urlencode "email=operator@example.org" --data-urlencode "password=$password" "$url/calls/sign_in"
cookie="$(awk '/keepsake/{print $6"="$7}' "$data/jar" | head -1)"
export CHROME_PATH="${KEEPSAKE_CHROMIUM:-/usr/bin/chromium}"
flags="--headless=new --disable-gpu"
[[ "$(id -u)" == 0 ]] && flags="$flags --no-sandbox"
for page in login review stats manage/facts manage/users manage/settings audit; do
  report="$reports/${page//\//-}.json"
  npx --yes lighthouse@13.5.0 "$url/$page" --quiet --preset=desktop --output=json --output-path="$report" \
    --extra-headers "{\"Cookie\":\"$cookie\"}" --chrome-flags="$flags" --only-categories=performance,accessibility,best-practices >/dev/null
  node -e 'const {categories} = JSON.parse(require("fs").readFileSync(process.argv[1])); console.log(process.argv[2].padEnd(18), Object.values(categories).map((c) => `${c.id} ${Math.round(c.score * 100)}`).join("  "))' "$report" "/$page"
done
