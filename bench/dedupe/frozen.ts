import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Reads a data set whose generator no longer exists: `ads` (10,000 ads from five feeds, seed 20261) or `projects`
 * (copies of 600 off-plan projects, seeds 1 and 20261). Seed 20261 was not used for tuning.
 */
export function readFrozen<Row>(name: 'ads' | 'projects'): Row[] {
  const packed = readFileSync(new URL(`./data/${name}.ndjson.br`, import.meta.url));
  return brotliDecompressSync(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
