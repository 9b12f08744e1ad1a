import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { arrayOf, boolean, integer, nullable, number, object, string } from '#domain/json-schema.ts';
import { columnsOf } from '#src/exports/columns.ts';
import { createEncoder } from '#src/exports/encode.ts';
import { codePoint } from '#test/code-points.ts';
import { test } from '#test/test.ts';

const schema = object({
  id: integer,
  text: nullable(string),
  inner: nullable(object({ number: nullable(number), flag: boolean, deep: object({ list: arrayOf(string) }) })),
});
const { head, encode } = createEncoder('csv', columnsOf(schema));

/**
 * Matches initial characters that make a spreadsheet interpret a cell as a formula, including full-width forms and
 * white space, and the apostrophe, so that the guard can be removed from every text that begins with one.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠']/;
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', '＝', 'شقة', '1', '\r\n'), {
      maxLength: 6,
    })
    .map((pieces) => pieces.join('')),
);
const anyRow = fc.record({
  id: fc.integer(),
  text: fc.option(anyText),
  inner: fc.option(
    fc.record({
      number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      flag: fc.boolean(),
      deep: fc.record({ list: fc.array(anyText, { maxLength: 3 }) }),
    }),
  ),
});

test('CSV values are unchanged after a round trip, except for the formula guard on texts', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 5 }), (rows) => {
        const csv = head + (encode(rows.map((row) => [Buffer.from(JSON.stringify(row))])) as Buffer);
        const read = parse(csv, {
          columns: true,
          record_delimiter: '\n',
          cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
        }) as Record<string, string | null>[];
        if (read.length !== rows.length) throw new Error(`${read.length} of ${rows.length} rows`);
        for (const [at, row] of rows.entries()) {
          const cells = read[at];
          const same = (name: string, expected: string | null): void => {
            if (cells?.[name] !== expected) throw new Error(`${name}: ${JSON.stringify([cells?.[name], expected])}`);
          };
          same('id', String(row.id));
          same('text', row.text === null ? null : guarded(row.text));
          const { inner } = row;
          same('inner.flag', inner && String(inner.flag));
          const seen = cells?.['inner.number'];
          if (inner?.number == null ? seen !== null : Number(seen) !== inner.number) throw new Error(`number ${seen}`);
          same('inner.deep.list', inner && JSON.stringify(inner.deep.list));
        }
      }),
    ),
  );
});
