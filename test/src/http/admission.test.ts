import { Admission } from '#domain/admission.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

/** The test ends the windows, not the server. */
class ManualAdmission extends Admission {
  override endWindow(): void {}
  end(utilization: number): void {
    super.endWindow(utilization);
  }
}

const LIMIT = 500;

test('requests beyond the limit of a busy event loop are refused before any work, and probes are answered', async (t) => {
  const admission = new ManualAdmission();
  const app = await startTestApp({ overrides: { admission } });
  t.teardown(() => app.close());
  const { key } = await createOrganization(app.services);
  t.is((await app.request('/v1/limits', { key })).status, 200);
  for (let at = 0; at < 20; at++) {
    for (let call = 0; call < LIMIT; call++) admission.admits(`Bearer ${key}`);
    admission.end(1);
  }
  const before = admission.refused;
  for (let call = 0; call < LIMIT; call++) admission.admits(`Bearer ${key}`);
  t.true(admission.refused > before);

  const refused = admission.refused;
  const { status, headers, body } = await app.request('/v1/limits', { key });
  t.is(status, 503);
  t.is(body.error.code, 'internal_error');
  t.regex(body.error.message, /Too many expensive calls/);
  t.is(headers.get('Retry-After'), '1');
  t.is(headers.get('X-Request-Id'), body.error.request_id);
  t.not(headers.get('Connection'), 'close', 'the client may use its connection again');
  const posted = await fetch(`${app.url}/v1/listings/parse`, {
    method: 'POST',
    body: 'x'.repeat(100_000),
    headers: { Authorization: `Bearer ${key}` },
  });
  t.is(posted.status, 503);
  await posted.text();
  t.is(admission.refused, refused + 2);
  t.is((await fetch(`${app.url}/healthz`)).status, 200);

  for (let at = 0; at < 2; at++) admission.end(0.1);
  admission.end(0.1);
  t.is((await app.request('/v1/limits', { key })).status, 200);
});
