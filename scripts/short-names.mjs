// Gives a script of wasm-bindgen the short names that wasm-opt gave to what the program imports and exports. A long name ends with a
// hash, which does not compress.
//   node short-names.mjs <script> <what wasm-opt printed> <new script>
import { readFileSync, writeFileSync } from 'node:fs';

const [script, printed, target] = process.argv.slice(2);
const names = JSON.parse(readFileSync(printed, 'utf8'));
/** The module that wasm-opt makes of all modules. */
const MODULE = 'a';

function shortened(text, pattern, pairs) {
  const short = new Map(pairs);
  return text.replace(pattern, (whole, before, long, after) => {
    if (!short.has(long)) throw new Error(`${script}: ${long} has no short name in ${printed}`);
    return before + short.get(long) + after;
  });
}

const imports = names.imports.map(([, long, short]) => [long, short]);
const modules = names.imports.map(([module]) => [module, MODULE]);
let text = readFileSync(script, 'utf8');
text = shortened(text, /^(\s+)(__wb\w+)(: function)/gm, imports);
text = shortened(text, /(\bwasm\.)(\w+)()/g, names.exports);
text = shortened(text, /(^\s+")(\.\/\w+\.js)(": import0,)/gm, modules);
writeFileSync(target, text);
