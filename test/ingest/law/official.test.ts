import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { generateOfficialSample } from '#sample/official.ts';
import { hostileText } from '#test/hostile-text.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { pagesOf } from '#test/pages.ts';
import { test } from '#test/test.ts';

/** Cells that files contain, and cells that no file should. */
// biome-ignore format: related cells share a line
const CELLS = [
  '2026-02-31', '30/02/2026', '2025/2/30', '1447/13/40', '1447/09/30', '45999', '99999', '2025-01-01T25:00', 'thursday, 31 february 2025',
  '1e308', '1e-308', '9'.repeat(400), '-1', '0', '0.004', '850000.126', '٨٥٠٬٠٠٠', '850.000,00', '12345678901234567890', 'Infinity', 'NaN', '1,2,3',
  '=1+1', '@x', '+a', '\u0000', '\ud83d', '\ufffd', '\u202e', '"', '\n', 'ا'.repeat(30_000), ' ', '-', 'Q9', '٣', '2025 / Q5', '99999 / Q1', 'الملقا', 'Riyadh/',
  '__proto__', 'constructor', 'سكني', 'شقة - سكني', 'أرض',
];
const cell = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...CELLS) }, { weight: 1, arbitrary: hostileText });
const change = fc.array(fc.tuple(fc.nat(), cell), { minLength: 1, maxLength: 3 });

/** Maximum number of rejects of a file that are stored. */
const MAX_STORED = 1_000;

let ground: OfficialGround;
let files: string[];
const seed = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);
test.before(async () => {
  ground = await officialGround('law');
  const folder = await generateOfficialSample({ dir: ground.dir, seed: 1, deals: 300 });
  const found: string[] = [];
  for (const [part, name] of [
    ['deals', /^deals-\d{4}-Q\d\.csv$/],
    ['deals', /^deals_riyadh/],
    ['index', /^REPI/],
    ['indicators', /riyadh/],
    ['rents', /riyadh/],
  ] as const) {
    const names = (await readdir(join(folder, part))).filter((each) => name.test(each)).sort();
    found.push(join(folder, part, names.at(-1) as string));
  }
  files = found;
});
test.after(() => ground?.close());

/** Returns the file with other cells in one of `every` rows. */
async function spoiled(path: string, every: number, own: number): Promise<string> {
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  const rows = parse(text, { relax_column_count: true }) as string[][];
  const changes = fc.sample(change, { numRuns: rows.length, seed: own });
  const lines = rows.map((row, at) => {
    const changed = [...row];
    if (at > 5 && at % every === 0)
      for (const [column, value] of changes[at] ?? []) changed[column % row.length] = value;
    return changed.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
  });
  return `\ufeff${lines.join('\n')}\n`;
}

test('every row of an official file is stored or has a reason, and odd rows affect no other row', async (t) => {
  let imported = 0;
  for (const [at, path] of files.entries())
    for (const every of [2, 7, 30]) {
      const content = await spoiled(path, every, seed + at);
      const report = await ground.importFile(`${every}-${basename(path)}`, content);
      const name = `${report.name}: ${report.status}, ${report.detail}`;
      const rejected = Object.values(report.rejected).reduce((sum, count) => sum + count, 0);
      if (report.status === 'refused') t.truthy(report.detail, name);
      else t.is(report.taken + rejected, report.rows, name);
      const { rows } = await ground.pool.query<{ reason: string }>(
        `select distinct reason from official_rejects where file_id = $1 and detail <> '' order by reason`,
        [report.id],
      );
      // At most a thousand rejects of a file are stored; the others are counted.
      if (rejected > MAX_STORED) continue;
      for (const reason of Object.keys(report.rejected))
        t.true(
          rows.some((row) => row.reason === reason),
          name,
        );
      // Most rows of these files are those of the sample, which are all accepted.
      if (every === 30) t.true(report.taken > report.rows * 0.9, name);
      if (every === 30 && report.status !== 'refused') imported += 1;
    }
  t.is(imported, files.length);
});

test('odd official rows are served without an error, with amounts of two decimals', async (t) => {
  const { app, key } = ground;
  let deals = 0;
  for (const city of ['riyadh', 'jeddah'])
    for await (const { body } of pagesOf(app, `/v1/transactions?city=${city}&limit=100`, key)) {
      deals += body.data.length;
      for (const { price_sar } of body.data) t.is(Number(price_sar.toFixed(2)), price_sar);
    }
  t.true(deals > 0);
  for (const name of ['transactions', 'land-prices', 'registered-rents', 'index', 'property-index']) {
    const { status, text } = await app.request(`/v1/market/${name}?city=riyadh`, { key });
    t.true(status < 500, `${name}: ${text}`);
  }
});
