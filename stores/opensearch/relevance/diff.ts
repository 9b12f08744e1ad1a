import { readFileSync } from 'node:fs';
import { foldText } from '#domain/fold.ts';
import { explainQuery } from '#queries/text/explain.ts';
import { stemOf, withSynonyms } from '#queries/text/synonyms.ts';
import type { ListedLine } from '#queries/text/word-lists.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { readAdQueries } from './ads.ts';
import { readPairs } from './pairs.ts';
import { type MatchedText, searchTexts } from './texts.ts';
import type { TextVersion } from './versions.ts';

const CASES = new URL('../../../index-templates/relevance/cases.json', import.meta.url);

interface Judged {
  set: 'pairs' | 'cases';
  query: string;
  text: readonly string[];
  match: boolean;
}

export interface ChangedResult {
  query: string;
  text: string;
  change: 'gained' | 'lost';
  /** Whether the text should be found. Null for an ad without a judgment. */
  expected: boolean | null;
  /** Tokens of the index that matched, in the version that finds the text. */
  tokens: string[];
  /** Lines that only the version before (`-`) or after (`+`) has, and that concern the query or these tokens. */
  lines: string[];
}

const EXCERPT_CHARACTERS = 90;
/** Gained and lost results that are described; all are counted. */
const MAX_CHANGES = 300;

/**
 * Searches the same texts with two versions of the files, in temporary indexes: those of the pairs and of the cases, each
 * for its query, and ads for frequent queries.
 * @param ads title and description of each
 * @param queries searched in the ads, besides those of `ad-queries.json`
 */
export async function diffRelevance(
  client: OpenSearch,
  [before, after]: readonly [TextVersion, TextVersion],
  { ads, queries }: { ads: readonly string[][]; queries: readonly string[] },
) {
  const judged = readJudged();
  const texts = [...judged.map(({ text }) => text), ...ads];
  const adIds = ads.map((_, at) => String(judged.length + at));
  const frequent = [...new Set([...readAdQueries().map(({ query }) => query), ...queries])];
  const searched = [
    ...judged.map(({ query }, at) => ({ query, among: [String(at)] })),
    ...(ads.length === 0 ? [] : frequent.map((query) => ({ query, among: adIds }))),
  ];
  const versions = [before, after];
  const [old = [], fresh = []] = await Promise.all(
    versions.map((version) => searchTexts(client, texts, searched, { version })),
  );
  const differing = searched.flatMap((_, at) => [
    ...without(old[at], fresh[at]).map((id) => ({ at, id, in: 0 })),
    ...without(fresh[at], old[at]).map((id) => ({ at, id, in: 1 })),
  ]);
  const described = differing.slice(0, MAX_CHANGES);
  const changedTexts = described.map(({ id }) => texts[Number(id)] ?? []);
  const changedQueries = described.map(({ at }, place) => ({
    query: searched[at]?.query ?? '',
    among: [String(place)],
  }));
  const explained = await Promise.all(
    described.length === 0
      ? []
      : versions.map((version) => searchTexts(client, changedTexts, changedQueries, { version, explain: true })),
  );
  const linesOf = responsibleLines(before, after);
  const changed = described.map(({ at, id, in: which }, place): ChangedResult => {
    const query = searched[at]?.query ?? '';
    const tokens = explained[which]?.[place]?.[0]?.tokens ?? [];
    return {
      query,
      text: (texts[Number(id)] ?? []).join(' / ').slice(0, EXCERPT_CHARACTERS),
      change: which === 0 ? 'lost' : 'gained',
      expected: judged[Number(id)]?.match ?? null,
      tokens,
      lines: linesOf(query, tokens),
    };
  });
  const sets = (['pairs', 'cases'] as const).map((set) => {
    const right = (found: readonly MatchedText[][] | undefined): number =>
      judged.filter((each, at) => each.set === set && (found?.[at]?.length === 1) === each.match).length;
    const total = judged.filter((each) => each.set === set).length;
    return { set, total, before: right(old), after: right(fresh) };
  });
  const counts = { ads: ads.length, queries: frequent.length, changes: differing.length };
  return { before: before.name, after: after.name, sets, ...counts, changed };
}

const without = (own: readonly MatchedText[] = [], other: readonly MatchedText[] = []): string[] => {
  const others = new Set(other.map(({ id }) => id));
  return own.flatMap(({ id }) => (others.has(id) ? [] : [id]));
};

export type RelevanceDiff = Awaited<ReturnType<typeof diffRelevance>>;

function readJudged(): Judged[] {
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as { q: string; text: string | string[]; match: boolean }[];
  return [
    ...readPairs().map(({ query, text, match }): Judged => ({ set: 'pairs', query, text: [text], match })),
    ...cases.map(({ q, text, match }): Judged => ({ set: 'cases', query: q, text: [text].flat(), match })),
  ];
}

/** Returns the lines that only one version has, and that concern a query or the tokens that matched. */
function responsibleLines(before: TextVersion, after: TextVersion) {
  const changed = [
    { version: before, other: after, sign: '-' },
    { version: after, other: before, sign: '+' },
  ].flatMap(({ version, other, sign }) =>
    (['synonyms', 'words'] as const).flatMap((file) => {
      const same = new Set(other[file].map(({ text }) => text));
      const own = version[file].filter(({ text }) => !same.has(text));
      return own.map((line) => ({ ...line, file, sign, version }));
    }),
  );
  const inVersion = <Result>({ synonyms, words }: TextVersion, work: () => Result): Result =>
    withSynonyms(synonyms.map(textOf), work, words.map(textOf));
  return (query: string, tokens: readonly string[]): string[] => {
    const facts = new Map(
      [before, after].map((version) => [
        version,
        inVersion(version, () => ({
          used: new Set(
            explainQuery(query, version.synonyms).flatMap(({ expansions }) => expansions.map(({ line }) => line)),
          ),
          stems: new Set([...wordsIn(query), ...tokens].map(stemOf)),
          listed: changed
            .filter((each) => each.version === version && each.file === 'words')
            .map(({ number, text }) => ({ number, stems: wordsIn(text).map(stemOf) })),
        })),
      ]),
    );
    const concerns = ({ file, number, version }: (typeof changed)[number]): boolean => {
      const { used, stems, listed = [] } = facts.get(version) ?? {};
      if (file === 'synonyms') return used?.has(number) === true;
      const words = listed.find((each) => each.number === number)?.stems ?? [];
      return words.some((stem) => stems?.has(stem) || tokens.includes(stem));
    };
    const found = changed
      .filter(concerns)
      .map(({ file, sign, number, text }) => `${sign} ${file}.txt:${number} ${text}`);
    return found.length > 0 ? found : ['analysis.json or code'];
  };
}

const textOf = ({ text }: ListedLine): string => text;
const wordsIn = (text: string): string[] =>
  foldText(text)
    .split(/[\s,]+|=>/)
    .filter(Boolean);
