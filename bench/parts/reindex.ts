import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startApi } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import type { Corpus } from '../corpus.ts';
import { LoadGenerator, type SliceResult } from '../load/generator.ts';
import { summarize } from '../load/statistics.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { makeFamily } from '../requests/families.ts';
import { searchesByApi } from '../requests/listing-requests.ts';

/** A moderate rate: milliseconds between two searches on a connection, and searches per slice. */
const LOAD = { connections: 8, pause: 250, count: 80 };

/** Slices of searches before the fill, whose p99 is compared with the p99 during it. As many precede them, unmeasured. */
const QUIET = 8;

/** Runs `npm run reindex` and returns its seconds. */
export async function reindexListings({ signal }: Pick<Bench, 'signal'>, corpus: Corpus): Promise<number> {
  const begun = performance.now();
  const env = { ...process.env, ...corpus.env };
  await promisify(execFile)(process.execPath, ['app/cli/cli.ts', 'reindex'], { env, signal });
  return (performance.now() - begun) / 1000;
}

/** Fills a new index of the listings, alone and then during searches. */
export async function reindex(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await using api = await startApi(corpus);
  const { requests } = await makeFamily('newest-25', 16, corpus, await readCohorts(corpus));
  const load = new LoadGenerator(searchesByApi(requests, api));
  const fill = () => reindexListings(bench, corpus);
  const alone = await fill();

  const before: SliceResult[] = [];
  const during: SliceResult[] = [];
  for (let slice = 0; slice < QUIET; slice++) await load.run(LOAD);
  for (let slice = 0; slice < QUIET; slice++) before.push(await load.run(LOAD));
  let running = true;
  const moving = fill().finally(() => {
    running = false;
  });
  // Handled below, after the current slice. Prevents an unhandled rejection until then.
  moving.catch(() => {});
  while (running) during.push(await load.run(LOAD));
  const searched = await moving;
  during.push(await load.run(LOAD));
  await load.close();
  const { documents } = corpus.manifest;
  const [quiet, busy] = [summarize(before), summarize(during)];
  return {
    figures: [
      figure('documents per second, alone', documents / alone, '/s'),
      figure('documents per second, during searches', documents / searched, '/s'),
      figure('p99 of searches during the fill over that before', busy.p99 / quiet.p99, 'x'),
      figure('failed searches', busy.failures),
    ],
    notes: [
      `${documents.toLocaleString('en')} documents in ${Math.round(alone)} s and in ${Math.round(searched)} s, with the start of the command, the check and the swap. In the second fill ${LOAD.connections} connections request pages of 25, with ${LOAD.pause} ms between requests: p99 ${Math.round(quiet.p99)} ms before, ${Math.round(busy.p99)} ms during it.`,
    ],
  };
}
