import { readFile } from 'node:fs/promises';
import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { findBreaks, findUnintendedBreaks, RULES, type Rule } from '#openapi/compare.ts';
import { contractOf, type Json, printContract, RELEASED } from '#openapi/contract.ts';
import { test } from '#test/test.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is changed at will
type Free = any;

const built = buildOpenApi(endpoints, { serviceName: 'Test', baseUrl: 'https://api.example.com/v1' });
const document = contractOf(built) as Json;
const text = JSON.stringify(document);

/** Returns the breaking changes that a change of the document causes. */
function breaksOf(change: (document: Free) => void, of: string = text) {
  const changed = JSON.parse(of) as Free;
  change(changed);
  return findBreaks(JSON.parse(of), changed);
}

const search = (document: Free) => document.paths['/listings'].get;
const parameter = (document: Free, name: string) =>
  search(document).parameters.find((each: { name: string }) => each.name === name);
const listing = (document: Free) => document.components.schemas.Listing;
const createWebhook = (document: Free) => document.paths['/organization/webhooks'].post;
const webhookBody = (document: Free) => createWebhook(document).requestBody.content['application/json'].schema;
const schemas = (document: Free) => document.components.schemas;
const exportBody = (document: Free) => schemas(document).CreateExportRequest;
const countAnswer = (document: Free) =>
  document.paths['/listings/count'].get.responses['200'].content['application/json'].schema.properties.data;

