import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, forEachStep, type PartResult, type Row } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { compare } from '../load/compare.ts';
import { type Summary, timeHeads, timesOf } from '../load/statistics.ts';
import { searchStatement } from '../postgres/searches.ts';
import { makeSearchTable } from '../postgres/tables.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { type BenchRequest, FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { resultsOf, type SearchResult } from '../requests/responses.ts';
import { clearRequestCache, postgresSide, searchesByApi, searchesByEngine } from '../requests/sides.ts';

const MIN_AHEAD = 5;

/** Runs the same requests in Postgres, with one index per kind of request. */
export async function postgres(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await makeSearchTable(bench, corpus);
  const cohorts = await readCohorts(corpus);
  const families: Family[] = [];
  // Cached counts need no work and cannot be compared, so each count is requested only once.
  for (const name of FAMILY_NAMES)
    families.push(name === 'count' ? uncachedCounts(cohorts, 96) : await makeFamily(name, corpus, cohorts));
  await using api = await startApi(corpus);
  const rows: Row[] = [];
  const ahead: Row[] = [];
  const figures: Figure[] = [];
  const notes: string[] = [];
  await forEachStep(bench, 'Postgres', families, async ({ name, title, requests }) => {
    const engineRequests = searchesByEngine(requests, corpus);
    notes.push(await agreement(title, requests, corpus, await resultsOf(engineRequests)));
    const statements = requests.map((request) => searchStatement(request));
    await bench.load.setSides({
      postgres: postgresSide(corpus, statements),
      engine: engineRequests,
      api: searchesByApi(requests, api, corpus),
    });
    for (const connections of [1, 8]) {
      const { sides } = await compare(bench, ['postgres', 'engine', 'api'], {
        connections,
        rounds: Math.ceil(bench.rounds / 2),
        count: requests.length,
        ...(name === 'count' ? { before: () => clearRequestCache(corpus) } : { sliceMs: bench.sliceMs }),
      });
      const { postgres, engine, api: ours } = sides;
      rows.push([title, connections, ...timesOf(postgres, engine, ours)]);
      ahead.push([title, connections, leads(postgres, engine), leads(postgres, ours)]);
      const where = `${title}, ${connections} connection${connections === 1 ? '' : 's'}`;
      for (const [side, { p99, per_second }] of [
        ['OpenSearch', engine],
        ['the API', ours],
      ] as const) {
        figures.push(figure(`${where}: p99 of Postgres over that of ${side}`, postgres.p99 / p99, 'x', { atLeast: 1 }));
        if (name === 'count' || name === 'text')
          figures.push(
            figure(`${where}: throughput of ${side} over that of Postgres`, per_second / postgres.per_second, 'x', {
              atLeast: MIN_AHEAD,
            }),
          );
      }
    }
    return title;
  });
  return {
    tables: [
      {
        title: 'The same requests, milliseconds and requests per second',
        head: ['Request', 'Conn.', ...timeHeads('Postgres', 'OpenSearch', 'API')],
        rows,
      },
      {
        title: 'Where Postgres is ahead',
        head: ['Request', 'Conn.', 'of OpenSearch on', 'of the API on'],
        rows: ahead,
      },
    ],
    figures,
    notes: [
      'Postgres: prepared statements over one connection per lane, the page as one text of the served JSON; rows in the order of the default sort; covering partial B-trees for sort, type, price and neighborhood, GiST for points, GIN over a stored tsvector; vacuumed and analyzed. Unlike the API, Postgres neither checks keys nor charges.',
      'Counts use new price bounds, and the request cache is cleared before every slice.',
      ...notes,
    ],
  };
}

/** Returns the measures in which the first side is better than the second. */
function leads(a: Summary, b: Summary): string {
  const on = [
    ...(a.p50 < b.p50 ? ['p50'] : []),
    ...(a.p99 < b.p99 ? ['p99'] : []),
    ...(a.per_second > b.per_second ? ['throughput'] : []),
  ];
  return on.length === 0 ? 'nothing' : on.join(', ');
}

/** Returns how many requests have equal results. Only text search may differ, because of stemmers and synonyms. */
async function agreement(
  title: string,
  requests: readonly BenchRequest[],
  { pool }: Corpus,
  expected: readonly SearchResult[],
): Promise<string> {
  let equal = 0;
  for (const [at, request] of requests.entries()) {
    const { text, values } = searchStatement(request, 'ids');
    const { rows } = await pool.query<SearchResult[]>({ text, values: values as unknown[], rowMode: 'array' });
    const [result] = rows[0] ?? [];
    // bigint arrays are returned as texts.
    const found = Array.isArray(result) ? result.map(Number) : result;
    if (JSON.stringify(found) === JSON.stringify(expected[at])) equal++;
    else if (request.filters.q === undefined)
      throw new Error(`${title}: results of request ${at} differ: ${JSON.stringify(request)}`);
  }
  const why = equal === requests.length ? '' : ' (the stemmers, stop words and synonyms differ)';
  return `${title}: ${equal} of ${requests.length} requests have equal results${why}.`;
}
