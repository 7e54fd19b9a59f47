// The client against a served binary, and against a server that fails on purpose.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkPromptAssembly } from "../dist/contract.js";
import { Keepsake, Problem, ROUTES, Unreachable } from "../dist/index.js";
import { turn } from "../examples/chat.mjs";

const { KEEPSAKE_TEST_URL: url, KEEPSAKE_TEST_KEY: key, KEEPSAKE_TEST_BUDI: budi, KEEPSAKE_BINARY: binary } = process.env;
const surface = "web";
const trusted = (userId) => new Keepsake(url, key, { userId });
const collected = async (items) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};
const problem = (code, status) => (error) => error instanceof Problem && error.code === code && error.status === status;
const settled = async (ask) => {
  for (let tries = 0; tries < 600; tries++) {
    const state = await ask();
    if (state !== undefined) return state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("not within 30 s");
};

test("what is remembered is recalled, listed and forgotten", async () => {
  const keepsake = trusted("ts-memories");
  const first = await keepsake.remember("User works on the iOS app", { surface, kind: "fact", importance: 4 });
  assert.equal(first.outcome, "inserted");
  assert.equal((await keepsake.remember("User works on the iOS app", { surface })).outcome, "merged");
  for (const number of [0, 1, 2]) {
    await keepsake.remember(`User owns bicycle number ${number} since ${2000 + number}`, { surface });
  }
  const recalled = await keepsake.recall("Who works on the iOS app?", { surface, k: 2 });
  assert.ok(recalled.personal.length <= 2 && recalled.prompt.includes("iOS app"));
  const page = await keepsake.memories({ limit: 1 });
  assert.ok(page.items.length === 1 && page.next_cursor !== null);
  const listed = await collected(keepsake.allMemories());
  assert.ok(listed.length >= 2 && listed.some((memory) => memory.id === first.id));
  await keepsake.deleteMemory(first.id);
  assert.ok(!(await collected(keepsake.allMemories())).some((memory) => memory.id === first.id));
  const gone = await keepsake.forget("bicycle number 1 since 2001");
  assert.deepEqual(gone.items.map((item) => item.content), ["User owns bicycle number 1 since 2001"]);
  for (const what of ["is called Marlin", "is in Faro"]) await keepsake.remember(`User's boat ${what}`, { surface });
  const { confirm } = await keepsake.forget("everything about the boat");
  assert.deepEqual([confirm.action, confirm.count], ["forget_some", 2]);
  assert.equal((await keepsake.forget({ ids: confirm.ids })).forgotten, 2);
  assert.ok((await keepsake.forget({ all: true })).forgotten > 0);
  assert.deepEqual(await collected(keepsake.allMemories()), []);
});

test("a memory is edited by its version, and the change taken back", async () => {
  const keepsake = trusted("ts-edits");
  const labels = { tags: ["home"], expires_at: "2046-01-01T00:00:00Z" };
  const { id } = await keepsake.remember("User lives in Ghent", { surface, ...labels });
  const read = await keepsake.memory(id);
  assert.deepEqual([read.tags, read.expires_at, read.version], [labels.tags, labels.expires_at, 1]);
  const edited = await keepsake.editMemory(id, read.version, { content: "User lives in Bruges", tags: [], expires_at: null });
  assert.deepEqual([edited.content, edited.tags, edited.expires_at], ["User lives in Bruges", [], null]);
  await assert.rejects(keepsake.editMemory(id, read.version, { importance: 5 }), problem("stale", 412));
  assert.equal((await keepsake.editMemory(id, "any", { importance: 5 })).importance, 5);
  const past = await keepsake.memoryHistory(id);
  assert.deepEqual(past.map((version) => version.how), ["edited", "edited", "created"]);
  await keepsake.undoMemory(id);
  const { version } = await keepsake.memory(id);
  assert.equal((await keepsake.undoMemory(id, { version })).content, "User lives in Ghent");
  await assert.rejects(keepsake.undoMemory(id), problem("nothing_to_undo", 409));
  assert.equal((await collected(keepsake.allMemories({ tags: ["home"] }))).length, 1);
  assert.deepEqual(await collected(keepsake.allMemories({ tags: ["work"] })), []);
});

test("a recall takes conditions and explains itself", async () => {
  const keepsake = trusted("ts-recall");
  const tea = await keepsake.remember("User drinks green tea", { surface, kind: "preference", tags: ["drinks"] });
  await keepsake.remember("User drinks from a red cup", { surface, kind: "fact" });
  const plain = await keepsake.recall("drinks", { surface });
  assert.deepEqual([plain.personal.length, plain.left_out, plain.personal[0].rank], [2, undefined, undefined]);
  assert.ok(plain.prefix.length > 0 && plain.prompt_tokens > 0);
  for (const [reason, how] of [["kind", { kinds: ["preference"] }], ["tags", { tags: { all: ["drinks"] } }]]) {
    const told = await keepsake.recall("drinks", { surface, explain: true, ...how });
    assert.deepEqual(told.personal.map((item) => item.id), [tea.id]);
    assert.ok(told.left_out.some((item) => item.reason === reason));
    assert.deepEqual(Object.keys(told.personal[0].shares).sort(), ["dates", "thread", "vector", "words"]);
  }
  const small = await keepsake.recall("drinks", { surface, budget: 0 });
  assert.deepEqual([small.prompt, small.prompt_tokens], ["", 0]);
  assert.deepEqual((await keepsake.recall("drinks", { surface, as_of: "2020-01-01T00:00:00Z" })).personal, []);
  assert.deepEqual((await keepsake.recall("drinks", { surface, origins: { only: ["agent"] } })).origins, { only: ["agent"] });
});

test("what a user tells in a chat is kept", async () => {
  const keepsake = trusted("ts-chat");
  const note = await keepsake.addNote("The wifi is on the second floor", { surface });
  assert.equal(note.outcome, "saved");
  assert.deepEqual(await keepsake.addNote("The wifi is on the second floor", { surface }), { id: note.id, outcome: "known" });
  assert.deepEqual((await keepsake.notes()).items.map((kept) => [kept.id, kept.surface]), [[note.id, surface]]);
  assert.deepEqual(await keepsake.notesReport(), { notes: 1, stale: [], redundant: [], suspicious: [] });
  const here = await keepsake.addPreference("Short answers, please", { platform: surface });
  assert.deepEqual((await keepsake.preferences()).items.map((own) => own.platform), [surface]);
  assert.deepEqual((await keepsake.preferences({ platform: "telegram" })).items, []);
  assert.equal((await keepsake.setProfileField("preferred_language", "en")).value, "en");
  assert.equal((await keepsake.profileField("preferred_language")).key, "preferred_language");
  assert.deepEqual((await keepsake.setProfileField("languages", ["en", "id"])).value, ["en", "id"]);
  await keepsake.deleteProfileField("languages");
  assert.equal((await keepsake.profile()).items.length, 1);
  const block = await keepsake.promptNotes({ surface });
  assert.ok(["second floor", "Short answers", "preferred_language"].every((text) => block.includes(text)), block);
  const some = await keepsake.promptNotes({ surface, include: ["profile", "preferences"] });
  assert.ok(!some.includes("second floor"));

  const names = (await keepsake.tools()).anthropic.map((tool) => tool.name);
  assert.deepEqual(names, ["rememberPreference", "forgetMemory"]);
  const saved = await keepsake.callTool("rememberPreference", { content: "No emojis" }, { surface });
  assert.equal(saved.status, "saved");
  assert.equal((await keepsake.callTool("forgetMemory", { id: saved.id }, { surface })).status, "forgotten");

  const { card } = await keepsake.command("/memories", { surface });
  assert.deepEqual(card.items.map((item) => item.kind), ["preference", "note"]);
  const { confirm } = await keepsake.command("/forget all", { surface, thread: "t1", language: "en" });
  assert.equal(confirm.count, 2);
  assert.equal((await keepsake.command("What is the time?", { surface })).handled, false);

  const talk = { surface, thread: "t1" };
  const reply = { role: "assistant", content: "Hello!", at: "2026-01-01T10:00:00Z" };
  await keepsake.appendHistory([{ role: "user", content: "Hello" }, reply], talk);
  assert.deepEqual((await keepsake.history({ ...talk, limit: 1 })).map((turn) => turn.content), ["Hello!"]);
  assert.equal(await keepsake.resetHistory(talk), 2);
  const archived = await keepsake.archivedHistory(talk);
  assert.deepEqual(archived.items.map((reset) => reset.turns.length), [2]);
  assert.equal(archived.next_cursor, null);
  assert.deepEqual(await keepsake.history(talk), []);
  await keepsake.deletePreference(here.id);
  await keepsake.deleteNote(note.id);
  await keepsake.deleteProfileField("preferred_language");
  assert.equal(await keepsake.promptNotes({ surface }), "");
});

test("an exchange is learned once", async () => {
  const keepsake = trusted("ts-exchange");
  const said = ["Remember that I prefer answers in Indonesian.", "Noted.", { surface, thread: "t1", id: "ts-1" }];
  const id = await keepsake.exchange(...said);
  const state = await settled(async () => {
    const { status } = await keepsake.exchangeState(id);
    return status === "queued" ? undefined : status;
  });
  assert.equal(state, "learned");
  await keepsake.exchange(...said);
  assert.equal((await collected(keepsake.allMemories())).length, 1);
});

test("a fact waits for people", async () => {
  const keepsake = trusted();
  const proposed = await keepsake.proposeFact("Weekly reports are sent as PDF files.", { kind: "howto", userId: "ts-facts" });
  assert.match(proposed.outcome, /pending|merged/);
  const refused = await keepsake.proposeFact("Ask dana@example.org about the deploy.");
  assert.ok(refused.outcome === "refused" && refused.rules.length > 0);
  assert.deepEqual(await collected(keepsake.allFacts({ origins: ["user", "agent"], kinds: ["glossary"], q: "zzz" })), []);
});

test("an erasure is previewed, ordered and proved", async () => {
  const keepsake = trusted();
  await keepsake.remember("User likes tea", { surface, userId: "ts/erased?" });
  assert.ok("held" in (await keepsake.export("ts/erased?")) && (await keepsake.exportHtml("ts/erased?")).includes("<html"));
  const { preview, tables } = await keepsake.previewErasure("ts/erased?");
  assert.equal(tables.find((table) => table.name === "memories").rows, 1);
  const id = await keepsake.erase("ts/erased?", preview, "their own wish");
  await settled(async () => (["verified", "partial"].includes((await keepsake.receipt(id)).status) ? true : undefined));
  assert.deepEqual(await collected(keepsake.allMemories({ userId: "ts/erased?" })), []);
});

test("a refusal has its code", async () => {
  await assert.rejects(new Keepsake(url, "ks_wrong").recall("x", { surface }), problem("unauthenticated", 401));
  await assert.rejects(trusted("ts-refused").remember("My key is AKIAIOSFODNN7EXAMPLE", { surface }), (error) => {
    return problem("refused", 422)(error) && error.rules.length > 0;
  });
  await assert.rejects(trusted().memories(), (error) => problem("invalid", 422)(error) && error.body.field === "user_id");
});

test("the example talks and passes the contract kit", async () => {
  const keepsake = trusted("ts-example");
  await keepsake.remember("User works on the iOS app", { surface });
  const asked = [];
  const model = async (messages) => {
    asked.push(messages);
    return "You work on the iOS app.";
  };
  const history = [];
  assert.equal(await turn(keepsake, model, history, "Which iOS app do I work on?"), "You work on the iOS app.");
  assert.ok(asked[0].at(-1).content.includes("User works on the iOS app"));
  assert.deepEqual(history.map((message) => message.role), ["user", "assistant"]);
  const { prompt } = await keepsake.recall("iOS app", { surface });
  const assemble = async (block, message) => {
    await turn({ recall: async () => ({ prompt: block }), exchange: async () => "" }, model, [], message);
    return { prefix: asked.at(-1)[0].content, rest: asked.at(-1).at(-1).content };
  };
  await checkPromptAssembly(assemble, { blocks: [prompt] });
});

test("the example runs as written", () => {
  const env = { ...process.env, KEEPSAKE_URL: url, KEEPSAKE_KEY: budi };
  const example = fileURLToPath(new URL("../examples/chat.mjs", import.meta.url));
  const done = spawnSync(process.execPath, [example], { env, input: "Hello there\n", encoding: "utf8" });
  assert.deepEqual([done.status, done.stderr], [0, ""]);
  assert.ok(done.stdout.includes("Hello there"), done.stdout);
});

test("every call of the API is there", () => {
  const document = JSON.parse(execFileSync(binary, ["openapi"], { encoding: "utf8" }));
  const api = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const lines = readFileSync(new URL("../../left-out.txt", import.meta.url), "utf8").split("\n");
  const leftOut = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(" ").slice(0, 2).join(" "));
  const called = Object.values(ROUTES).map((route) => route.join(" "));
  assert.deepEqual([...called, ...leftOut].sort(), api.sort(), "call it in both clients, or list it in clients/left-out.txt");
  for (const name of Object.keys(ROUTES)) assert.equal(typeof Keepsake.prototype[name], "function", name);
  fieldsAreThoseOf(document.components.schemas);
});

