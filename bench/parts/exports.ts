import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { constants, createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { newId } from '#accounts/ids.ts';
import type { ExportFile, Format } from '#exports/files.ts';
import { insertExport, readExport } from '#exports/store.ts';
import { startApi } from '../api-process.ts';
import type { Bench, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { Usage } from '../exports-process.ts';
import type { SliceResult } from '../load/protocol.ts';
import { latencyAt, warmUp } from '../load/turns.ts';
import { readFacts } from '../requests/facts.ts';
import { makeFamily } from '../requests/families.ts';
import { apiSide } from '../requests/http-requests.ts';

const PROCESS = fileURLToPath(new URL('../exports-process.ts', import.meta.url));
const MIN_ROWS_PER_SECOND: Readonly<Record<Format, number>> = { ndjson: 15_000, csv: 10_000 };
const MAX_MB = 300;
const MAX_SEARCH_RATIO = 2;
const MAX_TWO_AT_ONCE = 1.2;
/** Number of searching connections, and milliseconds of idle time of each between two searches. */
const CONNECTIONS = 8;
const PAUSE = 100;
const SLICE = 160;

/** Exports whole datasets to files in S3: one at a time, two concurrently, and during searches. */
export const exportsPart: Part = {
  name: 'exports',
  summary: 'rows per second to gzipped files in S3, memory, and searches meanwhile',
  run,
};

interface Made {
  rows: number;
  seconds: number;
  bytes: number;
}

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const organization = await exportingOrganization(corpus);
  const worker = await startWorker(corpus);
  const api = await startApi(corpus);
  try {
    const times = bench.options.quick ? 1 : 3;
    const alone: Record<Format, (Made & { usage: Usage })[]> = { ndjson: [], csv: [] };
    await makeExports(corpus, organization, ['ndjson']);
    for (let time = 0; time < times; time++) {
      for (const format of ['ndjson', 'csv'] as const) {
        await usageOf(worker);
        const [made] = await bench.screen.step(`Exporting all listings as ${format} (${time + 1} of ${times})`, () =>
          makeExports(corpus, organization, [format]),
        );
        if (made) alone[format].push({ ...made, usage: await usageOf(worker) });
      }
    }
    const copied = await bench.screen.step('Copying the same listings out of Postgres', () => copyOut(corpus));
    const twoBegun = performance.now();
    await bench.screen.step('Exporting both formats concurrently', () =>
      makeExports(corpus, organization, ['ndjson', 'csv']),
    );
    const twoSeconds = (performance.now() - twoBegun) / 1000;
    const together = await usageOf(worker);
    const searches = await searchMeanwhile(bench, corpus, api, organization);
    return result({ alone, copied, twoSeconds, together, searches });
  } finally {
    await api.stop();
    worker.kill('SIGKILL');
  }
}

/** An Enterprise organization that owns the exports, with a key. */
async function exportingOrganization({ pool }: Corpus): Promise<{ id: number; keyId: number }> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into organizations (public_id, name, plan) values ('org_bench_exports', 'Bench exports', 'enterprise')
     on conflict (name) do update set plan = excluded.plan returning id`,
  );
  const id = rows[0]?.id as number;
  const key = await pool.query<{ id: number }>(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four)
     values ('key_bench_exports', $1, 'live', 'exports', '\\x00', '0000')
     on conflict (public_id) do update set revoked_at = null returning id`,
    [id],
  );
  await pool.query(`delete from exports where organization_id = $1`, [id]);
  return { id, keyId: key.rows[0]?.id as number };
}

async function startWorker(corpus: Corpus): Promise<ChildProcess> {
  const child = fork(PROCESS, {
    // As started in docs/exports.md.
    execPath: 'nice',
    execArgv: ['-n', '10', process.execPath, '--max-semi-space-size=16'],
    env: { ...process.env, ...corpus.env },
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the worker did not start');
    }),
  ]);
  return child;
}

async function usageOf(worker: ChildProcess): Promise<Usage> {
  const answered = once(worker, 'message') as Promise<[Usage]>;
  worker.send({ type: 'usage' });
  return (await answered)[0];
}

/** Creates exports of all listings concurrently and waits for them. */
async function makeExports(
  { pool }: Corpus,
  { id, keyId }: { id: number; keyId: number },
  formats: readonly Format[],
): Promise<Made[]> {
  const records = await Promise.all(
    formats.map((format) =>
      insertExport(pool, {
        id: newId('exp', randomBytes),
        organizationId: id,
        keyId,
        dataset: 'listings',
        format,
        filters: {},
        now: new Date(),
      }),
    ),
  );
  return Promise.all(
    records.map(async (record) => {
      for (;;) {
        const now = await readExport(pool, id, record.id);
        if (now?.status === 'completed' && now.started_at && now.finished_at) {
          return {
            rows: now.rows_written,
            seconds: (now.finished_at.getTime() - now.started_at.getTime()) / 1000,
            bytes: (now.files as ExportFile[]).reduce((sum, { bytes }) => sum + bytes, 0),
          };
        }
        if (now?.status === 'failed') throw new Error(`the export failed: ${now.error_code}`);
        await sleep(50);
      }
    }),
  );
}

/** Copies the stored JSON of the same ads out of Postgres, through gzip at the same level. */
async function copyOut({ pool }: Corpus): Promise<Made> {
  const db = await pool.connect();
  const begun = performance.now();
  let bytes = 0;
  try {
    const counted = new Writable({
      write(chunk: Buffer, _, done) {
        bytes += chunk.length;
        done();
      },
    });
    const stream = db.query(
      copyTo(
        `copy (select r.record from listings l join listing_records r on r.id = l.id
                where l.served and l.plausible_pooled and l.price is not null) to stdout`,
      ),
    );
    await pipeline(stream, createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 2 ** 18 }), counted);
    return { rows: stream.rowCount, seconds: (performance.now() - begun) / 1000, bytes };
  } finally {
    db.release(true);
  }
}

