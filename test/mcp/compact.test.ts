import fc from 'fast-check';
import { compact, compactPage } from '#mcp/compact.ts';
import { decodePosition, encodePosition } from '#mcp/paging.ts';
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

test('a page of a tool result has at least one row, even if the row exceeds the size limit', (t) => {
  const rows = [1, 2].map((id) => ({ id, cells: Array.from({ length: 9_000 }, (_, at) => at + 100_000) }));
  const { page } = compactPage({ data: rows }, null);
  t.deepEqual(page, { list: 'data', offset: 0, total: 2, shown: 1 });
});

test('an MCP list cursor is rejected after the list has changed', (t) => {
  const data = [{ id: 1 }, { id: 2 }];
  for (const body of [{ data }, { data: { cells: data } }, { data: { note: 'none' } }])
    t.throws(() => compactPage(body, { offset: 1, total: 3 }), { message: /has changed/ });
});

test('a cursor is valid only for its tool and arguments', (t) => {
  const position = { offset: 100, total: 3_066 };
  const cursor = encodePosition(position, 'getCells', { city: 'riyadh', item: ['a', 'b'] });
  t.deepEqual(decodePosition(cursor, 'getCells', { item: ['a', 'b'], city: 'riyadh' }), position);
  t.is(decodePosition(cursor, 'getCells', { city: 'jeddah', item: ['a', 'b'] }), null);
  t.is(decodePosition(cursor, 'getRows', { city: 'riyadh', item: ['a', 'b'] }), null);
  const plain = Buffer.from(cursor, 'base64url').toString();
  for (const offset of [-1, 0.5, 3_066, '', null]) {
    const text = Buffer.from(plain.replace(' 100 ', ` ${offset} `)).toString('base64url');
    t.is(decodePosition(text, 'getCells', { city: 'riyadh', item: ['a', 'b'] }), null, String(offset));
  }
  for (const text of ['', 'x', '{}', 1, {}, null]) t.is(decodePosition(text, 'getCells', {}), null);
});
