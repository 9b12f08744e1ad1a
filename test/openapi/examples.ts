import { readdirSync, writeFileSync } from 'node:fs';
import { endpoints } from '#endpoints/index.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { EXAMPLE_SITE, readExamples } from '#openapi/examples.ts';
import { responseChecker } from '#test/responses.ts';
import { app, keys } from '#test/sample-app.ts';
import { test } from '#test/test.ts';

const FOLDER = new URL('../../src/openapi/examples/', import.meta.url);
const UPDATE = process.env.UPDATE_GOLDEN === '1';

/** Maximum rows of a list, and items of nested lists, in an example. */
const ROWS = 2;
const ITEMS = 3;

/** A local receiver instead of a public receiver. */
const RECEIVER = 'http://127.0.0.1:9100/';

/** Request bodies for operations that require one. */
const BODIES: Readonly<Record<string, unknown>> = {
  createExport: { dataset: 'registered_rents', format: 'csv', filters: { city: 'riyadh' } },
  createProject: { name: 'App', monthly_unit_cap: 20_000 },
  updateProject: { monthly_unit_cap: 40_000 },
  setMember: { email: 'huda@example.com', name: 'Huda Al Shehri', role: 'developer' },
  setSpendCap: { spend_cap_sar: 500 },
  updateOrganization: { request_logs: { retention_days: 90 } },
  rotateKey: { grace_seconds: 86_400 },
  updateWebhook: { event_types: ['listing.price_changed'] },
  rotateWebhookSecret: { grace_seconds: 86_400 },
  createKey: { name: 'Website', kind: 'live', scopes: ['listings', 'market'] },
  createWebhook: {
    url: RECEIVER,
    event_types: ['listing.created', 'listing.price_changed'],
    filters: { city: 'riyadh', listing_type: 'rent', beds_min: 2 },
  },
};
/** Operations without an example: the response of `getOpenApi` is the document itself. */
const WITHOUT = new Set(['getOpenApi']);
/** Operations that create prerequisites, in the order of their calls. */
const ORDER = ['createExport', 'createKey', 'createWebhook', 'createProject', 'setMember'];
const LAST = ['rotateKey', 'revokeKey', 'deleteWebhook', 'removeMember', 'cancelExport'];
/** Operations on the newly created webhook. The others use the demo webhook, whose deliveries have ended. */
const OF_NEW_WEBHOOK = ['testWebhook', 'updateWebhook', 'rotateWebhookSecret', 'deleteWebhook'];

async function takeExamples(): Promise<Map<string, unknown>> {
  const taken = new Map<string, unknown>();
  const own: Record<string, string> = {};
  let created = '';
  const logged = await app.request('/v1/organization/request-logs', { key: keys.admin });
  own.request_id = logged.body.data[0].request_id;
  const webhooks = await app.request('/v1/organization/webhooks', { key: keys.admin });
  own.webhook_id = webhooks.body.data.at(-1).id;
  // Deliveries can be replayed to an endpoint that was disabled for failures.
  await app.services.pool.query("update webhook_endpoints set disabled_reason = 'exhausted' where public_id = $1", [
    own.webhook_id,
  ]);
  const deliveries = await app.request(`/v1/organization/webhooks/${own.webhook_id}/deliveries`, { key: keys.admin });
  own.delivery_id = deliveries.body.data[0].id;
  const place = ({ operationId }: Endpoint): number =>
    ORDER.includes(operationId) ? ORDER.indexOf(operationId) - 10 : LAST.includes(operationId) ? 1 : 0;
  for (const endpoint of endpoints.toSorted((a, b) => place(a) - place(b))) {
    const { operationId, method, audience, bodySchema } = endpoint;
    if (WITHOUT.has(operationId)) continue;
    const key = audience === 'admin' ? keys.admin : audience === 'data' ? keys.enterprise : undefined;
    const body = bodySchema ? (BODIES[operationId] ?? {}) : undefined;
    const response = await app.request(
      pathOf(endpoint, OF_NEW_WEBHOOK.includes(operationId) ? { ...own, webhook_id: created } : own),
      {
        method,
        key,
        json: body,
      },
    );
    if (response.status >= 300) throw new Error(`${operationId}: ${response.text}`);
    const { id } = response.body.data ?? {};
    if (operationId === 'createExport') own.export_id = id;
    if (operationId === 'createKey') own.key_id = id;
    if (operationId === 'createProject') own.project_id = id;
    if (operationId === 'setMember') own.member_id = id;
    if (operationId === 'createWebhook') created = id;
    const text = JSON.stringify({ ...(body === undefined ? {} : { body }), answer: shortened(response.body) })
      .replaceAll(app.url, EXAMPLE_SITE)
      .replaceAll(RECEIVER, 'https://hooks.example.com/listings')
      .replaceAll(/svc_(live|test|admin)_[A-Za-z0-9]+/g, 'svc_$1_...')
      .replaceAll(/whsec_[A-Za-z0-9_-]+/g, 'whsec_...')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://storage.example');
    taken.set(operationId, JSON.parse(text));
  }
  return taken;
}

/** Returns the URL of an endpoint with the examples of its required parameters. */
function pathOf({ path, pathParameters, parameters }: Endpoint, own: Readonly<Record<string, string>>): string {
  const filled = pathParameters.reduce(
    (at, { name, example }) => at.replace(`{${name}}`, own[name] ?? example ?? ''),
    path,
  );
  const query = new URLSearchParams(
    parameters.flatMap(({ name, required, example }): [string, string][] => (required ? [[name, example ?? '']] : [])),
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Returns a response with shortened lists, except lists of numbers or lists, which are coordinates. */
function shortened(value: unknown, depth = 0): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'number' || Array.isArray(item))) return value;
  if (Array.isArray(value)) return value.slice(0, depth <= 1 ? ROWS : ITEMS).map((item) => shortened(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, depth + 1)]));
}

// Examples are real responses and conform to their schemas. UPDATE_GOLDEN=1 records them again.
if (UPDATE)
  test('examples are recorded from real responses', async (t) => {
    const taken = await takeExamples();
    for (const [operationId, example] of taken)
      writeFileSync(new URL(`${operationId}.json`, FOLDER), `${JSON.stringify(example, null, 2)}\n`);
    t.true(taken.size > 0);
  });

test('every operation has an example that its schema accepts without additional properties', (t) => {
  t.deepEqual(
    readdirSync(FOLDER).sort(),
    endpoints.flatMap(({ operationId }) => (WITHOUT.has(operationId) ? [] : [`${operationId}.json`])).sort(),
  );
  const check = responseChecker(endpoints);
  const examples = readExamples('http://site.test');
  for (const { operationId, method, path, successStatus = 200, bodySchema } of endpoints) {
    const example = examples.get(operationId);
    if (!example) continue;
    t.notThrows(() => check(method, path.replaceAll(/\{\w+\}/g, '1'), successStatus, example.answer), operationId);
    t.is(example.body !== undefined, bodySchema !== undefined, operationId);
    const text = JSON.stringify(example);
    t.notRegex(text, /svc_(live|test|admin)_[A-Za-z0-9]{20}|127\.0\.0\.1:\d/, operationId);
  }
});
