// `npm run bench`: measures the service part by part and prints each figure with its target.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Table from 'cli-table3';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { openScreen } from '#app/start/screen.ts';
import { Problem } from '#domain/process/problem.ts';
import { onStopSignal } from '#domain/process/signals.ts';
import { startEngines } from '#embedded/engines.ts';
import { type Bench, combineRuns, type PartResult } from './bench.ts';
import { type Corpus, openCorpus } from './corpus.ts';
import { busyPercent } from './machine.ts';
import { isDifferent, readPublished, verdict } from './published.ts';

/** The parts in execution order: the first builds the listings, and the last two move them to another index. */
const PARTS: Readonly<Record<string, string>> = {
  ingest: 'ads per second and memory of the run that builds the listings, and of an unchanged run',
  dedupe: 'duplicates of generated and of labelled ads against the ground truth',
  estimate: 'estimates of public ads without the homes of their building: errors, coverage and ratio study',
  search: 'the API against the same queries sent directly to OpenSearch, at 1 and 8 connections',
  paced: 'calls at 25 to 800 a second whether or not earlier ones have returned: times, refusals, processor time',
  beside: 'such calls during an ingest run and a fill, and to two API processes',
  statistics: 'market statistics of different cohorts, one at a time, without caches',
  cost: 'processor time of the most expensive request of each operation that a search finds',
  webhooks: 'matching of events, and the time of deliveries to 50 receivers',
  charge: 'charges of one call, over many organizations and over one',
  size: 'what a number of listings costs: times and processor time of each kind of call, memory, disk, ingest and fill',
  reindex: 'npm run reindex alone; a fill, a rollback and a refused write during searches',
};

interface Flags {
  listings: number;
  runs: number;
  nodes: number;
  data: string;
  quick?: boolean;
  json?: boolean;
  reload?: boolean;
}

const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    const range = `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
    throw new InvalidArgumentError(`A whole number from ${range} is expected.`);
  };

const program = new Command('npm run bench --')
  .description('Measures the service. Without names, runs every part in this order:')
  .addArgument(
    new Argument(
      '[parts...]',
      Object.entries(PARTS)
        .map(([name, summary]) => `${name}: ${summary}`)
        .join('; '),
    ).choices(Object.keys(PARTS)),
  )
  .option(
    '--listings <n>',
    'approximate number of listings in the index; targets apply to 500000',
    whole(1_000, 2_000_000),
    500_000,
  )
  .option('--runs <n>', 'repeat each part: median and range of each figure', whole(1, 20), 1)
  .option(
    '--nodes <n>',
    'nodes of OpenSearch on this machine, each with a copy of every index, and listings of their own',
    whole(1, 5),
    1,
  )
  .option('--data <folder>', 'public feeds, for `dedupe` and `estimate`', join('..', 'shared', 'data'))
  .option('--quick', 'run few and short rounds: a smoke test, not for publication')
  .option('--json', 'print all figures as JSON on standard output, and everything else on standard error')
  .option('--reload', 'rebuild the listings and measure their ingest')
  .addHelpText(
    'after',
    `
Listings, database and engines stay in .data/bench from run to run. Set OPENSEARCH_URL, DATABASE_URL and S3_ENDPOINT
to measure servers of your own.`,
  )
  .parse();

const flags = program.opts<Flags>();
const names = program.args.length > 0 ? program.args : Object.keys(PARTS);
const screen = openScreen(flags.json ? process.stderr : process.stdout);
const stopping = new AbortController();
onStopSignal(() => stopping.abort(new Problem('Stopped.')), screen.say);
const undo: (() => Promise<unknown>)[] = [];

const published = readPublished();
const verdicts: string[] = [];
const measured: object[] = [];

try {
  const bench = await open(flags);
  for (const name of names) {
    stopping.signal.throwIfAborted();
    screen.say(`\n${name}: ${PARTS[name]}`);
    const { [name]: run } = (await import(`./parts/${name}.ts`)) as Record<
      string,
      (bench: Bench) => Promise<PartResult>
    >;
    const busy = await busyPercent();
    const begun = performance.now();
    const results: PartResult[] = [];
    while (run && results.length < flags.runs) results.push(await run(bench));
    const result = combineRuns(results);
    const seconds = Math.round((performance.now() - begun) / 1000);
    screen.say(render(name, result));
    measured.push(...result.figures.map((figure) => ({ part: name, ...figure })));
    screen.say(`- ${busy}% of CPU time was used by other processes before the part started; took ${seconds} s.`);
  }
  const count = (wanted: string) => verdicts.filter((each) => each === wanted).length;
  screen.say(
    `\n${count('met')} targets met, ${count('missed')} missed. Targets and published figures apply to 500,000 listings and full rounds.`,
  );
} catch (error) {
  screen.say(error instanceof Problem ? `\n${error.message}\n` : String((error as Error).stack ?? error));
  process.exitCode = 1;
}
for (const step of undo.reverse())
  await step().catch((error: unknown) =>
    screen.say(`While stopping: ${error instanceof Error ? error.message : error}`),
  );
if (flags.json) process.stdout.write(`${JSON.stringify({ listings: flags.listings, figures: measured }, null, 2)}\n`);
process.exit();

/** Starts the engines. The listings are opened when a part requests them. */
async function open({ listings, nodes, data, quick = false, reload = false }: Flags): Promise<Bench> {
  const { signal } = stopping;
  const dataDir = resolve(process.env.DATA_DIR || join('.data', nodes === 1 ? 'bench' : `bench-${nodes}-nodes`));
  await mkdir(dataDir, { recursive: true });
  const engines = await screen.step('Starting the engines', () =>
    startEngines({
      dataDir,
      searchNodes: nodes,
      env: process.env,
      signal,
      say: screen.say,
      onCrash: (message) => stopping.abort(new Problem(message)),
    }),
  );
  undo.push(engines.stop);
  const variables = ['OPENSEARCH_URL', 'DATABASE_URL', 'S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const given = Object.fromEntries(variables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const copies = process.env.INDEX_COPIES ?? (nodes > 1 ? String(nodes) : undefined);
  const env = { ...given, ...engines.env, ...(copies && { INDEX_COPIES: copies }) };
  const context = { dataDir, env, screen, signal };
  let opened: Promise<Corpus> | undefined;
  undo.push(async () => (await opened)?.close());
  return {
    quick,
    screen,
    feedsDir: resolve(data),
    signal,
    dataDir,
    ingestOthers: async (count) => (await openCorpus(context, count, true)).close(),
    corpus: () => {
      opened ??= openCorpus(context, listings, reload);
      return opened;
    },
  };
}

function render(part: string, { figures, notes = [] }: PartResult): string {
  const head = ['Figure', 'Measured', 'Published', 'Target', ''];
  const table = new Table({ head, style: { head: [], border: [] }, colAligns: ['left', 'right', 'right', 'right'] });
  for (const figure of figures) {
    const row = published.find((each) => each.part === part && each.name === figure.name);
    const own = verdict(figure.value, row?.target ?? '');
    verdicts.push(own);
    const differs = row && isDifferent(figure, row) ? ' differs from the published figure' : '';
    const measured = `${rounded(figure.value)} ${figure.unit}`.trim();
    const range = figure.range?.map(rounded).join(' to ');
    table.push([
      figure.name,
      range ? `${measured} (${range})` : measured,
      row?.measured ?? '',
      row?.target ?? '',
      own + differs,
    ]);
  }
  return [`\n${table.toString()}`, ...notes.map((note) => `- ${note}`)].join('\n');
}

/** Rounds to three significant digits. */
function rounded(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
}
