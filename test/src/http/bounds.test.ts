import { CITY_SLUG } from '#domain/geography/places.ts';
import { POLYGON_POINTS } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { MAX_CORRECTED_LETTERS, MAX_WORDS, parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { readWordList } from '#queries/text/word-lists.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { compileBodyCheck } from '#src/http/body/check.ts';
import { describeValue } from '#src/http/errors/describe-schema.ts';
import { explainRefused } from '#src/http/errors/refused-value.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { createValidator } from '#src/http/schema.ts';
import { toolsOf } from '#src/mcp/tools.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

interface Part {
  at: string;
  schema: JsonSchema;
}

/** Yields every schema of a value, with those of its items, properties and alternatives. */
function* partsOf(schema: JsonSchema, at: string): Generator<Part> {
  yield { at, schema };
  const { items, properties = {}, anyOf = [], oneOf = [] } = schema;
  if (typeof items === 'object') yield* partsOf(items as JsonSchema, `${at}[]`);
  for (const [name, each] of Object.entries(properties as Record<string, JsonSchema>))
    yield* partsOf(each, `${at}.${name}`);
  for (const each of [...(anyOf as JsonSchema[]), ...(oneOf as JsonSchema[])]) yield* partsOf(each, at);
}

/** Every value that a request can contain: parameters, bodies with their filters, and arguments of tools. */
const parts: readonly Part[] = [
  ...endpoints.flatMap(({ operationId, pathParameters, parameters, ...endpoint }) => {
    const { bodySchema, bodyDocument = bodySchema } = endpoint as {
      bodySchema?: JsonSchema;
      bodyDocument?: JsonSchema;
    };
    return [
      ...[...pathParameters, ...parameters].flatMap(({ name, schema }) => [
        ...partsOf(schema, `${operationId} ${name}`),
      ]),
      ...(bodyDocument ? partsOf(bodyDocument, `${operationId} body`) : []),
    ];
  }),
  ...toolsOf(endpoints).flatMap(({ name, schema }) => [...partsOf(schema, `tool ${name}`)]),
];

const isType = ({ type }: JsonSchema, wanted: string): boolean => [type].flat().includes(wanted);
const isListed = ({ enum: values, const: only, format }: JsonSchema): boolean =>
  values !== undefined || only !== undefined || format !== undefined;
const texts = parts.filter(({ schema }) => isType(schema, 'string') && !isListed(schema));
const maxOf = ({ maxLength, maxCharacters }: JsonSchema): number => Number(maxLength ?? maxCharacters);

/** A cursor is signed, cities are compared with those of the service, and a pattern without repetition has a length. */
const isBoundedOtherwise = ({ at, schema: { polygon, points, accepts, pattern } }: Part): boolean =>
  /\bcursor$/.test(at) ||
  polygon === true ||
  points === true ||
  accepts === CITY_SLUG ||
  (typeof pattern === 'string' && !/[*+]|,\}/.test(pattern));

/** Characters that folding replaces by up to 18 others, and letters of each script. */
const EXPANDING = ['\ufdf2', '\ufdfa', '\u3300', '\u0130', '\ufb03'];
const LETTERS = ['a', '\u0628', '\u00e9', '\u0431', '\u4e2d', '\u{1d400}', '\u3042'];

