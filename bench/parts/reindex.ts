import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startApi } from '../api-process.ts';
import type { Bench, Part, PartResult } from '../bench.ts';
import { summarize } from '../load/generator.ts';
import type { SliceResult } from '../load/protocol.ts';
import { readFacts } from '../requests/facts.ts';
import { makeFamily } from '../requests/families.ts';
import { apiSide } from '../requests/http-requests.ts';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const execute = promisify(execFile);
/** Number of searching connections, and milliseconds of idle time of each between two searches. */
const CONNECTIONS = 8;
const PAUSE = 250;
const SLICE = 80;

/** Moves the listings to a new index during searches. */
export const reindexPart: Part = {
  name: 'reindex',
  summary: 'npm run reindex during searches',
  run,
};

interface Report {
  documents: number;
  documents_per_second: number;
  copy_seconds: number;
  seconds: number;
}

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const mixed = (
    await Promise.all([makeFamily('newest-25', corpus, facts), makeFamily('count', corpus, facts)])
  ).flatMap(({ requests }) => requests);
  const api = await startApi(corpus);
  try {
    await bench.load.setSides({ api: apiSide(mixed, api, corpus) });
    const search = (from: number): Promise<SliceResult> =>
      bench.load.run({ side: 'api', connections: CONNECTIONS, count: SLICE, from, pause: PAUSE });
    const before: SliceResult[] = [];
    for (let i = 0; i < 4; i++) before.push(await search(i * SLICE));

    let report: Report | null = null;
    const moving = moveIndex(corpus.env, bench.signal).then((result) => {
      report = result;
    });
    moving.catch(() => {});
    const during: SliceResult[] = [];
    for (let from = 0; report === null; from += SLICE) {
      during.push(await search(from));
      // A failed reindex ends the searches, too.
      await Promise.race([moving, Promise.resolve()]);
    }
    await moving;
    const after: SliceResult[] = [];
    for (let i = 0; i < 4; i++) after.push(await search(i * SLICE));
    return result(report, { before, during, after });
  } finally {
    await api.stop();
  }
}

async function moveIndex(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Report> {
  const { stdout } = await execute(process.execPath, ['src/cli/main.ts', 'reindex', '--json'], {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    signal,
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout) as Report;
}

function result(report: Report, searches: Record<'before' | 'during' | 'after', SliceResult[]>): PartResult {
  const rows = Object.entries(searches).map(([when, slices]) => {
    const { p50, p99, per_second, requests, failures } = summarize(slices);
    return [when, requests, per_second, p50, p99, failures];
  });
  const failures = Object.values(searches)
    .flat()
    .reduce((sum, slice) => sum + slice.failures, 0);
  return {
    tables: [
      {
        title: 'Searches through the API before, during and after the move',
        head: ['When', 'requests', '/s', 'p50', 'p99', 'failed'],
        rows,
      },
    ],
    figures: [
      { name: 'documents per second', value: report.documents_per_second, unit: '/s', target: { atLeast: 8_000 } },
      { name: 'failed searches', value: failures, unit: '', target: { atMost: 0 } },
      { name: 'documents', value: report.documents, unit: '' },
      { name: 'seconds of copying', value: report.copy_seconds, unit: 's' },
      { name: 'seconds in total, including preparation, verification and swap', value: report.seconds, unit: 's' },
    ],
    notes: [`${CONNECTIONS} connections request pages of 25 and counts, with ${PAUSE} ms between requests.`],
  };
}
