import { startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { compare, type SideSummary, timeHeads, timesOf } from '../load/generator.ts';
import type { Side } from '../load/protocol.ts';
import { statementFor } from '../postgres/statements.ts';
import { ensureTable } from '../postgres/table.ts';
import { type AnswerOf, answersOf, readEngineAnswer } from '../requests/answers.ts';
import { readFacts } from '../requests/facts.ts';
import { type BenchRequest, FAMILY_NAMES, type Family, makeFamily, uncachedCounts } from '../requests/families.ts';
import { apiSide, clearRequestCache, engineSide } from '../requests/http-requests.ts';

const MIN_AHEAD = 5;
const NAMES = ['postgres', 'engine', 'api'] as const;

/** The same requests answered by Postgres with an index for each. */
export const postgresPart: Part = {
  name: 'postgres',
  summary: 'the same requests answered by Postgres with proper indexes',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await ensureTable(bench, corpus);
  const facts = await readFacts(corpus);
  const families: { family: Family; uncached: boolean }[] = [];
  for (const name of FAMILY_NAMES) {
    // A count that the cache of answers gives is no work to compare with: these are asked once each.
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
      const statements = requests.map((request) => statementFor(request));
      const postgres: Side = {
        kind: 'postgres',
        databaseUrl: corpus.config.databaseUrl,
        asynchronousCommit: false,
        statements,
      };
      await bench.load.setSides({ postgres, engine, api: apiSide(requests, api, corpus) });
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
        const [pg, direct, ours] = found as [SideSummary, SideSummary, SideSummary];
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
          const far = { target: { atLeast: MIN_AHEAD } };
          const times = direct.per_second / pg.per_second;
          figures.push({
            name: `${where}: throughput of OpenSearch over Postgres's`,
            value: times,
            unit: 'x',
            ...far,
          });
          figures.push({
            name: `${where}: throughput of the API over Postgres's`,
            value: ours.per_second / pg.per_second,
            unit: 'x',
            ...far,
          });
        }
        ahead.push([title, String(connections), leads(pg, direct), leads(pg, ours)]);
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
        title: 'The same requests, milliseconds and requests a second',
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
      'Postgres: prepared statements over one connection a lane, the page as one text of the served JSON; rows lie in the order of the default sort; covering partial B-trees for sort, type, price and neighborhood, GiST for points, GIN over a stored tsvector; vacuumed and analyzed. It checks no key and charges nobody; the API does both.',
      'Counts are asked with new price bounds and the cache of whole answers emptied before every slice.',
      ...notes,
    ],
  };
}

/** What the first does better than the second. */
function leads(a: SideSummary, b: SideSummary): string {
  const on = [
    ...(a.p50 < b.p50 ? ['p50'] : []),
    ...(a.p99 < b.p99 ? ['p99'] : []),
    ...(a.per_second > b.per_second ? ['throughput'] : []),
  ];
  return on.length === 0 ? 'nothing' : on.join(', ');
}

/** How many requests both answer alike. Only text may differ: the stemmers are not the same, nor are stop words and synonyms. */
async function agreement(
  title: string,
  requests: readonly BenchRequest[],
  { pool }: Corpus,
  engine: Side,
): Promise<string> {
  const theirs = await answersOf(engine, readEngineAnswer);
  let alike = 0;
  for (const [at, request] of requests.entries()) {
    const { text, values } = statementFor(request, 'ids');
    const { rows } = await pool.query<AnswerOf[]>({ text, values: values as unknown[], rowMode: 'array' });
    const [mine] = rows[0] ?? [];
    // bigint arrays come as texts.
    const answer = Array.isArray(mine) ? mine.map(Number) : mine;
    if (JSON.stringify(answer) === JSON.stringify(theirs[at])) alike++;
    else if (request.filters.q === undefined)
      throw new Error(`${title}: request ${at} is answered differently: ${JSON.stringify(request)}`);
  }
  const why = alike === requests.length ? '' : ' (the stemmers, stop words and synonyms differ)';
  return `${title}: ${alike} of ${requests.length} requests are answered exactly alike${why}.`;
}
