#!/usr/bin/env bash
# Installs chroma, mem0 and onnxruntime from PyPI for `make bench`, in a Python environment of their own in the cache folder, and
# prints its interpreter as the only line on stdout.
set -euo pipefail

readonly home="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/peers"
readonly packages="chromadb==1.5.9 mem0ai==2.2.1 numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 safetensors==0.8.0 tokenizers==0.23.3"

say() { printf 'peers: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Written last: what is there without it was cut off.
if [[ "$(cat "$home/.installed" 2>/dev/null)" != "$packages" ]]; then
  say "installing chroma, mem0 and onnxruntime from PyPI: about two minutes"
  rm -rf "$home"
  mkdir -p "$home" || fail "cannot write $home"
  python3 -m venv "$home" >"$home/log" 2>&1 || fail "python3 with venv is needed, see $home/log"
  # shellcheck disable=SC2086 # One argument a package.
  "$home/bin/pip" install --quiet --disable-pip-version-check --retries 1 --only-binary=:all: $packages >"$home/log" 2>&1 ||
    fail "PyPI did not deliver them, see $home/log"
  printf '%s\n' "$packages" >"$home/.installed"
fi
printf '%s\n' "$home/bin/python"
