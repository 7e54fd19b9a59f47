"""Tests of the clients and of the MCP server against a served binary: `run.py PATH_OF_KEEPSAKE`. Each test file is a process of its
own, and they run side by side; what they need is in their environment. Ends with 1 if one of them fails or takes too long.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIENTS = HERE.parent
#: For all of them together; they take about a quarter of it.
DEADLINE_S = 120.0

TESTS: dict[str, list[str]] = {
    "python client": [sys.executable, "-m", "unittest", "discover", "--start-directory", str(CLIENTS / "python/tests")],
    "typescript client": ["node", "--test", *map(str, sorted((CLIENTS / "typescript/tests").glob("*.test.mjs")))],
    "docs/connect.md": [sys.executable, str(HERE / "connect.py")],
    "docs/blocks.md": [sys.executable, str(HERE / "blocks.py")],
    "anthropic, memory tool": [sys.executable, str(HERE / "anthropic_memory.py")],
    "anthropic, memory tool in typescript": ["node", str(HERE / "anthropic_memory.mjs")],
    "mcp, python": [sys.executable, str(HERE / "mcp_python.py")],
    "memory stores, python": [sys.executable, str(HERE / "anthropic_stores.py")],
    "mcp, typescript": ["node", str(HERE / "mcp_typescript.mjs")],
    "mcp, conformance": ["node", str(HERE / "conformance.mjs")],
}


def environment(home: Path, binary: Path) -> dict[str, str]:
    """Nothing of the surrounding settings, and a data folder of its own."""
    (home / "site/pkg").mkdir(parents=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith("KEEPSAKE_")}
    return own | {
        "KEEPSAKE_BINARY": str(binary),
        "KEEPSAKE_DATA_DIR": str(home / "data"),
        "KEEPSAKE_EMBEDDER": "lexical",
        "KEEPSAKE_LISTEN": "127.0.0.1:0",
        "KEEPSAKE_ARRIVAL_BATCH": "0",
        "KEEPSAKE_REHEARSE_HOUR": "never",
        "KEEPSAKE_LOG": "error",
        "LEPTOS_SITE_ROOT": str(home / "site"),
        "PYTHONPATH": str(CLIENTS / "python"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def key(binary: Path, env: dict[str, str], *flags: str) -> str:
    scopes = [word for scope in ("read", "write", "erase", "export") for word in ("--scope", scope)]
    done = subprocess.run([binary, "key", "add", "test", *scopes, *flags], env=env, check=True, capture_output=True, timeout=30)
    return str(json.loads(done.stdout)["key"])


def run(name: str, command: list[str], env: dict[str, str]) -> tuple[str, float, str | None]:
    started = time.monotonic()
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=DEADLINE_S)
        said = None if done.returncode == 0 else done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        said = f"not done within {DEADLINE_S:.0f} s\n{late.stdout or b''!r}\n{late.stderr or b''!r}"
    return name, time.monotonic() - started, said


def main() -> int:
    binary = Path(sys.argv[1]).resolve()
    subprocess.run([HERE / "node_modules/.bin/tsc", "-p", CLIENTS / "typescript"], check=True, timeout=DEADLINE_S)
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder), binary)
        env["KEEPSAKE_TEST_KEY"] = key(binary, env)
        env["KEEPSAKE_TEST_ANNA"] = key(binary, env, "--user", "anna")
        env["KEEPSAKE_TEST_BUDI"] = key(binary, env, "--user", "budi")
        server = subprocess.Popen([binary, "serve"], env=env, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            found = next((match for line in server.stderr if (match := re.search(r"Keepsake is at (http://\S+)", line))), None)
            if found is None:
                print("the server did not start", file=sys.stderr)
                return 1
            env["KEEPSAKE_TEST_URL"] = found.group(1)
            with ThreadPoolExecutor(len(TESTS)) as pool:
                ended = list(pool.map(lambda test: run(*test, env), TESTS.items()))
        finally:
            server.terminate()
            server.wait(timeout=20)
    for name, took_s, said in ended:
        print(f"{name}: {'passed' if said is None else 'FAILED'} ({took_s:.1f} s)")
        if said is not None:
            print(said)
    return 0 if all(said is None for *_, said in ended) else 1


if __name__ == "__main__":
    sys.exit(main())
