import { Ajv2020 } from 'ajv/dist/2020.js';
import { componentName, type JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import { EVENT_BODIES } from '#src/openapi/events.ts';
import { composeExample, describeFields } from '#src/openapi/fields.ts';
import { test } from '#test/test.ts';

const typesOf = ({ type }: JsonSchema): unknown[] => [type].flat();

interface DocumentedField {
  /** Names of the containing operation or component, and of the field. */
  at: string;
  schema: JsonSchema;
}

/** Yields every field of a response with its schema. */
function* fieldsOf(schema: JsonSchema, at: string): Generator<DocumentedField> {
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
const byOperation = endpoints.map(({ response, operationId }) => ({
  operationId,
  fields: [...fieldsOf(describeFields(response, operationId), operationId)],
}));
const events = EVENT_BODIES.flatMap(({ type, schema }) => [...fieldsOf(describeFields(schema, type), type)]);
const all = [...byOperation.flatMap(({ fields }) => fields), ...events, ...fieldsOf(components.schemas.Error, 'Error')];

test('every field of every response has a description', (t) => {
  t.true(all.length > 1_500);
  t.deepEqual(
    all.filter(({ schema }) => !/^[A-Z].*\.$/s.test(String(schema.description ?? ''))).map(({ at }) => at),
    [],
  );
});

test('every response has a valid example', (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { response, operationId } of endpoints) {
    if (!response.properties) continue;
    const described = describeFields(response, operationId);
    const example = composeExample(described);
    t.true(ajv.validate(described, example), `${operationId}: ${JSON.stringify(ajv.errors?.[0])}`);
  }
});

test('every number has a unit, unless the unit depends on the response', (t) => {
  const without = all.filter(({ schema }) => typesOf(schema).includes('number') && schema['x-unit'] === undefined);
  t.deepEqual([...new Set(without.map(({ at }) => at))].sort(), ['bins.from', 'bins.to', 'ranges.from', 'ranges.to']);
});
