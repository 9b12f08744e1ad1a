import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { ERRORS } from '#domain/errors.ts';
import { generateKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { toolsOf } from '#src/mcp/tools.ts';
import { administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { codePoint } from '#test/code-points.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { callTool, connectMcp, type ToolResult } from './client.ts';

const long = 'وصف طويل '.repeat(100).trim();
let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    Array.from({ length: 12 }, (_, index) =>
      makeListing({ location: { city }, description: long }, { photos: [`a/${index}.jpg`, `b/${index}.jpg`] }),
    ),
  );
});
test.after(() => app.close());

const connect = (t: ExecutionContext, key: string, headers?: Record<string, string>): Promise<Client> =>
  connectMcp(t, app.url, key, headers);

test('the list of tools contains the operations that the key may call', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const client = await connect(t, key);
  t.is(client.getServerVersion()?.name, app.services.config.serviceName);
  t.regex(client.getInstructions() ?? '', /asking prices/);
  const { tools } = await client.listTools();
  const data = endpoints.filter(({ audience }) => audience === 'data');
  const described = tools.find(({ name }) => name === 'describeOperation')?.description ?? '';
  for (const { operationId } of data)
    t.true(tools.some(({ name }) => name === operationId) !== described.includes(`\n${operationId}: `), operationId);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const { name, description, inputSchema, annotations } of tools) {
    const endpoint = data.find(({ operationId }) => operationId === name);
    const { properties = {} } = inputSchema as { properties?: object };
    // Those of all operations are described once.
    for (const parameter of [...(endpoint?.pathParameters ?? []), ...(endpoint?.parameters ?? [])])
      t.true(parameter.name in properties || described.includes(`\`${parameter.name}\`,`), `${name} ${parameter.name}`);
    t.notThrows(() => ajv.compile(inputSchema), name);
    t.regex(description ?? '', /Costs (\d+ units?|what)/, name);
    t.is(annotations?.readOnlyHint, name !== 'callOperation', name);
  }
  const free = await connect(t, (await createOrganization(app.services, { plan: 'free' })).key);
  const reached = (await free.listTools()).tools;
  t.true(reached.some(({ name }) => name === 'searchListings'));
  for (const beyond of ['getMarketSummary', 'getPriceBand'])
    t.false(JSON.stringify(reached).includes(`${beyond}:`), beyond);
  t.true(reached.length < tools.length);
  // An assistant keeps the list in its context.
  for (const each of [client, free]) {
    const list = await each.listTools();
    t.true(list.tools.length <= 16, `${list.tools.length} of 16 tools: remove one from LISTED in src/mcp/catalog.ts`);
    const { length } = JSON.stringify(list);
    t.true(
      length <= 40_000,
      `${length} of 40,000 characters: shorten descriptions of the listed operations, or remove one from LISTED in src/mcp/catalog.ts`,
    );
  }
});

test('a tool call is metered and logged like the equivalent request and returns the same data', async (t) => {
  const owner = await administered(app, { plan: 'pro' });
  const client = await connect(t, owner.key);
  const query = `city=${city}&listing_type=rent&property_type=apartment,villa&limit=10`;
  const plain = await app.request(`/v1/listings?${query}`, { key: owner.key });
  const args = { city, listing_type: 'rent', property_type: ['apartment', 'villa'], limit: 10 };
  const { isError, body, size, meta } = await callTool(client, 'searchListings', args);
  t.false(isError);
  t.is(body.units, Number(plain.headers.get('x-request-units')));
  t.is(body.units, 1);
  t.is(body.units_left_this_month, Number(plain.headers.get('x-quota-remaining')) - 1);
  t.deepEqual(
    body.data.map(({ id }: { id: number }) => id),
    plain.body.data.map(({ id }: { id: number }) => id),
  );
  t.deepEqual(body.pagination, plain.body.pagination);
  t.deepEqual(body.left_out, { fields: ['description', 'images'] });
  t.is(body.data[0].images.length, 1);
  t.is(body.data[0].image_count, 2);
  t.is(body.data[0].description.length, 280);
  t.true(size < 0.6 * plain.text.length, `${size} of ${plain.text.length} characters`);
  // A single listing is returned unshortened.
  const one = await callTool(client, 'getListing', { id: body.data[0].id });
  t.is(one.body.data.description, long);
  await app.services.requestLog.flush();
  const logs = await owner.all('/request-logs');
  const [logged] = await owner.all(`/request-logs?request_id=${meta?.request_id}`);
  t.like(logged, { route: '/v1/listings', method: 'GET', status: 200, units: 1 });
  t.false(logs.some(({ route }) => route.includes('mcp')));
});

