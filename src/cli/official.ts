import { type Command, InvalidArgumentError } from 'commander';
import { CITIES } from '#domain/geography/gazetteer.ts';
import type { FileReport } from '#ingest/official/import.ts';
import { readConfig } from '#src/config.ts';
import type { Official } from '#start/official.ts';
import { toolEnvironment } from '#start/tool-environment.ts';
import { type OutputOptions, printable, printJson, printRows } from './output.ts';
import { stopSignal } from './progress.ts';

/** Adds the `official` commands, which import and inspect open data of ministry, regulator and statistics office. */
export function addCommands(group: Command): void {
  group
    .command('import <path>')
    .description('Import a file, or all CSV and XLSX files in a folder. Layouts are recognized by their columns.')
    .option('--city <slug>', 'city of files that state none', city)
    .option('--again', 'read imported files again')
    .action((path: string, { city, again }: { city?: string; again?: boolean }, command: Command) =>
      withOfficial(async (official) => {
        const files = await official.import(path, { city, again, signal: stopSignal() });
        printRows(flags(command).json ? files.map((file) => ({ ...file })) : files.map(fileRow), flags(command));
        if (!flags(command).json) for (const line of files.flatMap(remarks)) console.log(printable(line));
        if (files.some(({ status }) => status === 'refused' || status === 'unreadable')) process.exitCode = 1;
      }),
    );

  group
    .command('files')
    .description('List the last files with their results.')
    .option('--limit <n>', 'how many', wholeNumber, 20)
    .action(({ limit }: { limit: number }, command: Command) =>
      withOfficial(async ({ pool }) => {
        const { rows } = await pool.query(
          `select id, name, kind, layout, status, rows, taken, rejected, detail from official_files order by id desc limit $1`,
          [limit],
        );
        printRows(rows, flags(command));
      }),
    );

  group
    .command('rejects <file>')
    .description('List the rejected rows of a file, by its number.')
    .option('--limit <n>', 'how many', wholeNumber, 20)
    .action((file: string, { limit }: { limit: number }, command: Command) =>
      withOfficial(async ({ pool }) => {
        const { rows } = await pool.query(
          'select line, reason, detail from official_rejects where file_id = $1 order by line limit $2',
          [wholeNumber(file), limit],
        );
        printRows(rows, flags(command));
      }),
    );

  group
    .command('held [quarter]')
    .description(
      'Lists the held quarters with the reasons. With a number: the changes it would make to the served data.',
    )
    .action((quarter: string | undefined, _: unknown, command: Command) =>
      withOfficial(async ({ pool }) => {
        const { heldDifference, heldLoads } = await import('#ingest/official/held.ts');
        if (quarter === undefined) {
          const loads = await heldLoads(pool);
          printRows(
            loads.map((load) => ({ ...load })),
            flags(command),
          );
          if (loads[0] && !flags(command).json)
            console.log(
              `\`official held ${loads[0].id}\` compares it with the served quarter, \`official release ${loads[0].id}\` serves it.`,
            );
          return;
        }
        const { held, served, strata, moves } = await heldDifference(pool, wholeNumber(quarter));
        if (flags(command).json) {
          printJson({ held, served, strata, moves });
          return;
        }
        printRows(
          [
            { of: 'served', ...served },
            { of: 'held', ...held },
          ],
          {},
        );
        console.log(
          `Districts and types with a price: ${strata.both} in both, ${strata.added} new, ${strata.gone} gone.`,
        );
        printRows(
          moves.map(({ factor, ...move }) => ({ ...move, factor: Number(factor.toPrecision(3)) })),
          {},
        );
      }),
    );

  group
    .command('release <quarter>')
    .description('Release a held quarter, by its number in `held`.')
    .action((load: string) => withOfficial((official) => official.release(wholeNumber(load))));

  group
    .command('unmatched')
    .description('List districts without a matching neighborhood, most deals first.')
    .option('--city <slug>', 'only one city', city)
    .option('--limit <n>', 'how many', wholeNumber, 50)
    .action((options: { city?: string; limit: number }, command: Command) =>
      withOfficial(async ({ pool }) => {
        const { unmatchedDistricts } = await import('#ingest/official/held.ts');
        const found = await unmatchedDistricts(pool, options);
        if (flags(command).json) {
          printJson(found);
          return;
        }
        printRows(
          found.names.map((name) => ({ ...name })),
          {},
        );
        const districts = found.named - found.sides;
        const share = districts === 0 ? 100 : (found.matched / districts) * 100;
        console.log(
          `${found.deals} deals in cities of the service, ${districts} name a district (${found.sides} more a side of a city), ${found.matched} of these (${share.toFixed(1)}%) are matched.`,
        );
      }),
    );

  group
    .command('rebuild')
    .description('Update the index of registered deals from Postgres, or rebuild a lost one.')
    .action(() => withOfficial((official) => official.prepare()));

  group.addHelpText(
    'after',
    `
Examples:
  npm run cli -- official import deals-2026-Q1.xlsx
  npm run cli -- official import real_state.csv --city riyadh
  npm run cli -- official import .data/official          every file of a folder
  npm run cli -- official unmatched --city riyadh
  npm run cli -- official held
  npm run cli -- official held 17                        the changes it would make
  npm run cli -- official release 17
  npm run cli -- official rejects 4

The worker imports new files of OFFICIAL_DIR (or \`official\` in FEEDS_DIR) every quarter of an hour.`,
  );
}

function fileRow({ id, name, kind, status, rows, taken, quarters, seconds }: FileReport) {
  const labels = quarters.map(({ quarter }) => quarter).sort();
  const span = labels.length > 1 ? `${labels[0]} to ${labels.at(-1)}` : (labels[0] ?? '');
  return { id, name, kind, status, rows, taken, quarters: span, seconds };
}

function remarks({ name, rejected, quarters, detail }: FileReport): string[] {
  const reasons = Object.entries(rejected).map(([reason, count]) => `${name}: ${count} rows not taken, ${reason}`);
  const held = quarters.flatMap(({ quarter, scope, state, detail: why }) =>
    state === 'held' || state === 'covered'
      ? [`${name}: ${scope} ${quarter} is ${state === 'held' ? 'held' : 'not taken'}, ${why}`]
      : [],
  );
  return [...(detail === null ? [] : [`${name}: ${detail}`]), ...reasons, ...held];
}

const flags = (command: Command): OutputOptions => command.optsWithGlobals<OutputOptions>();

async function withOfficial(work: (official: Official) => Promise<void>): Promise<void> {
  const { openOfficial } = await import('#start/official.ts');
  const env = await toolEnvironment(process.env);
  // Deal ids are derived from the pepper, so the installation's own pepper is required.
  const official = openOfficial(readConfig(env));
  try {
    await work(official);
  } finally {
    await official.close();
  }
}

function city(text: string): string {
  if (!CITIES.some(({ slug }) => slug === text))
    throw new InvalidArgumentError('a city slug is expected, such as riyadh');
  return text;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number is expected');
  return Number(text);
}
