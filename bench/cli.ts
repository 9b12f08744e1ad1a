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
import { renderPart, verdict } from './tables.ts';

/** The parts in execution order: the first builds the listings, and the last moves them to another index. */
const PARTS: Readonly<Record<string, string>> = {
  data: 'ingest of the listings, and its memory at two sizes',
  dedupe: 'duplicates and neighborhoods of generated ads against the ground truth, and of real ads',
  search: 'the API against the same queries sent directly to OpenSearch, at 1 and 8 connections',
  postgres: 'the same requests in Postgres with suitable indexes',
  market: 'market data against Postgres with percentile_cont, uncached and cached',
  percentiles: 'quartiles against exact ones, over every city, type and neighborhood',
  nearby: 'price band and comparables against one raw geo-distance query',
  shapes: 'searches by circle and polygon against a box of the same center and area',
  map: 'map data of boxes of different size, uncached',
  deals: 'seconds and memory of the comparison of all listings',
  mixed: 'an hour’s worth of different requests of all kinds by 64 connections: times, errors, memory',
  metrics: 'throughput with scrapes of the metrics every 15 s compared with none; processor time of a scrape',
  exports: 'rows per second to gzipped files in S3, memory, and searches meanwhile',
  transactions: 'import of a million registered deals; cells and pages against Postgres',
  projects: 'search of 500,000 units of 20,000 projects against that of listings; a change of status',
  webhooks: 'events matched per second, deliveries per second, and delays with an unresponsive receiver',
  charge: 'charges of one call and of eight calls per statement, over many organizations and over one',
  reindex: 'npm run reindex during searches',
};

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
  .argument(
    '[parts...]',
    Object.entries(PARTS)
      .map(([name, summary]) => `${name} (${summary})`)
      .join(', '),
  )
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
const names = program.args.length > 0 ? program.args : Object.keys(PARTS);
const screen = openScreen(flags.json ? process.stderr : process.stdout);
const stopping = new AbortController();
onStopSignal(() => stopping.abort(new Problem('Stopped.')), screen.say);
const undo: (() => Promise<unknown>)[] = [];

try {
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown !== undefined)
    throw new Problem(`There is no part "${unknown}".`, [`Parts: ${Object.keys(PARTS).join(', ')}`]);
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
  for (const name of names) {
    stopping.signal.throwIfAborted();
    screen.say(`\n${name}: ${PARTS[name]}`);
    const { [name]: run } = (await import(`./parts/${name}.ts`)) as Record<
      string,
      (bench: Bench) => Promise<PartResult>
    >;
    const busy = await busyPercent();
    const begun = performance.now();
    const result = (await run?.(bench)) as PartResult;
    const seconds = Math.round((performance.now() - begun) / 1000);
    result.notes.push(`${busy}% of CPU time was used by other processes before the part started; took ${seconds} s.`);
    results[name] = { ...result, busy_pct_before: busy, load: loadAverage(), seconds };
    if (!flags.json) screen.say(renderPart(name, result));
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