test('errors are returned as tool results with code and message, in the names of tools and arguments', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const client = await connect(t, key);
  const cohort = { city, listing_type: 'rent' };
  for (const [name, args, expected, message] of [
    ['searchListings', { city }, '400 missing_parameter listing_type', /is required/],
    ['searchListings', { ...cohort, bedrooms: 2 }, '400 unknown_parameter bedrooms', /Did you mean `beds=2`\?$/],
    ['searchListings', { ...cohort, beds: { min: 3 } }, '400 invalid_value beds', /not an object/],
    ['searchListings', { ...cohort, cursor: 'x' }, '400 invalid_cursor cursor', /cursor/],
    ['getListing', { id: 1 }, '404 listing_not_found id', /./],
    ['getListing', { listing_id: 1 }, '400 missing_parameter id', /an integer .+ The request has `listing_id` instead/],
    ['listNeighborhoods', { city: '../organization' }, '404 city_not_found city', /./],
    ['countListings', { ...cohort, city: `City ${city}` }, '400 unknown_city city', /a city slug from listCities, not/],
    ['getMarketSummary', cohort, '403 scope_not_in_plan null', /./],
    ['callOperation', { operation: 'getCities' }, '400 invalid_value operation', /one of listCities, /],
  ] as const) {
    const { isError, body, structured } = await callTool(client, name, args);
    t.true(isError);
    t.is(structured, undefined);
    t.is(`${body.status} ${body.error.code} ${body.error.param}`, expected, JSON.stringify(args));
    t.regex(body.error.message, message);
  }
  await t.throwsAsync(callTool(client, 'createKey', { name: 'mine' }), {
    message: /Unknown tool\. .+, not `createKey`/,
  });
  let last = await callTool(client, 'countListings', cohort);
  for (let calls = 0; calls < 31 && !last.isError; calls++) last = await callTool(client, 'countListings', cohort);
  t.is(last.body.error.code, 'rate_limited');
  t.true(last.body.retry_after_seconds >= 1);
});

