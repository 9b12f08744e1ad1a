import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startApi } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { LoadGenerator, type SliceResult } from '../load/generator.ts';
import { summarize } from '../load/statistics.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { makeFamily } from '../requests/families.ts';
import { searchesByApi } from '../requests/sides.ts';

/** A moderate rate: milliseconds between two searches on a connection, and searches per slice. */
const LOAD = { connections: 8, pause: 250, count: 80 };

/** Fills a new index of the listings during searches. */
export async function reindex(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await using api = await startApi(corpus);
  const { requests } = await makeFamily('newest-25', 16, corpus, await readCohorts(corpus));
  const load = new LoadGenerator(searchesByApi(requests, api));
  const slices: SliceResult[] = [];
  const search = async () => slices.push(await load.run(LOAD));
  await search();
  let running = true;
  const begun = performance.now();
  const moving = promisify(execFile)(process.execPath, ['src/cli/main.ts', 'reindex'], {
    env: { ...process.env, ...corpus.env },
    signal: bench.signal,
  }).finally(() => {
    running = false;
  });
  // Handled below, after the current slice. Prevents an unhandled rejection until then.
  moving.catch(() => {});
  while (running) await search();
  await moving;
  const seconds = (performance.now() - begun) / 1000;
  await search();
  await load.close();
  const { documents } = corpus.manifest;
  return {
    figures: [
      figure('documents per second', documents / seconds, '/s'),
      figure('failed searches', summarize(slices).failures),
    ],
    notes: [
      `${documents.toLocaleString('en')} documents in ${Math.round(seconds)} s, with the start of the command, the check and the swap. Meanwhile ${LOAD.connections} connections request pages of 25, with ${LOAD.pause} ms between requests.`,
    ],
  };
}
