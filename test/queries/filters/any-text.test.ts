import fc from 'fast-check';
import { filterRows } from '#queries/filters/table.ts';
import { parseSearchText } from '#queries/text/search-text.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { codePoint } from '#test/code-points.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let key: string;
let city: string;
test.before(async () => {
  app = await sharedApp();
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city }, compound_name: 'ـ' })]);
});

const piece = fc.constantFrom(
  '"',
  '“',
  '|',
  '||',
  ',',
  '-',
  '*',
  '?',
  '~2',
  'AND',
  'NOT ',
  '(',
  '{"match_all":{}}',
  '\\',
  '\u0000',
  '½',
  '😀',
  'ـ',
  'في',
  'the ',
  '3-bedroom',
  'villa ',
  'مسبح',
  '1e9',
  'NaN',
  '-0',
  '٣٫٥',
  '0x10',
  'true',
  'null',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9'.repeat(40),
  '\ufeff',
);
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: codePoint, maxLength: 40 }),
);
const names = [...filterRows().map(({ name }) => name), 'sort', 'limit', 'cursor'];

test('any parameter value returns a page or an error that names the parameter', async (t) => {
  const seen = { ok: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), anyText, async (name, text) => {
      const query = new URLSearchParams({ city, listing_type: 'rent' });
      query.set(name, text);
      const { status, body } = await app.request(`/v1/listings?${query}`, { key });
      if (status === 200) {
        seen.ok += 1;
        return;
      }
      seen.refused += 1;
      if (status !== 400 || body.error.param !== name) throw new Error(`${status} ${JSON.stringify(body)}`);
    }),
    { numRuns: 800 },
  );
  t.true(seen.ok > 20 && seen.refused > 20, JSON.stringify(seen));
});

test('any search words return a response', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(anyText, async (q) => {
        const query = new URLSearchParams({ city, listing_type: 'rent', q });
        const { status, text, body } = await app.request(`/v1/listings/count?${query}`, { key });
        const searchable = parseSearchText(q).length > 0;
        if (status !== (searchable ? 200 : 400)) throw new Error(text);
        if (status === 400 && body.error.param !== 'q') throw new Error(text);
      }),
      { numRuns: 200 },
    ),
  );
});

test('the longest allowed query returns a response', async (t) => {
  for (const [words, expected] of [
    [30, 200],
    [31, 400],
  ] as const) {
    const q = Array.from({ length: words }, () => 'غرفه').join(' ');
    const query = new URLSearchParams({ city, listing_type: 'rent', q });
    t.is((await app.request(`/v1/listings?${query}`, { key })).status, expected);
  }
});
