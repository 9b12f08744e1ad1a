import { readFlag } from '#ingest/normalize/flags.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { flag, record, scalar, split, text, texts } from '#ingest/sources/kinds/fields.ts';
import type { Ad } from './homes.ts';

/** A feed column: how the generator writes it, and how ingest reads it. */
export interface Field {
  column: string;
  of?: keyof RawListing;
  write(ad: Ad): unknown;
  read(value: unknown, raw: RawListing): void;
}

const required = (value: unknown): string => text(value) ?? '';
/** What each field of a listing is in an ad, and how a column with it is read. */
const FIELDS = {
  source_listing_id: [(ad: Ad) => ad.id, required],
  url: [(ad: Ad) => ad.id, text],
  title: [(ad: Ad) => ad.title, text],
  description: [(ad: Ad) => ad.description, text],
  description_en: [(ad: Ad) => ad.description_en, text],
  purpose: [(ad: Ad) => ad.property.listing_type, required],
  property_type: [(ad: Ad) => ad.property.property_type, required],
  price: [(ad: Ad) => ad.price, scalar],
  price_period: [(ad: Ad) => ad.frequency, text],
  area: [(ad: Ad) => ad.area, scalar],
  bedrooms: [(ad: Ad) => ad.bedrooms, scalar],
  bathrooms: [(ad: Ad) => ad.property.bathrooms, scalar],
  livings: [(ad: Ad) => ad.property.livings, scalar],
  floor: [(ad: Ad) => ad.property.floor, scalar],
  age_years: [(ad: Ad) => ad.property.age, scalar],
  furnished: [(ad: Ad) => ad.property.furnished, flag],
  city: [(ad: Ad) => ad.property.city, text],
  neighborhood: [(ad: Ad) => ad.property.neighborhood, text],
  lat: [(ad: Ad) => ad.point?.lat ?? null, scalar],
  lng: [(ad: Ad) => ad.point?.lng ?? null, scalar],
  street_width: [(ad: Ad) => ad.property.street_width, scalar],
  compound_name: [(ad: Ad) => ad.property.compound, text],
  advertiser_type: [(ad: Ad) => ad.advertiser.kind, text],
  advertiser_key: [(ad: Ad) => ad.advertiser.key, text],
  verified: [(ad: Ad) => ad.verified, flag],
  updated_at: [(ad: Ad) => ad.updated, scalar],
} as const;
type Simple = keyof typeof FIELDS;
type Value<K extends Simple> = NonNullable<ReturnType<(typeof FIELDS)[K][0]>>;

/** Creates a column; null if the ad does not state the field. */
export function f<K extends Simple>(
  column: string,
  of: K,
  format: (value: Value<K>) => unknown = (value) => value,
): Field {
  const [valueIn, read] = FIELDS[of];
  return {
    column,
    of,
    write: (ad) => {
      const value = valueIn(ad) as Value<K> | null;
      return value === null ? null : format(value);
    },
    read: (value, raw) => Object.assign(raw, { [of]: read(value) }),
  };
}

export const word =
  <K extends string>(words: Readonly<Record<K, string>>, change: (word: string) => string = String) =>
  (value: K): string =>
    change(words[value]);

function list(of: 'photos' | 'amenities', items: (ad: Ad) => readonly string[]) {
  return (column: string, separator?: string): Field => ({
    column,
    of,
    write: (ad) => (separator === undefined ? items(ad) : items(ad).join(separator)),
    read: (value, raw) => {
      raw[of] = separator === undefined ? texts(value) : split(required(value), separator.trimEnd() || separator);
    },
  });
}
export const photos = list('photos', (ad) => ad.photos);
export const amenities = (column: string, words: Readonly<Record<string, string>>, separator?: string): Field =>
  list('amenities', ({ property }) => property.amenities.map((amenity) => words[amenity] as string))(column, separator);

/** Creates a column that the reader ignores. */
export const created = (column: string, format: (seconds: number) => unknown = (seconds) => seconds): Field => ({
  column,
  write: (ad) => format(ad.created),
  read: () => {},
});

const plansIn = (value: unknown) => {
  const offers = (period: string) => texts(value).includes(period);
  return { monthly: offers('monthly'), quarterly: offers('quarterly'), semiannually: offers('semiannually') };
};
const PARTS = {
  bank: [
    'financing',
    (ad: Ad) => ad.property.bank,
    (value: unknown) => ({ accepts_bank_financing: readFlag(flag(value)) }),
  ],
  pay_later: [
    'financing',
    (ad: Ad) => ad.pay_later_monthly,
    (value: unknown) => ({ rent_now_pay_later_monthly_sar: scalar(value) ? Number(value) : null }),
  ],
  payment_plans: [
    'financing',
    (ad: Ad) => (ad.frequency === null ? [] : [ad.frequency]),
    (value: unknown) => ({ landlord_payment_plans: plansIn(value) }),
  ],
  project_id: ['project', (ad: Ad) => ad.property.project?.id ?? null, (value: unknown) => ({ id: scalar(value) })],
  project_name: ['project', (ad: Ad) => ad.property.project?.name, (value: unknown) => ({ name: text(value) })],
  developer: ['project', (ad: Ad) => ad.property.project?.developer, (value: unknown) => ({ developer: text(value) })],
} as const;

export function part(column: string, name: keyof typeof PARTS): Field {
  const [of, write, read] = PARTS[name];
  return {
    column,
    write,
    read: (value, raw) => Object.assign(raw, { [of]: { ...raw[of], ...read(value) } }),
  };
}

export const inside = (column: string, ...fields: readonly Field[]): Field => ({
  column,
  write: (ad) => writeRow(fields, ad),
  read: (value, raw) => {
    for (const inner of fields) inner.read(record(value)[inner.column], raw);
  },
});

export const writeRow = (fields: readonly Field[], ad: Ad): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ column, write }) => [column, write(ad)]));