test('every text of a request has a maximum length as written and folded, which the error names', (t) => {
  t.true(texts.length > 100);
  for (const { at, schema } of texts.filter((part) => !isBoundedOtherwise(part))) {
    const max = maxOf(schema);
    t.true(max <= 2_000, `${at}: add \`maxLength\`, or \`maxCharacters\` for a parameter of the released contract`);
    const faultsOf = createValidator(schema);
    const isRefused = (text: string): boolean =>
      (faultsOf(text) ?? []).some(({ keyword }) => keyword === 'maxLength' || keyword === 'maxCharacters');
    const { pattern, ...free } = schema;
    t.true(describeValue(pattern === undefined ? schema : free, 'json').includes(`${max} `), at);
    for (const letter of LETTERS) {
      t.false(isRefused(letter.repeat(max)), `${at}: ${max} times ${letter}`);
      t.true(isRefused(letter.repeat(max + 1)), `${at}: ${max + 1} times ${letter}`);
    }
    for (const letter of EXPANDING) {
      const text = letter.repeat(max);
      t.true(isRefused(text), `${at}: ${max} times ${letter}`);
      const message = explainRefused({ name: at, given: text, schema, notation: 'json', accepts: () => false });
      if (!schema.sensitive) t.regex(message, /not a string of \d+ characters with its ligatures spelled out/, at);
    }
  }
});

test('every list of a request has a maximum number of values, or listed values', (t) => {
  const unbounded = parts.filter(({ schema: { type, items, maxItems } }) => {
    const values = (items ?? {}) as JsonSchema;
    return [type].flat().includes('array') && maxItems === undefined && values.enum === undefined;
  });
  t.deepEqual(
    unbounded.map(({ at }) => at),
    [],
  );
});

test('the errors of a text, a list and a polygon name their bounds', (t) => {
  const search = endpoints.find(({ operationId }) => operationId === 'searchListings');
  const decode = compileParameters(search?.parameters ?? []);
  const refusal = (name: string, value: string): string | undefined => {
    const { faults } = decode(new URLSearchParams({ city: 'riyadh', listing_type: 'rent', [name]: value }), ANY_PLACE);
    return faults[0]?.message?.();
  };
  const corners = Array.from({ length: POLYGON_POINTS.max + 1 }, (_, at) => `24.${at + 100},46.7`).join(';');
  for (const [name, value, expected] of [
    [
      'q',
      '\ufdf2'.repeat(290),
      /at most 300 characters and 30 words.+ not a string of 1160 characters with its ligatures/,
    ],
    ['q', 'x'.repeat(301), /at most 300 characters .+ not a string of 301 characters\.$/],
    ['q', 'ac-'.repeat(100), /30 words.+ not 100 words\.$/],
    ['compound', '\ufdfa'.repeat(100), /1 to 120 characters, not a string of 1800 characters/],
    ['advertiser', 'x'.repeat(121), /each a string of 1 to 120 characters/],
    ['beds', '1,'.repeat(101), /1 to 100 values.+ not 102 values/],
    ['polygon', corners, /3 to 100 points .+ not 101 points/],
  ] as const)
    t.regex(refusal(name, value) ?? '', expected, `${name}=${value}`);
});

/** Returns the leaf clauses of a query; a match of several words has one for each. */
function leavesOf(clause: unknown): { query?: string; fuzziness?: unknown }[] {
  if (Array.isArray(clause)) return clause.flatMap(leavesOf);
  const { bool, match } = clause as { bool?: object; match?: Record<string, { query: string; fuzziness?: unknown }> };
  if (bool) return Object.values(bool).flatMap(leavesOf);
  return Object.values(match ?? { '': {} }).flatMap(
    ({ query = '', fuzziness }: { query?: string; fuzziness?: unknown }) =>
      query.split(' ').map((word) => ({ query: word, fuzziness })),
  );
}

test('the most expensive searched words stay below the clauses that the engine accepts', (t) => {
  const terms = ['synonyms.txt', 'words.txt'].flatMap((file) =>
    readWordList(file as 'words.txt').flatMap((line) => line.split(/,|=>/).map((term) => term.trim())),
  );
  const compiled = terms.map(
    (term) => leavesOf(searchTextClause(parseSearchText(term))).length / term.split(' ').length,
  );
  const most = Math.max(...compiled) * MAX_WORDS;
  t.true(most <= 800, `${most} clauses for ${MAX_WORDS} words`);
});