// Types are gone at run time, so their declarations are read.
function fieldsAreThoseOf(schemas) {
  const pairs = {
    Recalled: "RecallAnswer",
    RecalledItem: "RecallItem",
    Remembered: "Remembered",
    ExchangeState: "ExchangeState",
    ToConfirm: "Confirm",
    Memory: "MemoryItem",
    Fact: "FactItem",
    Forgotten: "ForgetAnswer",
    Proposed: "ProposeAnswer",
    ErasurePreview: "ErasurePreview",
    LeftOut: "LeftOutItem",
    MemoryVersion: "MemoryVersion",
    Kept: "KeptAnswer",
    Note: "NoteItem",
    StaleNote: "StaleNote",
    RedundantNote: "RedundantNote",
    SuspiciousNote: "SuspiciousNote",
    NotesReport: "NotesReportAnswer",
    Preference: "PreferenceItem",
    ProfileField: "ProfileItem",
    Turn: "TurnItem",
    Command: "CommandAnswer",
    Card: "CommandCard",
    CardItem: "CommandCardItem",
    Confirm: "CommandConfirm",
    Tools: "ToolsAnswer",
    ToolAnswer: "ToolAnswer",
  };
  const types = readFileSync(new URL("../src/types.ts", import.meta.url), "utf8");
  const declared = (name) => {
    const [, base, body] = types.match(new RegExp(`export interface ${name} (?:extends (\\w+) )?\\{\n(.*?)\n\\}`, "s"));
    const own = [...body.matchAll(/^ {2}(\w+)(\??):/gm)].map(([, name, optional]) => ({ name, needed: optional === "" }));
    return [...own, ...(base === undefined ? [] : declared(base))];
  };
  // A shape may be made of others.
  const properties = ({ $ref, properties: own = {}, allOf = [] }) =>
    $ref === undefined ? [...Object.keys(own), ...allOf.flatMap(properties)] : properties(schemas[$ref.split("/").at(-1)]);
  for (const [ours, theirs] of Object.entries(pairs)) {
    const fields = declared(ours);
    const sent = properties(schemas[theirs]);
    for (const { name, needed } of fields) assert.ok(!needed || sent.includes(name), `${theirs} has no field ${name}`);
    const names = fields.map((field) => field.name);
    for (const name of sent) assert.ok(names.includes(name), `${ours} does not know the field ${name} of ${theirs}`);
  }
}

