import { readFile } from 'node:fs/promises';
import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { findBreaks, findUnintendedBreaks, type Rule } from '#openapi/compare.ts';
import { contractOf, type Json, RELEASED } from '#openapi/contract.ts';
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
const schemas = (document: Free) => document.components.schemas;
const exportBody = (document: Free) => schemas(document).CreateExportRequest;
const countAnswer = (document: Free) =>
  document.paths['/listings/count'].get.responses['200'].content['application/json'].schema.properties.data;

/** Breaking changes by the rule that must report them. */
const BREAKING: Readonly<Record<Rule, readonly ((document: Free) => void)[]>> = {
  'operation-removed': [(d) => delete d.paths['/listings/count']],
  'operation-renamed': [(d) => Object.assign(search(d), { operationId: 'findListings' })],
  'audience-changed': [(d) => delete d.paths['/openapi.json'].get.security],
  'scope-changed': [(d) => Object.assign(search(d), { 'x-scope': 'market' })],
  'price-raised': [
    (d) => Object.assign(search(d)['x-units'], { units: 2 }),
    (d) => Object.assign(search(d)['x-units'], { per: 5 }),
  ],
  'parameter-removed': [(d) => search(d).parameters.splice(3, 1)],
  'parameter-required': [
    (d) => Object.assign(parameter(d, 'beds'), { required: true }),
    (d) => search(d).parameters.push({ name: 'new', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  'parameter-rewritten': [(d) => Object.assign(parameter(d, 'property_type'), { explode: true })],
  'body-required': [
    (d) => Object.assign(d.paths['/organization/webhooks/{webhook_id}/delete'].post.requestBody, { required: true }),
  ],
  'default-changed': [(d) => Object.assign(parameter(d, 'sort').schema, { default: 'price_asc' })],
  'request-narrowed': [
    (d) => schemas(d).ListingSort.enum.pop(),
    (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 50 }),
    (d) => Object.assign(parameter(d, 'price_min').schema, { type: 'integer' }),
    (d) => Object.assign(parameter(d, 'cursor').schema, { pattern: '^a' }),
    (d) => {
      exportBody(d).oneOf.pop();
      delete exportBody(d).discriminator.mapping.registered_rents;
    },
    (d) => Object.assign(schemas(d).ListingsFilters.properties.beds_min, { maximum: 5 }),
  ],
  'request-property-removed': [(d) => delete schemas(d).ListingsFilters.properties.beds_min],
  'request-property-required': [
    (d) => schemas(d).RegisteredRentsExport.required.push('filters'),
    (d) => schemas(d).ListingChangesFiltersByFrom.required.push('to'),
  ],
  'status-removed': [
    (d) => {
      const { responses } = createWebhook(d);
      responses['200'] = responses['201'];
      delete responses['201'];
    },
  ],
  'response-property-removed': [(d) => delete countAnswer(d).properties.total],
  'response-property-optional': [(d) => countAnswer(d).required.splice(0)],
  'response-nullability-changed': [
    (d) => Object.assign(listing(d).properties.id, { type: ['integer', 'null'] }),
    (d) => Object.assign(listing(d).properties.bedrooms, { type: 'integer' }),
  ],
  'response-type-changed': [
    (d) => Object.assign(listing(d).properties.id, { type: 'number' }),
    (d) => Object.assign(listing(d).properties.images.items, { type: 'object' }),
  ],
  'response-value-removed': [(d) => schemas(d).StatusClass.enum.pop()],
  'header-removed': [(d) => delete search(d).responses['200'].headers['X-Request-Units']],
  'error-code-removed': [
    (d) => {
      for (const item of Object.values(d.paths) as Free[])
        for (const operation of [item.get, item.post])
          for (const response of Object.values(operation?.responses ?? {}) as Free[])
            if (response['x-codes'])
              response['x-codes'] = response['x-codes'].filter((code: string) => code !== 'ip_not_allowed');
    },
  ],
};

test('every breaking change is reported under its rule', (t) => {
  for (const [rule, changes] of Object.entries(BREAKING))
    for (const change of changes) {
      const breaks = breaksOf(change);
      t.deepEqual([...new Set(breaks.map((each) => each.rule as string))], [rule], String(change));
    }
});

test('the current document is backward compatible with the last release, apart from the named exceptions', async (t) => {
  const released = JSON.parse(await readFile(RELEASED, 'utf8')) as Json;
  t.true(Object.keys(released.paths as Json).length > 40);
  t.deepEqual(findUnintendedBreaks(released, document), []);
});
