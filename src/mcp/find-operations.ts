import { memoize } from '#domain/memoize.ts';
import { queryWords } from '#queries/text/search-text.ts';
import { stemOf } from '#queries/text/synonyms.ts';
import { arabicOf } from '#src/openapi/arabic/translate.ts';
import type { Tool } from './tools.ts';

const MAX_FOUND = 5;
/** Words of the title and the id count more than those of the description. */
const TITLE_WEIGHT = 4;
/** A word with the same beginning may be another form of it: `rental` and `rents`, `المعروضة` and `معروض`. */
const BEGINNING = 4;
const BEGINNING_WEIGHT = 0.4;

/** Words of users that titles lack. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  compareNeighborhoods: 'قارن حيين',
  countListings: 'how many كم عدد',
  getRentalYield: 'return on investment عوائد استثمار',
  listComparables: 'similar comps مماثلة',
};

type Weights = ReadonlyMap<string, number>;

const beginning = (stem: string): string => `${stem.slice(0, BEGINNING)}…`;

/** The words of a text and, with less weight, their beginnings. */
const wordsOf = (text: string): [string, number][] =>
  queryWords([text.replace(/[^\p{L}\p{N}]+/gu, ' ')]).flatMap((word) => {
    const stem = stemOf(word);
    return [
      [stem, 1],
      [beginning(stem), BEGINNING_WEIGHT],
    ];
  });

function weightsOf({ name, title, endpoint }: Tool): Weights {
  const { summary, description } = endpoint;
  const id = name.replace(/[A-Z]/g, ' $&');
  const weights = new Map<string, number>();
  for (const [text, weight] of [
    [`${id} ${title} ${arabicOf(summary)} ${OTHER_WORDS[name] ?? ''}`, TITLE_WEIGHT],
    [`${description} ${arabicOf(description)}`, 1],
  ] as const)
    for (const [word, part] of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight * part));
  return weights;
}

const allWeights = new WeakMap<readonly Tool[], readonly Weights[]>();

/** The operations whose descriptions, in English or Arabic, have the rarest words of a text, best first. */
export function findOperations(tools: readonly Tool[], text: string): Tool[] {
  const weights = allWeights.get(tools) ?? tools.map(weightsOf);
  allWeights.set(tools, weights);
  const rarity = memoize((word) => Math.log(1 + tools.length / weights.filter((each) => each.has(word)).length));
  const words = [...new Set(wordsOf(text).map(([word]) => word))];
  const scoreOf = (own: Weights): number =>
    words.reduce((sum, word) => sum + (own.get(word) ?? 0) * (own.has(word) ? Number(rarity(word)) : 0), 0);
  return tools
    .map((tool, at) => ({ tool, score: scoreOf(weights[at] as Weights) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ tool }) => tool);
}
