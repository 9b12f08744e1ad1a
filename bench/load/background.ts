import type { ApiProcess } from '../api-process.ts';
import type { Bench } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { readCohorts } from '../requests/cohorts.ts';
import { makeFamily } from '../requests/families.ts';
import { searchesByApi } from '../requests/sides.ts';
import { warmUp } from './compare.ts';
import type { SliceResult } from './protocol.ts';

const CONNECTIONS = 8;

interface SearchLoad {
  /** Idle time in milliseconds between two searches on a connection. */
  pause: number;
  /** Number of searches per slice. */
  count: number;
  /** Number of slices before and after the job. */
  calm: number;
}

export const describeLoad = ({ pause }: SearchLoad): string =>
  `${CONNECTIONS} connections request pages of 25 and counts, with ${pause} ms between requests.`;

/**
 * Sends searches through the API at a moderate rate, before, during and after a job. The last slice of `during` outlasts
 * the job.
 */
export async function searchMeanwhile<Result>(
  bench: Bench,
  corpus: Corpus,
  api: ApiProcess,
  { pause, count, calm }: SearchLoad,
  job: () => Promise<Result>,
) {
  const cohorts = await readCohorts(corpus);
  const families = [await makeFamily('newest-25', corpus, cohorts), await makeFamily('count', corpus, cohorts)];
  const requests = families.flatMap((family) => family.requests);
  await bench.load.setSides({ api: searchesByApi(requests, api, corpus) });
  await warmUp(bench, ['api']);
  let from = 0;
  const search = async (slices: SliceResult[]): Promise<void> => {
    slices.push(await bench.load.run({ side: 'api', connections: CONNECTIONS, count, from, pause }));
    from += count;
  };
  const before: SliceResult[] = [];
  const during: SliceResult[] = [];
  const after: SliceResult[] = [];
  for (let slice = 0; slice < calm; slice++) await search(before);
  let running = true;
  const finished = job().finally(() => {
    running = false;
  });
  // Handled below, after the current slice. Prevents an unhandled rejection until then.
  finished.catch(() => {});
  while (running) await search(during);
  const result = await finished;
  for (let slice = 0; slice < calm; slice++) await search(after);
  return { result, before, during, after };
}
