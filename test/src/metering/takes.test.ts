import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_ELEMENTS } from '#queries/market/map.ts';
import { SESSIONS_PER_ADDRESS } from '#site/server/visitors.ts';
import { readConfig } from '#src/config.ts';
import { EXPORT_PRICE, PRICES, type Price } from '#src/metering/prices.ts';
import * as sql from '#stores/postgres/rows.ts';
import { sharedApp } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { test } from '#test/test.ts';

const FILE = join(import.meta.dirname, '..', '..', '..', 'docs', 'security.md');
const MINUTES = 24 * 60;

test('docs/security.md states what a stranger and each plan can take in a day', async (t) => {
  const { services } = await sharedApp();
  const plans = await sql.queryRows(
    services.pool,
    { name: sql.text, minute: sql.integer, month: sql.nullable(sql.integer) },
    'select name, units_per_minute as minute, units_per_month as month from plans order by rank',
  );
  const prices: Price[] = Object.values(PRICES);
  const rowsPerUnit = Math.max(
    EXPORT_PRICE.perRows / EXPORT_PRICE.units,
    ...prices.map((price) => ('per' in price ? price.per / price.units : 1)),
  );
  const { siteListings } = readConfig(testEnv()).limits;
  const number = (value: number) => value.toLocaleString('en');
  const rows = [
    ['Visitor, one session', '0', number(siteListings)],
    ['Visitor, one address (IPv4, or /64 of IPv6)', '0', number(SESSIONS_PER_ADDRESS * siteListings)],
    ...plans.map(({ name, minute, month }) => {
      const units = Math.min(minute * MINUTES, month ?? Number.POSITIVE_INFINITY);
      return [`Plan \`${name}\``, number(units), number(units * rowsPerUnit)];
    }),
  ].map((cells) => `| ${cells.join(' | ')} |\n`);
  const document = await readFile(FILE, 'utf8');
  const updated = document.replace(
    /(\| Caller \| Units a day \|.*\n\|---.*\n)(?:\|.*\n)*/,
    (_, head) => head + rows.join(''),
  );
  if (process.env.UPDATE_GOLDEN) await writeFile(FILE, updated);
  t.is(await readFile(FILE, 'utf8'), updated);
  t.true(document.includes(`up to ${MAX_ELEMENTS} pins`));
});
