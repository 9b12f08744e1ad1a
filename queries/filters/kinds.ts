import { foldText } from '#domain/fold.ts';
import { CITY_SLUG, type LatLng } from '#domain/geography/places.ts';
import { POLYGON_POINTS, parsePoints, parsePolygon, RADIUS_M } from '#domain/geography/shapes.ts';
import type { JsonSchema, ValueOf } from '#domain/json-schema.ts';
import { MONTH_SCHEMA, parseMonth } from '#domain/official/quarters.ts';
import { parseMicros } from '#domain/timestamps.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import { allOf as all, type Clause, anyOf as either, not } from '../clause.ts';
import { parseSearchText, searchTextClause } from '../text/search-text.ts';
import {
  boxInCountry,
  citiesOf,
  coveredCities,
  coveredCity,
  knownDirections,
  neighborhoodsOfCity,
  onlyWithNear,
  pointInCountry,
  pointsInCountry,
  simplePolygonInCountry,
} from './checks.ts';

export interface ClauseContext {
  /** Epoch milliseconds, rounded by the caller, so that equal requests compile to equal bodies. */
  now: number;
  /** Whether misspelled words in `q` match. Defaults to true. */
  typos?: boolean;
}

export interface FilterRow {
  name: string;
  kind: Kind;
  /** Field of the document, for example `filter.beds`. */
  field: string;
  description: string;
  values?: readonly string[];
  required?: boolean;
  /** The filter that this one must not be below, for example `price_min` for `price_max`. */
  notBelow?: string;
  example: string;
}

/** A filter of listings. */
export interface LabelledRow extends FilterRow {
  label: Readonly<Record<'en' | 'ar', string>>;
  /** Whether the explorer sets the filter on its map, so that its form has no field for it. */
  setOnMap?: boolean;
  /** Whether a listing can start to match without an event. Webhooks do not accept these filters. */
  changesWithTime?: boolean;
}

/** Without a field, the one of its name. */
export type DeclaredRow = Omit<LabelledRow, 'field'> & { field?: string };

export type ValuesOfRows<Row extends FilterRow> = {
  readonly [Each in Row as Each['name']]?: ValueOf<ReturnType<Each['kind']['schema']>>;
};

export interface Kind<Schema extends JsonSchema = JsonSchema> {
  schema(row: FilterRow): Schema;
  /** Schema in JSON, if it differs from `schema`. */
  jsonSchema?: JsonSchema;
  /** Null if the clause of another filter contains the value. `values` are those of the request by filter name. */
  clause(
    row: FilterRow,
    value: ValueOf<Schema>,
    context: ClauseContext,
    values: Readonly<Record<string, unknown>>,
  ): Clause | null;
  check?: ValueCheck<ValueOf<Schema>>;
  facet?: Facet;
}

/**
 * How a facet counts: by the values of the field, of which the filter matches `any` or `all`; by the clauses for `true`
 * and `false`; or by ranges, set on the filter for the upper bound.
 */
export type Facet = 'any' | 'all' | 'boolean' | 'ranges';

const kind = <const Schema extends JsonSchema>(definition: Kind<Schema>): Kind<Schema> => definition;

const terms = (field: string, values: readonly (string | number | boolean)[]): Clause =>
  values.length === 1 ? { term: { [field]: values[0] } } : { terms: { [field]: values } };
const exists = (field: string): Clause => ({ exists: { field } });

const MAX_VALUES = 100;
const MAX_NAME = 120;

const listOf = <const Item extends JsonSchema>(items: Item) =>
  ({ type: 'array', items, minItems: 1, maxItems: MAX_VALUES }) as const;
const words = (row: FilterRow) =>
  listOf(
    row.values
      ? ({ type: 'string', enum: row.values } as const)
      : ({ type: 'string', minLength: 1, maxCharacters: MAX_NAME } as const),
  );

