import { startOfDay } from '#domain/timestamps.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { createValidator } from '#src/http/schema.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import { CHANGELOG, deprecate, parseChangelog } from '#src/openapi/changelog.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const entry = (fields: string, { id = 'a', date = '2026-11-01', kind = 'added' } = {}): string =>
  `- id: ${id}\n  date: ${date}\n  kind: ${kind}\n  title: { en: T, ar: ت }\n  text: { en: T, ar: ت }\n${fields}`;
const DEPRECATED = { kind: 'deprecated' };

const PLANTED = parseChangelog(
  entry('  deprecates: [{ operation: countListings }]\n  sunset: 2028-01-01\n', { id: 'count', ...DEPRECATED }) +
    entry(
      `  deprecates: [${['beds', 'bathrooms'].map((name) => `{ operation: countListings, parameter: ${name} }`)}]\n  sunset: 2027-12-01\n`,
      { id: 'rooms', date: '2026-10-01', ...DEPRECATED },
    ) +
    entry('  deprecates: [{ operation: listCities }]\n', { id: 'cities', date: '2026-10-01', ...DEPRECATED }),
);

test('responses, including errors, have headers for deprecations that the OpenAPI document marks', async (t) => {
  const changed = deprecate(endpoints, PLANTED);
  const app = await startTestApp({ endpoints: changed, env: { SITE_URL: 'https://site.test' } });
  t.teardown(app.close);
  const { key } = await createOrganization(app.services);
  const { slug } = await app.addCity();
  const said = async (path: string) => {
    const { headers } = await app.request(path, { key });
    return ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name));
  };
  const link = (id: string, relation: string) =>
    `<https://site.test/changelog#${id}>; rel="${relation}"; type="text/html"`;
  const count = [link('count', 'deprecation'), link('count', 'sunset')];
  const path = `/v1/listings/count?city=${slug}&listing_type=rent`;
  const [november, october] = [Date.UTC(2026, 10, 1) / 1_000, Date.UTC(2026, 9, 1) / 1_000];
  const [sunset, earlier] = ['Sat, 01 Jan 2028 00:00:00 GMT', 'Wed, 01 Dec 2027 00:00:00 GMT'];
  t.deepEqual(await said(path), [`@${november}`, sunset, count.join(', ')]);
  const rooms = [link('rooms', 'deprecation'), link('rooms', 'sunset')];
  // The earliest dates, and each entry once.
  const both = [...count, ...rooms].join(', ');
  t.deepEqual(await said(`${path}&beds=2&bathrooms=1`), [`@${october}`, earlier, both]);
  t.deepEqual(await said('/v1/listings/count'), [`@${november}`, sunset, count.join(', ')], 'an error');
  t.deepEqual(await said('/v1/cities'), [`@${october}`, null, link('cities', 'deprecation')]);
  t.deepEqual(await said('/v1/enums'), [null, null, null]);

  const { paths } = buildOpenApi(changed, app.services.config) as {
    // biome-ignore lint/suspicious/noExplicitAny: the document under test
    paths: Record<string, any>;
  };
  const { get } = paths['/listings/count'];
  t.like(get, { deprecated: true, 'x-sunset': '2028-01-01', 'x-changelog': 'count' });
  t.true(Object.keys(get.responses['200'].headers).includes('Sunset'));
  const deprecated = get.parameters.filter((each: { deprecated?: boolean }) => each.deprecated);
  t.deepEqual(
    deprecated.map(({ name }: { name: string }) => name),
    ['beds', 'bathrooms'],
  );
  t.false('deprecated' in paths['/enums'].get);
});

const day = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const text = { type: 'string', minLength: 1 };
const closed = (required: readonly string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const ENTRY = closed(['id', 'date', 'kind', 'title', 'text'], {
  id: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  date: day,
  kind: { enum: ['added', 'changed', 'fixed', 'deprecated'] },
  title: closed(['en', 'ar'], { en: text, ar: text }),
  text: closed(['en', 'ar'], { en: text, ar: text }),
  deprecates: { type: 'array', minItems: 1, items: closed(['operation'], { operation: text, parameter: text }) },
  sunset: day,
});
/** From the announcement of a deprecation to its sunset. */
const NOTICE_MS = 365 * 86_400_000;

test('entries are valid, newest first, and deprecate operations and parameters that exist a year before their removal', (t) => {
  t.is(createValidator({ type: 'array', minItems: 1, items: ENTRY })(CHANGELOG), null);
  t.is(new Set(CHANGELOG.map(({ id }) => id)).size, CHANGELOG.length, 'each id once');
  for (const [index, { id, date, kind, deprecates, sunset }] of CHANGELOG.entries()) {
    t.true(Number.isFinite(startOfDay(date)), `${id}: ${date} is no day`);
    const above = CHANGELOG[index - 1];
    t.true(
      date <= (above?.date ?? date),
      `${id} of ${date} is below ${above?.id} of ${above?.date}: order the entries newest first`,
    );
    t.is(kind === 'deprecated', deprecates !== undefined, `${id}: kind deprecated and \`deprecates\` go together`);
    if (sunset !== undefined)
      t.true(deprecates !== undefined && startOfDay(sunset) - startOfDay(date) >= NOTICE_MS, `${id}: ${sunset}`);
    for (const { operation, parameter } of deprecates ?? []) {
      const endpoint = endpoints.find(({ operationId }) => operationId === operation);
      const exists = parameter === undefined || endpoint?.parameters.some(({ name }) => name === parameter);
      t.true(endpoint !== undefined && exists, `${id}: ${operation} ${parameter ?? ''}`);
    }
  }
});
