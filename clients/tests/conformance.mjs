// The conformance suite of MCP against a served binary. It sends no key, so a proxy adds one; everything else, such as the host that
// a request names, passes unchanged. What the suite asks of a test server's own tools, resources and prompts does not apply.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { KEEPSAKE_TEST_URL, KEEPSAKE_TEST_ANNA } = process.env;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const SCENARIOS = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "caching",
    "http-header-validation",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
    "dns-rebinding-protection",
  ],
};
// Checks that need something which Keepsake does not have. The suite calls them failures; they would be if we had it.
const DO_NOT_APPLY = {
  "server-stateless": [
    // Diagnostic tools of a test server.
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
  ],
  caching: [
    // Prompts and resources.
    "sep-2549-prompts-list-caching-hints",
    "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints",
    "sep-2549-resources-read-caching-hints",
  ],
};
const AT_A_TIME = 3;

const proxy = createServer((incoming, outgoing) => {
  const { hostname, port } = new URL(KEEPSAKE_TEST_URL);
  const headers = { ...incoming.headers, authorization: `Bearer ${KEEPSAKE_TEST_ANNA}` };
  const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", (error) => outgoing.destroy(error));
  incoming.pipe(passed);
});
await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
const url = `http://localhost:${proxy.address().port}/mcp`;
const results = mkdtempSync(join(tmpdir(), "conformance-"));

// The checks that failed and that apply, or the output if there are no results.
async function run(version, scenario) {
  const suite = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const folder = mkdtempSync(join(results, "run-"));
  const flags = ["server", "--url", url, "--scenario", scenario, "--spec-version", version, "--output-dir", folder];
  const child = spawn(process.execPath, ["--import", here("glob-for-node-20.mjs"), suite, ...flags], { cwd: folder });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  await new Promise((resolve) => child.on("close", resolve));
  try {
    const [file] = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith("checks.json"));
    const checks = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const passed = checks.filter((check) => check.status === "SUCCESS");
    const failed = checks.filter((check) => check.status === "FAILURE" && !DO_NOT_APPLY[scenario]?.includes(check.id));
    return { version, scenario, passed: passed.length, failed };
  } catch {
    return { version, scenario, passed: 0, failed: [said] };
  }
}

const waiting = Object.entries(SCENARIOS).flatMap(([version, names]) => names.map((name) => [version, name]));
const number = waiting.length;
const done = [];
await Promise.all(
  Array.from({ length: AT_A_TIME }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done.push(await run(...next));
  }),
);
proxy.close();
rmSync(results, { recursive: true });
for (const { version, scenario, passed, failed } of done) {
  if (failed.length > 0 || passed === 0) {
    console.error(`${scenario} (${version}), ${passed} checks passed, but:`, JSON.stringify(failed, null, 2));
    process.exitCode = 1;
  }
}
if (done.length !== number) process.exitCode = 1;
