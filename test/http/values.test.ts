import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { generateKey } from '#accounts/keys.ts';
import { isTimestamp } from '#http/schema.ts';
import { type Administered, administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let org: Administered;
test.before(async () => {
  app = await sharedApp();
  org = await administered(app);
});

test('timestamps must be between the years 1900 and 9999, also in UTC', (t) => {
  const accepted = `1900-01-01T00:00:00Z 2200-12-31T23:59:59Z 9999-12-31T23:59:59.999999Z 2026-01-31T00:00:00+23:59
    2026-01-31T00:00:00-23:59 2026-01-31T00:00:00.123456789Z`;
  const refused = `0000-01-01T00:00:00Z 1899-12-31T23:59:59Z 1900-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01
    9999-12-31T23:59:59-23:59 2026-01-31T00:00:00+24:00 2026-02-30T00:00:00Z 2026-01-31T00:00Z`;
  for (const text of accepted.split(/\s+/)) t.true(isTimestamp(text), text);
  for (const text of refused.split(/\s+/)) t.false(isTimestamp(text), text);
});

test('every timestamp that the API accepts is accepted by Postgres and OpenSearch', async (t) => {
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  const latest = '9999-12-31T23:59:59.999999Z';
  const cohort = `/v1/listings?city=${slug}&listing_type=rent`;
  const moments = ['Z', '%2B23:59', '-23:59', '.123456789Z'].map((zone) => `2020-01-31T00:00:00${zone}`);
  for (const moment of [...moments, latest]) {
    const logs = `/v1/organization/request-logs?since=2020-01-01T00:00:00Z&until=${moment}`;
    t.is((await app.request(logs, { key: org.admin })).status, 200, moment);
    for (const name of ['updated_since', 'modified_since']) {
      const { status, body } = await app.request(`${cohort}&${name}=${moment}`, { key: org.key });
      t.is(status, 200, moment);
      t.is(body.data.length, moment === latest ? 0 : 1, moment);
    }
  }
  const refused = await app.request(`${cohort}&updated_since=0000-01-01T00:00:00Z`, { key: org.key });
  t.like(refused.body.error, { code: 'invalid_value', param: 'updated_since' });
});

test('the expiry of a key must be within the accepted range of years and is returned in UTC', async (t) => {
  const far = await org.post('/keys', { name: 'far', expires_at: '9999-12-31T23:59:59-23:59' });
  t.is(far.status, 400);
  t.is(far.body.error.param, 'expires_at');
  const made = await org.post('/keys', { name: 'near', expires_at: '9998-12-31T23:59:59-23:59' });
  t.is(made.status, 201);
  t.is(made.body.data.expires_at, '9999-01-01T23:58:59Z');
});

test('a misspelled source of any length matches no listing', async (t) => {
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  for (const [name, count] of [
    ['source', 0],
    ['source_exclude', 1],
  ] as const) {
    const path = `/v1/listings?city=${slug}&listing_type=rent&${name}=${'x'.repeat(7_000)}`;
    t.is((await app.request(path, { key: org.key })).body.data.length, count);
  }
});

test('numbers in exponent notation are accepted in `bbox`', async (t) => {
  const { slug } = await app.addCity();
  const inside = makeListing({ location: { city: slug, lat: 24.5, lng: 46.6 } });
  await indexListings(app.services, [inside, makeListing({ location: { city: slug, lat: 24.7, lng: 46.6 } })]);
  const path = (box: string) => `/v1/listings?city=${slug}&listing_type=rent&bbox=${box}`;
  const { status, body } = await app.request(path('4.65E1,-6e-05,4.7e%2B1,246e-1'), { key: org.key });
  t.is(status, 200);
  t.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    [inside.display.id],
  );
  for (const box of ['1e400,0,1,1', '1e,0,1,1', 'e5,0,1,1', '1e1.5,0,1,1', '0x1,0,1,1'])
    t.is((await app.request(path(box), { key: org.key })).body.error.code, 'invalid_value', box);
});

async function isExposed(key: string): Promise<boolean> {
  const { rows } = await app.services.pool.query<{ exposed: boolean }>(
    'select exposed_at is not null as exposed from api_keys where last_four = $1',
    [key.slice(-4)],
  );
  return rows[0]?.exposed ?? false;
}

test('a key anywhere in a URL, or with other text in its header, is marked as exposed and not repeated', async (t) => {
  const { id } = await createOrganization(app.services);
  const escaped = (key: string) => key.replaceAll('_', '%5f').replace('svc', '%73vc');
  // An invented key must not hide a real key that follows.
  const invented = generateKey('live', randomBytes);
  const places: [title: string, path: (key: string) => string, headers?: (key: string) => string[]][] = [
    ['a value', (key) => `/v1/cities?token=${key}`],
    ['in a value', (key) => `/v1/listings?q=my+key+${key}+here`],
    ['a name', (key) => `/v1/cities?${key}=1`],
    ['in a name', (key) => `/v1/cities?x${key}`],
    ['escaped', (key) => `/v1/cities?${escaped(key)}=1`],
    ['the path', (key) => `/v1/listings/${key}`],
    ['the path, escaped', (key) => `/v1/${escaped(key)}`],
    ['a path of the site', (key) => `/r/${key}`],
    ['in the path, behind another', (key) => `/v1/${invented}/${key}`],
    ['in one value, behind another', (key) => `/v1/cities?token=${invented},${key}`],
    ['in another value', (key) => `/v1/cities?a=${invented}&b=${key}`],
    ['in the query of a path', (key) => `/v1/${invented}?b=${key}`],
    ['beside api_key', (key) => `/v1/cities?api_key=${invented}&b=${key}`],
    ['behind a broken escape', (key) => `/v1/%zz/%e0%/${escaped(key)}`],
    ['doubled', () => '/v1/cities', (key) => [`Bearer ${key}${key}`]],
    ['twice', () => '/v1/cities', (key) => [`Bearer ${key}, ${key}`]],
    ['twice with its scheme', () => '/v1/cities', (key) => [`Bearer ${key}, Bearer ${key}`]],
    ['in the header, behind another', () => '/v1/cities', (key) => [`Bearer ${invented} ${key}`]],
    ['in another header', () => '/v1/cities', (key) => [`Bearer ${invented}`, `Bearer ${key}`]],
  ];
  for (const [title, path, headers] of places) {
    const key = await createKey(app.services, id);
    const sent = httpRequest(new URL(path(key), app.url));
    if (headers) sent.setHeader('Authorization', headers(key));
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    t.is(response.statusCode, 401, title);
    const body = await text(response);
    t.true(body.includes(headers ? 'invalid_api_key' : 'api_key_in_query'), title);
    t.false(body.includes(key.slice(9, 30)), title);
    t.true(await isExposed(key), title);
  }
  const alone = await createKey(app.services, id);
  t.is((await app.request('/v1/cities', { key: alone })).status, 200);
  t.false(await isExposed(alone));
  t.is((await app.request(`/v1/cities?token=${alone}`, { method: 'OPTIONS' })).status, 204);
});