const ids = listOf({ type: 'integer', minimum: 1, maximum: 2_147_483_647 });
const small = { type: 'integer', minimum: 0, maximum: 999 } as const;
const amount = { type: 'number', minimum: 0, maximum: 1e12 } as const;
const days = { type: 'integer', minimum: 0, maximum: 36_500 } as const;
const boolean = { type: 'boolean' } as const;
const latitude = { type: 'number', minimum: -90, maximum: 90 } as const;
const longitude = { type: 'number', minimum: -180, maximum: 180 } as const;

const range = <const Schema extends { readonly type: 'integer' | 'number' }>(bound: 'gte' | 'lte', schema: Schema) =>
  kind({ schema: () => schema, clause: (row, value) => ({ range: { [row.field]: { [bound]: value } } }) });

const DAY = 86_400_000;

/** Without a pattern: text that is no slug is reported as an unknown city. */
export const city = kind({
  schema: () => ({ type: 'string', minLength: 1, accepts: CITY_SLUG }),
  clause: (row, value) => terms(row.field, citiesOf(value)),
  check: coveredCity('unknown_city'),
});

/** For searches, which accept several. As text, so that clients with a single city need no change. */
export const cities = kind({ ...city, check: coveredCities });

export const one = kind({
  schema: (row) => ({ type: 'string', enum: row.values ?? [] }),
  facet: 'any',
  clause: (row, value) => terms(row.field, [value]),
});

export const anyOf = kind({ schema: words, facet: 'any', clause: (row, values) => terms(row.field, values) });

/** Matches documents without any of the values, including documents without the field. */
export const noneOf = kind({ schema: words, clause: (row, values) => not(terms(row.field, values)) });

export const allOf = kind({
  schema: words,
  facet: 'all',
  clause: (row, values) => all(values.map((value) => terms(row.field, [value]))),
});

export const anyOfIds = kind({ schema: () => ids, facet: 'any', clause: (row, values) => terms(row.field, values) });
export const anyOfNeighborhoods = kind({ ...anyOfIds, check: neighborhoodsOfCity });
export const anyOfDirections = kind({ ...anyOfIds, check: knownDirections });
export const noneOfNeighborhoods = kind({
  schema: () => ids,
  clause: (row, values) => not(terms(row.field, values)),
  check: neighborhoodsOfCity,
});

/** 5 does not mean five or more. */
export const exactly = kind({
  schema: () => listOf(small),
  facet: 'any',
  clause: (row, values) => terms(row.field, values),
});

export const atLeast = range('gte', small);
export const atMost = range('lte', small);
export const amountAtLeast = range('gte', amount);
export const amountAtMost = kind({ ...range('lte', amount), facet: 'ranges' });

/** A listing for which the source states nothing matches neither `true` nor `false`. */
export const stated = kind({
  schema: () => boolean,
  facet: 'boolean',
  clause: (row, value) => terms(row.field, [value]),
});

/** `false` also matches listings about which the source states nothing. */
export const marked = kind({
  schema: () => boolean,
  facet: 'boolean',
  clause: (row, value) => (value ? terms(row.field, [true]) : not(terms(row.field, [true]))),
});

export const present = kind({
  schema: () => boolean,
  facet: 'boolean',
  clause: (row, value) => (value ? exists(row.field) : not(exists(row.field))),
});

/** A name, which is folded as indexed names are; `true` matches any name, `false` none. */
export const nameOrAny = kind({
  schema: () => ({ type: 'string', minLength: 1, maxLength: MAX_NAME }),
  clause: (row, value) => {
    if (value === 'true') return exists(row.field);
    return value === 'false' ? not(exists(row.field)) : terms(row.field, [foldText(value)]);
  },
});

/** A box `[min_lng, min_lat, max_lng, max_lat]`. Two range clauses are faster than a geo query for large boxes. */
export const bbox = kind({
  schema: () => ({
    type: 'array',
    prefixItems: [longitude, latitude, longitude, latitude],
    items: false,
    minItems: 4,
    maxItems: 4,
    orderedBox: true,
  }),
  check: boxInCountry,
  clause: (row, [minLng, minLat, maxLng, maxLat]) => ({
    bool: {
      filter: [
        { range: { [`${row.field}.lat`]: { gte: minLat, lte: maxLat } } },
        { range: { [`${row.field}.lng`]: { gte: minLng, lte: maxLng } } },
      ],
    },
  }),
});

