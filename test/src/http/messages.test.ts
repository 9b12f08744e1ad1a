import type { ExecutionContext } from 'ava';
import type { JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { compileBodyCheck } from '#src/http/body/check.ts';
import type { Parameter } from '#src/http/endpoint.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

const RIYADH = { slug: 'riyadh', name_en: 'Riyadh', name_ar: 'الرياض', center: { lat: 24.7, lng: 46.7 }, aliases: [] };
const PLACES = { ...ANY_PLACE, hasCity: (slug: string) => slug === RIYADH.slug, cities: () => [RIYADH] };

const TEXTS = [
  ...['', 'x', 'X y', '-1', '1.5', '2026-01-01', '1,,2', '10,10,0,0', 'SAR 5,000', 'TRUE', '"3"', '1;2', '2025Q3'],
  ...['Apartment;شقة', 'x'.repeat(5_000), '9'.repeat(30), Array.from({ length: 200 }, (_, index) => index).join()],
];
const VALUES: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e40, '', ' ', 'x', 'é'.repeat(5_000), [], [null], [[]], ['x', 'x'], [1, 'x'], {}],
  ...[{ unknown: 1 }, Array.from({ length: 200 }, (_, index) => index), [10, 10, 0, 0]],
];

/** Returns the messages of a parameter for all refused texts, after checking that suggested values are accepted. */
function messagesOf(t: ExecutionContext, parameter: Parameter): string[] {
  const decode = compileParameters([parameter]);
  const { name } = parameter;
  const messages = TEXTS.flatMap((text) => decode({ [name]: text }, PLACES).faults).flatMap(
    ({ message }) => message?.() ?? [],
  );
  for (const message of messages) {
    const suggested = /Did you mean `([^`]+)`/.exec(message)?.[1];
    if (suggested !== undefined && !suggested.endsWith('…'))
      t.deepEqual(decode({ [name]: suggested }, PLACES).faults, [], message);
  }
  return messages;
}

/** Returns the messages for all refused values of a body schema and its nested schemas. */
function bodyMessagesOf(schema: JsonSchema): string[] {
  const check = compileBodyCheck(schema);
  const own = VALUES.flatMap((value) => check(value)?.message?.() ?? []);
  const { properties = {}, items } = schema;
  const inner = Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, each]) =>
    VALUES.flatMap((value) => compileBodyCheck(object({ [name]: each }))({ [name]: value })?.message?.() ?? []),
  );
  const deeper = [...Object.values(properties as object), ...(items ? [items] : [])] as JsonSchema[];
  return [...own, ...inner, ...deeper.flatMap(bodyMessagesOf)];
}

const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: 'object', properties });

test('a refused value of any parameter or body has a message that names the parameter', (t) => {
  for (const { operationId, pathParameters, parameters, bodySchema } of endpoints) {
    for (const parameter of [...pathParameters, ...parameters]) {
      const messages = messagesOf(t, parameter);
      // The signature of a cursor is verified after its parameter is decoded.
      t.is(messages.length > 0, parameter.name !== 'cursor', `${operationId} ${parameter.name}`);
      for (const message of messages) {
        t.true(message.startsWith(`\`${parameter.name}\` must be `), message);
        t.notRegex(message, / must be (that|which|of) /);
      }
    }
    if (!bodySchema) continue;
    const messages = bodyMessagesOf(bodySchema);
    t.true(messages.length > 0, operationId);
    for (const message of messages)
      t.regex(message, /^(The body|`[\w.]+`) (must be .+, not|is required: |is not a field of this request body)/);
  }
});
