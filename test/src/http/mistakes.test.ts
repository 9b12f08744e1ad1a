import type { ExecutionContext } from 'ava';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let org: Administered;
test.before(async () => {
  app = await startTestApp({
    overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
  for (const city of CITIES) await app.addCity(city, neighborhoodsOf(city.slug));
  org = await administered(app, { plan: 'enterprise' });
});
test.after(() => app.close());

/** Request, expected error code with parameter, and expected part of the message. */
type Row = readonly [request: string, error: string, message: string];

const HERE = 'city=riyadh&listing_type=rent';
const search = (query: string): string => `/v1/listings?${HERE}&${query}`;

const CITY: readonly Row[] = [
  ['/v1/listings?listing_type=rent&city=Riyadh', 'unknown_city city', 'not `Riyadh`. Did you mean `riyadh`?'],
  ['/v1/listings?listing_type=rent&city=الرياض', 'unknown_city city', 'not `الرياض`. Did you mean `riyadh`?'],
  ['/v1/listings?listing_type=rent&city=riyad', 'unknown_city city', 'Did you mean `riyadh`?'],
  ['/v1/listings?listing_type=rent&city=jeddah,riyad', 'unknown_city city', 'not `riyad`. Did you mean `riyadh`?'],
  [
    '/v1/market/summary?city=riyadh,jeddah&listing_type=rent',
    'unknown_city city',
    'It accepts one value, such as `riyadh`.',
  ],
  ['/v1/listings?listing_type=rent&city=dubai', 'unknown_city city', 'a city slug from GET /cities, not `dubai`.'],
  ['/v1/listings?listing_type=rent&city=', 'invalid_value city', 'not an empty value.'],
  ['/v1/listings?listing_type=rent&city[]=riyadh', 'missing_parameter city', 'The request has `city[]` instead.'],
  ['/v1/cities/Riyadh/neighborhoods', 'city_not_found city', 'not `Riyadh`. Did you mean `riyadh`?'],
];

/** Query, and expected part of the message about its first parameter. */
type QueryRow = readonly [query: string, message: string];

const UNKNOWN: readonly QueryRow[] = [
  ['bedrooms=3', '`bedrooms`. Did you mean `beds=3`?'],
  ['page=2', 'Did you mean `cursor`?'],
  ['minPrice=5k', 'Did you mean `price_min=5000`?'],
  ['price=1', 'Did you mean `price_min=1` or `price_max=1`?'],
  ['price[gte]=1', 'Did you mean `price_min=1`?'],
  ['latitude=24.8&longitude=46.6&radius_km=5', '`near=24.8,46.6&radius_m=5000`?'],
  ['district=الملقا', 'Did you mean `neighborhood_id=1001`?'],
  ['direction=شمال', 'Did you mean `direction_id=1`?'],
  ['min_bedrooms=two', 'Did you mean `beds_min=2`?'],
  ['price=30000-60000', 'Did you mean `price_min=30000&price_max=60000`?'],
  ['size_min=120م²', 'Did you mean `area_min=120`?'],
  ['order_by=price', 'Did you mean `sort=price_asc`?'],
  ['year_built=2020', 'Did you mean `max_age`?'],
  ['has_pool=true', 'Did you mean `amenities=pool`?'],
  ['color=red', '`color`. It accepts `city`, `listing_type`, '],
  ['sqftMin=1000', 'Did you mean `area_min=92.90304`?'],
  ['max_monthly_rent=5000', 'Did you mean `price_max=60000`?'],
  ['sort_by=price&order=asc', 'Did you mean `sort=price_asc`?'],
];

const INVALID: readonly QueryRow[] = [
  ['beds=３', 'Did you mean `3`?'],
  ['bbox=46.6，24.6，46.8，24.8', 'Did you mean `46.6,24.6,46.8,24.8`?'],
  ['area_max=2000sqft', 'Did you mean `185.80608`?'],
  ['updated_since=Thu Jan 01 2026 03:00:00 GMT%2B0300', 'Did you mean `2026-01-01T00:00:00.000Z`?'],
  ['near=46.6385,24.7742', 'has longitude before latitude. The order is lat,lng: use 24.7742,46.6385.'],
  ['near=30.05,31.24', 'is outside Saudi Arabia'],
  ['near_any=24.7', '1 to 100 points lat,lng in degrees, separated by semicolons'],
  ['near_any=46.6,24.7', 'use 24.7,46.6 instead of 46.6,24.7.'],
  ['near_any=24.7,46.6&near=24.7,46.6', '`near_any` cannot be combined with `near`. Send one of them.'],
  ['sort=distance', '`sort=distance` requires `near`.'],
  ['polygon=', '3 to 100 points lat,lng in degrees, separated by semicolons, not an empty value'],
  [`polygon=${'24.7,46.6;'.repeat(100)}24.8,46.6`, 'not 101 points.'],
  ['polygon=24.7,46.6;24.7,46.7;24.7,46.8', 'encloses no area: its points are on one line.'],
  [
    'polygon=24,46;25,47;25,46;24,47',
    'the edges from 24,46 to 25,47 and from 25,46 to 24,47 meet. List the points in their order along the outline.',
  ],
  ['polygon=46.6,24.7;46.7,24.7;46.6,24.8', 'use 24.7,46.6 instead of 46.6,24.7.'],
  ['polygon=24.7,46.6;24.7,46.7;30,31', 'has the point 30,31 outside Saudi Arabia'],
  ['near=الملقا', 'Did you mean `neighborhood_id=1001`?'],
  ['radius_m=5km&near=24.7,46.6', 'Did you mean `5000`?'],
  ['property_type=furnished', 'Did you mean `furnished=true`?'],
  ['max_age=year', 'an integer from 0 to 999, not `year`.'],
  ['price_max=1.2 مليون', 'Did you mean `1200000`?'],
  ['neighborhood_id=الملقا,malqa', 'Did you mean `1001,1001`?'],
  ['beds=ثلاث', 'Did you mean `3`?'],
  [
    'polygon=POLYGON((46.5 24.55, 46.9 24.55, 46.7 24.95, 46.5 24.55))',
    'Did you mean `24.55,46.5;24.55,46.9;24.95,46.7`?',
  ],
  ['price_min=3&price_min=4', 'is repeated: `3` and `4`. Send it once.'],
  ['beds=3%2B', 'not `3+`. Did you mean `beds_min=3`?'],
  ['beds=2-4', 'Did you mean `beds_min=2&beds_max=4`?'],
  ['beds=٣;٤', 'Did you mean `3,4`?'],
  ['beds=1,,2', 'Did you mean `1,2`?'],
  ['beds=2,,1', 'Did you mean `2,1`?'],
  ['amenities=pool,,gym,', 'Did you mean `pool,gym`?'],
  ['limit=1000', 'from 1 to 100 on the enterprise plan, not `1000`.'],
  ['price_max=٥٠٠٠ ريال', 'Did you mean `5000`?'],
  ['price_min=5000&price_max=100', '`price_min` (`5000`) must not be greater than `price_max` (`100`).'],
  ['property_type=شقة', 'not `شقة`. Did you mean `apartment`?'],
  ['property_type=apartments,villas', 'Did you mean `apartment,villa`?'],
  ['property_type=castle', 'warehouse, not `castle`.'],
  ['amenities=elevator|parking', 'Did you mean `lift,parking`?'],
  ['furnished=1', 'not `1`. Did you mean `true`?'],
  ['sort=price', 'Did you mean `price_asc`?'],
  ['updated_since=2026-01-01', 'Did you mean `2026-01-01T00:00:00Z`?'],
  ['updated_since=1767225600', 'Did you mean `2026-01-01T00:00:00Z`?'],
  [
    'updated_since=2026-01-01T00:00:00+03:00',
    'not `2026-01-01T00:00:00 03:00`. Encode `+` as `%2B`: `2026-01-01T00:00:00%2B03:00`.',
  ],
  ['updated_since=2026-02-30T00:00:00Z', 'not `2026-02-30T00:00:00Z`.'],
  ['bbox=46.6,24.6', 'min_lng,min_lat,max_lng,max_lat in degrees'],
  ['q=a', 'other than stop words such as the, of and في, not `a`.'],
  ['sort=new%E2%80%AEest%00', 'not `new\\u{202e}est\\u{0}`. Did you mean `newest`?'],
  [`sort=${'x'.repeat(300)}`, `not \`${'x'.repeat(60)}…\`.`],
];

const rowsOf = (code: string, rows: readonly QueryRow[]): readonly Row[] =>
  rows.map(([query, message]) => [search(query), `${code} ${query.split('=')[0]}`, message]);

const OTHERS: readonly Row[] = [
  ['/v1/listings?city=riyadh', 'missing_parameter listing_type', 'is required: one of rent, sale.'],
  ['/v1/listings?listing_type=rent', 'missing_parameter city', 'is required: a city slug from GET /cities.'],
  ['/v1/listings/search', 'invalid_value id', 'not `search`. To search, use `GET /v1/listings`.'],
  ['/v1/properties?city=riyadh', 'route_not_found null', 'Did you mean `GET /v1/listings`?'],
  ['/v2//Listings.json', 'route_not_found null', 'Did you mean `GET /v1/listings`?'],
  ['/v1/citys/riyadh/neighborhood', 'route_not_found null', '`GET /v1/cities/riyadh/neighborhoods`?'],
  ['/v1/listing/123/priceBand', 'route_not_found null', 'Did you mean `GET /v1/listings/123/price-band`?'],
  [
    '/v1/neighborhoods',
    'route_not_found null',
    '`GET /v1/market/neighborhoods` or `GET /v1/cities/{city}/neighborhoods`?',
  ],
  ['/v1/cities/riyadh/listings', 'route_not_found null', 'No endpoint has this path. GET /v1/openapi.json'],
  ['/v1/market/trends?city=riyadh&listing_type=rent&period=6m', 'unknown_parameter period', 'Did you mean `months=6`?'],
  ['/v1/listings?city=riyadh&listing_type=buy', 'invalid_value listing_type', 'not `buy`. Did you mean `sale`?'],
  ['/v1/listings?listing_type=apartment&city=riyadh', 'invalid_value listing_type', '`property_type=apartment`?'],
  [
    '/v1/market/registered-rents?year=2025&quarter=3&city=riyadh',
    'unknown_parameter year',
    'Did you mean `period=2025-Q3`?',
  ],
  ['/v1/transactions?city=riyadh&month_from=2026-01-15', 'invalid_value month_from', 'Did you mean `2026-01`?'],
  ['/v1/market/median?city=riyadh', 'route_not_found null', 'Did you mean `GET /v1/market/summary`?'],
  ['/v1/listings/batch?id=1', 'missing_parameter ids', 'The request has `id` instead.'],
  ['/v1/market/index?city=riyadh&quarter_from=2025Q3', 'invalid_value quarter_from', 'Did you mean `2025-Q3`?'],
  ['/v1/market/registered-rents?city=riyadh&period=2025-07', 'invalid_value period', 'Did you mean `2025-Q3`?'],
  ['/v1/cities?q=riyadh', 'unknown_parameter q', 'It accepts none.'],
  [search('near=24.7,46.6&radius_m=50001'), 'invalid_value radius_m', 'an integer from 10 to 50000'],
  [search('cursor=2'), 'invalid_cursor cursor', 'the `next_cursor` of the previous page, not `2`.'],
  // The first fault in the order of the parameters is reported.
  ['/v1/listings?nothing=1&limit=0', 'missing_parameter city', 'is required'],
  [`/v1/listings?${HERE}&nothing=1&limit=0`, 'invalid_value limit', 'not `0`.'],
  [`/v1/listings?${HERE}&price_min=abc&beds=x&nothing=1`, 'invalid_value price_min', 'not `abc`.'],
  [`/v1/listings?${HERE}&__proto__=1`, 'unknown_parameter __proto__', 'It accepts `city`, '],
  ['/v1/listings/abc?x=1', 'invalid_value id', 'not `abc`.'],
];

for (const [path, error, message] of [
  ...CITY,
  ...rowsOf('unknown_parameter', UNKNOWN),
  ...rowsOf('invalid_value', INVALID),
  ...OTHERS,
])
  test(`GET ${path} returns an error that explains the correction`, async (t) =>
    isExplained(t, await app.request(path.replaceAll(' ', '%20'), { key: org.key }), error, message));

function isExplained(t: ExecutionContext, { body }: TestResponse, error: string, message: string): void {
  const { code, param, message: told } = body.error;
  t.is(`${code} ${param}`, error, told);
  t.true(told.includes(message), told);
}

/** Body, expected error code with parameter, and expected part of the message. */
type BodyRow = readonly [body: unknown, error: string, message: string];

const exported = (filters: unknown): object => ({ dataset: 'listings', format: 'csv', filters });
const polygonOf = (...ring: readonly number[][]) => exported({ polygon: { type: 'Polygon', coordinates: [ring] } });
const EXPORTS: readonly BodyRow[] = [
  [{ dataset: 'listing', format: 'csv' }, 'invalid_body dataset', 'not `listing`. Did you mean `"listings"`?'],
  [[], 'invalid_body null', 'The body must be a JSON object, not a list of 0 values.'],
  [exported('city=riyadh'), 'invalid_body filters', 'must be a JSON object, not `"city=riyadh"`.'],
  [exported({ city: 'Riyadh' }), 'unknown_city filters.city', 'not `Riyadh`. Did you mean `"riyadh"`?'],
  [exported({ minPrice: 3 }), 'invalid_body filters.minPrice', 'Did you mean `filters.price_min`?'],
  [exported({ beds: '3' }), 'invalid_body filters.beds.0', 'not `"3"`. Did you mean `3`?'],
  [exported({ property_type: ['شقة'] }), 'invalid_body filters.property_type.0', 'Did you mean `"apartment"`?'],
  [exported({ price_min: 5, price_max: 1 }), 'invalid_value filters.price_min', '`filters.price_max` (`1`).'],
  [{ ...exported({}), fliters: {} }, 'invalid_body fliters', 'Did you mean `filters`?'],
  [exported({ bbox: [47, 24, 46, 25] }), 'invalid_body filters.bbox', 'each minimum no greater than its maximum'],
  [exported({ near: [46.7, 24.7] }), 'invalid_value filters.near', 'The order is [lat, lng]: use [24.7,46.7].'],
  [
    polygonOf([46, 24], [47, 25], [46, 25], [45, 24]),
    'invalid_value filters.polygon',
    'is not closed. Repeat its first position',
  ],
  [
    polygonOf([24, 46], [25, 47], [25, 46], [24, 46]),
    'invalid_value filters.polygon',
    'The order of a GeoJSON position is [lng, lat]: use [46,24] instead of [24,46].',
  ],
  [polygonOf([46, 24], [46, 24]), 'invalid_body filters.polygon.coordinates.0', 'a list of 4 to 101 values'],
  [{ dataset: 'listings' }, 'invalid_body format', '`format` is required: one of ndjson, csv, parquet.'],
];

const url = 'https://hooks.test/';
const event_types = ['listing.created'];
const WEBHOOKS: readonly BodyRow[] = [
  [{ url, event_types: 'listing.created', filters: {} }, 'invalid_body event_types', '`["listing.created"]`?'],
  [{ url, events: event_types, filters: {} }, 'invalid_body event_types', 'The request has `events` instead.'],
  [{ url, event_types, filters: { city: 'riyadh', q: 'the' } }, 'invalid_value filters.q', 'not `the`.'],
];

const KEYS: readonly BodyRow[] = [
  [{ title: 'site' }, 'invalid_body name', 'control characters. The request has `title` instead.'],
  [{ name: 'site', expires_at: '2199-01-01' }, 'invalid_body expires_at', 'Did you mean `"2199-01-01T00:00:00Z"`?'],
  [{ name: 'site', expires_at: '9999-12-31T23:59:59-23:59' }, 'invalid_body expires_at', 'with seconds'],
  [{ name: 'site', scopes: 'listings' }, 'invalid_body scopes', 'Did you mean `["listings"]`?'],
  [{ name: 'a\u001b' }, 'invalid_body name', 'without control characters, not `a\\u{1b}`.'],
];

const POSTS = [
  ['/v1/exports', () => org.key, EXPORTS],
  ['/v1/organization/webhooks', () => org.admin, WEBHOOKS],
  ['/v1/organization/keys', () => org.admin, KEYS],
] as const;
for (const [path, key, rows] of POSTS)
  for (const [body, error, message] of rows)
    test(`POST ${path} ${JSON.stringify(body)} returns an error that explains the correction`, async (t) =>
      isExplained(t, await app.request(path, { key: key(), json: body }), error, message));

for (const [request, error, remedy] of [
  ['POST /v1/listings', 'method_not_allowed', 'Did you mean `GET /v1/listings`?'],
  ['DELETE /v1/organization/webhooks/wh_1', 'method_not_allowed', '`POST /v1/organization/webhooks/wh_1/delete`?'],
  ['DELETE /v1/organization/keys/key_1', 'method_not_allowed', '`POST /v1/organization/keys/key_1/revoke`?'],
] as const) {
  test(`${request} returns an error with the operation of this API`, async (t) => {
    const [method = '', path = ''] = request.split(' ');
    const { code, message } = (await app.request(path, { method, key: org.admin })).body.error;
    t.is(code, error, message);
    t.true(message.endsWith(remedy), message);
  });
}

test('an error names all unknown parameters', async (t) => {
  const { body } = await app.request(search('bedrooms=3&colour=red&price_min=x'), { key: org.key });
  t.like(body.error, { param: 'price_min', details: { unknown: ['bedrooms', 'colour'] } });
  const many = await app.request(search(Array.from({ length: 60 }, (_, index) => `x${index}=1`).join('&')), {
    key: org.key,
  });
  t.is(many.body.error.details.unknown.length, 20);
});

test('a body that is not JSON returns an error that explains the correction', async (t) => {
  const told = async (body: string, type?: string): Promise<string> => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    const response = await app.request('/v1/exports', { method: 'POST', key: org.key, headers, body });
    t.is(response.body.error.code, 'invalid_body');
    return response.body.error.message;
  };
  const form = 'application/x-www-form-urlencoded';
  const remedy = 'Send the body as JSON, with `Content-Type: application/json`';
  t.is(await told('dataset=listings', form), `${remedy}, not \`${form}\`.`);
  t.regex(
    await told('{"dataset":"listings","format":"csv","city":"riyadh"}', 'application/json'),
    /It accepts .+\. Fields of `filters` belong in it, as in `filters\.city`\.$/,
  );
  t.regex(
    await told('{"dataset":"listings",}', 'application/json'),
    /not valid JSON: the error is at character 23, where a name in double/,
  );
});

test('a key in the wrong place, or together with other text, returns an error that explains the correction', async (t) => {
  const told = async (sent: Record<string, string>): Promise<string> => {
    const { body, text, headers } = await app.request('/v1/cities', { headers: sent });
    t.false(text.includes(org.key.slice(9, 30)));
    t.is(headers.get('WWW-Authenticate'), 'Bearer');
    return `${body.error.code}: ${body.error.message}`;
  };
  const remedy = 'Send your API key as `Authorization: Bearer <API_KEY>`.';
  t.is(await told({}), `missing_api_key: ${remedy}`);
  t.is(await told({ 'X-Api-Key': org.key }), `missing_api_key: The header \`X-Api-Key\` is ignored. ${remedy}`);
  const noScheme = `missing_api_key: \`Authorization\` must begin with \`Bearer\`. ${remedy}`;
  t.is(await told({ Authorization: org.key }), noScheme);
  t.is(await told({ Authorization: `Basic ${btoa(`${org.key}:`)}` }), noScheme);
  const notAlone = `invalid_api_key: \`Authorization\` must contain exactly one API key after \`Bearer\`. ${remedy}`;
  t.is(await told({ Authorization: `Bearer Bearer ${org.key}` }), notAlone);
  t.regex(await told({ Authorization: `Bearer ${org.key.slice(0, -3)}` }), /mistyped or incomplete\. Copy it again\.$/);
  t.regex(await told({ Authorization: 'Bearer 12345' }), /API keys begin with `svc_live_`/);
  t.is((await app.request('/v1/cities', { headers: { Authorization: `bearer  ${org.key} ` } })).status, 200);
});

test('errors repeat neither credentials nor the values of unknown parameters', async (t) => {
  const told = async (path: string): Promise<string> => (await app.request(path, { key: org.key })).text;
  t.false((await told(search('token=hunter2'))).includes('hunter2'));
  t.false((await told(search('sort=https://user:hunter2@x.test'))).includes('hunter2'));
  t.false((await told(`${search('sort=')}whsec_hunter2hunter2`)).includes('hunter2'));
  const body = JSON.stringify({ url: ['https://x.test/?token=hunter2'], event_types, filters: {} });
  for (const wrong of [body, body.replace(/[[\]](?=[",])/g, ''), body.replace('https:', ' '.repeat(2_000))]) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await app.request('/v1/organization/webhooks', {
      method: 'POST',
      key: org.admin,
      headers,
      body: wrong,
    });
    t.is(response.body.error.type, 'invalid_request');
    t.false(response.text.includes('hunter2'), response.text);
  }
});