/** `[lat, lng]`; matches within `radius_m`. */
export const near = kind({
  schema: () => ({
    type: 'array',
    prefixItems: [latitude, longitude],
    items: false,
    minItems: 2,
    maxItems: 2,
    point: true,
  }),
  check: pointInCountry,
  clause: (row, [lat, lng], _, { radius_m }) => circle(row.field, { lat, lng }, radius_m),
});

const circle = (field: string, { lat, lng }: LatLng, radius: unknown = RADIUS_M.default): Clause => ({
  geo_distance: { distance: `${String(radius)}m`, [field]: { lat, lon: lng } },
});

/** Points `lat,lng;lat,lng;...`; matches within `radius_m` of any of them. */
export const nearAny = kind({
  schema: () => ({ type: 'string', points: true }),
  check: pointsInCountry,
  clause: (row, text, _, { radius_m }) => either(parsePoints(text).map((point) => circle(row.field, point, radius_m))),
});

/** A radius in meters. The clauses of `near` and `near_any` contain it. */
export const radius = kind({
  schema: () => ({ type: 'integer', minimum: RADIUS_M.min, maximum: RADIUS_M.max }),
  check: onlyWithNear,
  clause: () => null,
});

/**
 * A polygon as `lat,lng;lat,lng;...`, or GeoJSON in JSON. Edges are straight lines in degrees; the ring may go either
 * way.
 */
export const polygon = kind({
  schema: () => ({ type: 'string', polygon: true }),
  jsonSchema: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['Polygon'] },
      coordinates: {
        type: 'array',
        items: {
          type: 'array',
          items: { type: 'array', items: longitude, minItems: 2, maxItems: 2 },
          minItems: POLYGON_POINTS.min + 1,
          maxItems: POLYGON_POINTS.max + 1,
        },
        minItems: 1,
        maxItems: 1,
      },
    },
    required: ['type', 'coordinates'],
    additionalProperties: false,
  },
  check: simplePolygonInCountry,
  clause: (row, text) => ({
    geo_polygon: { [row.field]: { points: (parsePolygon(text) ?? []).map(({ lat, lng }) => ({ lat, lon: lng })) } },
  }),
});

export const since = kind({
  schema: () => ({ type: 'string', format: 'timestamp' }),
  clause: (row, value) => ({ range: { [row.field]: { gte: Date.parse(value) } } }),
});

/** As `since`, for a field in microseconds. */
export const sinceMicros = kind({
  schema: () => ({ type: 'string', format: 'timestamp-micros' }),
  clause: (row, value) => ({ range: { [row.field]: { gte: parseMicros(value) } } }),
});

export const daysAtLeast = kind({
  schema: () => days,
  // `now` is rounded down, so zero also matches a listing first seen after it.
  clause: (row, value, { now }) =>
    value === 0 ? exists(row.field) : { range: { [row.field]: { lte: now - value * DAY } } },
});

export const daysAtMost = kind({
  schema: () => days,
  clause: (row, value, { now }) => ({ range: { [row.field]: { gt: now - (value + 1) * DAY } } }),
});

/** The field has month numbers (`monthOf`). */
const month = (bound: 'gte' | 'lte') =>
  kind({
    schema: () => MONTH_SCHEMA,
    clause: (row, value) => ({ range: { [row.field]: { [bound]: parseMonth(value) } } }),
  });
export const monthFrom = month('gte');
export const monthTo = month('lte');

/** Words, "quoted phrases" and `|` alternatives. */
export const text = kind({
  schema: () => ({ type: 'string', minLength: 1, maxLength: 300, searchText: true }),
  clause: (_, value, { typos }) => searchTextClause(parseSearchText(value), { typos }),
});
