import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { test } from '#test/test.ts';

/** Listings only have asking prices and no source field. Amounts of an organization belong to its plan. */
const WITHOUT_SOURCE = [
  'batchListings',
  'getListing',
  'getOrganization',
  'getPriceHistory',
  'mapListings',
  'searchListings',
  'setSpendCap',
  'updateOrganization',
];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Yields all properties in a schema, at any depth, as pairs of name and schema. */
function* propertiesOf(schema: unknown): Generator<[name: string, schema: Json]> {
  if (!isObject(schema)) return;
  const { $ref, properties } = schema;
  if (typeof $ref === 'string') yield* propertiesOf(schemas[$ref.split('/').at(-1) as string]);
  if (isObject(properties))
    for (const [name, inner] of Object.entries(properties) as [string, Json][])
      yield [name, { ...schemas[String(inner.$ref).split('/').at(-1) as string], ...inner }];
  for (const inner of Object.values(schema)) yield* propertiesOf(inner);
}

const document = buildOpenApi(endpoints, { serviceName: '', baseUrl: 'https://api.example.com/v1' }) as Json;
const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
const operations = Object.values(document.paths as Json)
  .flatMap((item) => Object.values(item as Json) as { operationId?: string; responses?: Json }[])
  .flatMap(({ operationId, responses }) =>
    operationId === undefined ? [] : [{ operationId, properties: [...propertiesOf(responses?.['200'])] }],
  );
test('every operation with amounts states their source, except listings and plans', (t) => {
  const silent = operations
    .filter(({ properties }) => properties.some(([name]) => name.endsWith('_sar')))
    .filter(({ properties }) => !properties.some(([name]) => name === 'price_source'));
  t.deepEqual(silent.map(({ operationId }) => operationId).sort(), WITHOUT_SOURCE);
});
