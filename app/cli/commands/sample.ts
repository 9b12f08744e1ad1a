import type { Command } from 'commander';
import type { Progress } from '#app/start/screen.ts';
import { generateSample, type SampleOptions, type SampleSummary } from '#sample/generate.ts';
import { screenOf } from '../command.ts';
import { wholeNumber } from '../values.ts';

type Flags = Omit<SampleOptions, 'dir'> & { out: string; json?: boolean };

export const HELP = `Examples:
  npm run cli -- sample --listings 2000 --seed 1
  npm run cli -- sample --listings 500000 --seed 7 --days 2 --out .data/bench-sample
  npm run cli -- sample --listings 300 --seed 3 --days 10 --until 2026-03-31
  npm run cli -- sample --listings 12000 --seed 1 --since 2026-03-09`;

export function addCommands(group: Command): void {
  group
    .description('Write feeds of invented sources for several days, with a file of the true facts of every ad.')
    .requiredOption('--listings <n>', 'ads live on the last day, about, over all sources', whole(1, 2_000_000))
    .requiredOption('--seed <n>', 'equal seeds give equal bytes', whole(0, 0xffff_ffff))
    .option('--days <n>', 'days of feeds', whole(1, 60), 4)
    .option('--until <YYYY-MM-DD>', 'the last day', new Date().toISOString().slice(0, 10))
    .option(
      '--since <YYYY-MM-DD>',
      'create a story from this day on: a feed a month before the last days, prices that move',
    )
    .option('--out <dir>', 'output folder; an earlier sample in it is replaced', '.data/sample')
    .option('--host-url <url>', 'public URL of the photos', 'http://127.0.0.1:8099')
    .action((_: unknown, command: Command) => run(command.optsWithGlobals<Flags>()));
}

async function run({ out, hostUrl, json, ...given }: Flags): Promise<void> {
  const options: SampleOptions = { ...given, dir: out, hostUrl: hostUrl.replace(/(?<!\/)\/+$/, '') };
  let bar: Progress | undefined;
  const begun = performance.now();
  const summary = await generateSample(options, (done, total) => {
    bar ??= screenOf({ json }).progress('Writing ads', total);
    bar.update(done);
  }).finally(() => bar?.end());
  const seconds = (performance.now() - begun) / 1000;
  console.log(json ? JSON.stringify(summary) : summaryText(summary, seconds));
}

const whole = (low: number, high: number) => (text: string) => wholeNumber(text, low, high);

const summaryText = ({ live, days, ads, properties, rows, dir }: SampleSummary, seconds: number): string =>
  `${live} ads live on ${days.at(-1)} (${ads} ads of ${properties} properties, ` +
  `${rows} rows in ${days.length} days) in ${dir}, ${seconds.toFixed(1)} s`;
