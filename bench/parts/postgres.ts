import { startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { compare, type SideSummary, timeHeads, timesOf } from '../load/generator.ts';
import type { Side } from '../load/protocol.ts';
import { statementFor } from '../postgres/statements.ts';
import { ensureTables, type TableName } from '../postgres/table.ts';
import { type AnswerOf, answersOf, readEngineAnswer } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { type BenchRequest, FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { apiSide, clearRequestCache, engineSide } from '../requests/http-requests.ts';

const MIN_AHEAD = 5;
const NAMES = ['postgres', 'general', 'engine', 'api'] as const;
const TABLES: Readonly<Record<'postgres' | 'general', TableName>> = {
  postgres: 'listings',
  general: 'listings_general',
};

/**
 * Runs the same requests in Postgres: with one index per request, and with one general design for any combination of filters.
 */
export const postgresPart: Part = {
  name: 'postgres',
  summary: 'the same requests in Postgres with suitable indexes',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await ensureTables(bench, corpus);
  const facts = await readFacts(corpus);
  const families: { family: Family; uncached: boolean }[] = [];
  for (const name of FAMILY_NAMES) {
    // Cached counts need no work and cannot be compared, so each count is requested once.
    if (name === 'count') families.push({ family: await uncachedCounts(facts, 96), uncached: true });
    else families.push({ family: await makeFamily(name, corpus, facts), uncached: false });
  }
  const api = await startApi(corpus);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const ahead: string[][] = [];
  const notes: string[] = [];
  const bar = bench.screen.progress('Postgres', families.length * 2);
  try {
    for (const [at, { family, uncached }] of families.entries()) {
      const { requests, title } = family;
      const engine = engineSide(requests, corpus);
      notes.push(await agreement(title, requests, corpus, engine));
      const postgres = postgresSide(requests, TABLES.postgres, corpus);
      const general = postgresSide(requests, TABLES.general, corpus);
      await bench.load.setSides({ postgres, general, engine, api: apiSide(requests, api, corpus) });
      for (const connections of [1, 8]) {
        bench.signal.throwIfAborted();
        const { sides } = await compare(bench.load, NAMES, {
          connections,
          rounds: Math.ceil(bench.rounds / 2),
          sliceMs: bench.sliceMs,
          listLength: requests.length,
          ...(uncached ? { once: true, before: () => clearRequestCache(corpus) } : {}),
        });
        const found = NAMES.map((name) => sides[name] as SideSummary);
        const [pg, general, direct, ours] = found as [SideSummary, SideSummary, SideSummary, SideSummary];
        rows.push([title, connections, ...timesOf(found)]);
        const where = `${title}, ${connections} connection${connections === 1 ? '' : 's'}`;
        const target = { target: { atLeast: 1 } };
        figures.push({
          name: `${where}: p99 of Postgres over OpenSearch's`,
          value: pg.p99 / direct.p99,
          unit: 'x',
          ...target,
        });
        figures.push({
          name: `${where}: p99 of Postgres over the API's`,
          value: pg.p99 / ours.p99,
          unit: 'x',
          ...target,
        });
        if (family.name === 'count' || family.name === 'text') {
          for (const [design, theirs] of [
            ['an index per request', pg],
            ['one design', general],
          ] as const)
            for (const [side, { per_second }] of [
              ['OpenSearch', direct],
              ['the API', ours],
            ] as const)
              figures.push({
                name: `${where}: throughput of ${side} over that of Postgres with ${design}`,
                value: per_second / theirs.per_second,
                unit: 'x',
                target: { atLeast: MIN_AHEAD },
              });
        }
        ahead.push([title, String(connections), leads(pg, direct), leads(pg, ours), leads(general, ours)]);
        bar.update(at * 2 + (connections === 1 ? 1 : 2), title);
      }
    }
  } finally {
    bar.end();
    await api.stop();
  }
  return {
    tables: [
      {
        title: 'The same requests, milliseconds and requests per second',
        head: ['Request', 'Conn.', ...timeHeads('Postgres', 'Postgres, one design', 'OpenSearch', 'API')],
        rows,
      },
      {
        title: 'Where Postgres is ahead',
        head: ['Request', 'Conn.', 'of OpenSearch on', 'of the API on', 'with one design, of the API on'],
        rows: ahead,
      },
    ],
    figures,
    notes: [
      'Postgres: prepared statements over one connection per lane, the page as one text of the served JSON; rows in the order of the default sort; covering partial B-trees for sort, type, price and neighborhood, GiST for points, GIN over a stored tsvector; vacuumed and analyzed. With one design: the default sort by city and listing type, a B-tree of each other column, GiST and GIN as before. Unlike the API, Postgres neither checks keys nor charges.',
      'Counts use new price bounds, and the request cache is cleared before every slice.',
      ...notes,
    ],
  };
}

const postgresSide = (requests: readonly BenchRequest[], table: TableName, { config }: Corpus): Side => ({
  kind: 'postgres',
  databaseUrl: config.databaseUrl,
  asynchronousCommit: false,
  statements: requests.map((request) => statementFor(request, table)),
});

/** The measures in which the first side is better than the second. */
function leads(a: SideSummary, b: SideSummary): string {
  const on = [
    ...(a.p50 < b.p50 ? ['p50'] : []),
    ...(a.p99 < b.p99 ? ['p99'] : []),
    ...(a.per_second > b.per_second ? ['throughput'] : []),
  ];
  return on.length === 0 ? 'nothing' : on.join(', ');
}

/** Number of requests with equal results. Only text search may differ, because stemmers, stop words and synonyms differ. */
async function agreement(
  title: string,
  requests: readonly BenchRequest[],
  { pool }: Corpus,
  engine: Side,
): Promise<string> {
  const theirs = await answersOf(engine, readEngineAnswer);
  let alike = 0;
  for (const [at, request] of requests.entries()) {
    const expected = JSON.stringify(theirs[at]);
    const answers = await Promise.all(Object.values(TABLES).map((table) => postgresAnswer(request, table, pool)));
    if (answers.every((answer) => answer === expected)) alike++;
    else if (request.filters.q === undefined)
      throw new Error(`${title}: results of request ${at} differ: ${JSON.stringify(request)}`);
  }
  const why = alike === requests.length ? '' : ' (the stemmers, stop words and synonyms differ)';
  return `${title}: ${alike} of ${requests.length} requests have equal results${why}.`;
}

/** The rows or the count, as JSON. */
async function postgresAnswer(request: BenchRequest, table: TableName, pool: Corpus['pool']): Promise<string> {
  const { text, values } = statementFor(request, table, 'ids');
  const { rows } = await pool.query<AnswerOf[]>({ text, values: values as unknown[], rowMode: 'array' });
  const [answer] = rows[0] ?? [];
  // bigint arrays are returned as texts.
  return JSON.stringify(Array.isArray(answer) ? answer.map(Number) : answer);
}
