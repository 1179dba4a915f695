// Prints how large the module and its glue are when compressed, and fails if they are larger than agreed.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const budget = 530 * 1024; // bytes, gzip, in all
let total = 0;
for (const name of ['podberth.wasm', 'podberth.mjs']) {
  const bytes = readFileSync(new URL(`dist/${name}`, import.meta.url));
  const zipped = gzipSync(bytes, { level: 9 }).length;
  total += zipped;
  console.log(`${name}: ${bytes.length} bytes, ${zipped} gzip`);
}
console.log(`total: ${total} of ${budget} bytes gzip`);
if (total > budget) {
  console.error('over the budget');
  process.exit(1);
}
