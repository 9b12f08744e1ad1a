import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startApi } from '../api-process.ts';
import { type Bench, figure, type PartResult, resultOf } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { describeLoad, searchMeanwhile } from '../load/background.ts';
import { summarize } from '../load/statistics.ts';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LOAD = { pause: 250, count: 80, calm: 4 };

interface Report {
  documents: number;
  documents_per_second: number;
  fill_seconds: number;
  seconds: number;
}

/** Fills a new index of the listings during searches. */
export async function reindex(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await using api = await startApi(corpus);
  const { result, before, during, after } = await searchMeanwhile(bench, corpus, api, LOAD, () =>
    moveListings(corpus, bench.signal),
  );
  return resultOf(
    'Searches through the API before, during and after the move',
    ['When', 'requests', '/s', 'p50', 'p99', 'failed'],
    Object.entries({ before, during, after }).map(([when, slices]) => {
      const { p50, p99, per_second, requests, failures } = summarize(slices);
      return [when, requests, per_second, p50, p99, failures];
    }),
    [
      figure('documents per second', result.documents_per_second, '/s', { atLeast: 8_000 }),
      figure('failed searches', summarize([...before, ...during, ...after]).failures, '', { atMost: 0 }),
      figure('documents', result.documents),
      figure('seconds of filling', result.fill_seconds, 's'),
      figure('seconds in total, including preparation, verification and swap', result.seconds, 's'),
    ],
    [describeLoad(LOAD)],
  );
}

async function moveListings({ env }: Corpus, signal: AbortSignal): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'reindex', '--json'], {
    cwd: PROJECT,
    env: { ...process.env, ...env },
    signal,
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout) as Report;
}
