import { createLogger, redactSecrets } from '#observability/logger.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => void lines.push(line) });
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ overrides: { logger } });
});
test.after(() => app.close());

const lineOf = (requestId: string | null) =>
  lines.map((line) => JSON.parse(line)).find((line) => line.request_id === requestId && line.msg === 'request');

test('every request is logged in the access log', async (t) => {
  const { key, publicId } = await createOrganization(app.services, { plan: 'pro' });
  const found = await app.request('/v1/cities?x=1', { key });
  t.like(lineOf(found.headers.get('X-Request-Id')), {
    level: 30,
    method: 'GET',
    path: '/v1/cities',
    route: '/v1/cities',
    status: 400,
    code: 'unknown_parameter',
    organization: publicId,
    units: 0,
  });
  const { slug } = await app.addCity();
  const page = await app.request(`/v1/listings?city=${slug}&listing_type=rent&limit=30`, { key });
  const line = lineOf(page.headers.get('X-Request-Id'));
  t.like(line, { status: 200, units: 3, organization: publicId });
  t.regex(line.key, /^key_/);
  t.true(line.ms > 0);
});

test('secrets are redacted wherever they appear in a text', (t) => {
  const cases: [string, string][] = [
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['{"authorization":"Basic abc="}', '{"authorization":"Basic [redacted]"}'],
    ['/v1/x?api_key=abc&q=1', '/v1/x?api_key=[redacted]&q=1'],
    ['https://s3/a?X-Amz-Signature=00ff&x=1', 'https://s3/a?X-Amz-Signature=[redacted]&x=1'],
    ['postgres://user:word@host/db', 'postgres://user:[redacted]@host/db'],
    ['nothing to see', 'nothing to see'],
  ];
  for (const [text, expected] of cases) t.is(redactSecrets(text), expected);
});
