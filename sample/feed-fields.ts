import type { Amenity, PropertyType, RentFrequency } from '#domain/listings/vocabulary.ts';
import { readFlag } from '#ingest/normalize/flags.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { flag, marked, record, scalar, split, text, texts } from '#ingest/sources/kinds/fields.ts';
import type { Ad, Advertiser, AdvertiserKind } from './ad.ts';

/** A feed column: how the sample generator writes it, and how the source's reader maps it. */
export interface Field {
  column: string;
  /** The listing field that the column contains, if any. */
  of?: keyof RawListing;
  write(ad: Ad): unknown;
  read(value: unknown, raw: RawListing): void;
}

type Format<T> = (value: T) => unknown;
type Words<K extends string> = Readonly<Record<K, string>>;

export function field<K extends keyof RawListing>(
  of: K,
  column: string,
  write: (ad: Ad) => unknown,
  read: (value: unknown) => RawListing[K],
): Field {
  const readInto = (value: unknown, raw: RawListing): void => {
    raw[of] = read(value);
  };
  return { column, of, write, read: readInto };
}

/** Creates a field that is written unchanged or in the feed's format; null if the ad does not state it. */
function plain<K extends keyof RawListing, T>(
  of: K,
  value: (ad: Ad) => T | null,
  read: (value: unknown) => RawListing[K],
) {
  return (column: string, format: Format<T> = (stated) => stated): Field =>
    field(of, column, (ad) => formatted(value(ad), format), read);
}

/** Creates a field whose values are written in the feed's words. */
function worded<K extends keyof RawListing, W extends string>(
  of: K,
  value: (ad: Ad) => W | null,
  read: (value: unknown) => RawListing[K],
) {
  return (column: string, words: Words<W>, format: Format<string> = (word) => word): Field =>
    field(of, column, (ad) => formatted(value(ad), (key) => format(words[key])), read);
}

const formatted = <T>(value: T | null, format: Format<T>): unknown => (value === null ? null : format(value));
const required = (value: unknown): string => text(value) ?? '';

export const id = plain('source_listing_id', (ad) => ad.id, required);
export const link = plain('url', (ad) => ad.id, text);
export const title = plain('title', (ad) => ad.title, text);
export const description = plain('description', (ad) => ad.description, text);
export const english = plain('description_en', (ad) => ad.description_en, text);
export const type = worded('property_type', (ad): PropertyType => ad.property.property_type, required);
export const price = plain('price', (ad) => ad.price, scalar);
export const period = worded('price_period', (ad): RentFrequency | null => ad.frequency, text);
export const area = plain('area', (ad) => ad.area, scalar);
export const bedrooms = plain('bedrooms', (ad) => ad.bedrooms, scalar);
export const bathrooms = plain('bathrooms', (ad) => ad.property.bathrooms, scalar);
export const livings = plain('livings', (ad) => ad.property.livings, scalar);
export const floor = plain('floor', (ad) => ad.property.floor, scalar);
export const age = plain('age_years', (ad) => ad.property.age, scalar);
export const furnished = plain('furnished', (ad) => ad.property.furnished, flag);
/** Creates the field `furnished`, which is false if the ad does not state it. */
export const furnishedOrNot = (column: string): Field =>
  field('furnished', column, (ad) => ad.property.furnished === true, flag);
export const street = plain('street_width', (ad) => ad.property.street_width, scalar);
export const compound = plain('compound_name', (ad) => ad.property.compound, text);
export const lat = plain('lat', (ad) => ad.point?.lat ?? null, scalar);
export const lng = plain('lng', (ad) => ad.point?.lng ?? null, scalar);
export const advertiser = worded('advertiser_type', (ad): AdvertiserKind => ad.advertiser.kind, text);
export const advertiserKey = plain('advertiser_key', (ad): Advertiser['key'] => ad.advertiser.key, text);
export const verified = plain('verified', (ad) => ad.verified, flag);
export const project = plain(
  'project',
  (ad) => ad.property.project_id,
  (value) => ({ id: scalar(value) }),
);
export const updated = plain('updated_at', (ad) => ad.updated, scalar);

export const purpose = (column: string, rent: string, sale: string): Field =>
  field('purpose', column, (ad) => (ad.property.listing_type === 'rent' ? rent : sale), required);

export const city = (column: string, name: 'name_ar' | 'name_en' | 'slug'): Field =>
  field('city', column, (ad) => ad.property.city[name], text);

export const district = (
  column: string,
  name: 'name_ar' | 'name_en',
  format: (name: string) => string = String,
): Field => field('neighborhood', column, (ad) => format(ad.property.neighborhood[name]), text);

/** Creates a column that the reader ignores. */
export const created = (column: string, format: Format<number> = (seconds) => seconds): Field => ({
  column,
  write: (ad) => format(ad.created),
  read: () => {},
});

