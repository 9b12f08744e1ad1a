import fc from 'fast-check';
import { compact, compactPage, MAX_PAGE } from '#mcp/compact.ts';
import { test } from '#test/test.ts';

test('pages of a list show every row once in order, and stay within the size limit', (t) => {
  const row = fc.record({ id: fc.nat(), text: fc.option(fc.string({ maxLength: 400 })) });
  const options = { minLength: 1, maxLength: 400 };
  fc.assert(
    fc.property(fc.array(row, options), fc.boolean(), fc.nat(37_000), (rows, nested, size) => {
      const note = 'x'.repeat(size);
      const body = nested ? { data: { note, cells: rows } } : { data: rows, note };
      const shown: unknown[] = [];
      for (let offset = 0, more = true; more; ) {
        const { value: short, page } = compactPage(body, offset);
        const { data } = short as { data: unknown[] | { cells: unknown[] } };
        shown.push(...(Array.isArray(data) ? data : data.cells));
        t.true(JSON.stringify(short).length <= MAX_PAGE);
        const { total, shown: count } = page ?? { total: 0, shown: 0 };
        offset += count;
        more = offset < total;
      }
      t.deepEqual(shown, compact({ data: rows }).value.data);
    }),
    { numRuns: 50 },
  );
});

test('a page of a tool result has at least one row, even if the row exceeds the size limit', (t) => {
  const rows = [1, 2].map((id) => ({ id, cells: Array.from({ length: 9_000 }, (_, at) => at + 100_000) }));
  const { page } = compactPage({ data: rows }, 0);
  t.deepEqual(page, { list: 'data', total: 2, shown: 1 });
});
