"""Follows `docs/blocks.md` from top to bottom: runs its shell commands and its Python, and compares every answer with the one on the page,
in which `…` stands for anything.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"export (\w+)=(\S+)$")


def steps(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it is to print."""
    found: list[tuple[str, list[str]]] = []
    open_line = False
    for line in text.splitlines():
        if open_line:
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        elif line.startswith("# "):
            found[-1][1].append(line[2:])
        elif line.strip():
            found.append((line, []))
        open_line = line.endswith("\\") and not line.startswith("# ")
    return found


def is_like(told: str, printed: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, told.split("…"))), printed) is not None


def main() -> None:
    env = os.environ | {"KEEPSAKE_URL": os.environ["KEEPSAKE_TEST_URL"]}
    page = (ROOT / "docs/blocks.md").read_text()
    compared, made, programs = 0, "", 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "keepsake").symlink_to(os.environ["KEEPSAKE_BINARY"])
        env["PATH"] = f"{folder}:{env['PATH']}"
        for kind, text in BLOCK.findall(page):
            if kind == "python":
                follow_python(text, env)
                programs += 1
            for command, told in steps(text) if kind == "sh" else []:
                if export := EXPORT.match(command):
                    # The page names an address of its own, and the key that the command before it has printed.
                    if export[1] == "KEEPSAKE_KEY":
                        assert made, command
                        env["KEEPSAKE_KEY"] = made
                    continue
                done = subprocess.run(["bash", "-euc", command], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
                assert done.returncode == 0 and not done.stderr, (command, done.stdout, done.stderr)
                if "key add" in command:
                    made = str(json.loads(done.stdout)["key"])
                # An HTTP error is no error of curl.
                assert '"code"' not in done.stdout, (command, done.stdout)
                printed = done.stdout.splitlines()
                assert not told or len(told) == len(printed), (command, told, printed)
                for expected, line in zip(told, printed):
                    assert is_like(expected, line), f"{command}\nthe page: {expected}\nprinted: {line}"
                    compared += 1
    assert compared >= 8 and programs == 2, (compared, programs)


def follow_python(text: str, env: dict[str, str]) -> None:
    """Runs a program of the page; of one that makes a tool, also the tool, as a host would."""
    names: dict[str, Any] = {}
    os.environ.update({name: env[name] for name in ("KEEPSAKE_URL", "KEEPSAKE_KEY")})
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "docs/blocks.md", "exec"), names)  # noqa: S102
    told = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == told, (text, printed.getvalue())
    if "Memory" in names:
        tool: BetaAbstractMemoryTool = names["Memory"]("anna")
        create = {"command": "create", "path": "/memories/python.md", "file_text": "one\n"}
        assert tool.call(create) == "File created successfully at: /memories/python.md"
        try:
            tool.call(create)
        except ToolError as error:
            assert str(error) == "File /memories/python.md already exists", error
        else:
            raise AssertionError("a file was created twice")



main()
