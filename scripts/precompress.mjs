// Writes a compressed copy beside every text and program file of a folder, for browsers that accept compression.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compressors = {
  '.br': (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  '.gz': (bytes) => gzipSync(bytes, { level: 9 }),
};

for (const name of readdirSync(process.argv[2], { recursive: true })) {
  const file = join(process.argv[2], name);
  if (!/\.(css|js|svg|wasm)$/.test(name)) continue;
  for (const [ending, compress] of Object.entries(compressors)) {
    const fresh = existsSync(file + ending) && statSync(file + ending).mtimeMs > statSync(file).mtimeMs;
    if (!fresh) writeFileSync(file + ending, compress(readFileSync(file)));
  }
}
