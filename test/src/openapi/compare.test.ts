import { readFile } from 'node:fs/promises';
import { findBreaks } from '#clients/compare-contracts.ts';
import { contractOf, RELEASED } from '#clients/contract.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { test } from '#test/test.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is changed at will
type Free = any;

const built = buildOpenApi(endpoints, { serviceName: 'Test', baseUrl: 'https://api.example.com/v1' });
const document = contractOf(built) as Json;
/** With the operations that the changes concern. */
const paths = Object.entries(document.paths as Json).filter(([path]) =>
  /^.(listings|listings.count|openapi.json|exports|organization.(usage|webhooks.*))$/.test(path),
);
const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) });

/** Returns the breaking changes that a change of the document causes. */
function breaksOf(change: (document: Free) => void) {
  const changed = JSON.parse(text) as Free;
  change(changed);
  return findBreaks(JSON.parse(text) as Json, changed);
}

const search = (document: Free) => document.paths['/listings'].get;
const parameter = (document: Free, name: string) =>
  search(document).parameters.find((each: { name: string }) => each.name === name);
const listing = (document: Free) => document.components.schemas.Listing;
const price = (document: Free) => listing(document).properties.price.properties;
const createWebhook = (document: Free) => document.paths['/organization/webhooks'].post;
const schemas = (document: Free) => document.components.schemas;
const exportBody = (document: Free) => schemas(document).CreateExportRequest;
const countAnswer = (document: Free) =>
  document.paths['/listings/count'].get.responses['200'].content['application/json'].schema.properties.data;

const NULL = { type: 'null' };

/** Breaking changes, and how each is reported. */
const BREAKING: readonly (readonly [report: string, change: (document: Free) => void])[] = [
  ['removed', (d) => delete d.paths['/listings/count']],
  ['no longer: operationId "searchListings"', (d) => Object.assign(search(d), { operationId: 'findListings' })],
  ['no longer: security []', (d) => delete d.paths['/openapi.json'].get.security],
  ['no longer: x-scope "listings"', (d) => Object.assign(search(d), { 'x-scope': 'market' })],
  ['units is 2', (d) => Object.assign(search(d)['x-units'], { units: 2 })],
  ['units are for is 5', (d) => Object.assign(search(d)['x-units'], { per: 5 })],
  ['removed', (d) => search(d).parameters.splice(3, 1)],
  ['new: requires beds', (d) => Object.assign(parameter(d, 'beds'), { required: true })],
  [
    'new: requires new',
    (d) => search(d).parameters.push({ name: 'new', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  ['no longer: style form, explode false', (d) => Object.assign(parameter(d, 'property_type'), { explode: true })],
  [
    'new: requires a body',
    (d) => Object.assign(d.paths['/organization/webhooks/{webhook_id}/delete'].post.requestBody, { required: true }),
  ],
  ['no longer: default "newest"', (d) => Object.assign(parameter(d, 'sort').schema, { default: 'price_asc' })],
  ['"distance" is refused', (d) => schemas(d).ListingSort.enum.pop()],
  ['only some values are accepted', (d) => Object.assign(parameter(d, 'cursor').schema, { enum: ['a'] })],
  ['maximum is 50', (d) => Object.assign(parameter(d, 'limit').schema, { maximum: 50 })],
  ['no longer: accepts number', (d) => Object.assign(parameter(d, 'price_min').schema, { type: 'integer' })],
  ['new: pattern "^a"', (d) => Object.assign(parameter(d, 'cursor').schema, { pattern: '^a' })],
  ['removed', (d) => exportBody(d).oneOf.pop()],
  ['maximum is 5', (d) => Object.assign(schemas(d).ListingsFilters.properties.beds_min, { maximum: 5 })],
  ['removed', (d) => delete schemas(d).ListingsFilters.properties.beds_min],
  ['new: requires filters', (d) => schemas(d).RegisteredRentsExport.required.push('filters')],
  ['new: requires to', (d) => schemas(d).ListingChangesFiltersByFrom.required.push('to')],
  [
    'removed',
    (d) => {
      const { responses } = createWebhook(d);
      responses['200'] = responses['201'];
      delete responses['201'];
    },
  ],
  ['no longer: always has total', (d) => countAnswer(d).required.splice(0)],
  ['new: may be null', (d) => Object.assign(listing(d).properties.id, { type: ['integer', 'null'] })],
  ['no longer: may be null', (d) => Object.assign(listing(d).properties.bedrooms, { type: 'integer' })],
  ['new: may be number', (d) => Object.assign(listing(d).properties.id, { type: 'number' })],
  ['new: may be object', (d) => Object.assign(listing(d).properties.images.items, { type: 'object' })],
  ['no longer: may be null', (d) => Object.assign(price(d), { as_posted: price(d).as_posted.anyOf[0] })],
  [
    'new: may be null',
    (d) => Object.assign(listing(d).properties, { id: { anyOf: [listing(d).properties.id, NULL] } }),
  ],
  ['no longer: always has url', (d) => schemas(d).ListingCreatedEvent.properties.data.required.pop()],
  ['removed', (d) => delete d.webhooks['listing.delisted']],
  ['no longer: value "5xx"', (d) => schemas(d).StatusClass.enum.pop()],
  ['no longer: header X-Request-Units', (d) => delete search(d).responses['200'].headers['X-Request-Units']],
  [
    'no longer: code ip_not_allowed',
    (d) => {
      for (const item of Object.values(d.paths) as Free[])
        for (const operation of [item.get, item.post])
          for (const response of Object.values(operation?.responses ?? {}) as Free[])
            if (response['x-codes'])
              response['x-codes'] = response['x-codes'].filter((code: string) => code !== 'ip_not_allowed');
    },
  ],
];

test('every breaking change is reported, and nothing else', (t) => {
  for (const [report, change] of BREAKING)
    t.deepEqual([...new Set(breaksOf(change).map((each) => each.change))], [report], String(change));
});

test('additions, wider requests and errors that an operation no longer returns break no client', (t) => {
  t.deepEqual(
    breaksOf((d) => {
      d.paths['/new'] = { get: search(d) };
      search(d).parameters.push({ name: 'new', in: 'query', schema: { type: 'integer', minimum: 3, enum: [3, 4] } });
      schemas(d).ListingSort.enum.push('new');
      delete parameter(d, 'limit').schema.maximum;
      Object.assign(parameter(d, 'beds_min').schema, { type: 'number' });
      Object.assign(countAnswer(d).properties, { new: { type: ['string', 'null'] } });
      delete search(d).responses['403'];
    }),
    [],
  );
});

test('a list of types with null and alternatives with null are the same contract', (t) => {
  const inLists = JSON.parse(text, (_, value) => {
    const [other, last] = value?.anyOf ?? [];
    if (last?.type !== 'null') return value;
    const { anyOf: _alternatives, ...beside } = value;
    const { $ref, ...own } = other;
    const stated = $ref ? (document.components as Free).schemas[$ref.split('/').at(-1)] : own;
    return { ...stated, ...beside, type: [stated.type, 'null'], ...(stated.enum && { enum: [...stated.enum, null] }) };
  });
  t.notDeepEqual(inLists, JSON.parse(text));
  t.deepEqual(findBreaks(inLists, JSON.parse(text)), []);
  t.deepEqual(findBreaks(JSON.parse(text), inLists), []);
});

test('the current document is backward compatible with the last release', async (t) => {
  const released = JSON.parse(await readFile(RELEASED, 'utf8')) as Json;
  t.true(Object.keys(released.paths as Json).length > 40);
  t.deepEqual(findBreaks(released, document), []);
});
