import {
  boolean,
  integer,
  type JsonSchema,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '#domain/json-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { isSmall, PRICE_BASES } from '#domain/statistics/figures.ts';
import type { FilterRow } from '#queries/filters/kinds.ts';
import { marketWindow, WINDOW_DAYS } from '#queries/market/cohort.ts';
import { decodeValue } from '#src/http/decode-value.ts';

export const amount = nullable(number);

export const priceQuartilesSchema = {
  median_price_sar: amount,
  p25_price_sar: amount,
  p75_price_sar: amount,
} as const;

export const sampleSchema = { sample_size: integer, small_sample: boolean } as const;
export const sampleOf = (size: number) => ({ sample_size: size, small_sample: isSmall(size) });

export const namedNeighborhoodSchema = {
  neighborhood_id: integer,
  name_en: nullable(string),
  name_ar: nullable(string),
} as const;

export const windowSchema = object({ updated_within_days: integer, from: timestamp, to: timestamp });

export function windowOf(now: number) {
  const { from, to } = marketWindow(now);
  return { updated_within_days: WINDOW_DAYS, from: formatTimestamp(from / 1000), to: formatTimestamp(to / 1000) };
}

export const askingSchema = {
  price_source: oneOf(['asking']),
  price_basis: oneOf(PRICE_BASES),
} as const;

/** Echoes the filters of the request. Others are absent. */
export function cohortSchema(rows: readonly FilterRow[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map((row) => [row.name, echoOf(row)])),
    required: rows.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

/** With the description and example of the parameter. */
function echoOf(row: FilterRow): JsonSchema {
  const schema = row.kind.schema(row);
  return { ...asResponse(schema), description: row.description, examples: [decodeValue(row.example, schema)] };
}

/** The type, without constraints of input. */
function asResponse({ type, items, prefixItems }: JsonSchema): JsonSchema {
  if (type !== 'array') return { type };
  const item = (prefixItems ? (prefixItems as readonly JsonSchema[])[0] : items) as JsonSchema;
  return { type, items: { type: item.type } };
}
