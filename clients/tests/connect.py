"""Runs what `docs/connect.md` says: its shell commands, its Python, its JavaScript; and reads its JSON. Blocks marked `console` change the
machine of whoever runs them, and are left out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> None:
    page = (ROOT / "docs/connect.md").read_text()
    blocks = BLOCK.findall(page)
    env = os.environ | {"KEEPSAKE_URL": os.environ["KEEPSAKE_TEST_URL"], "KEEPSAKE_KEY": os.environ["KEEPSAKE_TEST_BUDI"]}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "keepsake").symlink_to(os.environ["KEEPSAKE_BINARY"])
        (Path(folder) / "node_modules").mkdir()
        (Path(folder) / "node_modules/keepsake-client").symlink_to(ROOT / "clients/typescript")
        env["PATH"] = f"{folder}:{env['PATH']}"

        def run(*command: str) -> str:
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0 and not done.stderr, (command, done.stdout, done.stderr)
            return done.stdout

        seen = {"console": 0, "js": 0, "json": 0, "python": 0, "sh": 0}
        for kind, text in blocks:
            seen[kind] += 1
            if kind == "json":
                json.loads(text)
            elif kind == "sh":
                out = run("bash", "-euc", text)
                # An HTTP error is no error of curl.
                assert '"code"' not in out and (out or "hook" in text), (text, out)
            elif kind == "python":
                run(sys.executable, "-c", text)
            elif kind == "js":
                (Path(folder) / "example.mjs").write_text(text)
                run("node", "example.mjs")
        assert all(seen.values()), seen


main()
