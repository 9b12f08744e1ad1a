import { endpoints } from '#endpoints/index.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { closed, responseChecker } from '#test/responses.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

interface Operation {
  operationId: string;
  'x-audience': string;
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}
type Paths = Record<string, Record<string, Operation> & { servers?: { url: string }[] }>;

/** Returns every documented operation with the path under which it is served. */
async function documented(): Promise<{ method: string; path: string; operation: Operation }[]> {
  const { body } = await app.request('/v1/openapi.json');
  return Object.entries(body.paths as Paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => {
      const root = new URL(servers?.[0]?.url ?? body.servers[0].url).pathname.replace(/\/$/, '');
      return { method: method.toUpperCase(), path: root + path, operation };
    }),
  );
}

test('every documented operation is served, and undocumented methods on its path return 405', async (t) => {
  const operations = await documented();
  for (const { method, path, operation } of operations) {
    const parameters = operation.parameters.filter((parameter) => parameter.in === 'path' && parameter.required);
    t.is(parameters.map(({ name }) => `{${name}}`).join(), (path.match(/\{[^}]+\}/g) ?? []).join());
    const concrete = path.replace(/\{[^}]+\}/g, '1');
    const { status, body } = await app.request(concrete, { method });
    const wanted = operation['x-audience'] === 'public' ? [200] : [401];
    t.true(wanted.includes(status), `${method} ${path}: ${status}`);
    if (status === 401) t.is(body.error.code, 'missing_api_key');
    t.true(String(status) in operation.responses, `${method} ${path} returns ${status}`);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (other) => !operations.some((candidate) => candidate.path === path && candidate.method === other),
    );
    for (const other of others) {
      const refused = await app.request(concrete, { method: other });
      t.deepEqual([refused.status, refused.body.error.code], [405, 'method_not_allowed'], `${other} ${path}`);
      t.true(refused.headers.get('allow')?.split(', ').includes(method));
    }
  }
});

test('the response checker rejects missing fields, wrong types and undocumented fields at any depth', (t) => {
  const check = responseChecker(endpoints);
  const good = { data: { total: 3 } };
  t.notThrows(() => check('GET', '/v1/listings/count', 200, good));
  for (const bad of [
    {},
    { data: {} },
    { data: { total: '3' } },
    { data: { total: 3, more: 1 } },
    { ...good, more: 1 },
  ]) {
    t.throws(() => check('GET', '/v1/listings/count', 200, bad), { message: /not as documented/ }, JSON.stringify(bad));
  }
  t.notThrows(() => check('GET', '/v1/listings/count', 400, { error: { code: 'invalid_value' } }));
  t.throws(() => check('GET', '/v1/listings/count', 404, { error: { code: 'export_not_found' } }), {
    message: /not documented/,
  });
  t.notThrows(() => check('GET', '/elsewhere', 200, { any: 'thing' }));
  const nested = closed({
    type: 'array',
    items: { type: ['object', 'null'], properties: { a: { type: 'object', properties: {} } } },
  });
  t.deepEqual(nested, {
    type: 'array',
    items: {
      type: ['object', 'null'],
      properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
      additionalProperties: false,
    },
  });
});
