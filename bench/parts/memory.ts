import { readFileSync } from 'node:fs';
import { chunks } from '#domain/chunks.ts';
import type { ListingReads } from '#search/listing-reader.ts';
import { type ApiProcess, LOG_FILE, startApi } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import { residentMb } from '../machine.ts';
import { readIds } from '../requests/ids.ts';
import { getFromApi } from '../requests/market.ts';

/** Megabytes; nothing, the floor of the default, and what the default comes to on machines of 4, 8 and 16 GB. */
const SIZES = [0, 64, 256, 512, 1_024] as const;
const MB = 2 ** 20;
/** Ids of one request. */
const BATCH = 100;
/** Bytes of memory that a listing takes, about: so many are asked for that the memory is nearly full of them. */
const LISTING_BYTES = 3_200;
/** Passes over these listings: what is seen for the second time is kept, and the third finds what there is room for. */
const PASSES = 4;
const CONNECTIONS = 8;
/** Times the size of the cache that the process may take beside what it takes without one. */
const MAX_SHARE = 1.5;

/** The memory of an API process by the memory that it keeps listings in. */
export const memoryPart: Part = {
  name: 'memory',
  summary: 'memory of the API process for each size of its cache of listings',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const ids = await readIds(corpus);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const bar = bench.screen.progress('Memory', SIZES.length);
  let without = 0;
  try {
    for (const [at, size] of SIZES.entries()) {
      bench.signal.throwIfAborted();
      const api = await startApi(corpus, null, { LISTING_CACHE_BYTES: String(size * MB) });
      let [idle, served, perSecond] = [0, 0, 0];
      try {
        idle = await residentMb(api.pid);
        const most = size === 0 ? ids.length : Math.floor((size * MB) / LISTING_BYTES);
        perSecond = await readAll(bench, api, ids.slice(0, most));
        served = await residentMb(api.pid);
      } finally {
        await api.stop();
      }
      if (size === 0) without = served;
      const reads = lastReads();
      const share = reads.hits / Math.max(1, reads.hits + reads.misses);
      const used = reads.bytes / MB;
      rows.push([size, idle, served, used, reads.entries, share, perSecond]);
      if (size > 0 && used > 0.9 * size)
        figures.push({
          name: `${size} MB of listings: memory beside that without, over the size`,
          value: (served - without) / size,
          unit: 'x',
          target: { atMost: MAX_SHARE },
        });
      bar.update(at + 1, `${size} MB`);
    }
  } finally {
    bar.end();
  }
  return {
    tables: [
      {
        title: `As many listings as there is room for, asked for by their ids, ${BATCH} a request, ${PASSES} times, ${CONNECTIONS} connections`,
        head: ['Cache MB', 'started MB', 'served MB', 'in cache MB', 'listings', 'hits', 'requests/s'],
        rows,
      },
    ],
    figures,
    notes: [`There are ${ids.length.toLocaleString('en')} listings. Without a cache all of them are asked for.`],
  };
}

async function readAll(bench: Bench, api: ApiProcess, ids: readonly number[]): Promise<number> {
  const requests = [...chunks(ids, BATCH)].map((some) => getFromApi(`/v1/listings/batch?ids=${some.join(',')}`, api));
  await bench.load.setSides({ api: { kind: 'http', origin: api.origin, requests } });
  const slice = await bench.load.run({ side: 'api', connections: CONNECTIONS, count: requests.length * PASSES });
  if (slice.failures > 0) throw new Error(`${slice.failures} requests failed: ${slice.examples.join('; ')}`);
  return slice.latencies.length / slice.seconds;
}

/** What the process that just ended said of its cache. */
function lastReads(): ListingReads {
  const none = { by_digest: 0, again: 0, whole: 0, hits: 0, misses: 0, entries: 0, bytes: 0, max_bytes: 0 };
  return (
    readFileSync(LOG_FILE, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"listing_reads"'))
      .map((line) => (JSON.parse(line) as { listing_reads: ListingReads }).listing_reads)
      .at(-1) ?? none
  );
}
