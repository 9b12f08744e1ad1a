import { randomBytes } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { generateKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

type Json = Record<string, unknown>;

interface Operation {
  parameters: {
    name: string;
    required: boolean;
    schema: Json;
    example?: unknown;
    examples?: { default: { value: unknown } };
  }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content: Record<string, { schema: Json }> }>;
  'x-audience': 'public' | 'data' | 'admin';
  'x-units': { parameter?: string };
}

interface Document extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

let app: TestApp;
let document: Document;
test.before(async () => {
  app = await sharedApp();
  document = (await app.request('/v1/openapi.json')).body as Document;
});

/** Returns the documented operation of every endpoint. */
function operations() {
  return endpoints.map(({ method, path }) => {
    const operation = document.paths[path.replace(/^\/v1(?=\/)/, '')]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${method} ${path} is not documented`);
    return { method, path, operation };
  });
}

test('the document is valid OpenAPI 3.1', async (t) => {
  t.regex(document.openapi, /^3\.1\./);
  const result = await new Validator().validate(clone(document));
  t.true(result.valid, JSON.stringify(result.errors, null, 1)?.slice(0, 2_000));
});

test('generators can distinguish all names, and null from the object or value that it replaces', (t) => {
  const { schemas, securitySchemes } = document.components as Record<string, Record<string, Json>>;
  const names = Object.keys({ ...schemas, ...securitySchemes });
  t.deepEqual(
    names.filter((name, at) => names.findIndex((each) => each.toLowerCase() === name.toLowerCase()) !== at),
    [],
  );
  const visit = (value: unknown, at: string): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { type, enum: values } = value as Json;
    const isUnclear = Array.isArray(type) && (type.includes('object') || Array.isArray(values));
    return [
      ...(isUnclear ? [at] : []),
      ...Object.entries(value).flatMap(([name, each]) => visit(each, `${at}/${name}`)),
    ];
  };
  t.deepEqual(visit({ paths: document.paths, schemas }, ''), []);
});

test('parameters that affect the price of an operation are required or have a default', (t) => {
  for (const { path, operation } of operations()) {
    const { parameter } = operation['x-units'];
    const counted = operation.parameters.find(({ name }) => name === parameter);
    t.is(counted === undefined, parameter === undefined, path);
    t.true(counted === undefined || counted.required || counted.schema.default !== undefined, path);
  }
});

test('every schema in the document compiles, and parameter examples are valid', (t) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document }, 'document');
  const absolute = (schema: Json): Json =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json;
  let examples = 0;
  for (const { path, operation } of operations()) {
    for (const { name, schema, example, examples: optional } of operation.parameters) {
      const validate = ajv.compile(absolute(schema));
      const value = example ?? optional?.default.value;
      if (value === undefined) continue;
      examples++;
      t.true(validate(value), `${path} ${name}: ${JSON.stringify(validate.errors)}`);
    }
    const contents = [
      operation.requestBody?.content,
      ...Object.values(operation.responses).map(({ content }) => content),
    ];
    for (const content of contents) {
      const schema = content?.['application/json']?.schema;
      if (schema) t.notThrows(() => ajv.compile(absolute(schema)), path);
    }
  }
  t.true(examples > 20);
});

test('the documented body of an export accepts exactly the bodies that the service accepts', async (t) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document }, 'document');
  const { schema } = document.paths['/exports']?.post?.requestBody?.content['application/json'] ?? {};
  const isDocumented = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Json);
  const { slug: city } = await app.addCity();
  const bodies: [accepted: boolean, dataset: string, filters?: object][] = [
    [true, 'listings'],
    [true, 'listings', { city: [city], beds: [2, 3], bbox: [46.6, 24.6, 46.8, 24.9], verified: true }],
    [false, 'listings', { city, price_min: '5' }],
    [false, 'listings', { period: '2024-Q1' }],
    [false, 'listings', { property_type: ['castle'] }],
    [true, 'listing_changes', { from: '2026-10-01T00:00:00Z', city }],
    [true, 'listing_changes', { released_from: '2026-10-01T00:00:00.123456Z', released_to: '2026-10-02T00:00:00Z' }],
    [false, 'listing_changes', { city }],
    [false, 'listing_changes', { from: '2026-10-01T00:00:00Z', released_from: '2026-10-01T00:00:00Z' }],
    [true, 'registered_rents', { property_type: 'apartment', min_sample_size: 10 }],
    [false, 'registered_rents', { period: '2024-13' }],
    [true, 'registered_transactions', { price_max: 500_000, land_use_class: ['residential'] }],
    [false, 'owners'],
  ];
  for (const [accepted, dataset, filters] of bodies) {
    const { key } = await createOrganization(app.services);
    const body = { dataset, format: 'ndjson', ...(filters ? { filters } : {}) };
    const { status, text } = await app.request('/v1/exports', { key, json: body });
    t.is(status, accepted ? 201 : 400, `${JSON.stringify(body)}: ${text}`);
    t.is(isDocumented(body), accepted, `${JSON.stringify(body)}: ${JSON.stringify(isDocumented.errors)}`);
  }
});

test('every operation that requires a key rejects every kind of invalid key', async (t) => {
  const { services } = app;
  const past = new Date(Date.now() - 60_000);
  const { id } = await createOrganization(services, { plan: 'enterprise' });
  const make = (kind: 'live' | 'admin', columns = {}) => createKey(services, id, { kind, columns });
  const live = await make('live');
  const keys = {
    malformed: 'svc_live_short',
    unknown: generateKey('live', randomBytes),
    live,
    admin: await make('admin'),
    revoked: { data: await make('live', { revoked_at: past }), admin: await make('admin', { revoked_at: past }) },
    expired: { data: await make('live', { expires_at: past }), admin: await make('admin', { expires_at: past }) },
  };
  for (const { method, path, operation } of operations()) {
    const audience = operation['x-audience'];
    if (audience === 'public') continue;
    const url = path.replaceAll(/\{\w+\}/g, '1');
    const cases: [key: string | undefined, code: ErrorCode][] = [
      [undefined, 'missing_api_key'],
      [keys.malformed, 'invalid_api_key'],
      [keys.unknown, 'invalid_api_key'],
      [keys.revoked[audience], 'revoked_api_key'],
      [keys.expired[audience], 'expired_api_key'],
      [audience === 'admin' ? live : keys.admin, audience === 'admin' ? 'admin_key_required' : 'admin_key_not_allowed'],
    ];
    for (const [key, code] of cases) {
      const response = await app.request(url, { key, ...(method === 'POST' && { json: {} }) });
      t.is(response.body.error.code, code, `${method} ${path}`);
      t.is(response.status, ERRORS[code].status);
      t.true(String(response.status) in operation.responses, `${path}: ${response.status} is not documented`);
    }
  }
});

test('public operations require no key and ignore an invalid one', async (t) => {
  for (const { method, path, operation } of operations()) {
    if (operation['x-audience'] !== 'public') continue;
    for (const headers of [{}, { Authorization: 'Bearer nonsense' }] as Record<string, string>[])
      t.is((await app.request(path, { method, headers })).status, 200, path);
  }
});
