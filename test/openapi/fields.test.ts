import { Ajv2020 } from 'ajv/dist/2020.js';
import { componentName, type JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { composeExample, describeFields, FIELDS } from '#openapi/fields.ts';
import { test } from '#test/test.ts';

const typesOf = ({ type }: JsonSchema): unknown[] => [type].flat();
const isObject = (schema: JsonSchema): boolean => typesOf(schema).includes('object') || schema.oneOf !== undefined;

interface Found {
  /** Names of the containing operation or component, and of the field. */
  at: string;
  schema: JsonSchema;
}

/** Yields every field of a response with its schema. */
function* fieldsOf(schema: JsonSchema, at: string): Generator<Found> {
  const where = componentName(schema) ?? at;
  for (const [name, each] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    yield { at: `${where}.${name}`, schema: each };
    yield* fieldsOf(each, name === 'data' ? where : name);
  }
  const inner = [schema.items, schema.additionalProperties, ...((schema.oneOf ?? []) as readonly JsonSchema[])];
  for (const each of inner) if (typeof each === 'object') yield* fieldsOf(each as JsonSchema, where);
}

const { components } = buildOpenApi(endpoints, { serviceName: 'Test', baseUrl: 'https://api.example.com/v1' }) as {
  components: { schemas: { Error: JsonSchema } };
};
const all = [
  ...endpoints.flatMap(({ response, operationId }) => [
    ...fieldsOf(describeFields(response, operationId), operationId),
  ]),
  ...fieldsOf(components.schemas.Error, 'Error'),
];

test('every field of every response has a description', (t) => {
  t.true(all.length > 1_500);
  t.deepEqual(
    all.filter(({ schema }) => !/^[A-Z].*\.$/s.test(String(schema.description ?? ''))).map(({ at }) => at),
    [],
  );
});

test('the description of every nullable field states what null means', (t) => {
  const nullable = all.filter(({ schema }) => typesOf(schema).includes('null'));
  t.true(nullable.length > 300);
  t.deepEqual(
    nullable.filter(({ schema }) => !/\bnull\b/i.test(String(schema.description))).map(({ at }) => at),
    [],
  );
});

test('every field that is not an object has a valid example', (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { at, schema } of all) {
    const items = (schema.items ?? {}) as JsonSchema;
    if (isObject(schema) || (typesOf(schema).includes('array') && isObject(items))) continue;
    const [example] = (schema.examples ?? []) as readonly unknown[];
    const whole = '$ref' in schema ? { ...schema, components } : schema;
    t.true(example !== undefined && ajv.validate(whole, example), `${at}: ${JSON.stringify(example)}`);
  }
});

test('the example of every response is valid and short', (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const lines: number[] = [];
  for (const { response, operationId } of endpoints) {
    if (!response.properties) continue;
    const described = describeFields(response, operationId);
    const example = composeExample(described);
    t.true(ajv.validate(described, example), `${operationId}: ${JSON.stringify(ajv.errors?.[0])}`);
    lines.push(JSON.stringify(example, null, 2).split('\n').length);
  }
  const total = lines.reduce((sum, each) => sum + each, 0);
  t.true(total < 4_500, `${total} lines`);
});

test('every number has a unit, unless the unit depends on the response', (t) => {
  const without = all.filter(({ schema }) => typesOf(schema).includes('number') && schema['x-unit'] === undefined);
  t.deepEqual([...new Set(without.map(({ at }) => at))].sort(), ['bins.from', 'bins.to', 'ranges.from', 'ranges.to']);
});

test('every definition of a field is used', (t) => {
  const used = new Set(all.flatMap(({ at }) => [at, at.split('.').at(-1)]));
  const parents = new Set(all.map(({ at }) => at.split('.')[0]));
  t.deepEqual(
    Object.keys(FIELDS).filter((name) => !used.has(name) && !parents.has(name)),
    [],
  );
});