test('the MCP endpoint refuses invalid keys, admin keys, invalid messages and the GET method', async (t) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (key: string | undefined, body: unknown = message, headers = {}) =>
    app.request('/mcp', {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const organization = await createOrganization(app.services);
  t.is((await post(undefined)).body.error.code, 'missing_api_key');
  t.is((await post('svc_live_wrong')).body.error.code, 'invalid_api_key');
  const admin = await createKey(app.services, organization.id, { kind: 'admin' });
  t.regex((await post(admin)).body.error.message, /admin_key_not_allowed/);
  const ping = { ...message, method: 'ping' };
  t.deepEqual(
    [(await post(admin, ping)).status, (await post(admin, ping)).body.error.code],
    [403, 'admin_key_not_allowed'],
  );
  const unknown = { ...message, method: 'tools/call', params: { name: 'nothing' } };
  t.is((await post(generateKey('live', randomBytes), unknown)).body.error.code, 'invalid_api_key');
  const revoked = await createKey(app.services, organization.id, { columns: { revoked_at: new Date() } });
  t.regex((await post(revoked)).body.error.message, /revoked_api_key/);
  const { key } = organization;
  t.is((await post(key)).status, 200);
  t.is((await post(key, ping)).status, 200);
  t.is((await post(key, '[]')).body.error.code, 'invalid_body');
  t.is((await post(key, '{')).body.error.code, 'invalid_body');
  t.is((await post(key, { ...message, params: { key } })).body.error.code, 'invalid_body', 'a key in an argument');
  t.is((await post(key, message, { Accept: 'text/plain' })).status, 406);
  t.is((await post(key, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
  const get = await app.request('/mcp', { key });
  t.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
  const allowed = (await app.request('/mcp', { method: 'OPTIONS' })).headers.get('access-control-allow-headers');
  for (const name of ['Authorization', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
    t.true(allowed?.includes(name));
});

/** Values that replace a part of a valid message. */
const anyPart = fc.oneof(
  fc.constantFrom<unknown>(null, '', [], {}, 0, -1, 1.5, true, 'x', [1], { a: { b: null } }, '{', '2.0', 'tools/list'),
  fc.jsonValue({ maxDepth: 2, stringUnit: codePoint }),
);
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const VALID: readonly Record<string, unknown>[] = [
  { method: 'ping' },
  { method: 'notifications/initialized' },
  { method: 'tools/list', params: { cursor: 'x' } },
  { method: 'tools/call', params: { name: 'listCities', arguments: { city: 'x' }, _meta: { progressToken: 1 } } },
  { method: 'tools/call', params: { name: 'listCities', arguments: {}, _meta: META } },
  { method: 'server/discover', params: { _meta: META } },
  {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: { roots: {} }, clientInfo: { name: 'a', version: '1' } },
  },
  { result: {} },
  { error: { code: 1, message: 'x' } },
];

/** A copy with the value at a path replaced, or removed if it is undefined. */
function changed(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  return { ...(value as object), [name]: changed((value as Record<string, unknown>)[name], rest, part) };
}

const pathsIn = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [[...path], ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))]
    : [[...path]];

test('every refusal of a malformed message has a code and the words of this service', async (t) => {
  const { key } = await createOrganization(app.services, { columns: { units_per_minute: 1_000_000 } });
  const anyMessage = fc
    .constantFrom(...VALID)
    .map((message) => ({ jsonrpc: '2.0', id: 1, ...message }))
    .chain((message) =>
      fc
        .tuple(fc.constantFrom(...pathsIn(message)), fc.option(anyPart, { nil: undefined }))
        .map(([path, part]) => changed(message, path, part)),
    );
  const versions = fc.constantFrom(undefined, '2025-06-18', '2026-07-28', '2031-01-01', 'x');
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(anyMessage, versions, fc.constantFrom('tools/call', 'x'), async (message, version, method) => {
      const { status, text } = await app.request('/mcp', {
        method: 'POST',
        key,
        headers: {
          ...{ 'Content-Type': 'application/json', 'Mcp-Method': method },
          ...(version === undefined ? {} : { 'Mcp-Protocol-Version': version }),
        },
        body: JSON.stringify(message) ?? '',
      });
      if (status === 202) return;
      const { error } = JSON.parse(text);
      if (!error) return;
      refusals++;
      const told = `${JSON.stringify(message)} ${version} ${text}`;
      const code = typeof error.code === 'string' ? error.code : error.data?.code;
      if (!Object.hasOwn(ERRORS, code)) throw new Error(told);
      if (
        status >= 500 ||
        /zod|expected|received|invalid[_ ](type|input|union)|Bad Request|Parse error/i.test(error.message)
      )
        throw new Error(told);
    }),
    { numRuns: 300 },
  );
  t.true(refusals > 100, `${refusals}`);
  const told = async (message: object, headers = {}): Promise<string> => {
    const sent = { method: 'POST', key, headers: { 'Content-Type': 'application/json', ...headers } };
    return (await app.request('/mcp', { ...sent, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) })).body
      .error.message;
  };
  t.regex(
    await told({ method: 'tools/cal' }),
    /^`method` must be one of initialize, .+ Did you mean `"tools\/call"`\?$/,
  );
  t.regex(await told({ method: 'tools/call', params: {} }), /^`params\.name` is required/);
  t.regex(
    await told({ method: 'tools/call', params: { name: 'x', arguments: [] } }),
    /^`params\.arguments` must be a JSON/,
  );
  t.regex(await told({}), /^`method` is required: one of initialize,/);
  t.regex(await told({ method: 'ping' }, { 'Mcp-Protocol-Version': '2031-01-01' }), /must be one of .*2025-06-18/);
});

test('arguments sent as JSON text are read, and operations are found by words', async (t) => {
  const { key } = await createOrganization(app.services);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const params = { name: 'countListings', arguments: JSON.stringify({ city, listing_type: 'rent' }) };
  const { body } = await app.request('/mcp', { method: 'POST', key, json: { ...message, params } });
  t.is(body.result.structuredContent.data.total, 12);
  const client = await connect(t, key);
  const found = await callTool(client, 'describeOperation', { search: 'عائد الإيجار' });
  t.like(found.body.data.operations[0], { operation: 'getRentalYield', scope: 'analytics' });
  t.is(found.body.units, 0);
});

test('the pages of a tool contain every row once, cost the returned rows, and state what they left out', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const client = await connect(t, key);
  const pagesOf = async (name: string, args: Record<string, unknown>): Promise<ToolResult[]> => {
    const pages = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; ) {
      const page = await callTool(client, name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      t.false(page.isError, JSON.stringify(page.body));
      t.true(page.size <= 40_000, `${page.size} characters`);
      t.deepEqual(page.structured, page.body);
      pages.push(page);
      cursor = page.body.pagination?.next_cursor;
    }
    return pages;
  };
  const idsOf = ({ body }: ToolResult): number[] => body.data.map(({ id }: { id: number }) => id);

  const searched = await pagesOf('searchListings', { city, listing_type: 'rent', limit: 10 });
  t.deepEqual(
    searched.map((page) => [idsOf(page).length, page.body.units]),
    [
      [10, 1],
      [2, 1],
    ],
  );
  t.is(new Set(searched.flatMap(idsOf)).size, 12);
  for (const { body } of searched) t.deepEqual(body.left_out, { fields: ['description', 'images'] });

  const neighborhoods = Array.from({ length: 600 }, (_, at) => ({ id: 910_000_000 + at, name_en: `Hay ${at}` }));
  const { slug } = await app.addCity({}, neighborhoods);
  const listed = await pagesOf('listNeighborhoods', { city: slug });
  t.true(listed.length > 1);
  t.deepEqual(
    listed.flatMap(idsOf).sort(),
    neighborhoods.map(({ id }) => id),
  );
  let before = 0;
  for (const page of listed) {
    const shown = idsOf(page).length;
    t.is(page.body.units, 0);
    t.deepEqual(page.body.left_out.rows, { list: 'data', before, after: 600 - before - shown });
    before += shown;
  }
  const cursor = listed[0]?.body.pagination.next_cursor;
  const other = await callTool(client, 'listNeighborhoods', { city, cursor });
  t.like(other.body, { status: 400, error: { code: 'invalid_cursor', param: 'cursor', type: 'invalid_request' } });
});

