import { NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { excerptOf } from './fetch/excerpt.ts';
import { type NormalizedListing, type RawListing, REPORTED_AS, type UnreadValue } from './normalize/listing.ts';
import type { FeedRow } from './sources/kinds/feed-row.ts';

/** Columns described at most. */
export const MAX_COLUMNS = 300;
const EXAMPLE_CHARACTERS = 80;
const MAX_DEPTH = 16;

export interface ColumnReport {
  /** Name, or path of the field or element. */
  column: string;
  example: string;
  /** Fields of `RawListing`; empty if the source does not use the column. */
  fields: string[];
  /** Values of the example, by field; null if it could not be read. */
  became: Record<string, unknown>;
  rows: number;
  /** Accepted rows whose value could not be read, by field. */
  unread: Record<string, number>;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Column {
  rows: number;
  fields: Set<string>;
  /** Number of accepted rows whose value could not be read, by field. */
  unread: Record<string, number>;
  example: string;
  became: Record<string, unknown>;
  /** Whether the example became something in every field. */
  isRead: boolean;
}

/** The mapping of the first rows runs again with another value in the column: the fields that differ are its fields. */
export function describeColumns(
  columns: Map<string, Column>,
  { row, raw, map }: Extract<FeedRow, { ok: true }>,
  listing: NormalizedListing | null,
  unread: readonly string[],
  isTraced: boolean,
): void {
  for (const [name, path, value] of leaves(row)) {
    let column = columns.get(name);
    if (column === undefined) {
      if (columns.size === MAX_COLUMNS) continue;
      column = { rows: 0, fields: new Set(), unread: {}, example: '', became: {}, isRead: false };
      columns.set(name, column);
    }
    column.rows++;
    if (isTraced && map)
      for (const field of fieldsOf(row, path, value, raw, map as (row: Row) => RawListing)) column.fields.add(field);
    for (const field of unread) if (column.fields.has(field)) column.unread[field] = (column.unread[field] ?? 0) + 1;
    // The example is the first value that became something in every field.
    if (column.isRead || (column.example !== '' && listing === null)) continue;
    column.example = shown(value);
    column.became = Object.fromEntries([...column.fields].map((field) => [field, listing && became(field, listing)]));
    column.isRead = listing !== null && Object.values(column.became).every((each) => each !== null);
  }
}

export function reportsOf(columns: ReadonlyMap<string, Column>): ColumnReport[] {
  // An id that is a hash of the row depends on every column, as does a URL with the id.
  const isHash = [...columns.values()].filter(({ fields }) => fields.has('source_listing_id')).length > 1;
  return Array.from(columns, ([column, { rows, fields, unread, example, became: of }]) => {
    const own = [...fields].filter((field) => !isHash || !HASHED.has(field));
    return { column, example, fields: own.length > 0 ? own : [...fields], became: of, rows, unread };
  });
}

const HASHED: ReadonlySet<string> = new Set(['source_listing_id', 'url']);

/** Non-empty values. An array of values is one value, and so is what is nested deeper than `MAX_DEPTH`. */
export function leaves(
  row: unknown,
  path: readonly string[] = [],
): [name: string, path: readonly string[], value: unknown][] {
  const isLeaf = Array.isArray(row) ? !row.some((each) => isObject(each)) : !isObject(row);
  if (isLeaf || path.length === MAX_DEPTH)
    return isEmpty(row) ? [] : [[path.filter((part) => !/^\d+$/.test(part)).join('.') || '-', path, row]];
  const found = Object.entries(row as Row).flatMap(([key, value]) => leaves(value, [...path, key]));
  // Elements of an array have one name, of which the first is shown.
  return Array.isArray(row) ? found.filter(([name], at) => found.findIndex((each) => each[0] === name) === at) : found;
}

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** None, another one, and values that code tables contain. */
const replacements = (value: unknown): unknown[] => [
  undefined,
  typeof value === 'boolean' ? !value : `${shown(value)}x`,
  'Yes',
  '1',
];

function fieldsOf(
  row: unknown,
  path: readonly string[],
  value: unknown,
  raw: RawListing,
  map: (row: Row) => RawListing,
) {
  const fields = new Set<string>();
  for (const replacement of replacements(value)) {
    try {
      const other = map(replaced(row, path, replacement) as Row);
      for (const field of new Set([...Object.keys(raw), ...Object.keys(other)]))
        if (valueIn(raw, field) !== valueIn(other, field)) fields.add(field);
    } catch {}
  }
  return fields;
}

const valueIn = (raw: RawListing, field: string): string => JSON.stringify(raw[field as keyof RawListing] ?? null);

function replaced(row: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = Array.isArray(row) ? [...row] : { ...(row as object) };
  const next = replaced((row as Row)[key], path, value);
  return Object.assign(copy, { [key]: next });
}

/** By the field from which they are read. Fields with the same name are omitted. */
const NORMALIZED: Partial<Record<keyof RawListing, (listing: NormalizedListing) => unknown>> = {
  // Accepted ads are offered.
  status: () => 'offered',
  purpose: ({ listing_type }) => listing_type,
  price: ({ price_as_posted: posted, price_yearly_sar: yearly }) =>
    posted &&
    `${posted.amount} ${posted.currency ?? 'SAR'} ${posted.frequency}${yearly === null || yearly === posted.amount ? '' : `, compared as ${yearly} SAR`}`,
  price_period: ({ price_as_posted: posted }) => posted?.frequency ?? null,
  currency: ({ price_as_posted: posted }) => posted && (posted.currency ?? 'SAR'),
  area: ({ area_sqm }) => area_sqm && `${area_sqm} m²`,
  area_unit: ({ area_sqm }) => area_sqm && `${area_sqm} m²`,
  neighborhood: ({ neighborhood_id: id }) => (id === null ? null : (NEIGHBORHOODS_BY_ID.get(id)?.name_en ?? id)),
  street_width: ({ street_width_m }) => street_width_m,
  project: ({ project }) => project?.name ?? project?.id ?? null,
  photos: ({ photos }) => (photos.length === 0 ? null : photos.length === 1 ? '1 photo' : `${photos.length} photos`),
  amenities: ({ amenities }) => (amenities.length === 0 ? null : amenities.join(', ')),
  verified: ({ verified_by_source }) => verified_by_source,
  financing: ({ financing }) => JSON.stringify(financing),
  updated_at: ({ source_updated_at }) => source_updated_at,
};

function became(field: string, listing: NormalizedListing): unknown {
  const read = NORMALIZED[field as keyof RawListing];
  const value = read ? read(listing) : listing[field as keyof NormalizedListing];
  return typeof value === 'string' ? shown(value) : (value ?? null);
}

/** Fields whose stated value could not be read. */
export const unreadFields = (raw: RawListing, unread: readonly UnreadValue[]): (keyof RawListing)[] =>
  (Object.keys(raw) as (keyof RawListing)[]).filter((field) => {
    const name = REPORTED_AS[field as keyof typeof REPORTED_AS] ?? field;
    return leaves(raw[field]).length > 0 && unread.some((each) => each.field === name);
  });

function shown(value: unknown): string {
  const text = excerptOf(value, 4 * EXAMPLE_CHARACTERS);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= EXAMPLE_CHARACTERS ? line : `${line.slice(0, EXAMPLE_CHARACTERS - 1).toWellFormed()}…`;
}
