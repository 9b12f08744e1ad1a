import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { newId } from '#accounts/ids.ts';
import type { ExportFile, Format } from '#exports/files.ts';
import { insertExport, readExport } from '#exports/store.ts';
import { startApi, unlimitedKey } from '../api-process.ts';
import { type Bench, figure, type PartResult, type Row } from '../bench.ts';
import { startChild } from '../child.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { Usage } from '../exports-process.ts';
import { describeLoad, searchMeanwhile } from '../load/background.ts';
import { summarize } from '../load/statistics.ts';

const FORMATS = ['ndjson', 'csv'] as const;
const MIN_ROWS_PER_SECOND: Readonly<Record<Format, number>> = { ndjson: 15_000, csv: 10_000 };
const LOAD = { pause: 100, count: 160 };

interface Made {
  rows: number;
  seconds: number;
  bytes: number;
}

type Owner = Awaited<ReturnType<typeof unlimitedKey>>;

const worst = (numbers: readonly number[]): number => Math.max(...numbers);

/** Exports whole data sets to files in S3: one at a time, two concurrently, and during searches. */
export async function exports(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const owner = await unlimitedKey(corpus, 'Bench exports');
  const worker = await startChild(new URL('../exports-process.ts', import.meta.url), corpus.env, {
    // As started in docs/exports.md.
    execPath: 'nice',
    execArgv: ['-n', '10', process.execPath, '--max-semi-space-size=16'],
  });
  try {
    await using api = await startApi(corpus);
    const { quick } = bench.options;
    const times = quick ? 1 : 3;
    const usage = () => worker.call<Usage>({ type: 'usage' });
    const alone: Record<Format, (Made & { usage: Usage })[]> = { ndjson: [], csv: [] };
    await makeExports(corpus, owner, ['ndjson']);
    for (let time = 0; time < times; time++)
      for (const format of FORMATS) {
        await usage();
        const [made] = await bench.screen.step(`Exporting all listings as ${format} (${time + 1} of ${times})`, () =>
          makeExports(corpus, owner, [format]),
        );
        if (made) alone[format].push({ ...made, usage: await usage() });
      }
    const copied = await bench.screen.step('Copying the same listings out of Postgres', () => copyOut(corpus));
    const begun = performance.now();
    await bench.screen.step('Exporting both formats concurrently', () => makeExports(corpus, owner, FORMATS));
    const concurrent = (performance.now() - begun) / 1000;
    const together = await usage();
    const load = { ...LOAD, calm: quick ? 2 : 6 };
    const searches = await searchMeanwhile(bench, corpus, api, load, () => makeExports(corpus, owner, ['ndjson']));
    // The last slice outlasts the export.
    const during = summarize(searches.during.slice(0, Math.max(1, searches.during.length - 1)));
    const without = summarize([...searches.before, ...searches.after]);
    if (during.failures + without.failures > 0) throw new Error('searches failed');

    const runs = [...alone.ndjson, ...alone.csv];
    const peak = worst([...runs.flatMap(({ usage }) => usage.rss_mb), ...together.rss_mb]);
    const fastest = FORMATS.reduce((sum, format) => sum + Math.min(...alone[format].map(({ seconds }) => seconds)), 0);
    const row = (title: string, { rows, seconds, bytes }: Made, usage?: Usage): Row => [
      title,
      rows,
      seconds,
      rows / seconds,
      bytes / 2 ** 20,
      usage ? (usage.processor_seconds / rows) * 1e6 : '',
      usage ? worst(usage.rss_mb.slice(0, Math.ceil(usage.rss_mb.length / 2))) : '',
      usage ? worst(usage.rss_mb) : '',
    ];
    return {
      tables: [
        {
          title: 'All listings, one export at a time',
          head: ['What', 'rows', 'seconds', '/s', 'MB gzipped', 'worker µs per row', 'peak MB, first half', 'peak MB'],
          rows: [
            ...alone.ndjson.map((made) => row('NDJSON', made, made.usage)),
            ...alone.csv.map((made) => row('CSV', made, made.usage)),
            row('COPY of the ads as JSON from Postgres, through gzip, discarded', copied),
          ],
        },
        {
          title: 'Searches, milliseconds',
          head: ['When', 'requests', 'p50', 'p95', 'p99'],
          rows: Object.entries({ without, 'while an export runs': during }).map(
            ([when, { requests, p50, p95, p99 }]) => [when, requests, p50, p95, p99],
          ),
        },
      ],
      figures: [
        ...FORMATS.map((format) => {
          const slowest = Math.min(...alone[format].map(({ rows, seconds }) => rows / seconds));
          return figure(`rows per second to ${format}`, slowest, '', { atLeast: MIN_ROWS_PER_SECOND[format] });
        }),
        figure('peak resident memory of the worker', peak, 'MB', { atMost: 300 }),
        figure('p95 of searches while an export runs, over that without', during.p95 / without.p95, '', { atMost: 2 }),
        figure('time of a concurrent NDJSON and CSV export over the sum of both alone', concurrent / fastest, '', {
          atMost: 1.2,
        }),
        figure('rows per second of COPY', copied.rows / copied.seconds),
      ],
      notes: [
        'Seconds are from claim to completion, as recorded in the export. Figures are the worst of all repetitions, except for the sum, which uses the best. Files are compressed with gzip level 1 and stored in S3 on the same machine.',
        describeLoad(load),
      ],
    };
  } finally {
    worker.kill();
  }
}

/** Creates exports of all listings concurrently and waits for them. */
function makeExports({ pool }: Corpus, { organizationId, keyId }: Owner, formats: readonly Format[]): Promise<Made[]> {
  return Promise.all(
    formats.map(async (format) => {
      const record = await insertExport(pool, {
        id: newId('exp', randomBytes),
        organizationId,
        keyId,
        dataset: 'listings',
        format,
        filters: {},
        now: new Date(),
      });
      for (;;) {
        const now = await readExport(pool, organizationId, record.id);
        if (now?.status === 'completed' && now.started_at && now.finished_at)
          return {
            rows: now.rows_written,
            seconds: (now.finished_at.getTime() - now.started_at.getTime()) / 1000,
            bytes: (now.files as ExportFile[]).reduce((sum, { bytes }) => sum + bytes, 0),
          };
        if (now?.status === 'failed') throw new Error(`the export failed: ${now.error_code}`);
        await sleep(50);
      }
    }),
  );
}

/** Baseline: copies the stored JSON of the same ads from Postgres, through gzip at the same level. */
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