test("an organization's IP allowlist applies to tools", async (t) => {
  const { key } = await createOrganization(app.services, { columns: { ip_allowlist: '{203.0.113.0/24}' } });
  const inside = await connect(t, key, { 'X-Forwarded-For': '203.0.113.7' });
  t.false((await callTool(inside, 'listCities')).isError);
  // On a busy machine the charge may time out, which is a different error.
  let refusal: Error;
  do refusal = await t.throwsAsync(connect(t, key, { 'X-Forwarded-For': '198.51.100.7' }));
  while (refusal.message.includes('Retry-After'));
  t.regex(refusal.message, /ip_not_allowed/);
});

test('a POST tool called twice with one idempotency key has one effect', async (t) => {
  const { key } = await createOrganization(app.services);
  const client = await connect(t, key);
  const args = { dataset: 'registered_rents', format: 'csv', idempotency_key: 'once' };
  const first = await callTool(client, 'createExport', args);
  t.is(first.body.data.status, 'queued');
  t.is((await callTool(client, 'createExport', args)).body.data.id, first.body.data.id);
  t.is(
    (await callTool(client, 'createExport', { ...args, format: 'ndjson' })).body.error.code,
    'idempotency_key_reuse',
  );
  t.is((await app.request('/v1/exports', { key })).body.data.length, 1);
});