function financing(
  column: string,
  write: (ad: Ad) => unknown,
  read: (value: unknown) => RawListing['financing'],
): Field {
  return {
    column,
    write,
    read: (value, raw) => {
      raw.financing = { ...raw.financing, ...read(value) };
    },
  };
}

export const bank = (column: string, format: Format<boolean> = (accepts) => accepts): Field =>
  financing(
    column,
    (ad) => formatted(ad.property.bank, format),
    (value) => ({ accepts_bank_financing: readFlag(flag(value)) }),
  );

export const payLater = (column: string): Field =>
  financing(
    column,
    (ad) => ad.pay_later_monthly,
    (value) => ({ rent_now_pay_later_monthly_sar: scalar(value) ? Number(value) : null }),
  );

/** Creates a column for the rent periods that the landlord accepts. */
export const paymentPlans = (column: string, words: Words<RentFrequency>): Field =>
  financing(
    column,
    (ad) => (ad.frequency === null ? [] : [words[ad.frequency].toLowerCase()]),
    (value) => {
      const offers = (period: RentFrequency) => texts(value).includes(words[period].toLowerCase());
      const plans = { monthly: offers('monthly'), quarterly: offers('quarterly') };
      return { landlord_payment_plans: { ...plans, semiannually: offers('semiannually') } };
    },
  );

/** Format in which a feed writes a list. */
interface List {
  write(items: readonly string[]): unknown;
  read(value: unknown): string[];
}

const ARRAY: List = { write: (items) => items, read: texts };
export const JSON_CELL: List = {
  write: (items) => JSON.stringify(items),
  read: (value) => (text(value) ? texts(JSON.parse(required(value))) : []),
};
export const joined = (separator: string): List => ({
  write: (items) => items.join(separator),
  read: (value) => split(required(value), separator.trimEnd() || separator),
});
export const objects = (key: string, object: (item: string, position: number) => object): List => ({
  write: (items) => items.map(object),
  read: (value) => (Array.isArray(value) ? texts(value.map((item) => record(item)[key])) : []),
});

export const photos = (column: string, list: List = ARRAY): Field =>
  field('photos', column, (ad) => list.write(ad.photos), list.read);

export const amenities = (column: string, words: Words<Amenity>, list: List = ARRAY): Field =>
  field('amenities', column, (ad) => list.write(ad.property.amenities.map((amenity) => words[amenity])), list.read);

/** Creates a column per amenity, which is true if the home has the amenity. */
export const amenityFlags = (columns: Readonly<Record<string, Amenity>>): Field[] =>
  Object.entries(columns).map(([column, amenity]) => ({
    column,
    write: (ad) => ad.property.amenities.includes(amenity),
    read: (value, raw) => {
      raw.amenities = [...(raw.amenities ?? []), ...marked({ [column]: value }, { [column]: amenity })];
    },
  }));

/** Creates one column that contains the values of several fields. */
function several(
  column: string,
  fields: readonly Field[],
  write: (ad: Ad) => unknown,
  valuesOf: (value: unknown) => Readonly<Record<string, unknown>>,
): Field {
  const read = (value: unknown, raw: RawListing): void => {
    const values = valuesOf(value);
    for (const inner of fields) inner.read(values[inner.column], raw);
  };
  return { column, write, read };
}

/** Creates a column that contains an object with a property for each field. */
export const inside = (column: string, fields: readonly Field[]): Field =>
  several(column, fields, (ad) => writeRow(fields, ad), record);

/** Creates a column that contains a list of `{name, value}` objects. */
export const named = (column: string, fields: readonly Field[]): Field =>
  several(
    column,
    fields,
    (ad) => fields.map((inner) => ({ name: inner.column, value: inner.write(ad) })),
    (value) =>
      Object.fromEntries((Array.isArray(value) ? value.map(record) : []).map((item) => [item.name, item.value])),
  );

/** Creates a column that contains the point as an object; null if the ad has no point. */
export const pointObject = (column: string, latitude = 'lat', longitude = 'lng'): Field => {
  const fields = [lat(latitude), lng(longitude)];
  return several(column, fields, (ad) => formatted(ad.point, () => writeRow(fields, ad)), record);
};

/** Creates a column that contains the point as an array. */
export const pointPair = (column: string, order: readonly ('lat' | 'lng')[]): Field =>
  several(
    column,
    order.map((axis) => (axis === 'lat' ? lat(axis) : lng(axis))),
    ({ point }) => formatted(point, (at) => order.map((axis) => at[axis])),
    (value) => (Array.isArray(value) ? Object.fromEntries(order.map((axis, at) => [axis, value[at]])) : {}),
  );

/** Creates a column that contains the point as one text, latitude first. */
export const pointCell = (column: string, separator: string): Field =>
  several(
    column,
    [lat('0'), lng('1')],
    ({ point }) => formatted(point, (at) => `${at.lat}${separator}${at.lng}`),
    (value) => ({ ...split(required(value), separator) }),
  );

export function writeRow(fields: readonly Field[], ad: Ad): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const { column, write } of fields) row[column] = write(ad);
  return row;
}
