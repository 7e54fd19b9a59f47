"""The memory tool of the published Anthropic package against a served binary: a host forwards each call in one line, and every reply is
that of the package's own files, byte for byte."""

from __future__ import annotations

import json
import os
import random
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

URL = os.environ["KEEPSAKE_TEST_URL"]
KEY = os.environ["KEEPSAKE_TEST_KEY"]
#: Sequences of random commands, and commands in each.
SEQUENCES, COMMANDS = 40, 30


class Forwarding(BetaAbstractMemoryTool):
    """What a host writes to keep the tool's files in Keepsake."""

    def __init__(self, user: str) -> None:
        super().__init__()
        self.user = user

    def execute(self, command: Any) -> str:
        body = json.dumps(command.to_dict() | {"user_id": self.user}).encode()
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{URL}/v1/memory-tool", body, headers), timeout=30) as answer:
            reply = json.load(answer)
        if reply["is_error"]:
            raise ToolError(reply["content"])
        return str(reply["content"])

    view = create = str_replace = insert = delete = rename = execute


def said(tool: BetaAbstractMemoryTool, command: dict[str, Any]) -> tuple[str, str]:
    try:
        return "said", str(tool.call(command))
    except ToolError as error:
        return "error", str(error)


def create(path: str, text: str) -> dict[str, Any]:
    return {"command": "create", "path": f"/memories/{path}", "file_text": text}


def view(path: str, *lines: int) -> dict[str, Any]:
    return {"command": "view", "path": f"/memories/{path}"} | ({"view_range": list(lines)} if lines else {})


def replace(path: str, old: str, new: str) -> dict[str, Any]:
    return {"command": "str_replace", "path": f"/memories/{path}", "old_str": old, "new_str": new}


def insert(path: str, line: int, text: str) -> dict[str, Any]:
    return {"command": "insert", "path": f"/memories/{path}", "insert_line": line, "insert_text": text}


def delete(path: str) -> dict[str, Any]:
    return {"command": "delete", "path": f"/memories/{path}"}


def rename(old: str, new: str) -> dict[str, Any]:
    return {"command": "rename", "old_path": f"/memories/{old}", "new_path": f"/memories/{new}"}


THREE = "Line 1\nLine 2\nLine 3"
#: What the package's own tests try, by name. Links and modes of files are left out, because there are none here, and so are files that
#: are larger than a block may be.
CASES: dict[str, list[dict[str, Any]]] = {
    "create": [create("test_file.txt", "Hello, World!"), view("test_file.txt")],
    "create in new folders": [create("deep/nested/file.txt", "Nested file"), view("deep/nested/file.txt")],
    "create over a file": [create("existing.txt", "Original"), create("existing.txt", "New"), view("existing.txt")],
    "create over a folder": [create("dir/file.txt", "x"), create("dir", "x")],
    "view": [create("view.txt", THREE), view("view.txt")],
    "view a range": [create("r.txt", "1\n2\n3\n4\n5"), view("r.txt", 2, 4), view("r.txt", 3, -1), view("r.txt", 9, 12), view("r.txt", 1, -2)],
    "view nothing": [view("nonexistent.txt")],
    "view an empty file": [create("empty.txt", ""), view("empty.txt")],
    "view CRLF": [create("crlf.txt", "line1\r\nline2\r\nline3\r\n"), view("crlf.txt")],
    "replace": [create("a.txt", "Line 1\nOld Text\nLine 3"), replace("a.txt", "Old Text", "New Text"), view("a.txt")],
    "replace by several lines": [create("a.txt", THREE + "\n4\n5\n6"), replace("a.txt", "Line 3", "a\nb\nc"), view("a.txt")],
    "replace with signs of patterns": [create("a.txt", "x"), replace("a.txt", "x", "$& $1 \\1 $$"), view("a.txt")],
    "replace what is not there": [create("a.txt", "Hello, World!"), replace("a.txt", "NotFound", "Python")],
    "replace what is there twice": [create("a.txt", "Hello\nMiddle\nHello"), replace("a.txt", "Hello", "Hi"), view("a.txt")],
    "replace what is there twice in a line": [create("a.txt", "aa b aa\naa"), replace("a.txt", "aa", "c")],
    "replace in nothing": [replace("nonexistent.txt", "old", "new")],
    "replace in a folder": [create("dir/a.txt", "x"), replace("dir", "x", "y")],
    "replace in CRLF": [create("a.txt", "line1\r\nline2\r\nline3\r\n"), replace("a.txt", "line2", "LINE2"), view("a.txt")],
    "insert": [create("a.txt", "Line 1\nLine 2"), insert("a.txt", 1, "Inserted Line"), view("a.txt")],
    "insert at the beginning": [create("a.txt", "Line 1\nLine 2"), insert("a.txt", 0, "First Line"), view("a.txt")],
    "insert at the end": [create("a.txt", "Line 1\nLine 2"), insert("a.txt", 2, "Last Line\n"), view("a.txt")],
    "insert in CRLF": [create("a.txt", "line1\r\nline2\r\nline3\r\n"), insert("a.txt", 1, "Inserted"), view("a.txt")],
    "insert into an empty file": [create("a.txt", ""), insert("a.txt", 0, "x"), view("a.txt")],
    "insert into nothing": [insert("nonexistent.txt", 0, "text")],
    "insert outside": [create("a.txt", "Line 1\nLine 2"), insert("a.txt", 10, "text"), insert("a.txt", -1, "text")],
    "delete": [create("a.txt", "x"), delete("a.txt"), view("a.txt"), create("a.txt", "y"), view("a.txt")],
    "delete a folder": [create("sub/deep/a.txt", "x"), create("subway.txt", "y"), delete("sub"), view("sub/deep/a.txt"), view("subway.txt")],
    "delete nothing": [delete("nonexistent.txt")],
    "delete everything": [{"command": "delete", "path": "/memories"}, {"command": "delete", "path": "/memories/"}],
    "rename": [create("old.txt", "Original content"), rename("old.txt", "new.txt"), view("new.txt"), view("old.txt")],
    "rename into new folders": [create("a.txt", "Content"), rename("a.txt", "nested/dir/a.txt"), view("nested/dir/a.txt")],
    "rename a folder": [create("one/deep/a.txt", "x"), rename("one", "two"), view("two/deep/a.txt"), view("one/deep/a.txt")],
    "rename nothing": [rename("nonexistent.txt", "new.txt")],
    "rename onto a file": [create("1.txt", "File 1"), create("2.txt", "File 2"), rename("1.txt", "2.txt"), view("1.txt"), view("2.txt")],
    "rename everything": [{"command": "rename", "old_path": "/memories", "new_path": "/memories/a"}],
    "a path elsewhere": [{"command": "create", "path": "/invalid/path.txt", "file_text": "Invalid"}, {"command": "view", "path": "/"}],
    "a path that escapes": [create("../../../etc/passwd", "x"), view(".."), delete("../x"), rename("../a", "b")],
    "a path that stays": [create("a/../b.txt", "x"), view("b.txt"), view("./b.txt")],
    "paths that look alike": [create("a.b", "1"), create("a_b", "2"), create("A.b", "3"), view("a.b"), view("a_b"), view("A.b")],
}


