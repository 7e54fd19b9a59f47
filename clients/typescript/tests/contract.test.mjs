// The contract kit finds each fault that it is made for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, ContractBroken, OPEN, blockOf, cachedPrefixHash, checkPromptAssembly } from "../dist/contract.js";

const PREFIX = "You are a helpful assistant.";
const good = (block, message) => ({ prefix: PREFIX, rest: `${block}\n\n${message}` });
const unescaped = (text) => text.replaceAll("&lt;", "<").replaceAll("&amp;", "&");

async function fault(assemble, words, options) {
  await assert.rejects(checkPromptAssembly(assemble, options), (error) => {
    assert.ok(error instanceof ContractBroken && error.message.includes(words), error.message);
    return true;
  });
}

test("a good host passes", async () => {
  const hash = await checkPromptAssembly(good, { blocks: [blockOf("a < b & c")] });
  assert.equal(hash, await cachedPrefixHash(PREFIX));
});

test("each fault is found", async () => {
  await fault((block, message) => ({ prefix: PREFIX + block, rest: message }), "in the cached prefix");
  await fault((block, message, user) => ({ prefix: `${PREFIX} Hello ${user}`, rest: block + message }), "different hashes");
  await fault((block, message) => ({ prefix: PREFIX, rest: block + block + message }), "there once");
  await fault((_, message) => ({ prefix: PREFIX, rest: message }), "there once");
  await fault((block, message) => ({ prefix: PREFIX, rest: unescaped(block) + message }), "unescaped");
  await fault((block, message) => ({ prefix: PREFIX, rest: block.replaceAll("- ", "* ") + message }), "was changed");
  await fault((block, message) => ({ prefix: PREFIX, rest: (block || OPEN + CLOSE) + message }), "nothing was recalled");
  const lines = (block) => block.split("\n").filter((line) => line.startsWith("- ")).join("\n");
  await fault((block, message) => ({ prefix: PREFIX, rest: `${lines(block)}\n${block}\n${message}` }), "outside of the wrapper");
});

test("a budget is kept by whole lines or nothing", async () => {
  const budgetChars = 400;
  const fits = (block) => block.length <= budgetChars;
  const shortened = (block, message) => {
    const lines = block.split("\n");
    while (lines.join("\n").length > budgetChars) lines.splice(-2, 1);
    return good(lines.join("\n"), message);
  };
  await checkPromptAssembly(shortened, { budgetChars });
  await checkPromptAssembly((block, message) => good(fits(block) ? block : "", message), { budgetChars });
  await fault(good, "more than the budget", { budgetChars });
  const cut = (block) => (fits(block) ? block : block.slice(0, budgetChars - CLOSE.length) + CLOSE);
  await fault((block, message) => good(cut(block), message), "within a line", { budgetChars });
});
