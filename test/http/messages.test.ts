import type { ExecutionContext } from 'ava';
import type { JsonSchema } from '#domain/json-schema.ts';
import { endpoints } from '#endpoints/index.ts';
import { compileBodyCheck } from '#http/body/check.ts';
import type { Parameter } from '#http/endpoint.ts';
import { compileParameters } from '#http/parameters.ts';
import { filterProperties } from '#queries/filters/json.ts';
import { filterRows } from '#queries/filters/table.ts';
import { TRANSACTION_FILTERS } from '#queries/transactions/filters.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

const RIYADH = { slug: 'riyadh', name_en: 'Riyadh', name_ar: 'الرياض', center: { lat: 24.7, lng: 46.7 }, aliases: [] };
const PLACES = { ...ANY_PLACE, hasCity: (slug: string) => slug === RIYADH.slug, cities: () => [RIYADH] };

/** Phrases of ajv and of regular expressions, which must not appear in messages. */
const FOREIGN =
  /must NOT|must match|must be (string|object|array|integer|number|boolean|null|equal|[<>=])|pattern|format|schema|keyword|[\\^$]|undefined|NaN|\[object/;

/** Pattern for an optional hint after the message. */
const HINT = '( (Did you mean|It accepts|Encode|The request has|GET /v1/openapi.json lists) .+[.?])?';

const TEXTS = [
  ...['', ' ', ',', 'x', 'X y', '😀', '-1', '0', '1.5', 'true', '2026-01-01', '1,,2', 'a,b,c'],
  ...['10,10,0,0', '1,2,3,4,5', 'SAR 5,000', 'yes', 'TRUE', '"3"', '[1,2]', '1;2', '2026-01-01T00:00'],
  ...['2025Q3', '01/2026', 'Apartment;شقة', 'buy'],
  ...['x'.repeat(5_000), '9'.repeat(30), Array.from({ length: 200 }, (_, index) => index).join()],
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

/** Keywords that messages describe, and keywords that do not restrict values. */
const KEYWORDS = new Set(
  `type enum const minimum maximum format pattern accepts minLength maxLength items prefixItems minItems maxItems uniqueItems
  properties required additionalProperties orderedBox point polygon searchText visibleText sensitive default description`.split(
    /\s+/,
  ),
);

function keywordsOf(schema: JsonSchema): string[] {
  const { properties = {}, items, prefixItems = [] } = schema;
  const inner = [
    ...Object.values(properties as object),
    ...(items ? [items] : []),
    ...(prefixItems as JsonSchema[]),
  ] as JsonSchema[];
  return [...Object.keys(schema), ...inner.flatMap(keywordsOf)];
}

test('messages describe every keyword that restricts values', (t) => {
  const schemas = endpoints.flatMap(({ pathParameters, parameters, bodySchema = {} }) => [
    ...[...pathParameters, ...parameters].map(({ schema }) => schema),
    bodySchema,
  ]);
  const all = [...schemas, object(filterProperties([...filterRows(), ...TRANSACTION_FILTERS]))];
  t.deepEqual(
    all.flatMap(keywordsOf).filter((keyword) => !KEYWORDS.has(keyword)),
    [],
  );
});

const BODY_MESSAGE = new RegExp(
  `^(The body|\`[\\w.]+\`) (must be .+, not .+|is required: .+|is not a field of this request body)\\.${HINT}$`,
);

test('messages for parameters and bodies name the parameter and describe the accepted values in words', (t) => {
  for (const { operationId, pathParameters, parameters, bodySchema } of endpoints) {
    for (const parameter of [...pathParameters, ...parameters]) {
      const messages = messagesOf(t, parameter);
      // The signature of a cursor is verified after its parameter is decoded.
      t.is(messages.length > 0, parameter.name !== 'cursor', `${operationId} ${parameter.name}`);
      for (const message of messages) {
        t.regex(message, new RegExp(`^\`${parameter.name}\` must be .+, not .+\\.${HINT}$`));
        t.notRegex(message, FOREIGN);
      }
    }
    if (!bodySchema) continue;
    const messages = bodyMessagesOf(bodySchema);
    t.true(messages.length > 0, operationId);
    for (const message of messages) {
      t.regex(message, BODY_MESSAGE);
      // The name of the field is excluded, because one field is called `format`.
      t.notRegex(message.replace(/^`[\w.]+` /, ''), FOREIGN);
    }
  }
});

const text = { type: 'string' };
const VISIBLE = 'a string of at most 9 characters, with a visible character, without control characters';
const SHAPES: [schema: JsonSchema, value: unknown, accepted: string, given: string, hint?: string][] = [
  [{ type: 'object' }, [], 'a JSON object', 'a list of 0 values'],
  [{ type: 'boolean' }, {}, 'true or false', 'an object'],
  [{ type: 'boolean' }, 1, 'true or false', '`1`', 'Did you mean `true`?'],
  [{ type: 'integer' }, '3', 'an integer', '`"3"`', 'Did you mean `3`?'],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'an integer from 1 to 9', '`10`'],
  [{ type: 'number', minimum: 0 }, -1, 'a number, 0 or more', '`-1`'],
  [{ type: ['number', 'null'], maximum: 5 }, 6, 'a number, 5 or less, or null', '`6`'],
  [{ type: ['number', 'null'], maximum: 5 }, 'SAR 5', 'a number, 5 or less, or null', '`"SAR 5"`', 'Did you mean `5`?'],
  [{ ...text, minLength: 1 }, '', 'a string of 1 or more characters', 'an empty value'],
  [{ ...text, maxLength: 2 }, 'abc', 'a string of at most 2 characters', 'a string of 3 characters'],
  [
    { ...text, minLength: 1, maxLength: 2, pattern: '\\S', accepts: 'not only spaces' },
    ' ',
    'a string of 1 to 2 characters, not only spaces',
    'an empty value',
  ],
  [{ ...text, minLength: 6, maxLength: 6 }, 'abc', 'a string of exactly 6 characters', '`abc`'],
  [{ ...text, maxLength: 9, visibleText: true }, 'a\u001b`b', VISIBLE, '`a\\u{1b}\\u{60}b`'],
  [
    { ...text, minLength: 9, sensitive: true },
    'secret',
    'a string of 9 or more characters',
    'a string of 6 characters',
  ],
  [{ ...text, enum: ['small', 'large'] }, 'huge', 'one of small, large', '`huge`'],
  [{ ...text, enum: ['small', 'large'] }, 'Larg', 'one of small, large', '`Larg`', 'Did you mean `"large"`?'],
  [{ ...text, enum: ['a1', 'b2'] }, 'a1;B2', 'one of a1, b2', '`a1;B2`', 'It accepts one value, such as `a1`.'],
  [{ type: ['string', 'null'], enum: ['small', null] }, 'huge', 'small or null', '`huge`'],
  [{ const: 'yes' }, 'no', '"yes"', '`"no"`'],
  [
    { ...text, format: 'timestamp' },
    '2026-01-01',
    'an ISO 8601 date-time with seconds, such as 2026-01-31T00:00:00Z',
    '`2026-01-01`',
    'Did you mean `"2026-01-01T00:00:00Z"`?',
  ],
  [{ type: ['string', 'null'], format: 'date' }, 'x', 'a date, such as 2026-01-31, or null', '`x`'],
  [{ type: 'array', items: text }, 'x', 'a list of values, each a string', '`"x"`', 'Did you mean `["x"]`?'],
  [
    { type: 'array', items: { type: 'integer' }, maxItems: 2 },
    [1, 2, 3],
    'a list of at most 2 values, each an integer',
    '`[1,2,3]`',
  ],
  [
    { type: ['array', 'null'], items: { ...text, enum: ['a', 'b'] }, minItems: 1, uniqueItems: true },
    ['a', 'a'],
    'a list of 1 or more different values, each one of a, b, or null',
    '`["a","a"]`',
  ],
  [
    { type: 'array', items: false, minItems: 4, maxItems: 4, orderedBox: true },
    [1, 1, 0, 0],
    'the list [min_lng, min_lat, max_lng, max_lat] in degrees, each minimum no greater than its maximum',
    '`[1,1,0,0]`',
  ],
  [
    { ...text, maxLength: 300, searchText: true },
    '|',
    'words to search for (at most 300 characters and 30 words), other than stop words such as the, of and في',
    '`|`',
  ],
];
test('the error for a value states the accepted values, the given value and a hint', (t) => {
  for (const [schema, value, accepted, given, hint] of SHAPES) {
    const message = `\`it\` must be ${accepted}, not ${given}.${hint === undefined ? '' : ` ${hint}`}`;
    t.is(compileBodyCheck(object({ it: schema }))({ it: value })?.message?.(), message);
  }
});

test('if a body has several faults, only the first in the order of the schema is reported', (t) => {
  const check = compileBodyCheck({
    type: 'object',
    required: ['a', 'b'],
    additionalProperties: false,
    properties: { a: text, b: object({ c: text }) },
  });
  const told = (value: unknown) => check(value)?.message?.();
  t.is(told([]), 'The body must be a JSON object, not a list of 0 values.');
  t.is(told({ x: 1, b: { c: 1 } }), '`a` is required: a string.');
  t.is(told({ A: 1, b: { c: 1 } }), '`a` is required: a string. The request has `A` instead.');
  t.is(told({ x: 1, b: { c: 1 }, a: '' }), '`b.c` must be a string, not `1`. Did you mean `"1"`?');
  t.is(told({ x: 1, b: {}, a: '' }), '`x` is not a field of this request body. It accepts `a` and `b`.');
  t.is(told({ b: {}, a: '' }), undefined);
});

test('a schema that cannot be described in words has no message', (t) => {
  for (const schema of [
    { ...text, pattern: '^a$' },
    { ...text, format: 'email' },
  ])
    t.throws(() => compileBodyCheck(object({ it: schema }))({ it: 1 })?.message?.(), { message: /words/ });
});
