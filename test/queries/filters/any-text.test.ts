import fc from 'fast-check';
import { filterRows } from '#queries/filters/table.ts';
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

const PIECES =
  '" “ | || , - * ? ~2 AND NOT ( {"match_all":{}} \\ \u0000 ½ 😀 ـ في the 3-bedroom villa مسبح 1e9 NaN -0 ٣٫٥ 0x10 true null 2026-02-30T00:00:00Z 0000-01-01T00:00:00+23:59 9999999999999999999999 \ufeff';
const anyText = fc.oneof(
  fc.array(fc.constantFrom(' ', ...PIECES.split(' ')), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: codePoint, maxLength: 40 }),
);
const names = [...filterRows().map(({ name }) => name), ...Array(8).fill('q'), 'sort', 'limit', 'cursor'];

test('any parameter value returns a page or an error that names the parameter', async (t) => {
  const seen = { ok: 0, refused: 0 };
  const check = async (name: string, text: string): Promise<void> => {
    const query = new URLSearchParams({ city, listing_type: 'rent', [name]: text });
    const { status, body } = await app.request(`/v1/listings?${query}`, { key });
    seen[status === 200 ? 'ok' : 'refused']++;
    if (status !== 200 && (status !== 400 || body.error.param !== name))
      throw new Error(`${status} ${JSON.stringify(body)}`);
  };
  // The most words that `q` accepts.
  const longest: [string, string] = ['q', 'غرفه '.repeat(30)];
  await fc.assert(fc.asyncProperty(fc.constantFrom(...names), anyText, check), { numRuns: 800, examples: [longest] });
  t.true(seen.ok > 20 && seen.refused > 20, JSON.stringify(seen));
});
