import Table from 'cli-table3';
import type pg from 'pg';
import type { DemoKeys } from '#accounts/demo.ts';
import type { Config } from '#src/config.ts';

/** The text that a first caller needs: a key of each plan, what there is to find, addresses, and a command to paste. */
export function summary(
  config: Config,
  keys: DemoKeys,
  notes: ReadonlyMap<string, string>,
  loaded: readonly string[],
): string {
  const table = new Table({ head: ['Plan', 'Demo key', 'Limits'], style: { head: [], border: [] } });
  for (const [name, key] of Object.entries(keys)) table.push([name, key, notes.get(name) ?? '']);
  return [
    '',
    table.toString(),
    ...(loaded.length > 0 ? ['', ...loaded] : []),
    '',
    `API        ${config.baseUrl}`,
    `Site       ${config.siteUrl}`,
    `OpenAPI    ${config.baseUrl}/openapi.json`,
    '',
    'Try it:',
    '',
    `curl -s -H 'Authorization: Bearer ${keys.pro}' '${config.baseUrl}/listings?city=riyadh&listing_type=rent&limit=2'`,
    '',
  ].join('\n');
}

/** A short text about each plan's limits, from the table of plans, by the name of the demo key. */
export async function planNotes(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; minute: number | null; page: number }>(
    'select name, units_per_minute as minute, page_size as page from plans order by rank',
  );
  const notes = new Map(
    rows.map(({ name, minute, page }) => [name, `${minute ?? 'any number of'} units a minute, pages of ${page}`]),
  );
  notes.set('test', 'for tests of an integration');
  notes.set('admin', 'organization endpoints only');
  return notes;
}
