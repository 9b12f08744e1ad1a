import test from 'ava';
import type { JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#endpoints/index.ts';
import { compileBodyCheck } from '#http/check-body.ts';
import type { Parameter } from '#http/endpoint.ts';
import { compileParameters } from '#http/parameters.ts';
import { ANY_PLACE } from '#test/places.ts';

/** Wording of ajv, and regular expressions. */
const FOREIGN =
  /must NOT|must match|must be (string|object|array|integer|number|boolean|null|equal|[<>=])|pattern|format|schema|keyword|[\\^$]|undefined|NaN|\[object/;

const TEXTS = [
  ...[
    '',
    ' ',
    ',',
    'x',
    'X y',
    '😀',
    '-1',
    '0',
    '1.5',
    'true',
    '2026-01-01',
    '1,,2',
    'a,b,c',
    '10,10,0,0',
    '1,2,3,4,5',
  ],
  ...['x'.repeat(5_000), '9'.repeat(30), Array.from({ length: 200 }, (_, index) => index).join()],
];
const VALUES: unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e40, '', ' ', 'x', 'é'.repeat(5_000), [], [null], [[]], ['x', 'x'], [1, 'x'], {}],
  ...[{ unknown: 1 }, Array.from({ length: 200 }, (_, index) => index), [10, 10, 0, 0]],
];

/** The messages of a parameter for all texts that it does not accept. */
function messagesOf(parameter: Parameter): string[] {
  const decode = compileParameters([parameter]);
  const { name } = parameter;
  return TEXTS.flatMap((text) => decode({ [name]: text }, ANY_PLACE).faults).flatMap(
    ({ message }) => message?.() ?? [],
  );
}

/** The messages of a body's value, and of everything inside it, for all values that it does not accept. */
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

for (const endpoint of endpoints) {
  test(`${endpoint.operationId}: messages name the parameter, and say in words what is accepted`, (t) => {
    for (const parameter of [...endpoint.pathParameters, ...endpoint.parameters]) {
      const messages = messagesOf(parameter);
      const takesAnything = Object.keys(parameter.schema).join() === 'type' && parameter.schema.type === 'string';
      t.is(messages.length > 0, !takesAnything, parameter.name);
      for (const message of messages) {
        t.regex(message, new RegExp(`^\`${parameter.name}\` (must be .+|is required)\\.$`));
        t.notRegex(message, FOREIGN);
      }
    }
    if (!endpoint.bodySchema) return t.pass();
    const messages = bodyMessagesOf(endpoint.bodySchema);
    t.true(messages.length > 0);
    for (const message of messages) {
      t.regex(message, /^(The body|`[\w.]+`) (must be .+|is required|is not a field that this endpoint takes)\.$/);
      // The name of a field is its own affair: one is called `format`.
      t.notRegex(message.replace(/^`[\w.]+` /, ''), FOREIGN);
    }
  });
}

const text = { type: 'string' };
const SHAPES: [schema: JsonSchema, value: unknown, message: string][] = [
  [{ type: 'object' }, [], 'a JSON object'],
  [{ type: ['object', 'null'] }, 1, 'a JSON object or null'],
  [{ type: 'boolean' }, 1, 'true or false'],
  [{ type: 'integer' }, 1.5, 'an integer'],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'an integer from 1 to 9'],
  [{ type: 'number', minimum: 0 }, -1, 'a number, 0 or more'],
  [{ type: ['number', 'null'], maximum: 5 }, 6, 'a number, 5 or less, or null'],
  [text, 1, 'a text'],
  [{ ...text, minLength: 1 }, '', 'a text of 1 or more characters'],
  [{ ...text, maxLength: 2 }, 'abc', 'a text of at most 2 characters'],
  [
    { ...text, minLength: 1, maxLength: 2, pattern: '\\S', accepts: 'not only spaces' },
    ' ',
    'a text of 1 to 2 characters, not only spaces',
  ],
  [{ ...text, minLength: 6, maxLength: 6 }, 'abc', 'a text of exactly 6 characters'],
  [{ ...text, enum: ['small', 'large'] }, 'huge', 'one of small, large'],
  [{ type: ['string', 'null'], enum: ['small', null] }, 'huge', 'small or null'],
  [{ const: 'yes' }, 'no', '"yes"'],
  [{ ...text, format: 'timestamp' }, '2026-01-01', 'an ISO 8601 date-time with seconds, such as 2026-01-31T00:00:00Z'],
  [{ type: ['string', 'null'], format: 'date' }, 'x', 'a day, such as 2026-01-31, or null'],
  [{ type: 'array', items: text }, 'x', 'a list of values, each a text'],
  [{ type: 'array', items: text, minItems: 1 }, [], 'a list of 1 or more values, each a text'],
  [
    { type: 'array', items: { type: 'integer' }, maxItems: 2 },
    [1, 2, 3],
    'a list of at most 2 values, each an integer',
  ],
  [
    { type: ['array', 'null'], items: { ...text, enum: ['a', 'b'] }, minItems: 1, uniqueItems: true },
    ['a', 'a'],
    'a list of 1 or more different values, each one of a, b, or null',
  ],
  [
    { type: 'array', items: false, minItems: 4, maxItems: 4, orderedBox: true },
    [1, 1, 0, 0],
    'the list [min_lng, min_lat, max_lng, max_lat] in degrees, each minimum no greater than its maximum',
  ],
  [{ ...text, maxLength: 300, searchText: true }, '|', 'words to search for, at most 300 characters and 30 words'],
];
for (const [schema, value, accepted] of SHAPES) {
  test(`${JSON.stringify(schema)}: ${accepted}`, (t) => {
    t.is(compileBodyCheck(object({ it: schema }))({ it: value })?.message?.(), `\`it\` must be ${accepted}.`);
  });
}

test('of several faults in a body, the first in the order of the schema is reported', (t) => {
  const check = compileBodyCheck({
    type: 'object',
    required: ['a', 'b'],
    additionalProperties: false,
    properties: { a: text, b: object({ c: text }) },
  });
  const told = (value: unknown) => check(value)?.message?.();
  t.is(told([]), 'The body must be a JSON object.');
  t.is(told({ x: 1, b: { c: 1 } }), '`a` is required.');
  t.is(told({ x: 1, b: { c: 1 }, a: '' }), '`b.c` must be a text.');
  t.is(told({ x: 1, b: {}, a: '' }), '`x` is not a field that this endpoint takes.');
  t.is(told({ b: {}, a: '' }), undefined);
});

test('a schema that cannot be put in words is refused when it is compiled', (t) => {
  for (const schema of [
    { ...text, pattern: '^a$' },
    { ...text, format: 'email' },
    { anyOf: [text] },
    { multipleOf: 2 },
  ]) {
    t.throws(() => compileBodyCheck(object({ it: schema })), { message: /words/ });
    const parameter = { name: 'it', description: '', schema };
    t.throws(() => compileParameters([parameter]), { message: /words/ });
  }
});
