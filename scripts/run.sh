#!/usr/bin/env bash
# Starts Keepsake; adds an operator and sample data first, if there are none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

keepsake() { "${CARGO_TARGET_DIR:-target}/release/keepsake" "$@"; }
say() { printf '== %s\n' "$*" >&2; }
export LEPTOS_SITE_ROOT="${LEPTOS_SITE_ROOT:-target/site}"
export KEEPSAKE_ENV="${KEEPSAKE_ENV:-test}"
# Whoever tries it is the only one who talks, and wants to see what a message brings at once.
export KEEPSAKE_ARRIVAL_BATCH="${KEEPSAKE_ARRIVAL_BATCH:-0}"

data="${KEEPSAKE_DATA_DIR:-data}"
# Left by an import that did not finish; importing again adds only what is missing.
unfinished="$data/.sample-unfinished"

if [[ ! -f "$data/keepsake.db" ]]; then
  mkdir -p -m 700 "$data"
  touch "$unfinished"
fi
if [[ -z "$(keepsake operator list)" ]]; then
  email="${KEEPSAKE_OPERATOR_EMAIL:-operator@example.org}"
  password="$(head -c 15 /dev/urandom | base64 | tr '+/' '-_')"
  printf '%s' "$password" | keepsake operator add "$email" --name "First Operator" --rights edit --password-stdin >/dev/null
  say "the first operator, shown this once:"
  printf '     email     %s\n     password  %s\n' "$email" "$password" >&2
  say "lost it? ${CARGO_TARGET_DIR:-target}/release/keepsake operator password $email"
fi
if [[ -f "$unfinished" ]]; then
  say "importing the sample through the whole pipeline (about 20 s)"
  keepsake import sample/exchanges.jsonl >&2
  rm "$unfinished"
fi
exec "${CARGO_TARGET_DIR:-target}/release/keepsake" serve