/** Breaking changes by the rule that must report them. */
const BREAKING: Readonly<Record<Rule, Readonly<Record<string, (document: Free) => void>>>> = {
  'operation-removed': {
    'a path is removed': (d) => delete d.paths['/listings/count'],
    'a method is removed': (d) => delete d.paths['/exports'].get,
  },
  'operation-renamed': {
    'an operationId changes': (d) => Object.assign(search(d), { operationId: 'findListings' }),
  },
  'audience-changed': {
    'a public operation requires a key': (d) => delete d.paths['/openapi.json'].get.security,
    'the kind of key changes': (d) => Object.assign(search(d), { 'x-audience': 'admin' }),
  },
  'scope-changed': {
    'the scope changes': (d) => Object.assign(search(d), { 'x-scope': 'market' }),
  },
  'price-raised': {
    'the units increase': (d) => Object.assign(search(d)['x-units'], { units: 2 }),
    'a unit covers fewer rows': (d) => Object.assign(search(d)['x-units'], { per: 5 }),
  },
  'parameter-removed': {
    'a filter is removed': (d) => search(d).parameters.splice(3, 1),
  },
  'parameter-required': {
    'an optional parameter becomes required': (d) => Object.assign(parameter(d, 'beds'), { required: true }),
    'a required parameter is added': (d) =>
      search(d).parameters.push({ name: 'new', in: 'query', required: true, schema: { type: 'string' } }),
  },
  'parameter-rewritten': {
    'a list is no longer comma-separated': (d) => Object.assign(parameter(d, 'property_type'), { explode: true }),
  },
  'body-required': {
    'an optional body becomes required': (d) =>
      Object.assign(d.paths['/organization/webhooks/{webhook_id}/delete'].post.requestBody, { required: true }),
  },
  'default-changed': {
    'the default sort changes': (d) => Object.assign(parameter(d, 'sort').schema, { default: 'price_asc' }),
    'a default is removed': (d) => delete parameter(d, 'limit').schema.default,
    'a default of an enumeration is removed': (d) => delete parameter(d, 'sort').schema.default,
  },
  'request-narrowed': {
    'a value is removed': (d) => schemas(d).ListingSort.enum.pop(),
    'a maximum decreases': (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 50 }),
    'a minimum increases': (d) => Object.assign(parameter(d, 'area_min').schema, { minimum: 10 }),
    'the type changes': (d) => Object.assign(parameter(d, 'price_min').schema, { type: 'integer' }),
    'a pattern is added': (d) => Object.assign(parameter(d, 'cursor').schema, { pattern: '^a' }),
    'list items are restricted to values': (d) => Object.assign(parameter(d, 'source').schema.items, { enum: ['a'] }),
    'a value in a body is removed': (d) =>
      Object.assign(webhookBody(d).properties.event_types.items, { enum: ['listing.created'] }),
    'a variant of a body is removed': (d) => {
      exportBody(d).oneOf.pop();
      delete exportBody(d).discriminator.mapping.registered_rents;
    },
    'a filter of a variant gets a maximum': (d) =>
      Object.assign(schemas(d).ListingsFilters.properties.beds_min, { maximum: 5 }),
  },
  'request-property-removed': {
    'a property of a variant is removed': (d) => delete schemas(d).ListingsFilters.properties.beds_min,
    'a property of a body is removed': (d) => delete webhookBody(d).properties.filters,
  },
  'request-property-required': {
    'a property of a variant becomes required': (d) => schemas(d).RegisteredRentsExport.required.push('filters'),
    'a property of a named alternative becomes required': (d) =>
      schemas(d).ListingChangesFiltersByFrom.required.push('to'),
    'a new property is required': (d) => webhookBody(d).required.push('name'),
  },
  'status-removed': {
    '201 becomes 200': (d) => {
      const { responses } = createWebhook(d);
      responses['200'] = responses['201'];
      delete responses['201'];
    },
  },
  'response-property-removed': {
    'a property is removed': (d) => delete countAnswer(d).properties.total,
    'a nested property of a listing is removed': (d) => delete listing(d).properties.price.properties.yearly_sar,
  },
  'response-property-optional': {
    'a required property becomes optional': (d) => countAnswer(d).required.splice(0),
  },
  'response-nullability-changed': {
    'a property becomes nullable': (d) => Object.assign(listing(d).properties.id, { type: ['integer', 'null'] }),
    'a property is no longer nullable': (d) => Object.assign(listing(d).properties.bedrooms, { type: 'integer' }),
  },
  'response-type-changed': {
    'an integer becomes a string': (d) => Object.assign(listing(d).properties.id, { type: 'string' }),
    'an integer becomes a number': (d) => Object.assign(listing(d).properties.id, { type: 'number' }),
    'a date-time becomes a date': (d) => Object.assign(listing(d).properties.updated_at, { format: 'date' }),
    'the type of list items changes': (d) => Object.assign(listing(d).properties.images.items, { type: 'object' }),
  },
  'response-value-removed': {
    'a value of an enumeration is removed': (d) => schemas(d).StatusClass.enum.pop(),
  },
  'header-removed': {
    'the units header is removed': (d) => delete search(d).responses['200'].headers['X-Request-Units'],
  },
  'error-code-removed': {
    'an error code is removed from all operations': (d) => {
      for (const item of Object.values(d.paths) as Free[])
        for (const operation of [item.get, item.post])
          for (const response of Object.values(operation?.responses ?? {}) as Free[])
            if (response['x-codes'])
              response['x-codes'] = response['x-codes'].filter((code: string) => code !== 'ip_not_allowed');
    },
  },
};

for (const [rule, changes] of Object.entries(BREAKING))
  for (const [what, change] of Object.entries(changes))
    test(`${rule} is reported: ${what}`, (t) => {
      const breaks = breaksOf(change);
      t.true(breaks.length > 0);
      t.deepEqual([...new Set(breaks.map((each) => each.rule as string))], [rule], JSON.stringify(breaks));
    });

test('every rule for breaking changes has a test', (t) => {
  t.deepEqual(Object.keys(BREAKING).sort(), Object.keys(RULES).sort());
});

