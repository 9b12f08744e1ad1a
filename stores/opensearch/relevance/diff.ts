import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { foldText } from '#domain/fold.ts';
import type { Clause } from '#queries/clause.ts';
import { explainQuery } from '#queries/text/explain.ts';
import { stemOf } from '#queries/text/synonyms.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { readAdQueries } from './ads.ts';
import { readPairs } from './pairs.ts';
import { compileQueries, inVersion, searchIndex, type TextSearch, withTexts } from './texts.ts';
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
  const frequent = [...new Set([...readAdQueries().map(({ query }) => query), ...queries])];
  const searched = [
    ...judged.map(({ query }, at) => ({ query, among: [String(at)] })),
    ...(ads.length === 0 ? [] : frequent.map((query) => ({ query, among: undefined }))),
  ];
  const versions = [before, after];
  const searches = versions.map((version) => {
    const clauses = compileQueries(searched, version);
    return searched.map(({ among }, at): TextSearch => ({ clause: clauses[at] as Clause, among }));
  });
  const [oldSearches = [], freshSearches = []] = searches;
  // With equal analyzers, one index is enough, and only clauses that differ can find other texts in it.
  const isShared = isDeepStrictEqual(before.settings, after.settings);
  const changedAt = [...searched.keys()].filter(
    (at) => !isShared || !isDeepStrictEqual(oldSearches[at], freshSearches[at]),
  );
  const settings = isShared ? [before.settings] : versions.map((version) => version.settings);
  const { old, fresh, described, tokens, changes } = await withTexts(client, texts, settings, (indexes) =>
    compareSearches(client, indexes, { searches: [oldSearches, freshSearches], changedAt, judged: judged.length }),
  );
  const found = described.map(({ at, id }) => ({
    query: searched[at]?.query ?? '',
    tokens: tokens.get(`${at} ${id}`) ?? [],
  }));
  const lines = responsibleLines(before, after, found);
  const changed = described.map(
    ({ id, in: which }, place): ChangedResult => ({
      query: found[place]?.query ?? '',
      text: (texts[Number(id)] ?? []).join(' / ').slice(0, EXCERPT_CHARACTERS),
      change: which === 0 ? 'lost' : 'gained',
      expected: judged[Number(id)]?.match ?? null,
      tokens: found[place]?.tokens ?? [],
      lines: lines[place] ?? [],
    }),
  );
  const sets = (['pairs', 'cases'] as const).map((set) => {
    const right = (ids: readonly string[][]): number =>
      judged.filter((each, at) => each.set === set && (ids[at]?.length === 1) === each.match).length;
    const total = judged.filter((each) => each.set === set).length;
    return { set, total, before: right(old), after: right(fresh) };
  });
  const counts = { ads: ads.length, queries: frequent.length, changes };
  return { before: before.name, after: after.name, sets, ...counts, changed };
}

interface Comparison {
  /** Of the version before and the one after. */
  searches: readonly [readonly TextSearch[], readonly TextSearch[]];
  /** Positions of the searches whose results can differ. */
  changedAt: readonly number[];
  /** Number of texts that only their own query searches. */
  judged: number;
}

/** @param indexes one, or one for each version */
async function compareSearches(
  client: OpenSearch,
  [first = '', second = first]: readonly string[],
  { searches, changedAt, judged }: Comparison,
) {
  const run = async (index: string, own: readonly TextSearch[]): Promise<string[][]> => {
    const found = await searchIndex(client, index, own);
    return found.map((hits, at) =>
      hits.flatMap(({ id }) => (own[at]?.among === undefined && Number(id) < judged ? [] : [id])),
    );
  };
  const [oldSearches, freshSearches] = searches;
  const [old, rerun] = await Promise.all([
    run(first, oldSearches),
    run(
      second,
      changedAt.map((at) => freshSearches[at] as TextSearch),
    ),
  ]);
  const fresh = [...old];
  for (const [place, at] of changedAt.entries()) fresh[at] = rerun[place] ?? [];
  const differing = changedAt.flatMap((at) => [
    ...without(old[at], fresh[at]).map((id) => ({ at, id, in: 0 })),
    ...without(fresh[at], old[at]).map((id) => ({ at, id, in: 1 })),
  ]);
  const described = differing.slice(0, MAX_CHANGES);
  const explain = async (index: string, which: 0 | 1): Promise<[string, string[]][]> => {
    const byQuery = [
      ...Map.groupBy(
        described.filter((each) => each.in === which),
        ({ at }) => at,
      ),
    ];
    const explained = await searchIndex(
      client,
      index,
      byQuery.map(([at, of]) => ({ clause: searches[which][at]?.clause ?? {}, among: of.map(({ id }) => id) })),
      { explain: true },
    );
    return byQuery.flatMap(([at], place) =>
      (explained[place] ?? []).map(({ id, tokens }): [string, string[]] => [`${at} ${id}`, tokens]),
    );
  };
  const tokens = new Map((await Promise.all([explain(first, 0), explain(second, 1)])).flat());
  return { old, fresh, described, tokens, changes: differing.length };
}

const without = (own: readonly string[] = [], other: readonly string[] = []): string[] => {
  const others = new Set(other);
  return own.filter((id) => !others.has(id));
};

export type RelevanceDiff = Awaited<ReturnType<typeof diffRelevance>>;

function readJudged(): Judged[] {
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as { q: string; text: string | string[]; match: boolean }[];
  return [
    ...readPairs().map(({ query, text, match }): Judged => ({ set: 'pairs', query, text: [text], match })),
    ...cases.map(({ q, text, match }): Judged => ({ set: 'cases', query: q, text: [text].flat(), match })),
  ];
}

/** Returns for each result the lines that only one version has, and that concern its query or the tokens that matched. */
function responsibleLines(
  before: TextVersion,
  after: TextVersion,
  results: readonly { query: string; tokens: readonly string[] }[],
): string[][] {
  const linesOf = (version: TextVersion, other: TextVersion, sign: string): string[][] => {
    const [synonyms, words] = (['synonyms', 'words'] as const).map((file) => {
      const same = new Set(other[file].map(({ text }) => text));
      return version[file].filter(({ text }) => !same.has(text));
    });
    return inVersion(version, () => {
      const listed = (words ?? []).map((line) => ({ ...line, stems: wordsIn(line.text).map(stemOf) }));
      return results.map(({ query, tokens }) => {
        const expansions = explainQuery(query, version.synonyms).flatMap((word) => word.expansions);
        const used = new Set(expansions.map(({ line }) => line));
        const stems = new Set([...[...wordsIn(query), ...tokens].map(stemOf), ...tokens]);
        return [
          ...(synonyms ?? [])
            .filter(({ number }) => used.has(number))
            .map(({ number, text }) => `${sign} synonyms.txt:${number} ${text}`),
          ...listed
            .filter((line) => line.stems.some((stem) => stems.has(stem)))
            .map(({ number, text }) => `${sign} words.txt:${number} ${text}`),
        ];
      });
    });
  };
  const removed = linesOf(before, after, '-');
  const added = linesOf(after, before, '+');
  return results.map((_, place) => {
    const lines = [...(removed[place] ?? []), ...(added[place] ?? [])];
    return lines.length > 0 ? lines : ['analysis.json or code'];
  });
}

const wordsIn = (text: string): string[] =>
  foldText(text)
    .split(/[\s,]+|=>/)
    .filter(Boolean);
