import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A query, a text, and whether the one must find the other: a line of `relevance/pairs.tsv`. */
export interface Pair {
  match: boolean;
  kind: string;
  query: string;
  text: string;
}

/** Rules are tuned on `development`; `heldOut` tells whether they carry over to words that nobody tuned them on. */
export const THIRDS = ['development', 'held out'] as const;
export type Third = (typeof THIRDS)[number];

/** The share of right outcomes that is asked of either part. */
export const ASKED = 0.95;

const FILE = new URL('../../../relevance/pairs.tsv', import.meta.url);
const HEADER = 'expect\tkind\tquery\ttext';

export function readPairs(file: URL = FILE): Pair[] {
  const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  if (header !== HEADER) throw new Error(`relevance/pairs.tsv: the first line must be "${HEADER}" (with tabs).`);
  return lines.map((line, index) => {
    const [expect, kind, query, text, ...rest] = line.split('\t');
    if ((expect !== 'match' && expect !== 'no match') || !kind || !query || !text || rest.length > 0)
      throw new Error(
        `relevance/pairs.tsv, line ${index + 2}: "match" or "no match", kind, query and text are expected.`,
      );
    return { match: expect === 'match', kind, query, text };
  });
}

/** By a hash of the pair, so that it never changes sides and nobody chooses its side. */
export function thirdOf({ query, text }: Pair): Third {
  const hash = createHash('sha256').update(`${query}\t${text}`).digest();
  return hash.readUInt32BE(0) % 3 === 0 ? 'held out' : 'development';
}