/** Changes that are backward compatible. */
const ADDITIVE: Readonly<Record<string, (document: Free) => void>> = {
  'a new operation': (d) => Object.assign(d.paths, { '/new': { get: { ...search(d), operationId: 'new' } } }),
  'a new optional parameter': (d) =>
    search(d).parameters.unshift({ name: 'new', in: 'query', required: false, schema: {} }),
  'a parameter that is no longer required': (d) => Object.assign(parameter(d, 'city'), { required: false }),
  'a new value of a parameter': (d) => schemas(d).ListingSort.enum.push('new'),
  'a higher maximum': (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 2_000 }),
  'a new optional property of a body': (d) => Object.assign(webhookBody(d).properties, { name: { type: 'string' } }),
  'a new variant of a body': (d) => {
    exportBody(d).oneOf.push({ $ref: '#/components/schemas/WebhookFilters' });
    exportBody(d).discriminator.mapping.new = '#/components/schemas/WebhookFilters';
  },
  'a new optional filter of a variant': (d) => Object.assign(schemas(d).ListingsFilters.properties, { new: {} }),
  'a new property of a response': (d) => Object.assign(listing(d).properties, { new: { type: 'string' } }),
  'a property of a response that becomes required': (d) => countAnswer(d).required.unshift('new'),
  'a new header': (d) => Object.assign(search(d).responses['200'].headers, { 'X-New': {} }),
  'a lower price': (d) => Object.assign(search(d)['x-units'], { per: 20 }),
  'a new error code': (d) => search(d).responses['400']['x-codes'].push('new_code'),
  'a different order of keys': (d) =>
    Object.assign(d, { paths: Object.fromEntries(Object.entries(d.paths).reverse()) }),
};
for (const [what, change] of Object.entries(ADDITIVE))
  test(`${what} is backward compatible`, (t) => t.deepEqual(breaksOf(change), []));

test('the current document is backward compatible with the last release, apart from the named exceptions', async (t) => {
  const released = JSON.parse(await readFile(RELEASED, 'utf8')) as Json;
  t.true(Object.keys(released.paths as Json).length > 40);
  t.deepEqual(findUnintendedBreaks(released, document), []);
});

test('an exception for a breaking change covers only the change that it names', (t) => {
  const storesOf = (d: Free) =>
    d.paths['/readyz'].get.responses['200'].content['application/json'].schema.properties.data.properties;
  const before = JSON.parse(text) as Free;
  storesOf(before).opensearch.enum = ['ok', 'away'];
  t.is(findBreaks(before, document).length, 1);
  t.deepEqual(findUnintendedBreaks(before, document), []);
  storesOf(before).opensearch.enum = ['ok', 'away', 'slow'];
  t.is(findUnintendedBreaks(before, document).length, 1);
  storesOf(before).opensearch.enum = ['ok'];
  storesOf(before).status.enum = ['ready', 'not_ready', 'away'];
  t.is(findUnintendedBreaks(before, document).length, 1);
});

test('adding a schema to an object without a schema is backward compatible, including variants', (t) => {
  const before = JSON.parse(text) as Free;
  webhookBody(before).properties.filters = { type: 'object' };
  before.paths['/exports'].post.requestBody.content['application/json'].schema = {
    type: 'object',
    additionalProperties: false,
    required: ['dataset', 'format'],
    properties: {
      dataset: { type: 'string', enum: ['listings', 'listing_changes'] },
      format: { type: 'string', enum: ['ndjson', 'csv'] },
      filters: { type: 'object' },
    },
  };
  t.deepEqual(findBreaks(before, document), []);
  const narrowed = JSON.parse(text) as Free;
  Object.assign(schemas(narrowed).ListingsExport.properties.format, { enum: ['ndjson'] });
  t.like(findBreaks(before, narrowed), [{ rule: 'request-narrowed', at: 'POST /exports: body(listings).format' }]);
});

test('the stored contract of a release has short lines and no prose', (t) => {
  const printed = printContract(document);
  t.deepEqual(JSON.parse(printed), JSON.parse(text));
  t.true(printed.split('\n').every((line) => line.length < 12_000));
  const kept = JSON.stringify(document);
  for (const prose of ['"description":"', '"summary":"', '"info"', '"servers"', 'api.example.com'])
    t.false(kept.includes(prose), prose);
  // Here `title` is the name of a property, not prose.
  t.true('title' in listing(document).properties);
  t.true('description' in listing(document).properties);
});
