// The memory tool of Anthropic's TypeScript package against a served binary: a host forwards each call in one line, and every reply is
// that of the package's own files, byte for byte. The cases are those that the package's own tests try.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";

const { KEEPSAKE_TEST_URL: url, KEEPSAKE_TEST_KEY: key } = process.env;

/** What a host writes to keep the tool's files in Keepsake. */
function forwarding(user) {
  const forward = async (command) => {
    const response = await fetch(new URL("/v1/memory-tool", url), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...command, user_id: user }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    const { content, is_error } = await response.json();
    if (is_error) throw new Error(content);
    return content;
  };
  return betaMemoryTool({ view: forward, create: forward, str_replace: forward, insert: forward, delete: forward, rename: forward });
}

async function said(tool, command) {
  try {
    return ["said", await tool.run(tool.parse(command))];
  } catch (error) {
    return ["error", error.message];
  }
}

const at = (path) => `/memories/${path}`;
const create = (path, file_text) => ({ command: "create", path: at(path), file_text });
const view = (path, view_range) => ({ command: "view", path: at(path), ...(view_range && { view_range }) });
const replace = (path, old_str, new_str) => ({ command: "str_replace", path: at(path), old_str, new_str });
const insert = (path, insert_line, insert_text) => ({ command: "insert", path: at(path), insert_line, insert_text });
const remove = (path) => ({ command: "delete", path: at(path) });
const rename = (from, to) => ({ command: "rename", old_path: at(from), new_path: at(to) });

const three = "Line 1\nLine 2\nLine 3";
/** Links and modes of files are left out, because there are none here. */
const cases = {
  "create a file": [create("test_file.txt", "Hello, World!"), view("test_file.txt")],
  "create in new folders": [create("deep/nested/file.txt", "Nested file"), view("deep/nested/file.txt")],
  "create what is there": [create("existing.txt", "Original"), create("existing.txt", "New"), view("existing.txt")],
  "view with numbers of lines": [create("view_test.txt", three), view("view_test.txt")],
  "view a folder": [create("dir/file1.txt", "File 1"), create("dir/file2.txt", "File 2"), view("dir")],
  "view a range": [create("range.txt", `${three}\nLine 4\nLine 5`), view("range.txt", [2, 4]), view("range.txt", [3, -1])],
  "view what is not there": [view("nonexistent.txt")],
  "replace": [create("a.txt", "Line 1\nOld Text\nLine 3"), replace("a.txt", "Old Text", "New Text"), view("a.txt")],
  "replace by signs of patterns": [create("a.txt", "x"), replace("a.txt", "x", "$& $1 $$ $` $'"), view("a.txt")],
  "replace what is not in it": [create("a.txt", "Hello, World!"), replace("a.txt", "NotFound", "Python"), view("a.txt")],
  "replace what is in it twice": [create("a.txt", "Hello\nMiddle\nHello"), replace("a.txt", "Hello", "Hi"), view("a.txt")],
  "replace in what is not there": [replace("nonexistent.txt", "old", "new")],
  "replace in a folder": [create("dir/a.txt", "x"), replace("dir", "x", "y")],
  "insert": [create("a.txt", "Line 1\nLine 2\n"), insert("a.txt", 1, "Inserted Line"), view("a.txt")],
  "insert at the beginning": [create("a.txt", "Line 1\nLine 2\n"), insert("a.txt", 0, "First Line"), view("a.txt")],
  "insert at the end": [create("a.txt", "Line 1\nLine 2\n"), insert("a.txt", 2, "Last Line"), view("a.txt")],
  "insert an ended line": [create("a.txt", "Line 1\nLine 2\n"), insert("a.txt", 1, "Inserted\n"), view("a.txt")],
  "insert into what is not there": [insert("nonexistent.txt", 0, "text")],
  "delete a file": [create("a.txt", "To be deleted"), remove("a.txt"), view("a.txt")],
  "delete a folder": [create("subdir/file.txt", "Content"), create("subdirs.txt", "x"), remove("subdir"), view("subdir/file.txt")],
  "delete what is not there": [remove("nonexistent.txt")],
  "delete everything": [{ command: "delete", path: "/memories" }],
  "rename a file": [create("old.txt", "Original content"), rename("old.txt", "new.txt"), view("new.txt"), view("old.txt")],
  "rename into new folders": [create("file.txt", "Content"), rename("file.txt", "nested/dir/file.txt"), view("nested/dir/file.txt")],
  "rename what is not there": [rename("nonexistent.txt", "new.txt")],
  "rename onto what is there": [create("1.txt", "File 1"), create("2.txt", "File 2"), rename("1.txt", "2.txt"), view("1.txt"), view("2.txt")],
  "rename everything": [{ command: "rename", old_path: "/memories", new_path: "/memories/a" }],
  "a path elsewhere": [{ command: "create", path: "/invalid/path.txt", file_text: "Invalid" }],
  "a path that escapes": [create("../../../etc/passwd", "Escape attempt"), view("../memories_backup/secret.txt")],
};

/** A folder's list without its sizes, which are those of a file system. */
const listed = (text) => text.split("\n").map((line) => line.split("\t").at(-1)).sort();

async function same(name, commands) {
  const folder = await mkdtemp(join(tmpdir(), "memory-"));
  try {
    const ours = forwarding(`typescript ${name}`);
    const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
    for (const command of commands) {
      const [mine, published] = [await said(ours, command), await said(theirs, command)];
      const isList = mine[1].startsWith("Here're the files");
      const seen = ([kind, text]) => [kind, isList ? listed(text) : text];
      assert.deepEqual(seen(mine), seen(published), `${name}: ${JSON.stringify(command)}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the package differs from the one in Python, which ends the last line of a text that it inserts into, the replies are those of
 * the latter. */
async function different() {
  const tool = forwarding("typescript different");
  const inserted = [
    [0, "First Line", ["First Line", "Line 1", "Line 2", ""]],
    [1, "Inserted Line", ["Line 1", "Inserted Line", "Line 2", ""]],
    [2, "Last Line", ["Line 1", "Line 2", "Last Line", ""]],
  ];
  for (const [line, text, lines] of inserted) {
    const path = `insert_${line}.txt`;
    await said(tool, create(path, "Line 1\nLine 2"));
    assert.deepEqual(await said(tool, insert(path, line, text)), ["said", `The file ${at(path)} has been edited.`]);
    const numbered = lines.map((text, n) => `     ${n + 1}\t${text}`).join("\n");
    assert.deepEqual(await said(tool, view(path)), ["said", `Here's the content of ${at(path)} with line numbers:\n${numbered}`]);
  }
  await said(tool, create("a.txt", "Line 1\nLine 2"));
  const [kind, text] = await said(tool, insert("a.txt", 10, "text"));
  assert.equal(kind, "error");
  assert.match(text, /^Invalid `insert_line` parameter: 10\. It should be within the range \[0, 2\]\.$/);
  // A million lines are more than a block may hold: they are refused when they are written, not when they are read.
  const [refused, why] = await said(tool, create("huge.txt", "line\n".repeat(25_000)));
  assert.equal(refused, "error");
  assert.match(why, /125000.*102400/);
  assert.deepEqual(await said(tool, view("huge.txt")), ["error", "The path /memories/huge.txt does not exist. Please provide a valid path."]);
}

for (const [name, commands] of Object.entries(cases)) await same(name, commands);
await different();
console.log(`${Object.keys(cases).length} cases are the same`);
