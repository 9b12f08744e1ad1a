import type { PlaceCheck } from '#domain/geography/places.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { foldText } from '#domain/text/fold.ts';
import { type Clause, not } from '../clause.ts';
import { parseSearchText, searchTextClause } from '../text/search-text.ts';

/** What clauses may depend on besides their value. */
export interface ClauseContext {
  /** Epoch milliseconds, rounded by the caller so that equal requests compile to equal bodies. */
  now: number;
}

/** One row of the filter table, as a kind sees it. */
export interface FilterRow {
  /** Parameter name. */
  name: string;
  kind: Kind;
  /** Field of the document, for example `filter.beds`. */
  field: string;
  description: string;
  /** The closed set of values, where there is one. */
  values?: readonly string[];
  /** Whether a webhook subscription may use it: its truth must not depend on the clock. */
  alertable: boolean;
  required?: boolean;
  example: string;
}

/** What a filter means: the schema of its decoded value and the clause it compiles to. Both pure. */
export interface Kind {
  schema(row: FilterRow): JsonSchema;
  clause(row: FilterRow, value: unknown, context: ClauseContext): Clause;
  /** An error code of the service when the value names something that does not exist. */
  check?(value: unknown, places: PlaceCheck): 'unknown_city' | null;
}

// The schema has been checked before a clause is asked for, so a kind states its value's type where it reads it.
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const terms = (field: string, value: unknown): Clause => {
  const values = list(value);
  return values.length === 1 ? { term: { [field]: values[0] } } : { terms: { [field]: values } };
};

const MAX_VALUES = 100;

const listSchema = (items: JsonSchema): JsonSchema => ({ type: 'array', items, minItems: 1, maxItems: MAX_VALUES });
const wordsSchema = (row: FilterRow): JsonSchema =>
  listSchema(row.values ? { type: 'string', enum: row.values } : { type: 'string', minLength: 1, maxLength: 100 });

const ids: JsonSchema = listSchema({ type: 'integer', minimum: 1, maximum: 2_147_483_647 });
const small: JsonSchema = { type: 'integer', minimum: 0, maximum: 999 };
const amount: JsonSchema = { type: 'number', minimum: 0, maximum: 1e12 };

const range = (bound: 'gte' | 'lte', schema: JsonSchema): Kind => ({
  schema: () => schema,
  clause: (row, value) => ({ range: { [row.field]: { [bound]: value } } }),
});

const DAY = 86_400_000;

export const city: Kind = {
  schema: () => ({ type: 'string', pattern: '^[a-z_]+$', accepts: 'of lowercase letters and _', maxLength: 60 }),
  clause: (row, value) => terms(row.field, value),
  check: (value, places) => (list(value).every((slug) => places.hasCity(String(slug))) ? null : 'unknown_city'),
};

/** Exactly one of a closed set. */
export const one: Kind = {
  schema: (row) => ({ type: 'string', enum: row.values }),
  clause: (row, value) => terms(row.field, value),
};

/** Any of several. */
export const anyOf: Kind = { schema: wordsSchema, clause: (row, value) => terms(row.field, value) };

/** None of several; documents without the field stay. */
export const noneOf: Kind = { schema: wordsSchema, clause: (row, value) => not(terms(row.field, value)) };

/** All of several. */
export const allOf: Kind = {
  schema: wordsSchema,
  clause: (row, value) => {
    const clauses = list(value).map((item) => terms(row.field, item));
    return clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { filter: clauses } };
  },
};

export const anyOfIds: Kind = { schema: () => ids, clause: (row, value) => terms(row.field, value) };
export const noneOfIds: Kind = { schema: () => ids, clause: (row, value) => not(terms(row.field, value)) };

/** Exact whole numbers: 5 does not mean five or more. */
export const exactly: Kind = { schema: () => listSchema(small), clause: (row, value) => terms(row.field, value) };

export const atLeast = range('gte', small);
export const atMost = range('lte', small);
export const amountAtLeast = range('gte', amount);
export const amountAtMost = range('lte', amount);

/** What the source stated; a listing that says nothing is in neither. */
export const stated: Kind = { schema: () => ({ type: 'boolean' }), clause: (row, value) => terms(row.field, value) };

/** `true`: marked so. `false`: not marked so, including where the source said nothing. */
export const marked: Kind = {
  schema: () => ({ type: 'boolean' }),
  clause: (row, value) => (value ? terms(row.field, true) : not(terms(row.field, true))),
};

/** Whether the field has any value. */
export const present: Kind = {
  schema: () => ({ type: 'boolean' }),
  clause: (row, value) => (value ? { exists: { field: row.field } } : not({ exists: { field: row.field } })),
};

/** The literal `true` means any; otherwise a name, folded as the index folds it. */
export const nameOrAny: Kind = {
  schema: () => ({ type: 'string', minLength: 1, maxLength: 120 }),
  clause: (row, value) =>
    value === 'true' ? { exists: { field: row.field } } : { term: { [row.field]: foldText(String(value)) } },
};

/** `[min_lng, min_lat, max_lng, max_lat]`, borders included; two ranges are faster than a geo box when it is large. */
export const bbox: Kind = {
  schema: () => ({
    type: 'array',
    prefixItems: [
      { type: 'number', minimum: -180, maximum: 180 },
      { type: 'number', minimum: -90, maximum: 90 },
      { type: 'number', minimum: -180, maximum: 180 },
      { type: 'number', minimum: -90, maximum: 90 },
    ],
    items: false,
    minItems: 4,
    maxItems: 4,
    orderedBox: true,
  }),
  clause: (row, value) => {
    const [minLng, minLat, maxLng, maxLat] = list(value);
    return {
      bool: {
        filter: [
          { range: { [`${row.field}.lat`]: { gte: minLat, lte: maxLat } } },
          { range: { [`${row.field}.lng`]: { gte: minLng, lte: maxLng } } },
        ],
      },
    };
  },
};

/** At or after a moment. */
export const since: Kind = {
  schema: () => ({ type: 'string', format: 'timestamp' }),
  clause: (row, value) => ({ range: { [row.field]: { gte: Date.parse(String(value)) } } }),
};

/** Whole days between the field and now, at least so many. */
export const daysAtLeast: Kind = {
  schema: () => ({ type: 'integer', minimum: 0, maximum: 36_500 }),
  // Zero is any: one first seen after the rounded `now` of this very minute has been on the market for zero days too.
  clause: (row, value, { now }) =>
    value === 0 ? { exists: { field: row.field } } : { range: { [row.field]: { lte: now - Number(value) * DAY } } },
};

/** Whole days between the field and now, at most so many. */
export const daysAtMost: Kind = {
  schema: () => ({ type: 'integer', minimum: 0, maximum: 36_500 }),
  clause: (row, value, { now }) => ({ range: { [row.field]: { gt: now - (Number(value) + 1) * DAY } } }),
};

/** Words, "quoted phrases" and `|` over the advertiser's text. */
export const text: Kind = {
  schema: () => ({ type: 'string', minLength: 1, maxLength: 300, searchText: true }),
  clause: (row, value) => searchTextClause(parseSearchText(String(value)), row.field),
};
