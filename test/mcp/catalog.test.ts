import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SCOPES } from '#accounts/scopes.ts';
import { endpoints } from '#endpoints/index.ts';
import { listTools } from '#mcp/catalog.ts';
import { toolsOf } from '#mcp/tools.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { callTool, connectMcp } from '#test/mcp.ts';
import { test } from '#test/test.ts';

const MAX_TOOLS = 16;
const MAX_CHARACTERS = 45_000;
let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp();
  city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    ['aqarna', 'other'].map((source) => makeListing({ location: { city } }, { source })),
  );
});
test.after(() => app.close());

test('the list of tools is small enough for an assistant on every plan', async (t) => {
  for (const plan of ['free', 'starter', 'growth', 'pro', 'enterprise'] as const) {
    const client = await connectMcp(t, app.url, (await createOrganization(app.services, { plan })).key);
    const list = await client.listTools();
    t.true(list.tools.length <= MAX_TOOLS, `${plan}: ${list.tools.length} tools`);
    t.true(JSON.stringify(list).length <= MAX_CHARACTERS, `${plan}: ${JSON.stringify(list).length} characters`);
  }
});

test('the list has a description of every argument, once if several tools share the argument', (t) => {
  const described = new Map<string, string>();
  for (const { name, inputSchema } of listTools(toolsOf(endpoints), SCOPES))
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      const { description, type } = schema as { description?: string; type?: string };
      t.truthy(type, `${name} ${argument}`);
      t.true(description !== undefined || described.has(argument), `${name} ${argument}`);
      if (description !== undefined) described.set(argument, name);
    }
});

test('an operation without a tool is described, and called by its id as by its name', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const client = await connectMcp(t, app.url, key);
  const { tools } = await client.listTools();
  const [describe, call] = ['describeOperation', 'callOperation'].map((name) =>
    tools.find((tool) => tool.name === name),
  );
  t.is(describe?.annotations?.readOnlyHint, true);
  t.is(call?.annotations?.readOnlyHint, false);
  for (const { name } of toolsOf(endpoints)) {
    t.true(tools.some((tool) => tool.name === name) || (describe?.description ?? '').includes(`\n${name}: `), name);
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
  t.false((await callTool(client, 'callOperation', { operation: 'listEnums' })).isError);
});

test('calling an operation by its id neither reaches administration nor exceeds the scopes of the key', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const client = await connectMcp(t, app.url, key);
  for (const operation of ['createKey', 'getOrganization', 'callOperation', 'none', 7, undefined])
    for (const name of ['callOperation', 'describeOperation']) {
      const { isError, body } = await callTool(client, name, { operation });
      t.true(isError);
      t.like(body, { status: 400, error: { code: 'invalid_value', param: 'operation' } });
    }
  const near = await callTool(client, 'callOperation', { operation: 'list_facets' });
  t.regex(near.body.error.message, /Did you mean `listFacets`\?$/);
  const beyond = await callTool(client, 'callOperation', { operation: 'listComparables', arguments: { id: 1 } });
  t.like(beyond.body, { status: 403, error: { code: 'scope_not_in_plan' } });
});

test('clients of protocol version 2026-07-28 list and call tools, and can cache the list', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers: string[] = [];
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    fetch: (url, init) => {
      headers.push(...new Headers(init?.headers).keys());
      return fetch(url, init);
    },
  });
  await client.connect(transport);
  t.teardown(() => client.close());
  const list = await client.listTools();
  t.true(list.tools.length <= MAX_TOOLS);
  t.like(list, { cacheScope: 'private', ttlMs: 300_000 });
  const { body } = await callTool(client, 'countListings', { city, listing_type: 'rent' });
  t.is(body.data.total, 2);
  for (const name of ['mcp-method', 'mcp-name', 'mcp-protocol-version']) t.true(headers.includes(name), name);
});

test('messages of both protocol versions are answered as JSON for any Accept header that includes JSON', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
  const send = (params: object, headers: Record<string, string>, method = 'tools/list') =>
    app.request('/mcp', { method: 'POST', key, json: { jsonrpc: '2.0', id: 1, method, params }, headers });
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', ''])
    for (const [params, headers] of [
      [{}, {}],
      [{}, { 'Mcp-Protocol-Version': '2025-11-25' }],
      [{ _meta }, modern],
    ] as const) {
      const { status, body } = await send(params, { ...headers, Accept: accept });
      t.is(status, 200, `${accept} ${JSON.stringify(headers)}`);
      t.true(body.result.tools.length > 2);
    }
  const mismatch = await send({ _meta }, { ...modern, 'Mcp-Method': 'tools/call' });
  t.is(mismatch.status, 400);
  const listen = { _meta, notifications: { toolsListChanged: true } };
  const stream = await send(listen, { ...modern, 'Mcp-Method': 'subscriptions/listen' }, 'subscriptions/listen');
  t.truthy(stream.body.error, 'the service opens no streams');
});

test('browsers may send the headers of the protocol', async (t) => {
  const { headers } = await app.request('/mcp', { method: 'OPTIONS' });
  const allowed = headers.get('access-control-allow-headers') ?? '';
  for (const name of ['Authorization', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
    t.true(allowed.includes(name));
});