interface Searches {
  without: SliceResult[];
  during: SliceResult[];
}

async function searchMeanwhile(
  bench: Bench,
  corpus: Corpus,
  api: Awaited<ReturnType<typeof startApi>>,
  organization: { id: number; keyId: number },
): Promise<Searches> {
  const facts = await readFacts(corpus);
  const mixed = (
    await Promise.all([makeFamily('newest-25', corpus, facts), makeFamily('count', corpus, facts)])
  ).flatMap(({ requests }) => requests);
  await bench.load.setSides({ api: apiSide(mixed, api, corpus) });
  await warmUp(bench, ['api']);
  let from = 0;
  const search = async (): Promise<SliceResult> => {
    const slice = await bench.load.run({ side: 'api', connections: CONNECTIONS, count: SLICE, from, pause: PAUSE });
    if (slice.failures > 0) throw new Error(`${slice.failures} searches failed: ${slice.examples.join('; ')}`);
    from += SLICE;
    return slice;
  };
  const without: SliceResult[] = [];
  const slices = bench.options.quick ? 4 : 12;
  for (let slice = 0; slice < slices / 2; slice++) without.push(await search());
  const during: SliceResult[] = [];
  await bench.screen.step('Searching while an export runs', async () => {
    let running = true;
    const made = makeExports(corpus, organization, ['ndjson']).finally(() => {
      running = false;
    });
    made.catch(() => {});
    while (running) during.push(await search());
    await made;
  });
  for (let slice = 0; slice < slices / 2; slice++) without.push(await search());
  // The last slice outlasts the export.
  return { without, during: during.length > 1 ? during.slice(0, -1) : during };
}

interface Measured {
  alone: Record<Format, (Made & { usage: Usage })[]>;
  copied: Made;
  twoSeconds: number;
  together: Usage;
  searches: Searches;
}

function result({ alone, copied, twoSeconds, together, searches }: Measured): PartResult {
  const worst = (numbers: readonly number[]): number => Math.max(...numbers);
  const slowest = (format: Format): number => Math.min(...alone[format].map(({ rows, seconds }) => rows / seconds));
  const peak = worst([...alone.ndjson, ...alone.csv].flatMap(({ usage }) => usage.rss_mb).concat(together.rss_mb));
  const [p95, p95During] = [searches.without, searches.during].map((slices) => latencyAt(slices, 0.95)) as [
    number,
    number,
  ];
  const sum = (['ndjson', 'csv'] as const).reduce(
    (seconds, format) => seconds + Math.min(...alone[format].map((each) => each.seconds)),
    0,
  );
  const row = (title: string, { rows, seconds, bytes }: Made, usage: Usage | null): (string | number)[] => [
    title,
    rows,
    seconds,
    rows / seconds,
    bytes / 2 ** 20,
    usage ? (usage.processor_seconds / rows) * 1e6 : '',
    usage ? worst(firstHalf(usage.rss_mb)) : '',
    usage ? worst(usage.rss_mb) : '',
  ];
  return {
    tables: [
      {
        title: 'All listings, one export at a time',
        head: [
          'What',
          'rows',
          'seconds',
          'rows per second',
          'MB gzipped',
          'worker µs per row',
          'peak MB, first half',
          'peak MB',
        ],
        rows: [
          ...alone.ndjson.map((made) => row('NDJSON', made, made.usage)),
          ...alone.csv.map((made) => row('CSV', made, made.usage)),
          row('COPY of the ads as JSON from Postgres, through gzip, discarded', copied, null),
        ],
      },
      {
        title: `Searches (newest 25 and counts, ${CONNECTIONS} connections with ${PAUSE} ms between requests), milliseconds`,
        head: ['When', 'requests', 'p50', 'p95', 'p99'],
        rows: (
          [
            ['without', searches.without],
            ['while an export runs', searches.during],
          ] as const
        ).map(([when, slices]) => [
          when,
          slices.reduce((count, { latencies }) => count + latencies.length, 0),
          ...[0.5, 0.95, 0.99].map((at) => latencyAt(slices, at)),
        ]),
      },
    ],
    figures: [
      ...(['ndjson', 'csv'] as const).map((format) => ({
        name: `rows per second to ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
        value: slowest(format),
        unit: '',
        target: { atLeast: MIN_ROWS_PER_SECOND[format] },
      })),
      { name: 'peak resident memory of the worker', value: peak, unit: 'MB', target: { atMost: MAX_MB } },
      {
        name: 'p95 of searches while an export runs, over that without',
        value: p95During / p95,
        unit: '',
        target: { atMost: MAX_SEARCH_RATIO },
      },
      {
        name: 'time of a concurrent NDJSON and CSV export over the sum of both alone',
        value: twoSeconds / sum,
        unit: '',
        target: { atMost: MAX_TWO_AT_ONCE },
      },
      { name: 'rows per second of COPY', value: copied.rows / copied.seconds, unit: '' },
    ],
    notes: [
      'Seconds are from claim to completion, as recorded in the export. Figures are the worst of all repetitions, except for the sum, which uses the best. Files are compressed with gzip level 1 and stored in S3 on the same machine.',
    ],
  };
}

const firstHalf = (samples: readonly number[]): number[] => samples.slice(0, Math.ceil(samples.length / 2));
