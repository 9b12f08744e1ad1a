import test from 'ava';
import fc from 'fast-check';
import { compact } from '#mcp/compact.ts';

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

/** Every value inside of a value. */
function* inside(whole: unknown): Generator<unknown> {
  if (typeof whole !== 'object' || whole === null) return;
  for (const each of Object.values(whole)) {
    yield each;
    yield* inside(each);
  }
}

test('nothing of an answer is null or empty, and making it short again changes nothing', (t) => {
  fc.assert(
    fc.property(fc.record({ data: value }), (answer) => {
      const short = compact(answer);
      for (const each of inside(short)) {
        t.not(each, null);
        if (typeof each === 'object' && each !== null) t.true(Object.keys(each).length > 0);
      }
      t.deepEqual(compact(short), short);
    }),
    { numRuns: 200 },
  );
});

test('of a list of addresses the first is shown, also where others are missing', (t) => {
  const addresses = ['https://a.test/1', null, 'https://a.test/2'];
  t.deepEqual(compact({ data: { photos: addresses } }), { data: { photos: ['https://a.test/1'] } });
});

test('rows that do not fit are counted, and those shown are the first', (t) => {
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, text: 'x'.repeat(200) }));
  for (const answer of [{ data: rows }, { data: { cells: rows, note: 'kept' }, beside: 1 }]) {
    const short = compact(answer) as { data: typeof rows | { cells: typeof rows }; left_out: string };
    const shown = Array.isArray(short.data) ? short.data : short.data.cells;
    t.deepEqual(shown, rows.slice(0, shown.length));
    t.true(shown.length > 100);
    t.true(JSON.stringify({ ...short, left_out: undefined }).length <= 40_000);
    t.is(short.left_out, `${500 - shown.length} of 500 rows did not fit: ask for fewer, or narrow the filters.`);
  }
});
