import fc from 'fast-check';
import { compact, compactPage, MAX_PAGE } from '#mcp/compact.ts';
import { decodeOffset, encodeOffset } from '#mcp/paging.ts';
import { test } from '#test/test.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, '', 'https://a.test/1', true, 0),
    fc.string({ maxLength: 400 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Yields all nested values. */
function* inside(whole: unknown): Generator<unknown> {
  if (typeof whole !== 'object' || whole === null) return;
  for (const each of Object.values(whole)) {
    yield each;
    yield* inside(each);
  }
}

test('a shortened MCP response has no null or empty values, and shortening it again changes nothing', (t) => {
  fc.assert(
    fc.property(fc.record({ beside: value, data: value }), (body) => {
      const short = compact(body).value;
      for (const [name, field] of Object.entries(short))
        for (const each of name === 'data' ? inside(field) : inside({ field })) {
          t.not(each, null);
          if (typeof each === 'object' && each !== null) t.true(Object.keys(each).length > 0);
        }
      t.deepEqual(compact(short), { value: short, shortened: [] });
    }),
    { numRuns: 200 },
  );
});

test('a shortened response names the fields whose texts or lists of URLs were shortened', (t) => {
  const photos = ['https://a.test/1', null, 'https://a.test/2'];
  t.deepEqual(compact({ data: { photos } }), {
    value: { data: { photos: photos.slice(0, 1) } },
    shortened: ['photos'],
  });
  const rows = [{ text: 'x'.repeat(281), photos: photos.slice(0, 1), url: `https://a.test/${'x'.repeat(300)}` }];
  const { value: short, shortened } = compact({ data: rows });
  t.deepEqual(short, { data: [{ ...rows[0], text: `${'x'.repeat(279)}…` }] });
  t.deepEqual(shortened, ['text']);
});

test('a tool result without rows has an empty list', (t) => {
  t.deepEqual(compact({ data: [], pagination: { next_cursor: null } }).value, { data: [] });
  t.deepEqual(compact({ data: { price: null } }).value, { data: {} });
});

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

test('a page that begins after the end of a list, which has become shorter, has no rows', (t) => {
  const { value: short, page } = compactPage({ data: [{ id: 1 }, { id: 2 }] }, 3);
  t.deepEqual(short, { data: [] });
  t.deepEqual(page, { list: 'data', total: 2, shown: 0 });
});

test('a cursor is valid only for its tool and arguments', (t) => {
  const cursor = encodeOffset(100, 'getCells', { city: 'riyadh', item: ['a', 'b'] });
  t.is(decodeOffset(cursor, 'getCells', { item: ['a', 'b'], city: 'riyadh' }), 100);
  t.is(decodeOffset(cursor, 'getCells', { city: 'jeddah', item: ['a', 'b'] }), null);
  t.is(decodeOffset(cursor, 'getRows', { city: 'riyadh', item: ['a', 'b'] }), null);
  for (const offset of [-1, 0.5, 101, '', null])
    t.is(decodeOffset(cursor.replace('100', String(offset)), 'getCells', { city: 'riyadh', item: ['a', 'b'] }), null);
  for (const text of ['', 'x', '{}', 1, {}, null]) t.is(decodeOffset(text, 'getCells', {}), null);
});
