import fc from 'fast-check';
import { endpoints } from '#endpoints/index.ts';
import { createPathSuggestions } from '#http/errors/suggest-path.ts';
import { sharedApp } from '#test/app.ts';
import { codePoint } from '#test/code-points.ts';
import { test } from '#test/test.ts';

const suggest = createPathSuggestions(endpoints);

const CASES: readonly [request: string, ...suggestions: string[]][] = [
  ['GET /v1/listing', 'GET /v1/listings'],
  ['GET /v1/Listings/', 'GET /v1/listings'],
  ['HEAD /v1/listings/', 'GET /v1/listings'],
  ['GET /listings/123', 'GET /v1/listings/123'],
  ['GET /v2/listings', 'GET /v1/listings'],
  ['GET /1/listings', 'GET /v1/listings'],
  ['GET /v1//listings', 'GET /v1/listings'],
  ['GET /api/v1/listings', 'GET /v1/listings'],
  ['GET /v1/listing/123', 'GET /v1/listings/123'],
  ['GET /v1/listing/123/price_history', 'GET /v1/listings/123/price-history'],
  ['GET /v1/listings/123/priceBand', 'GET /v1/listings/123/price-band'],
  ['GET /v1/listings/123/photos', 'GET /v1/listings/123'],
  ['GET /v1/market/indexes', 'GET /v1/market/index'],
  ['GET /v1/property-index', 'GET /v1/market/property-index'],
  ['GET /v1/listings.json', 'GET /v1/listings'],
  ['GET /v1/openapi.yaml', 'GET /v1/openapi.json'],
  ['GET /v1/citys/riyadh/neighborhoods', 'GET /v1/cities/riyadh/neighborhoods'],
  ['GET /v1/cities/riyadh/neighborhood', 'GET /v1/cities/riyadh/neighborhoods'],
  ['GET /v1/neighborhoods', 'GET /v1/market/neighborhoods', 'GET /v1/cities/{city}/neighborhoods'],
  ['POST /v1/export', 'POST /v1/exports'],
  ['GET /v1/export', 'GET /v1/exports'],
  ['POST /v1/organization/key', 'POST /v1/organization/keys'],
  ['POST /v1/organization/keys/key_1/revok', 'POST /v1/organization/keys/key_1/revoke'],
  ['GET /health', 'GET /healthz'],
  ['GET /v1/cities/<b>/neighborhood', 'GET /v1/cities/{city}/neighborhoods'],
  ['GET /'],
  ['GET /v1'],
  ['GET /wp-login.php'],
  ['GET /v1/foo'],
  [`GET /v1/listing/${'1'.repeat(50)}`],
  [`GET /v1/listing${'/x'.repeat(20)}`],
];

test('the nearest existing paths are suggested for a path', (t) => {
  for (const [request, ...suggestions] of CASES) {
    const [method = '', path = ''] = request.split(' ');
    t.deepEqual(suggest(method, path), suggestions, request);
  }
});

test('for a path with an extra slash, a capital letter or no version, the correct path is suggested', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...endpoints),
      fc.constantFrom(0, 1, 2, 3),
      ({ method, path, pathParameters }, kind) => {
        const value = (name: string) => pathParameters.find((each) => each.name === name)?.example ?? '1';
        const exact = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
        const changed = [
          `${exact}/`,
          `/${exact}`,
          exact.replace(/[a-z]{3,}/, (word) => word.toUpperCase()),
          exact.slice(3),
        ];
        t.is(suggest(method, changed[exact.startsWith('/v1/') ? kind : 0] ?? '')[0], `${method} ${exact}`);
      },
    ),
  );
});

test('any path returns a limited number of suggestions without unsafe characters', (t) => {
  const segment = fc.oneof(
    fc.constantFrom('v1', 'listings', 'cities', 'market'),
    fc.string(),
    fc.string({ unit: codePoint }),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 12 }), (segments) => {
      const found = suggest('GET', `/${segments.join('/')}`);
      t.true(found.length <= 2);
      for (const each of found) t.regex(each, /^(GET|POST) [\w/{}.-]{1,200}$/);
    }),
  );
});

test('the route_not_found message contains the nearest path but no key', async (t) => {
  const app = await sharedApp();
  for (const [path, told] of [
    ['/v1/listing/123', 'Did you mean `GET /v1/listings/123`?'],
    ['/v1/neighborhoods', 'Did you mean `GET /v1/market/neighborhoods` or `GET /v1/cities/{city}/neighborhoods`?'],
    ['/v1/foo', 'GET /v1/openapi.json lists all endpoints.'],
  ] as const) {
    const { status, body } = await app.request(path);
    t.is(status, 404);
    t.like(body.error, { code: 'route_not_found', message: `No endpoint has this path. ${told}` });
  }
  const { text } = await app.request(`/v1/organization/key/svc_live_${'a'.repeat(20)}/revoke`);
  t.false(text.includes('aaaa'));
});
