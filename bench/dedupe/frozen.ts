import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/**
 * A set whose generator is gone, as JSON lines: `ads` (10,000 ads of five feeds, seed 20261) and `projects` (copies of 600
 * off-plan projects, seeds 1 and 20261). Nothing was tuned with seed 20261.
 */
export function readFrozen<Row>(name: 'ads' | 'projects'): Row[] {
  const packed = readFileSync(new URL(`./data/${name}.ndjson.br`, import.meta.url));
  return brotliDecompressSync(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
