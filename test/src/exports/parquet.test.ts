import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { type AsyncBuffer, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { arrayOf, boolean, integer, type JsonSchema, nullable, number, object, string } from '#domain/json-schema.ts';
import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { type Column, columnsOf, valueAt } from '#src/exports/columns.ts';
import { DATASETS } from '#src/exports/datasets/datasets.ts';
import { ParquetPart } from '#src/exports/parquet.ts';
import { codePoint } from '#test/code-points.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { download, type ExportApp, manifestOf, rowsOf, startExportApp } from './app.ts';

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('exports_parquet', { worker: { rowsPerPart: 40 } });
});
test.after(() => app?.close());

type Row = Record<string, unknown>;

const bufferOf = (file: Uint8Array): AsyncBuffer & ArrayBuffer => file.slice().buffer as AsyncBuffer & ArrayBuffer;

const readRows = (file: Uint8Array): Promise<Row[]> =>
  parquetReadObjects({
    file: bufferOf(file),
    compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
  });

/** The value of a cell in JSON, as Parquet returns it. */
function cellOf(value: unknown, { types, format, hasTexts }: Column): unknown {
  if (value === null || hasTexts) return value;
  if (format !== null) return new Date(String(value)).toISOString();
  return types[0] === 'integer' ? BigInt(Number(value)) : typeof value === 'object' ? JSON.stringify(value) : value;
}

const shown = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));

const schema = object({
  id: integer,
  text: nullable(string),
  day: { type: ['string', 'null'], format: 'date' },
  inner: nullable(object({ number: nullable(number), flag: boolean, deep: object({ list: arrayOf(string) }) })),
  numbers: arrayOf(integer),
});
const anyText = fc.string({ unit: codePoint, maxLength: 30 });
const anyRow = fc.record({
  id: fc.integer(),
  text: fc.option(anyText),
  day: fc.constantFrom(null, '2026-01-31', '1970-01-01'),
  inner: fc.option(
    fc.record({
      number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      flag: fc.boolean(),
      deep: fc.record({ list: fc.array(anyText, { maxLength: 3 }) }),
    }),
  ),
  numbers: fc.array(fc.nat(), { maxLength: 3 }),
});

test('the cells of a Parquet file equal the values of the rows', async (t) => {
  const columns = columnsOf(schema);
  await t.notThrowsAsync(() =>
    fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 40 }), async (rows) => {
        const part = new ParquetPart(columns);
        part.add(rows);
        const read = await readRows(part.finish());
        for (const [at, row] of rows.entries())
          for (const column of columns) {
            const expected = JSON.stringify(cellOf(valueAt(row, column.path), column), bigints);
            const found = JSON.stringify(shown(read[at]?.[column.name]), bigints);
            if (found !== expected) throw new Error(`${column.name}: ${found}, not ${expected}`);
          }
      }),
    ),
  );
});

const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

test('an export in Parquet has the rows of the one in NDJSON, in parts of one row group with points', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const { slug } = await app.addCity();
  const listings = Array.from({ length: 100 }, (_, at) =>
    makeListing({
      location: { city: slug, ...(at % 3 ? { lat: 24 + at / 100, lng: 46.5 } : { lat: null, lng: null }) },
      title: at % 2 ? null : `شقة ${at}`,
      amenities: at % 2 ? ['lift', 'pool'] : [],
    }),
  );
  await indexListings(app.services, listings);
  const filters = { city: [slug] };
  const json = (await rowsOf((await app.make(key, { dataset: 'listings', format: 'ndjson', filters })).files)).map(
    (line) => JSON.parse(line),
  );
  const made = await app.make(key, { dataset: 'listings', format: 'parquet', filters });
  t.like(made, { status: 'completed', progress: { rows_written: 100 }, units: 100 }, JSON.stringify(made));
  t.like(await manifestOf(made.files), { format: 'parquet', compression: null, rows: 100, csv: null });
  const parts = made.files.filter(({ name }: { name: string }) => /^part-0000\d\.parquet$/.test(name));
  t.is(parts.length, 3);
  const rows: Row[] = [];
  for (const part of parts) {
    const file = await download(part);
    const { row_groups, key_value_metadata } = parquetMetadata(bufferOf(file));
    t.deepEqual(
      row_groups.map(({ num_rows }) => Number(num_rows)),
      [part.rows],
    );
    const geo = JSON.parse(key_value_metadata?.find((each) => each.key === 'geo')?.value ?? '');
    t.like(geo, { version: '1.1.0', primary_column: 'geometry' });
    rows.push(...(await readRows(file)));
  }
  const columns = columnsOf(LISTING_SCHEMA);
  const times = new Set(['modified_at', 'last_seen_at', 'days_on_market']);
  for (const [at, row] of rows.entries()) {
    const listing = json.find(({ id }) => BigInt(id) === row.id);
    for (const column of columns.filter(({ name }) => !times.has(name)))
      t.deepEqual(shown(row[column.name]), cellOf(valueAt(listing, column.path), column), `${at} ${column.name}`);
    const { lat, lng } = listing.location;
    t.deepEqual(row.geometry, lat === null ? null : { type: 'Point', coordinates: [lng, lat] });
  }
});

test('the columns of every dataset have types of Parquet', (t) => {
  for (const { name, row } of DATASETS) {
    const columns = columnsOf(row as JsonSchema);
    const part = new ParquetPart(columns);
    part.add([{}]);
    t.is(Number(parquetMetadata(bufferOf(part.finish())).num_rows), 1, name);
    t.deepEqual(
      columns.filter(({ types }) => types.length > 2 || types[0] === 'null'),
      [],
      name,
    );
  }
});
