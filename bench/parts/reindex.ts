import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
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
const LOAD = { connections: 13, pause: 250, count: 120 };

/** Slices of searches before the fill, whose p99 is compared with the p99 during it. As many precede them, unmeasured. */
const QUIET = 8;

/** Milliseconds during which the index refuses writes. */
const BLOCKED_MS = 10_000;

/** Runs `npm run reindex` and returns its seconds. */
export async function reindexListings(
  { signal }: Pick<Bench, 'signal'>,
  corpus: Corpus,
  ...args: string[]
): Promise<number> {
  const begun = performance.now();
  const env = { ...process.env, ...corpus.env };
  await promisify(execFile)(process.execPath, ['app/cli/cli.ts', 'reindex', ...args], { env, signal });
  return (performance.now() - begun) / 1000;
}

/** What happens to the index of the listings during searches. */
function eventsOf(bench: Bench, corpus: Corpus) {
  const { client } = corpus;
  const serving = async (): Promise<string> =>
    Object.keys(await client.send('GET', `/_alias/${client.aliases.listings}`))[0] ?? '';
  const block = (index: string, isBlocked: true | null) =>
    client.send('PUT', `/${index}/_settings`, { body: { index: { 'blocks.read_only_allow_delete': isBlocked } } });
  return {
    'the fill': () => reindexListings(bench, corpus),
    'a rollback': () => reindexListings(bench, corpus, 'rollback'),
    // As OpenSearch sets it when a disk is full.
    'a write block': async () => {
      const index = await serving();
      await block(index, true);
      await sleep(BLOCKED_MS, undefined, { signal: bench.signal });
      await block(index, null);
      return BLOCKED_MS / 1000;
    },
  } satisfies Record<string, () => Promise<number>>;
}

/** Fills a new index of the listings alone, and then changes it in several ways during searches. */
export async function reindex(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  await using api = await startApi(corpus);
  const { requests } = await makeFamily('newest-25', 16, corpus, await readCohorts(corpus));
  const load = new LoadGenerator(searchesByApi(requests, api));
  const alone = await reindexListings(bench, corpus);

  const slices = async (isOver: (count: number) => boolean): Promise<SliceResult[]> => {
    const results: SliceResult[] = [];
    while (!isOver(results.length)) results.push(await load.run(LOAD));
    return results;
  };
  await slices((count) => count === QUIET);
  const measured = [];
  for (const [name, happen] of Object.entries(eventsOf(bench, corpus))) {
    const before = await slices((count) => count === QUIET);
    let running = true;
    const happening = happen().finally(() => {
      running = false;
    });
    // Handled below, after the current slice. Prevents an unhandled rejection until then.
    happening.catch(() => {});
    const during = [...(await slices(() => !running)), await load.run(LOAD)];
    measured.push({ name, seconds: await happening, quiet: summarize(before), busy: summarize(during) });
  }
  await load.close();
  const { documents } = corpus.manifest;
  const filled = measured.find(({ name }) => name === 'the fill')?.seconds ?? Number.NaN;
  const searches = measured.map(
    ({ name, seconds, quiet, busy }) =>
      `${name} (${seconds.toFixed(1)} s): p99 ${Math.round(quiet.p99)} ms before, ${Math.round(busy.p99)} ms during it`,
  );
  return {
    figures: [
      figure('documents per second, alone', documents / alone, '/s'),
      figure('documents per second, during searches', documents / filled, '/s'),
      ...measured.flatMap(({ name, quiet, busy }) => [
        figure(`p99 of searches during ${name} over that before`, busy.p99 / quiet.p99, 'x'),
        figure(`failed searches during ${name}`, busy.failures),
      ]),
    ],
    notes: [
      `${documents.toLocaleString('en')} documents in ${Math.round(alone)} s and in ${Math.round(filled)} s, with the start of the command, the check and the swap. ${LOAD.connections} connections request pages of 25, with ${LOAD.pause} ms between requests. ${searches.join('; ')}.`,
    ],
  };
}
