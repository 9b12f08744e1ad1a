import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Pair {
  match: boolean;
  kind: string;
  query: string;
  text: string;
  part: PairPart;
}

/** The text analysis is tuned on the `development` part; `held out` measures its quality on unseen words. */
export const PARTS = ['development', 'held out'] as const;
type PairPart = (typeof PARTS)[number];

/** Required share of correctly classified pairs in each part. */
export const REQUIRED_SHARE = 0.95;

const FILE = new URL('../../../index-templates/relevance/pairs.tsv', import.meta.url);
const HEADER = 'expect\tkind\tquery\ttext';

export function readPairs(): Pair[] {
  const [header, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  if (header !== HEADER)
    throw new Error(`index-templates/relevance/pairs.tsv: the first line must be "${HEADER}" (with tabs).`);
  return lines.map((line, index) => {
    const [expect, kind, query, text, drawn, ...rest] = line.split('\t');
    const part = PARTS.find((each) => each === drawn);
    const isValid = (expect === 'match' || expect === 'no match') && drawn === part && rest.length === 0;
    if (!isValid || !kind || !query || !text)
      throw new Error(
        `index-templates/relevance/pairs.tsv, line ${index + 2}: "match" or "no match", kind, query, text, and optionally the part "${PARTS.join('" or "')}" are expected.`,
      );
    return { match: expect === 'match', kind, query, text, part: part ?? hashedPart(query, text) };
  });
}

/** Of a pair whose line states no part. A hash never changes. About a third is held out. */
function hashedPart(query: string, text: string): PairPart {
  const hash = createHash('sha256').update(`${query}\t${text}`).digest();
  return hash.readUInt32BE(0) % 3 === 0 ? 'held out' : 'development';
}

/** @param outcomes whether the query of each pair found its text */
export function scorePairs(pairs: readonly Pair[], outcomes: readonly boolean[]) {
  const scores = PARTS.map((part) => {
    const mine = pairs.map((pair, at) => ({ pair, right: outcomes[at] === pair.match }));
    const inPart = mine.filter(({ pair }) => pair.part === part);
    const wrong = inPart.filter(({ right }) => !right).map(({ pair }) => pair);
    const right = inPart.length - wrong.length;
    return [part, { pairs: inPart.length, right, share: right / inPart.length, wrong }] as const;
  });
  return Object.fromEntries(scores) as Record<PairPart, (typeof scores)[number][1]>;
}