// A server that answers what the test wrote down, one after the other.
async function failing(answers, use, options = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    request.resume();
    asked.push(request);
    const { status, headers = {}, body = "{}" } = answers.shift();
    if (status === 0) request.socket.destroy();
    else if (status !== 1) response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(new Keepsake(`http://127.0.0.1:${server.address().port}/base/`, "ks_x", options), asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("it waits as long as the server says", async () => {
  const answers = [
    { status: 429, headers: { "retry-after": "0" } },
    { status: 503, headers: { "retry-after": "1" } },
    { status: 202, body: '{"id":"ex_1"}' },
  ];
  await failing(answers, async (keepsake, asked) => {
    const started = performance.now();
    assert.equal(await keepsake.exchange("a", "b", { surface }), "ex_1");
    assert.ok(performance.now() - started >= 990);
    assert.deepEqual(asked.map((request) => request.url), Array(3).fill("/base/v1/exchanges"));
    assert.equal(new Set(asked.map((request) => request.headers["idempotency-key"])).size, 1, "it is the same exchange");
  });
});

test("it gives up when the wait is too long or too often", async () => {
  await failing([{ status: 429, headers: { "retry-after": "86400" }, body: '{"code":"rate_limited"}' }], async (keepsake, asked) => {
    await assert.rejects(keepsake.proposeFact("x"), (error) => problem("rate_limited", 429)(error) && error.retryAfterS === 86400);
    assert.equal(asked.length, 1);
  });
  const busy = { status: 503, headers: { "retry-after": "0" } };
  const twice = { retries: 2 };
  await failing([busy, busy, busy], async (keepsake, asked) => {
    await assert.rejects(keepsake.recall("x", { surface }), problem("unknown", 503));
    assert.equal(asked.length, 3);
  }, twice);
});

test("a broken connection is tried again only if that does no harm", async () => {
  await failing([{ status: 0 }, { status: 200, body: '{"personal":[],"global":[],"prompt":""}' }], async (keepsake) => {
    assert.equal((await keepsake.recall("x", { surface })).prompt, "");
  });
  await failing([{ status: 0 }, { status: 200, body: '{"forgotten":1}' }], async (keepsake, asked) => {
    await assert.rejects(keepsake.forget("tea"), Unreachable);
    assert.equal(asked.length, 1, "the next closest memory would have been lost");
  });
});

test("a slow server and an odd answer are errors of this package", async () => {
  const impatient = { timeoutMs: 200, retries: 0 };
  await failing([{ status: 1 }], (keepsake) => assert.rejects(keepsake.recall("x", { surface }), Unreachable), impatient);
  await failing([{ status: 502, body: "<html>" }], (keepsake) =>
    assert.rejects(keepsake.recall("x", { surface }), problem("unknown", 502)),
  );
  await failing([{ status: 302, headers: { location: "http://elsewhere.example" }, body: "" }], async (keepsake, asked) => {
    await assert.rejects(keepsake.recall("x", { surface }), Problem);
    assert.equal(asked.length, 1, "no redirect is followed");
  });
  assert.throws(() => new Keepsake("localhost:3000", "ks_x"), TypeError);
});