test('words of more letters than are corrected match as written', (t) => {
  for (const letter of ['a', 'b\u00e9', '\u0628\u062a', '\ufdf2', '\ufb03'])
    for (const length of [2, 10, 39, 40, 41, 150, 300]) {
      const word = letter.repeat(Math.ceil(length / letter.length));
      for (const { query = '', fuzziness } of leavesOf(searchTextClause(parseSearchText(word))))
        if (fuzziness !== undefined) t.true(query.length <= MAX_CORRECTED_LETTERS, query);
    }
  const corrected = leavesOf(searchTextClause(parseSearchText('q'.repeat(MAX_CORRECTED_LETTERS))));
  t.true(corrected.some(({ fuzziness }) => fuzziness !== undefined));
});

/** CPU milliseconds, several steps of the clock. */
const MOST_PER_REFUSAL = 30;
const HOSTILE = ['\ufdfa', '\u3300', 'ac-', 'شقه ', ',1', 'a|'];

test('a refused text is explained in bounded time, for every parameter', (t) => {
  for (const { operationId, parameters } of endpoints) {
    const decode = compileParameters(parameters);
    for (const { name } of parameters)
      for (const part of HOSTILE) {
        const text = part.repeat(Math.floor(300 / part.length));
        const costs = Array.from({ length: 3 }, () => {
          const before = process.threadCpuUsage();
          decode({ city: 'riyadh', listing_type: 'rent', [name]: text }, ANY_PLACE).faults[0]?.message?.();
          const { user, system } = process.threadCpuUsage(before);
          return (user + system) / 1_000;
        });
        t.true(Math.min(...costs) <= MOST_PER_REFUSAL, `${operationId} ${name} ${JSON.stringify(part)}: ${costs}`);
      }
  }
});

/** Yields each place of a value, as a function that puts another value there. */
function* placesOf(schema: JsonSchema, put: (inner: unknown) => unknown): Generator<[JsonSchema, typeof put]> {
  yield [schema, put];
  const { items, properties = {} } = schema;
  if (typeof items === 'object') yield* placesOf(items as JsonSchema, (inner) => put([inner]));
  for (const [name, each] of Object.entries(properties as Record<string, JsonSchema>))
    yield* placesOf(each, (inner) => put({ [name]: inner }));
}

const repeated = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);
const fields = (count: number, name: (at: number) => string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 1]));

test('a refused body is explained in bounded time, whatever it has too much of, for every body', (t) => {
  for (const { operationId, bodySchema } of endpoints as readonly { operationId: string; bodySchema?: JsonSchema }[]) {
    if (bodySchema === undefined) continue;
    const check = compileBodyCheck(bodySchema);
    for (const [schema, put] of placesOf(bodySchema, (inner) => inner)) {
      const [known = 'name'] = Object.keys((schema.properties ?? {}) as object);
      for (const hostile of [
        fields(9_900, (at) => `${known}${at}`),
        fields(1, () => known.repeat(Math.ceil(100_000 / known.length))),
        fields(20, (at) => `${at}${'\ufdfa'.repeat(4_000)}`),
        ...[null, 'x', {}, { x: 1 }, [[]]].map((value) => repeated(4_900, value)),
        ...HOSTILE.map((text) => text.repeat(Math.floor(200_000 / Buffer.byteLength(text)))),
        ...HOSTILE.map((text) => repeated(100, text.repeat(Math.floor(2_000 / Buffer.byteLength(text))))),
      ]) {
        const body = put(hostile);
        let least = Number.POSITIVE_INFINITY;
        for (let times = 0; times < 3 && least > MOST_PER_REFUSAL; times++) {
          const begun = process.threadCpuUsage();
          check(body)?.message?.();
          const { user, system } = process.threadCpuUsage(begun);
          least = Math.min(least, (user + system) / 1_000);
        }
        const shown = JSON.stringify(body).slice(0, 80);
        t.true(least <= MOST_PER_REFUSAL, `${operationId}: ${Math.round(least)} ms for ${shown}`);
      }
    }
  }
});
