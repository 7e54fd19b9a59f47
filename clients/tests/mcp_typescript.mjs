// The official TypeScript clients of MCP against a served binary: the one for the newer version of the protocol and the one for the
// older, over HTTP and on stdio.
import assert from "node:assert/strict";
import { Client as Newer, StreamableHTTPClientTransport as NewerHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdio } from "@modelcontextprotocol/client/stdio";
import { Client as Older } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { KEEPSAKE_TEST_URL: url, KEEPSAKE_BINARY: command, KEEPSAKE_TEST_BUDI: budi, KEEPSAKE_TEST_KEY: trusted } = process.env;
const info = { name: "keepsake-tests", version: "1.0.0" };
const passed = ["KEEPSAKE_DATA_DIR", "KEEPSAKE_EMBEDDER", "KEEPSAKE_LOG", "PATH", "HOME"];
const env = Object.fromEntries(passed.map((name) => [name, process.env[name]]));

const http = (Transport, key, headers = {}) =>
  new Transport(new URL("/mcp", url), { requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } } });
const stdio = (Transport, ...args) => new Transport({ command, args: ["mcp", ...args], env });
const newer = () => new Newer(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
const older = () => new Older(info);

async function remembered(client, transport, what) {
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const tool = (name) => tools.find((tool) => tool.name === name);
    assert.equal(tools.length, 7);
    assert.deepEqual(
      [tool("recall_memory").annotations.readOnlyHint, tool("forget_memory").annotations.destructiveHint],
      [true, true],
    );
    const call = (name, args) => client.callTool({ name, arguments: args });
    // The client checks each answer against the schema of the tool.
    const saved = await call("remember", { text: `User owns a ${what}` });
    assert.match(saved.structuredContent.outcome, /inserted|merged/);
    const found = await call("recall_memory", { q: `Who owns a ${what}?` });
    assert.ok(found.structuredContent.personal.some((item) => item.content.includes(what)), JSON.stringify(found));
    assert.ok((await call("list_memories", { limit: 200 })).content[0].text.includes(what));
    assert.ok(!(await call("list_global_memories", { origin: "agent" })).isError);
    const refused = await call("propose_global_memory", { content: "Ask dana@example.org about the deploy." });
    assert.equal(refused.structuredContent.outcome, "refused");
    const wrong = await call("recall_memory", { query: "tea", limit: 51 });
    assert.ok(wrong.isError && wrong.content[0].text.includes("(code: invalid)"), JSON.stringify(wrong));
    assert.equal((await call("forget_memory", { query: `User owns a ${what}` })).structuredContent.forgotten, 1);
    await assert.rejects(call("no_such_tool", {}));
  } finally {
    await client.close();
  }
}

// One after the other, because each forgets what it remembered and some share a user.
await remembered(newer(), http(NewerHttp, budi), "kayak");
await remembered(older(), http(OlderHttp, budi), "violin");
await remembered(newer(), http(NewerHttp, trusted, { "x-keepsake-user": "ts-header" }), "drone");
await remembered(newer(), stdio(NewerStdio, "--url", url, "--key", budi), "surfboard");
await remembered(older(), stdio(OlderStdio, "--url", url, "--key", budi), "typewriter");
await remembered(newer(), stdio(NewerStdio, "--user", "ts-own"), "unicycle");
await remembered(older(), stdio(OlderStdio, "--user", "ts-own"), "harpsichord");
await assert.rejects(older().connect(http(OlderHttp, "ks_wrong")));
