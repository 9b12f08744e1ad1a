import { type Command, InvalidArgumentError } from 'commander';
import { QUERY_DAYS } from '#src/observability/query-log.ts';
import { readAds, scoreAds } from '#stores/opensearch/relevance/ads.ts';
import { compareRelevance, type IndexComparison } from '#stores/opensearch/relevance/between.ts';
import { diffRelevance } from '#stores/opensearch/relevance/diff.ts';
import { PARTS, REQUIRED_SHARE, readPairs, scorePairs } from '#stores/opensearch/relevance/pairs.ts';
import { searchPairs } from '#stores/opensearch/relevance/texts.ts';
import { readVersion, WORKING_TREE } from '#stores/opensearch/relevance/versions.ts';
import { readQueryLog } from '#stores/postgres/query-log.ts';
import { act } from '../command.ts';
import { withDatabase, withEngine } from '../connect.ts';
import { type OutputOptions, printable, printRows, type Result } from '../output.ts';

interface Flags extends OutputOptions {
  heldOut?: boolean;
  ads?: string;
  between?: string[];
}

export const HELP = `Examples:
  npm run cli -- relevance                      the pairs of index-templates/relevance/pairs.tsv, and the failed ones of the development part
  npm run cli -- relevance --held-out        at the end of a change: once read, the held-out part is no longer unseen
  npm run cli -- relevance --ads ads.ndjson  precision and recall of the queries of index-templates/relevance/ad-queries.json
  npm run cli -- relevance diff                results that the edited files gain and lose against the last commit
  npm run cli -- relevance diff serving --ads ads.ndjson   against the analyzers of the serving index, also in real ads
  npm run cli -- relevance diff v1.0.0 HEAD    between two commits
  npm run cli -- relevance --between listings listings-previous

It ends with 1 when less than ${REQUIRED_SHARE} of either part is correct, and \`diff\` when fewer pairs or cases are right than before.`;

export function addCommands(group: Command): void {
  group
    .description(
      'Evaluates text search with the analysis on disk, regardless of the serving index, which does not change.',
    )
    .option('--held-out', 'also print the misses of the held-out part')
    .option('--ads <file>', 'evaluate frequent queries on the ads of an NDJSON file instead')
    .option(
      '--between <indexes...>',
      'compare two listing indexes instead, with rank_eval: the serving one and a candidate, INDEX_PREFIX added',
    );
  act(group, evaluate);
  act(
    group
      .command('diff [before] [after]')
      .description('Show the results that a version of the text files gains and loses, with the lines responsible.')
      .option('--ads <file>', 'also search frequent queries in the ads of an NDJSON file')
      .option('--logged', 'also search the most frequent logged queries in these ads'),
    diff,
  );
}

/** Number of queries that are read from the log. */
const LOGGED_QUERIES = 200;
const LOG_TIMEOUT_MS = 30_000;

function diff(
  { json, ads, logged }: OutputOptions & { ads?: string; logged?: boolean },
  before = 'HEAD',
  after = WORKING_TREE,
): Promise<Result> {
  if (logged && ads === undefined)
    throw new InvalidArgumentError('--logged needs --ads: logged queries are searched in ads.');
  return withEngine(async (client) => {
    const queries = logged
      ? await withDatabase(LOG_TIMEOUT_MS, (pool) => readQueryLog(pool, QUERY_DAYS, LOGGED_QUERIES))
      : [];
    const found = await diffRelevance(client, [await readVersion(client, before), await readVersion(client, after)], {
      ads: ads === undefined ? [] : await readAds(ads),
      queries: queries.flatMap(({ kind, text }) => (kind === 'q' ? text : [])),
    });
    const { sets, changed, ...counts } = found;
    if (sets.some((set) => set.after < set.before)) process.exitCode = 1;
    if (json) return found;
    printRows(
      changed.map((each) => ({ ...each, expected: each.expected === null ? '-' : each.expected ? 'yes' : 'no' })),
      { json },
    );
    return { ...counts, ...Object.fromEntries(sets.map(({ set, ...right }) => [set, right])) };
  });
}

function evaluate(flags: Flags): Promise<Result> {
  return withEngine(async (client) => {
    if (flags.between !== undefined) {
      const [serving, candidate, ...rest] = flags.between.map((name) => client.prefix + name);
      if (!serving || !candidate || rest.length > 0)
        throw new InvalidArgumentError(
          '--between expects two indexes, such as `--between listings listings-previous`.',
        );
      const comparison = await compareRelevance(client, serving, candidate);
      if (flags.json) return comparison;
      console.log(comparisonText(comparison));
      return;
    }
    if (flags.ads !== undefined) {
      const { ads, queries, precision, recall } = await scoreAds(client, await readAds(flags.ads));
      const all = { query: `all, over ${ads} ads`, found: null, answers: null, precision, recall };
      return [...queries, all].map(rounded);
    }
    const pairs = readPairs();
    const scores = scorePairs(pairs, await searchPairs(client, pairs));
    if (PARTS.some((part) => scores[part].share < REQUIRED_SHARE)) process.exitCode = 1;
    return reportPairs(scores, flags);
  });
}

function reportPairs(scores: ReturnType<typeof scorePairs>, flags: Flags): Result {
  const shown = PARTS.filter((part) => part === 'development' || flags.heldOut);
  const misses = shown.flatMap((part) =>
    scores[part].wrong.map(({ part: _, match, ...pair }) => ({
      part,
      expected: match ? 'match' : 'no match',
      ...pair,
    })),
  );
  const figures = PARTS.map((part) => {
    const { pairs, right, share } = scores[part];
    return rounded({ part, pairs, right, share });
  });
  if (flags.json) return { parts: figures, misses };
  if (misses.length > 0) printRows(misses, flags);
  return figures;
}

/** A line for each set, and for each changed query. */
export function comparisonText({ documents, sets, changed }: IndexComparison): string {
  const metrics = sets.map(
    ({ set, queries, serving, candidate }) =>
      `${set} (${queries}): precision ${serving.precision.toFixed(3)} → ${candidate.precision.toFixed(3)}, recall ${serving.recall.toFixed(3)} → ${candidate.recall.toFixed(3)}`,
  );
  const queries = changed.map(
    ({ query, serving, candidate, lost, gained }) =>
      `  ${query}: ${serving} → ${candidate} hits, ${lost} lost, ${gained} gained`,
  );
  const counts = `documents: ${documents.serving} → ${documents.candidate}`;
  return printable([counts, ...metrics, ...queries].join('\n'));
}

function rounded<Row extends object>(row: Row): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
