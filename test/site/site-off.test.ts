import { CONSOLE_PAGES } from '#site/server/console/console-area.ts';
import { sharedApp, startTestApp, type TestApp } from '#test/app.ts';
import { SELF_SERVICE_ENV } from '#test/browser.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await startTestApp({ env: { SITE: 'off' } });
});
test.after(() => app.close());

test('with SITE=only, pages and health checks are served, and operations only to the pages', async (t) => {
  const { request, url, close } = await startTestApp({ env: { SITE: 'only', BASE_URL: 'https://api.example.com/v1' } });
  t.teardown(close);
  const page = await request('/coverage', { headers: HTML });
  t.is(page.status, 200);
  t.regex(page.headers.get('content-security-policy') ?? '', /connect-src [^;]*https:\/\/api\.example\.com/);
  const cookie = (await request('/explorer', { headers: HTML })).headers.get('set-cookie')?.split(';')[0] ?? '';
  t.is((await request('/explorer/api/cities', { headers: { cookie } })).status, 200);
  t.is((await request('/healthz')).status, 200);
  for (const path of ['/v1/cities', '/v1/openapi.json', '/mcp'])
    t.is((await fetch(url + path, { headers: { Accept: 'application/json' } })).status, 404, path);
});

const HTML = { Accept: 'text/html' };

test('with SITE=off, the documents to which the API links are served, and no other page', async (t) => {
  for (const [path, language] of [
    ['/docs/errors', 'en'],
    ['/ar/changelog', 'ar'],
  ] as const) {
    const { status, text, headers } = await app.request(path, { headers: HTML });
    t.is(status, 200, path);
    t.true(text.includes(`<html lang="${language}"`), path);
    t.regex(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
    t.notRegex(text, /<script|undefined|\[object/, path);
  }
  t.is((await app.request('/docs/errors/invalid_value')).headers.get('location'), '/docs/errors#invalid_value');
  t.is((await app.request('/changelog.atom')).status, 200);
  t.is((await app.request('/cdn/aa/missing.png')).body.error.code, 'not_found');
  for (const path of ['/', '/explorer', '/guides', '/reference', '/explorer/api/cities', '/listings/1', '/robots.txt'])
    t.is((await app.request(path, { headers: HTML })).body.error.code, 'route_not_found', path);
});

test('with SITE=off, there is neither sign-in nor sign-up, and no trial keys', async (t) => {
  const own = await startTestApp({ env: { SITE: 'off', ...SELF_SERVICE_ENV } });
  t.teardown(own.close);
  for (const path of ['/sign-in', '/sign-up', '/sign-out', '/claim', '/sign-in/inbox', '/trial-keys', '/auth.md'])
    for (const method of ['GET', 'POST'])
      t.is((await own.request(path, { method })).body.error.code, 'route_not_found', path);
  t.notRegex((await own.request('/v1/cities')).body.error.message, /trial/);
});

test('with SITE=off, the API and links to original ads work', async (t) => {
  const { slug } = await app.addCity();
  const listing = makeListing({ listing_type: 'rent', location: { city: slug } });
  await indexListings(app.services, [listing]);
  const { key } = await createOrganization(app.services);
  const found = await app.request(`/v1/listings?city=${slug}&listing_type=rent`, { key });
  t.is(found.body.data.length, 1);
  const on = await sharedApp();
  t.deepEqual(
    (await app.request('/v1/openapi.json')).body.paths,
    JSON.parse(JSON.stringify((await on.request('/v1/openapi.json')).body.paths)),
  );
  t.is((await app.request('/r/999999999999')).body.error.code, 'listing_not_found');
});

test('with SITE=off there is no sign-in: assistants use keys, and the challenge names no metadata', async (t) => {
  const { key } = await createOrganization(app.services);
  const initialize = (bearer: string) =>
    app.request('/mcp', { key: bearer, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  t.is((await initialize(key)).status, 200);
  const refused = await initialize('x'.repeat(43));
  t.is(refused.status, 401);
  t.is(refused.headers.get('www-authenticate'), 'Bearer');
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'])
    t.is((await app.request(path)).status, 404, path);
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke'])
    t.is((await app.request(path, { method: 'POST' })).status, 404, path);
  const pages = ['/oauth/authorize', '/console', ...CONSOLE_PAGES.map(({ name }) => `/console/${name}`)];
  for (const path of pages) t.is((await app.request(path, { headers: HTML })).status, 404, path);
});
