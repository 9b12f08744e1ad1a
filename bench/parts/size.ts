import * as sql from '#stores/postgres/rows.ts';
import type { ApiCaller, ApiProcess } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import type { Corpus } from '../corpus.ts';
import { LoadGenerator } from '../load/generator.ts';
import type { PacedCall } from '../load/open-loop.ts';
import {
  callsOf,
  differences,
  draw,
  measure,
  openPacedLoad,
  type PacedLoad,
  resultOf,
  startPacedApi,
} from '../load/paced-load.ts';
import { summarize } from '../load/statistics.ts';
import { residentMb } from '../machine.ts';
import { enginePids, openProcessorTimes } from '../processes.ts';
import { MIXED_KINDS } from '../requests/mixed.ts';
import { reindexListings } from './reindex.ts';

/** Calls per second of the loads. They precede the calls of one kind, so that code is compiled. */
const RATES = [60, 300];
/** Calls of one kind, one at a time; before them, a tenth unmeasured. */
const CALLS_OF_KIND = 400;
const MEGABYTE = 2 ** 20;

/** What a number of listings costs: times and processor time of each kind of call, memory, disk, ingest and fill. */
export async function size(bench: Bench): Promise<PartResult> {
  const load = await openPacedLoad(bench);
  const { corpus, figures } = load;
  const { manifest } = corpus;
  {
    await using api = await startPacedApi(load);
    for (const rate of bench.quick ? RATES.slice(0, 1) : RATES) await measure(load, `${rate}/s`, [api], rate);
    await kinds(load, api);
    figures.push(figure('memory of the API', await residentMb(api.pid), 'MB'));
  }
  const engines = await Promise.all((await enginePids(corpus)).map(residentMb));
  const { index, database } = await bytesOf(corpus);
  figures.push(
    figure(
      'memory of OpenSearch',
      engines.reduce((sum, mb) => sum + mb, 0),
      'MB',
    ),
    figure('disk of OpenSearch, one copy of all indexes', index / MEGABYTE, 'MB'),
    figure('disk of Postgres', database / MEGABYTE, 'MB'),
    figure('first ingest', manifest.ads / manifest.first.rows_per_second, 's'),
    figure('unchanged ingest', manifest.ads / manifest.unchanged.rows_per_second, 's'),
    figure('memory of a first ingest', manifest.first.peak_rss_mb, 'MB'),
    figure('fill of the listings', await reindexListings(bench, corpus), 's'),
  );
  load.notes.add(`${manifest.documents.toLocaleString('en')} listings, of ${manifest.ads.toLocaleString('en')} ads.`);
  return resultOf(load);
}

/** Times of calls of each kind, and the processor time of a million in all processes without the load. */
async function kinds(load: PacedLoad, api: ApiProcess): Promise<void> {
  const read = await openProcessorTimes(load.corpus, [api.pid]);
  const count = load.bench.quick ? 20 : CALLS_OF_KIND;
  for (const kind of MIXED_KINDS) {
    const requests = callsOf(load, await draw(load, Math.ceil(1.1 * count), kind), [api]).map(({ request }) => request);
    const warm = requests.splice(count);
    await run(api, warm);
    const before = await read();
    const { p50, p99, failures } = summarize([await run(api, requests)]);
    const { load: _, ...used } = differences(await read(), before);
    // A millisecond for a call is a thousand seconds for a million.
    const seconds = (1_000 * Object.values(used).reduce((sum, ms) => sum + ms, 0)) / count;
    load.figures.push(
      figure(`${kind}: p50`, p50, 'ms'),
      figure(`${kind}: p99`, p99, 'ms'),
      figure(`${kind}: a million calls`, failures > 0 ? Number.NaN : seconds, 's of processor time'),
    );
  }
}

async function run({ origin }: ApiCaller, requests: PacedCall['request'][]) {
  const generator = new LoadGenerator({ origin, requests });
  const slice = await generator.run({ connections: 1, count: requests.length });
  await generator.close();
  return slice;
}

async function bytesOf({ client, pool }: Corpus): Promise<{ index: number; database: number }> {
  const query = { format: 'json', bytes: 'b', h: 'index,pri.store.size' };
  const all = await client.send<{ index: string; 'pri.store.size': string }[]>('GET', '/_cat/indices', { query });
  const own = all.filter(({ index }) => index.startsWith(client.prefix));
  const size = own.reduce((sum, each) => sum + Number(each['pri.store.size']), 0);
  const columns = { bytes: sql.integer };
  const { bytes } = await sql.queryOne(pool, columns, 'select pg_database_size(current_database()) as bytes');
  return { index: size, database: bytes };
}