def listed(text: str) -> list[str]:
    """The paths of a folder's list; sizes of folders are those of a file system."""
    head, *lines = text.split("\n")
    assert head.startswith("Here're the files and directories up to 2 levels deep in /memories"), head
    return [line.split("\t")[1] for line in lines]


def same(name: str, user: str, commands: list[dict[str, Any]]) -> None:
    ours = Forwarding(user)
    with tempfile.TemporaryDirectory() as folder:
        theirs = BetaLocalFilesystemMemoryTool(base_path=folder)
        for command in commands:
            mine, published = said(ours, command), said(theirs, command)
            assert mine == published, f"{name}: {command}\nours: {mine}\ntheirs: {published}"
        (one, mine), (other, published) = said(ours, {"command": "view", "path": "/memories"}), said(theirs, {"command": "view", "path": "/memories"})
        assert (one, other) == ("said", "said"), (name, mine)
        if name not in ("delete a folder", "rename into new folders", "rename a folder", "a path that stays"):
            assert listed(mine) == listed(published), f"{name}\nours: {mine}\ntheirs: {published}"


def random_commands(choose: random.Random) -> list[dict[str, Any]]:
    """Commands on a few files, so that most of them meet a file. What is replaced is never empty."""
    def name() -> str:
        return choose.choice(["a.txt", "b.txt", "c_d", "c.d"])

    def text(least: int = 0) -> str:
        # Short lines, which no guard reads as a sentence.
        parts = ["a\n", "b\n", "ab\n", "\n", "a\r\n", "\tb\n", "é\n", "日本\n", "$&\n", "`\n", "a\n\n", "b"]
        return "".join(choose.choice(parts) for _ in range(choose.randint(least, 8)))

    kinds = [
        lambda: create(name(), text()),
        lambda: view(name()),
        lambda: view(name(), choose.randint(-3, 6), choose.randint(-3, 6)),
        lambda: replace(name(), text(1)[:2] or "a", text()),
        lambda: insert(name(), choose.randint(-1, 6), text()),
        lambda: delete(name()),
        lambda: rename(name(), name()),
    ]
    return [choose.choice(kinds)() for _ in range(COMMANDS)]


def in_parallel() -> None:
    """Fifty hosts insert at once; every line is there once."""
    tool = Forwarding("memory-parallel")
    tool.call(create("log.md", "# Log\n"))
    with ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(lambda n: tool.call(insert("log.md", 1, f"line {n}")), range(50)))
    assert set(replies) == {"The file /memories/log.md has been edited."}, set(replies)
    lines = str(tool.call(view("log.md"))).split("\n")[2:-1]
    assert sorted(line.split("\t")[1] for line in lines) == sorted(f"line {n}" for n in range(50)), lines


def main() -> None:
    for name, commands in CASES.items():
        same(name, f"memory {name}", commands)
    for seed in range(SEQUENCES):
        same(f"seed {seed}", f"memory-seed-{seed}", random_commands(random.Random(seed)))
    in_parallel()
    print(f"{len(CASES)} cases and {SEQUENCES} random sequences are the same")


main()
