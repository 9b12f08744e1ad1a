import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Reads a data set whose generator no longer exists: `ads` (10,000 ads from five feeds, seed 20261), `third-27` and
 * `third-2027` (ads for 3,000 homes each; photos with near perceptual hashes have the same URL) or `projects` (copies
 * of 600 off-plan projects, seeds 1 and 20261). The seeds 20261 and 2027 were not used for tuning.
 */
export function readFrozen<Row>(name: 'ads' | 'projects' | 'third-27' | 'third-2027'): Row[] {
  const packed = readFileSync(new URL(`./data/${name}.ndjson.br`, import.meta.url));
  return brotliDecompressSync(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
