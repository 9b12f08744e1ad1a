// `npm run bench`: measures the service part by part and compares the figures with their targets.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startEngines } from '#embedded/engines.ts';
import { Problem } from '#embedded/problem.ts';
import { onStopSignal } from '#embedded/signals.ts';
import { openScreen } from '#start/screen.ts';
import type { Bench, BenchOptions, PartResult } from './bench.ts';
import { type Corpus, type CorpusContext, closeStores, openCorpus } from './corpus/corpus.ts';
import { startLoadGenerator } from './load/generator.ts';
import { busyPercent, describeMachine, loadAverage } from './machine.ts';
import { PARTS } from './parts/index.ts';
import { renderPart, verdict } from './tables.ts';

interface Flags {
  listings: number;
  quick?: boolean;
  json?: boolean;
  reload?: boolean;
  profile?: boolean;
}

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1_000 || value > 2_000_000)
    throw new InvalidArgumentError('A whole number from 1,000 to 2,000,000 is expected.');
  return value;
};

const program = new Command('npm run bench --')
  .description('Measures the service. Without names, runs every part in this order:')
  .argument('[parts...]', PARTS.map(({ name, summary }) => `${name} (${summary})`).join(', '))
  .option('--listings <n>', 'approximate number of listings in the index; targets apply to 500000', whole, 500_000)
  .option('--quick', 'run few and short rounds: a smoke test, not for publication')
  .option('--reload', 'rebuild the listings and measure their ingest')
  .option('--profile', 'write CPU profiles of the API to the results folder')
  .option('--json', 'print only the results, as JSON')
  .addHelpText(
    'after',
    `
Listings, database and engines stay in .data/bench from run to run. Set OPENSEARCH_URL, DATABASE_URL and S3_ENDPOINT
to measure servers of your own. Results are written to .data/bench/results.

Examples:
  npm run bench                                  everything
  npm run bench -- search --quick --listings 50000
  npm run bench -- search --profile`,
  )
  .parse();

const flags = program.opts<Flags>();
const names = program.args.length > 0 ? program.args : PARTS.map(({ name }) => name);
const screen = openScreen(flags.json ? process.stderr : process.stdout);
const stopping = new AbortController();
onStopSignal(() => stopping.abort(new Problem('Stopped.')), screen.say);
const undo: (() => Promise<unknown>)[] = [];

try {
  const parts = names.map((name) => {
    const part = PARTS.find((candidate) => candidate.name === name);
    if (!part)
      throw new Problem(`There is no part "${name}".`, [`Parts: ${PARTS.map((known) => known.name).join(', ')}`]);
    return part;
  });
  const dataDir = resolve(process.env.DATA_DIR || join('.data', 'bench'));
  const resultsDir = join(dataDir, 'results');
  const started = new Date().toISOString().replace(/[:.]/g, '-');
  await mkdir(resultsDir, { recursive: true });
  const options: BenchOptions = {
    listings: flags.listings,
    quick: flags.quick ?? false,
    reload: flags.reload ?? false,
    profileDir: flags.profile ? join(resultsDir, `${started}-profile`) : null,
  };
  const bench = await open(dataDir, options);
  const results: Record<string, PartResult & { busy_pct_before: number; load: number; seconds: number }> = {};
  for (const part of parts) {
    stopping.signal.throwIfAborted();
    screen.say(`\n${part.name}: ${part.summary}`);
    const busy = await busyPercent();
    const begun = performance.now();
    const result = await part.run(bench);
    const seconds = Math.round((performance.now() - begun) / 1000);
    result.notes.push(`${busy}% of CPU time was used by other processes before the part started; took ${seconds} s.`);
    results[part.name] = { ...result, busy_pct_before: busy, load: loadAverage(), seconds };
    if (!flags.json) screen.say(renderPart(part.name, result));
    const document = { at: started, machine: describeMachine(), options, results };
    await writeFile(join(resultsDir, `${started}.json`), `${JSON.stringify(document, null, 2)}\n`);
  }
  if (flags.json) console.log(JSON.stringify({ at: started, machine: describeMachine(), options, results }, null, 2));
  else screen.say(closing(results, options, join(resultsDir, `${started}.json`)));
} catch (error) {
  screen.say(error instanceof Problem ? `\n${error.message}\n` : String((error as Error).stack ?? error));
  process.exitCode = 1;
}
for (const step of undo.reverse())
  await step().catch((error: unknown) =>
    screen.say(`While stopping: ${error instanceof Error ? error.message : error}`),
  );
process.exit();

/** Starts the engines and the load generator. Corpora are opened when a part requests them. */
async function open(dataDir: string, options: BenchOptions): Promise<Bench> {
  const { signal } = stopping;
  const engines = await screen.step('Starting the engines', () =>
    startEngines({
      dataDir,
      env: process.env,
      signal,
      say: screen.say,
      onCrash: (message) => stopping.abort(new Problem(message)),
    }),
  );
  undo.push(engines.stop);
  const load = await startLoadGenerator();
  undo.push(async () => load.close());
  const variables = ['OPENSEARCH_URL', 'DATABASE_URL', 'S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const given = Object.fromEntries(variables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const context: CorpusContext = { dataDir, env: { ...given, ...engines.env }, screen, signal };
  const corpora = new Map<number, Corpus>();
  undo.push(() => Promise.all([...corpora.values()].map(closeStores)));
  return {
    options,
    screen,
    signal,
    load,
    context,
    rounds: options.quick ? 3 : 9,
    sliceMs: options.quick ? 500 : 1_500,
    corpus: async (listings = options.listings) => {
      const known = corpora.get(listings);
      if (known) return known;
      const corpus = await openCorpus(context, listings, options.reload);
      corpora.set(listings, corpus);
      return corpus;
    },
  };
}

function closing(
  results: Readonly<Record<string, PartResult>>,
  { listings, quick }: BenchOptions,
  file: string,
): string {
  const figures = Object.values(results).flatMap((result) => result.figures);
  const count = (wanted: string) => figures.filter((figure) => verdict(figure) === wanted).length;
  const caveat = quick || listings < 500_000 ? ' Targets apply to 500,000 listings and full rounds.' : '';
  return `\n${count('met')} targets met, ${count('missed')} missed.${caveat} Results: ${file}`;
}
