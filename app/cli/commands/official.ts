import { type Command, InvalidArgumentError } from 'commander';
import { toolEnvironment } from '#app/start/tool-environment.ts';
import type { Official } from '#app/workers/open-official.ts';
import { CITIES } from '#domain/geography/gazetteer.ts';
import type { FileReport } from '#ingest/official/file-report.ts';
import { readConfig } from '#src/config.ts';
import { requireSessions } from '#stores/postgres/sessions.ts';
import { commandsWith, type Flags, limit, stopSignal } from '../command.ts';
import { printable, printRows } from '../output.ts';
import { wholeNumber } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- official import deals-2026-Q1.xlsx
  npm run cli -- official import real_state.csv --city riyadh
  npm run cli -- official import .data/official          every file of a folder
  npm run cli -- official unmatched --city riyadh
  npm run cli -- official held
  npm run cli -- official held 17                        the changes it would make
  npm run cli -- official release 17
  npm run cli -- official files
  npm run cli -- official rejects 4
  npm run cli -- official rebuild

The worker imports new files of OFFICIAL_DIR (or \`official\` in FEEDS_DIR) every quarter of an hour.`;

export function addCommands(group: Command): void {
  const add = commandsWith(group, withOfficial);

  add(
    'import <path>',
    'Import a file, or all CSV and XLSX files in a folder. Layouts are recognized by their columns.',
    async (official, flags, path) => {
      const { city, again } = flags as { city?: string; again?: boolean };
      const files = await official.import(path, { city, again, signal: stopSignal() });
      printRows(flags.json ? files : files.map(fileRow), flags);
      if (!flags.json) for (const line of files.flatMap(remarks)) console.log(printable(line));
      if (files.some(({ status }) => status === 'refused' || status === 'unreadable')) process.exitCode = 1;
    },
  )
    .option('--city <slug>', 'city of files that state none', city)
    .option('--again', 'read imported files again');

  add('files', 'List the last files with their results.', async ({ pool }, flags) => {
    const { rows } = await pool.query(
      `select id, name, kind, layout, status, rows, taken, rejected, detail from official_files order by id desc limit $1`,
      [flags.limit],
    );
    return rows;
  }).option(...limit(20));

  add('rejects <file>', 'List the rejected rows of a file, by its number.', async ({ pool }, flags, file) => {
    const { rows } = await pool.query(
      'select line, reason, detail from official_rejects where file_id = $1 order by line limit $2',
      [wholeNumber(file), flags.limit],
    );
    return rows;
  }).option(...limit(20));

  add(
    'held [quarter]',
    'Lists the held quarters with the reasons. With a number: the changes it would make to the served data.',
    showHeld,
  );

  add('release <quarter>', 'Release a held quarter, by its number in `held`.', async (official, _flags, load) => {
    const released = wholeNumber(load);
    await official.release(released);
    return { released };
  });

  add('unmatched', 'List districts without a matching neighborhood, most deals first.', showUnmatched)
    .option('--city <slug>', 'only one city', city)
    .option(...limit(50));

  add('rebuild', 'Update the index of registered deals from Postgres, or rebuild a lost one.', async (official) => {
    await official.prepare();
    return { rebuilt: 'transactions' };
  });
}

async function showHeld({ pool }: Official, flags: Flags, quarter?: string) {
  const { heldDifference, heldLoads } = await import('#ingest/official/held-quarters.ts');
  if (quarter === undefined) {
    const loads = await heldLoads(pool);
    if (loads[0] && !flags.json)
      console.log(
        `Each reason ends with its remedy. \`official held ${loads[0].id}\` compares it with the served quarter, \`official release ${loads[0].id}\` serves it as it is.`,
      );
    return loads;
  }
  const { held, served, strata, moves } = await heldDifference(pool, wholeNumber(quarter));
  if (flags.json) return { held, served, strata, moves };
  printRows(
    Object.entries({ served, held }).map(([of, side]) => ({ of, ...side })),
    flags,
  );
  console.log(`Districts and types with a price: ${strata.both} in both, ${strata.added} new, ${strata.gone} gone.`);
  printRows(
    moves.map(({ factor, ...move }) => ({ ...move, factor: Number(factor.toPrecision(3)) })),
    flags,
  );
}

async function showUnmatched({ pool }: Official, flags: Flags) {
  const { unmatchedDistricts } = await import('#ingest/official/held-quarters.ts');
  const found = await unmatchedDistricts(pool, flags as { city?: string; limit: number });
  if (flags.json) return found;
  printRows(found.names, flags);
  const districts = found.named - found.sides;
  const share = districts === 0 ? 100 : (found.matched / districts) * 100;
  console.log(
    `${found.deals} deals in cities of the service, ${districts} name a district (${found.sides} more a side of a city), ${found.matched} of these (${share.toFixed(1)}%) are matched.`,
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

async function withOfficial<T>(work: (official: Official) => Promise<T>): Promise<T> {
  const { openOfficial } = await import('#app/workers/open-official.ts');
  const env = await toolEnvironment(process.env);
  // Deal ids are derived from the installation's pepper.
  const config = readConfig(env);
  await requireSessions(config.databaseUrl);
  const official = openOfficial(config);
  try {
    return await work(official);
  } finally {
    await official.close();
  }
}

function city(text: string): string {
  if (!CITIES.some(({ slug }) => slug === text))
    throw new InvalidArgumentError('A city slug is expected, such as riyadh.');
  return text;
}
