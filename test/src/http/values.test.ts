import { endpoints } from '#src/endpoints/index.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { isTimestamp } from '#src/http/schema.ts';
import { administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { indexListings, makeListing } from '#test/factories.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

test('timestamps must be between the years 1900 and 9999, also in UTC', (t) => {
  const accepted = `1900-01-01T00:00:00Z 9999-12-31T23:59:59.999999Z 2026-01-31T00:00:00+23:59
    2026-01-31T00:00:00-23:59 2026-01-31T00:00:00.123456789Z`;
  const refused = `0000-01-01T00:00:00Z 1899-12-31T23:59:59Z 1900-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01
    2026-01-31T00:00:00+24:00 2026-02-30T00:00:00Z 2026-01-31T00:00Z`;
  for (const text of accepted.split(/\s+/)) t.true(isTimestamp(text), text);
  for (const text of refused.split(/\s+/)) t.false(isTimestamp(text), text);
});

test('every timestamp that the API accepts is accepted by Postgres and OpenSearch', async (t) => {
  const org = await administered(app);
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  const latest = '9999-12-31T23:59:59.999999Z';
  const moments = ['Z', '%2B23:59', '-23:59', '.123456789Z'].map((zone) => `2020-01-31T00:00:00${zone}`);
  for (const moment of [...moments, latest]) {
    t.is((await org.get(`/request-logs?since=2020-01-01T00:00:00Z&until=${moment}`)).status, 200, moment);
    for (const name of ['updated_since', 'modified_since']) {
      const path = `/v1/listings?city=${slug}&listing_type=rent&${name}=${moment}`;
      const { status, body } = await app.request(path, { key: org.key });
      t.deepEqual([status, body.data.length], [200, moment === latest ? 0 : 1], moment);
    }
  }
});

test('a repeated list parameter equals comma-separated values', (t) => {
  const search = endpoints.find(({ operationId }) => operationId === 'searchListings');
  const decode = compileParameters(search?.parameters ?? []);
  const decoded = (query: string) => {
    const { values, faults } = decode(new URLSearchParams(`city=riyadh&listing_type=rent&${query}`), ANY_PLACE);
    return { values, faults: faults.map(({ param }) => param) };
  };
  for (const [repeated, joined] of [
    ['property_type=apartment&property_type=villa', 'property_type=apartment,villa'],
    ['beds=2&beds=3,4&beds=5', 'beds=2,3,4,5'],
  ] as const) {
    t.deepEqual(decoded(repeated), decoded(joined));
    t.deepEqual(decoded(joined).faults, []);
  }
  t.deepEqual(decoded('limit=1&limit=1').faults, ['limit']);
});