test('the `mcp` command serves a local assistant over stdio', async (t) => {
  const { key } = await createOrganization(app.services);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '..', '..', '..', 'app', 'cli', 'cli.ts'), 'mcp', '--url', `${app.url}/v1`],
    env: { PATH: process.env.PATH ?? '', API_KEY: key, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  await client.connect(transport);
  t.teardown(() => client.close());
  const { body } = await callTool(client, 'countListings', { city, listing_type: 'rent' });
  t.is(body.data.total, 12);
  t.is(body.units, 1);
  t.is((await client.listTools()).tools.length, 16);
  await eventually(() => said !== '');
  t.false(said.includes(key));
});

test('an operation without a tool is described, and called by its id as by its name', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const client = await connect(t, key);
  for (const { name } of toolsOf(endpoints)) {
    const { isError, body } = await callTool(client, 'describeOperation', { operation: name });
    t.false(isError, name);
    t.like(body, { units: 0, data: { name, inputSchema: { type: 'object' }, resultSchema: { type: 'object' } } });
    t.regex(body.data.description, /Costs \d+ units?/, name);
  }
  const args = { city, listing_type: 'rent', fields: ['beds'] };
  const named = await callTool(client, 'listFacets', args);
  const called = await callTool(client, 'callOperation', { operation: 'listFacets', arguments: args });
  t.deepEqual(called.body.data, named.body.data);
  t.deepEqual([named.body.units, called.body.units], [1, 1]);
  t.is(called.body.units_left_this_month, named.body.units_left_this_month - 1);
  const text = await callTool(client, 'callOperation', { operation: 'listFacets', arguments: JSON.stringify(args) });
  t.deepEqual(text.body.data, named.body.data);
});

test('calling an operation by its id neither reaches administration nor exceeds the scopes of the key', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const client = await connect(t, key);
  for (const operation of ['createKey', 'getOrganization', 'callOperation', 'none', 7, undefined])
    for (const name of ['callOperation', 'describeOperation']) {
      const { isError, body } = await callTool(client, name, { operation });
      t.true(isError);
      t.like(body, { status: 400, error: { code: 'invalid_value', param: 'operation' } });
    }
  const beyond = await callTool(client, 'callOperation', { operation: 'listComparables', arguments: { id: 1 } });
  t.like(beyond.body, { status: 403, error: { code: 'scope_not_in_plan' } });
});

test('messages of both protocol versions are answered as JSON for any Accept header that includes JSON', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit }));
  t.teardown(() => client.close());
  t.like(await client.listTools(), { cacheScope: 'private', ttlMs: 300_000 });
  t.is((await callTool(client, 'countListings', { city, listing_type: 'rent' })).body.data.total, 12);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
  const send = (params: object, headers: Record<string, string>, method = 'tools/list') =>
    app.request('/mcp', { method: 'POST', key, json: { jsonrpc: '2.0', id: 1, method, params }, headers });
  for (const accept of ['*/*', 'application/json', ''])
    for (const [params, headers] of [
      [{}, {}],
      [{}, { 'Mcp-Protocol-Version': '2025-11-25' }],
      [{ _meta }, modern],
    ] as const) {
      const { status, body } = await send(params, { ...headers, Accept: accept });
      t.is(status, 200, `${accept} ${JSON.stringify(headers)}`);
      t.true(body.result.tools.length > 2);
    }
  // Clients that serialize missing values.
  t.true((await send(null as unknown as object, {})).body.result.tools.length > 2);
  const free = await send({ name: 'getLimits', arguments: null }, {}, 'tools/call');
  t.falsy(free.body.result?.isError, free.text);
  const listen = { _meta, notifications: { toolsListChanged: true } };
  const stream = await send(listen, { ...modern, 'Mcp-Method': 'subscriptions/listen' }, 'subscriptions/listen');
  t.truthy(stream.body.error, 'the service opens no streams');
});
