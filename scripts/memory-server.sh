#!/usr/bin/env bash
# Installs @modelcontextprotocol/server-memory from npm for `make bench`, in a folder of its own in the cache, and prints that folder as
# the only line on stdout.
set -euo pipefail

readonly home="${XDG_CACHE_HOME:-$HOME/.cache}/keepsake/memory-server"
readonly package="@modelcontextprotocol/server-memory@2026.8.31"

say() { printf 'memory server: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Written last: what is there without it was cut off.
if [[ "$(cat "$home/.installed" 2>/dev/null)" != "$package" ]]; then
  command -v npm >/dev/null 2>&1 || fail "Node.js with npm is needed"
  say "installing $package from npm (about 15 s)"
  rm -rf "$home"
  mkdir -p "$home" || fail "cannot write $home"
  npm install --prefix "$home" --no-audit --no-fund --ignore-scripts --loglevel=error "$package" >"$home/log" 2>&1 ||
    fail "npm did not deliver it, see $home/log"
  printf '%s\n' "$package" >"$home/.installed"
fi
printf '%s\n' "$home/node_modules/@modelcontextprotocol/server-memory"
