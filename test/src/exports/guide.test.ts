import { execFile as execFileWithCallback, spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { childOutput } from '#test/child-output.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { type ExportApp, startExportApp } from './app.ts';

const execFile = promisify(execFileWithCallback);

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('exports_guide', { worker: {} });
});
test.after(() => app?.close());

const ROWS = 25_000;
/** Programs determine columns from the first rows: DuckDB from 20,480. */
const RARE = 10;
const INSTALL_LIMIT = 480_000;
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** Installs the Python packages into an empty environment. @returns the folder of its programs */
async function installPython(t: ExecutionContext): Promise<string> {
  const venv = await temporaryFolder(t);
  const run = (program: string, ...args: string[]) => execFile(program, args, { timeout: INSTALL_LIMIT });
  await run('python3', '-m', 'venv', venv);
  await run(join(venv, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS);
  return join(venv, 'bin');
}

/** Returns whether a requirement in a block's `# needs:` line that is no Python module is installed. */
const isHere = (tool: string): boolean =>
  tool.includes(':') || spawnSync('bash', ['-c', `command -v ${tool}`], { timeout: 30_000 }).status === 0;

/** Listings of which only the oldest, the last in the index, have values of some fields. */
function makeListings(city: string) {
  return Array.from({ length: ROWS }, (_, index) => {
    const isRare = index < RARE;
    return makeListing(
      {
        location: { city, ...(isRare ? { street_width_m: 20.5 } : { lat: null, lng: null }) },
        title: index % 3 === 0 ? null : `=1+1 "شقة", \\ ${index}`,
        description: `سطر أول\nسطر ثان \\n \\N ${index}`,
        amenities: isRare ? ['lift', 'pool'] : [],
        bedrooms: 2 + (index % 3),
        age_years: null,
        floor: isRare ? 'الأرضي' : null,
        compound_name: isRare ? 'NA' : null,
        price: {
          as_posted: { amount: 5_000, frequency: 'monthly', ...(isRare && { currency: 'USD' }) },
          previous_yearly_sar: isRare ? 70_000.25 : null,
        },
      },
      { first_seen: 1_700_000_000 + index },
    );
  });
}

/** Python that fails if a program has lost rare values, after a block that loads them. */
const NO_LOSS = `
counted = lambda column: int(listings[column].count())
if "db" in globals():
    assert db.sql("select count(compound_name), count(price.previous_yearly_sar), count(price.as_posted.currency) from listings").fetchall() == [(${RARE},) * 3]
elif "listings" in globals():
    assert counted("compound_name") == counted("floor") == ${RARE}, listings["compound_name"]
    if "price.as_posted.currency" in listings.columns:
        assert counted("price.as_posted.currency") == counted("price.previous_yearly_sar") == ${RARE}
    elif type(listings).__module__.startswith("polars"):
        assert listings["price"].struct.field("as_posted").struct.field("currency").count() == ${RARE}
    else:
        assert sum("currency" in price["as_posted"] for price in listings["price"]) == ${RARE}
`;

test('every command in docs/exports.md works on a part whose rare values come last, and loses none', async (t) => {
  const bin = await installPython(t);
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const city = (await app.addCity()).slug;
  await indexListings(app.services, makeListings(city));
  const { opensearch } = app.services;
  await opensearch.send('POST', `/${opensearch.aliases.listings}/_forcemerge`, { query: { max_num_segments: '1' } });
  const guide = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'exports.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string);
  t.true(blocks.length >= 16);
  const folder = await temporaryFolder(t);
  const database = await createDatabase('exports_guide_copy');
  const run = async (command: string): Promise<void> => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder,
      env: {
        ...{ ...process.env, PATH: `${bin}:${process.env.PATH}`, POLL_SECONDS: '0.1' },
        ...{ API: `${app.url}/v1`, KEY: key, CITY: city, DATABASE: database },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    const { code, errors } = await childOutput(child);
    t.is(code, 0, `${command}\n${errors}`);
  };
  let ran = 0;
  for (const block of blocks) {
    const needs = /^# needs: (.*)$/m.exec(block)?.[1]?.split(' ') ?? [];
    t.true(needs.length > 0, block);
    const missing = needs.filter((tool) => !isHere(tool));
    if (missing.length > 0) {
      t.log(`skipped, ${missing.join(', ')} not installed: ${block.split('\n')[1]}`);
      continue;
    }
    await run(block.replace(/^PY$/m, `${NO_LOSS}PY`));
    ran++;
  }
  t.log(`${ran} of ${blocks.length} blocks were run`);
  await run(`python3 ${join(import.meta.dirname, 'compare-parquet.py')}`);
});
