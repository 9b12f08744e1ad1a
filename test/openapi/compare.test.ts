import { readFile } from 'node:fs/promises';
import test from 'ava';
import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { findBreaks, RULES, type Rule } from '#openapi/compare.ts';
import { contractOf, type Json, printContract, RELEASED } from '#openapi/contract.ts';

// A test changes the document at places that it knows.
// biome-ignore lint/suspicious/noExplicitAny: a document that is changed at will
type Free = any;

const built = buildOpenApi(endpoints, { serviceName: 'Test', baseUrl: 'https://api.example.com/v1' });
const document = contractOf(built) as Json;
const text = JSON.stringify(document);

/** What the changed document breaks. */
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
const exportBody = (document: Free) => document.paths['/exports'].post.requestBody.content['application/json'].schema;
const countAnswer = (document: Free) =>
  document.paths['/listings/count'].get.responses['200'].content['application/json'].schema.properties.data;

/** Changes that break somebody, with what each is found as. */
const BREAKING: readonly (readonly [Rule, string, (document: Free) => void])[] = [
  ['operation-removed', 'a path', (d) => delete d.paths['/listings/count']],
  ['operation-removed', 'a method', (d) => delete d.paths['/exports'].get],
  ['operation-renamed', 'an operationId', (d) => Object.assign(search(d), { operationId: 'findListings' })],
  ['audience-changed', 'a key that was not needed', (d) => delete d.paths['/openapi.json'].get.security],
  ['audience-changed', 'another kind of key', (d) => Object.assign(search(d), { 'x-audience': 'admin' })],
  ['scope-changed', 'a scope', (d) => Object.assign(search(d), { 'x-scope': 'market' })],
  ['price-raised', 'more units', (d) => Object.assign(search(d)['x-units'], { units: 2 })],
  ['price-raised', 'fewer rows a unit', (d) => Object.assign(search(d)['x-units'], { per: 5 })],
  ['parameter-removed', 'a filter', (d) => search(d).parameters.splice(3, 1)],
  ['parameter-required', 'one that was optional', (d) => Object.assign(parameter(d, 'beds'), { required: true })],
  [
    'parameter-required',
    'a new one',
    (d) => search(d).parameters.push({ name: 'new', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  ['parameter-rewritten', 'commas', (d) => Object.assign(parameter(d, 'property_type'), { explode: true })],
  [
    'body-required',
    'one that was optional',
    (d) => Object.assign(d.paths['/organization/webhooks/{webhook_id}/delete'].post.requestBody, { required: true }),
  ],
  ['default-changed', 'another order', (d) => Object.assign(parameter(d, 'sort').schema, { default: 'price_asc' })],
  ['default-changed', 'no default', (d) => delete parameter(d, 'limit').schema.default],
  ['request-narrowed', 'a value', (d) => parameter(d, 'sort').schema.enum.pop()],
  ['request-narrowed', 'a lower maximum', (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 50 })],
  ['request-narrowed', 'a higher minimum', (d) => Object.assign(parameter(d, 'area_min').schema, { minimum: 10 })],
  ['request-narrowed', 'another type', (d) => Object.assign(parameter(d, 'price_min').schema, { type: 'integer' })],
  ['request-narrowed', 'a pattern', (d) => Object.assign(parameter(d, 'cursor').schema, { pattern: '^a' })],
  ['request-narrowed', 'values of a list', (d) => Object.assign(parameter(d, 'source').schema.items, { enum: ['a'] })],
  ['request-narrowed', 'an enumeration in a body', (d) => webhookBody(d).properties.event_types.items.enum.pop()],
  [
    'request-narrowed',
    'a variant',
    (d) => {
      exportBody(d).oneOf.pop();
      delete exportBody(d).discriminator.mapping.registered_rents;
    },
  ],
  [
    'request-narrowed',
    'a filter of a variant',
    (d) => Object.assign(schemas(d).ListingsFilters.properties.beds_min, { maximum: 5 }),
  ],
  ['request-property-removed', 'of a variant', (d) => delete schemas(d).ListingsFilters.properties.beds_min],
  ['request-property-required', 'in a variant', (d) => schemas(d).RegisteredRentsExport.required.push('filters')],
  [
    'request-property-required',
    'in an alternative with a name',
    (d) => schemas(d).ListingChangesFiltersByFrom.required.push('to'),
  ],
  ['request-property-removed', 'of a body', (d) => delete webhookBody(d).properties.filters],
  ['request-property-required', 'a new one', (d) => webhookBody(d).required.push('name')],
  [
    'status-removed',
    '200 for 201',
    (d) => {
      const { responses } = createWebhook(d);
      responses['200'] = responses['201'];
      delete responses['201'];
    },
  ],
  ['response-property-removed', 'a field', (d) => delete countAnswer(d).properties.total],
  ['response-property-removed', 'deep in a listing', (d) => delete listing(d).properties.price.properties.yearly_sar],
  ['response-property-optional', 'a field', (d) => countAnswer(d).required.splice(0)],
  [
    'response-nullability-changed',
    'null is new',
    (d) => Object.assign(listing(d).properties.id, { type: ['integer', 'null'] }),
  ],
  [
    'response-nullability-changed',
    'null is gone',
    (d) => Object.assign(listing(d).properties.bedrooms, { type: 'integer' }),
  ],
  ['response-type-changed', 'a text', (d) => Object.assign(listing(d).properties.id, { type: 'string' })],
  ['response-type-changed', 'fractions', (d) => Object.assign(listing(d).properties.id, { type: 'number' })],
  [
    'response-type-changed',
    'days for moments',
    (d) => Object.assign(listing(d).properties.updated_at, { format: 'date' }),
  ],
  ['response-type-changed', 'items', (d) => Object.assign(listing(d).properties.images.items, { type: 'object' })],
  [
    'response-value-removed',
    'of an enumeration',
    (d) =>
      d.paths['/limits'].get.responses['200'].content[
        'application/json'
      ].schema.properties.data.properties.apis.items.enum.pop(),
  ],
  ['header-removed', 'units', (d) => delete search(d).responses['200'].headers['X-Request-Units']],
  [
    'error-code-removed',
    'from everywhere',
    (d) => {
      for (const item of Object.values(d.paths) as Free[])
        for (const operation of [item.get, item.post])
          for (const response of Object.values(operation?.responses ?? {}) as Free[])
            if (response['x-codes'])
              response['x-codes'] = response['x-codes'].filter((code: string) => code !== 'ip_not_allowed');
    },
  ],
];

for (const [rule, what, change] of BREAKING) {
  test(`found as ${rule}: ${what}`, (t) => {
    const breaks = breaksOf(change);
    t.true(breaks.length > 0);
    t.deepEqual([...new Set(breaks.map((each) => each.rule))], [rule], JSON.stringify(breaks));
  });
}

test('every rule is tried', (t) => {
  t.deepEqual([...new Set(BREAKING.map(([rule]) => rule))].sort(), Object.keys(RULES).sort());
});

/** Changes that break nobody. */
const ADDITIVE: Readonly<Record<string, (document: Free) => void>> = {
  'an operation': (d) => Object.assign(d.paths, { '/new': { get: { ...search(d), operationId: 'new' } } }),
  'an optional parameter': (d) =>
    search(d).parameters.unshift({ name: 'new', in: 'query', required: false, schema: {} }),
  'a parameter that is no longer required': (d) => Object.assign(parameter(d, 'city'), { required: false }),
  'a value that is taken': (d) => parameter(d, 'sort').schema.enum.push('new'),
  'a higher maximum': (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 2_000 }),
  'an optional property of a body': (d) => Object.assign(webhookBody(d).properties, { name: { type: 'string' } }),
  'a variant of a body': (d) => {
    exportBody(d).oneOf.push({ $ref: '#/components/schemas/WebhookFilters' });
    exportBody(d).discriminator.mapping.new = '#/components/schemas/WebhookFilters';
  },
  'an optional filter of a variant': (d) => Object.assign(schemas(d).ListingsFilters.properties, { new: {} }),
  'a property of an answer': (d) => Object.assign(listing(d).properties, { new: { type: 'string' } }),
  'a value of an answer': (d) => countAnswer(d).required.unshift('new'),
  'a header': (d) => Object.assign(search(d).responses['200'].headers, { 'X-New': {} }),
  'fewer units': (d) => Object.assign(search(d)['x-units'], { per: 20 }),
  'another error': (d) => search(d).responses['400']['x-codes'].push('new_code'),
  'another order of keys': (d) => Object.assign(d, { paths: Object.fromEntries(Object.entries(d.paths).reverse()) }),
};
for (const [what, change] of Object.entries(ADDITIVE))
  test(`breaks nobody: ${what}`, (t) => t.deepEqual(breaksOf(change), []));

test('what is served breaks nobody who calls the last release', async (t) => {
  const released = JSON.parse(await readFile(RELEASED, 'utf8')) as Json;
  t.true(Object.keys(released.paths as Json).length > 40);
  t.deepEqual(findBreaks(released, document), []);
});

test('an object that was not described may be described, by variants too', (t) => {
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
  schemas(narrowed).ListingsExport.properties.format.enum.pop();
  t.like(findBreaks(before, narrowed), [{ rule: 'request-narrowed', at: 'POST /exports: body(listings).format' }]);
});

test('what is kept of a release is what it promises, a line for each part', (t) => {
  const printed = printContract(document);
  t.deepEqual(JSON.parse(printed), JSON.parse(text));
  t.true(printed.split('\n').every((line) => line.length < 12_000));
  const kept = JSON.stringify(document);
  for (const prose of ['"description":"', '"summary":"', '"info"', '"servers"', 'api.example.com'])
    t.false(kept.includes(prose), prose);
  // Properties that are called so are no prose.
  t.true('title' in listing(document).properties);
  t.true('description' in listing(document).properties);
});
