import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DryRun } from '#ingest/dry-run.ts';
import { cli } from '#test/cli.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();

/** No datastore listens at these addresses. */
const NO_STORES = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  OPENSEARCH_URL: 'http://127.0.0.1:1',
  FEEDS_DIR: join(dir, 'missing'),
};

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
}

async function dryRun(path: string, ...args: string[]): Promise<DryRun> {
  const ran = await cli(['ingest', '--json', '--dry-run', path, ...args], NO_STORES);
  if (ran.code !== 0) throw new Error(ran.err + ran.out);
  return JSON.parse(ran.out) as DryRun;
}

/** Returns the normalized example of a column, by field. */
const becameOf = ({ columns }: DryRun, name: string): unknown => {
  const column = columns.find((each) => each.column === name);
  return column && Object.fromEntries(column.fields.map((field) => [field, column.became[field]]));
};

const property = (id: string, rest: string): string =>
  `<property last_update="2026-11-18 01:30:00"><reference_number>${id}</reference_number><offering_type>RR</offering_type>
  <property_type>AP</property_type><city>Riyadh</city><community>Al Malqa</community>${rest}</property>`;
const FEED = `<list last_update="2026-11-19 10:00:00">
${property('A', '<price><yearly>95000</yearly></price><size>120</size><permit_number>72</permit_number><photo><url>https://photos.example/1.jpg</url></photo>')}
${property('B', '<price><monthly>7000</monthly></price><size>large</size>')}
${property('C', '<price>850,000 JOD</price>')}
${property('A', '<price>90000</price>')}
${property('D', '<city>').replace('</property>', '')}
<property><reference_number>E</reference_number><offering_type>RR</offering_type><property_type>LC</property_type></property>
</list>`;

test('a dry run reports the fields of each column and the rejected rows, without datastores', async (t) => {
  const path = await fileOf('pf.xml', FEED);
  const report = await dryRun(path, '--at', '2026-11-20T00:00:00Z');
  t.like(report, { file: path, source: 'property-finder-xml', cut: null, rows: 6, accepted: 3 });
  t.deepEqual(report.rejected, { duplicate_id: 1, malformed_row: 1, unknown_property_type: 1 });
  t.deepEqual(becameOf(report, 'offering_type'), { purpose: 'rent' });
  t.deepEqual(becameOf(report, 'price.yearly'), {
    price: '95000 SAR yearly',
    price_period: 'yearly',
  });
  t.like(
    report.columns.find(({ column }) => column === 'size'),
    { rows: 2, unread: { area: 1 } },
  );
  t.deepEqual(
    report.rejects.map(({ reason, count }) => [reason, count]),
    [
      ['area_unreadable', 1],
      ['price_unreadable', 1],
      ['duplicate_id', 1],
      ['malformed_row', 1],
      ['unknown_property_type', 1],
    ],
  );
});

test('a dry run reads CSV and NDJSON files by the source that fits, or the named one', async (t) => {
  const rows = ['Price,Type,Beds,Baths,Area,Location', '910000,Apartment,3,2,131,"Al Safa, North Jeddah, Jeddah"', ''];
  const csv = await fileOf('bayut.csv', rows.join('\n'));
  const report = await dryRun(csv);
  t.like(report, { source: 'bayut', rows: 1, accepted: 1 });
  t.deepEqual(becameOf(report, 'Price'), { price: '910000 SAR total' });
  t.deepEqual(becameOf(report, 'Location'), { city: 'jeddah', neighborhood: 'Al Safa' });
  const lines = [1, 2].map((id) => JSON.stringify({ id, purpose: 'rent', property_type: 'villa', city_ar: 'الرياض' }));
  t.like(await dryRun(await fileOf('aqar.ndjson', lines.join('\n'))), { source: 'aqar', rows: 2, accepted: 2 });
});

test('a dry run of a foreign file, or with an unknown source, names the remedy', async (t) => {
  const failure = async (...args: string[]) => (await cli(['ingest', ...args], NO_STORES)).err;
  const foreign = await fileOf('foreign.csv', 'a,b\n1,2\n');
  t.regex(
    await failure('--dry-run', foreign),
    /No source accepts a row of .*docs\/how-to\/source\.md.*--source: .*bayut-xml[\s\S]*Columns: a, b\./,
  );
  t.regex(
    await failure('--dry-run', foreign, '--source', 'bayut'),
    /foreign\.csv has no column Price.*Its columns are a, b/,
  );
  t.regex(await failure('--dry-run', foreign, '--source', 'x'), /no source "x" reads files\. Accepted: .*aqar/);
  const joined = await fileOf('joined.csv', 'Price~Type\n1~Villa\n');
  t.regex(
    await failure('--dry-run', joined, '--source', 'sa_aqar'),
    /only column is Price~Type\..*correct `delimiter`/,
  );
  const empty = await fileOf('empty.xml', '<Properties><ad><id>1</id></ad></Properties>');
  t.regex(
    await failure('--dry-run', empty, '--source', 'bayut-xml'),
    /has no rows\. .*correct `record`[\s\S]*Elements: Properties, ad, id\./,
  );
  t.regex(await failure('--dry-run', join(empty, '..')), /is a folder/);
  t.regex(await failure('--dry-run', `${empty}x`), /There is no file .*empty\.xmlx\./);
  const array = await fileOf('array.json', JSON.stringify([{ id: 1 }], null, 2));
  t.regex(await failure('--dry-run', array), /array\.json is one JSON array, .*jq -c '\.\[\]'/);
});
