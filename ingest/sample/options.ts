import { Command, InvalidArgumentError } from 'commander';
import type { SampleOptions } from './generate.ts';

/** Reads the command line of `npm run sample`; `now` gives the default last day. */
export function parseArgs(argv: string[], now: Date): SampleOptions {
  const command = new Command('sample')
    .description('Writes the feeds of invented sources for several days, and what is true of every ad beside them.')
    .requiredOption('--listings <n>', 'ads live on the last day, about, over all sources', whole(1, 2_000_000))
    .requiredOption('--seed <n>', 'equal seeds give equal bytes', whole(0, 0xffff_ffff))
    .option('--days <n>', 'days of feeds', whole(1, 60), 4)
    .option('--until <YYYY-MM-DD>', 'the last day', now.toISOString().slice(0, 10))
    .option('--out <dir>', 'folder to write to; an earlier sample in it is replaced', '.data/sample')
    .option('--host-url <url>', 'where the photos will be served', 'http://127.0.0.1:8099')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  npm run sample -- --listings 2000 --seed 1\n' +
        '  npm run sample -- --listings 500000 --seed 7 --days 2 --out .data/bench-sample\n' +
        '  npm run sample -- --listings 300 --seed 3 --days 10 --until 2026-03-31',
    );
  command.parse(argv);
  const given = command.opts<{
    listings: number;
    seed: number;
    days: number;
    until: string;
    out: string;
    hostUrl: string;
  }>();
  return {
    dir: given.out,
    listings: given.listings,
    seed: given.seed,
    days: given.days,
    until: given.until,
    hostUrl: given.hostUrl.replace(/\/+$/, ''),
  };
}

function whole(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`a whole number from ${low} to ${high} is expected`);
    return value;
  };
}
