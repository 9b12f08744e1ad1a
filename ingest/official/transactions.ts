import { hash } from 'node:crypto';
import { foldDigits, foldText } from '#domain/fold.ts';
import { findCity } from '#domain/geography/locate.ts';
import { memoize } from '#domain/memoize.ts';
import { toAmount } from '#domain/money.ts';
import type { LandUseClass } from '#domain/official/official-vocabulary.ts';
import { KEY_BITS } from '#domain/official/transaction.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { day, fewOrNull, number, numberFrom, place, Reject, text } from './cell-types.ts';
import { column, defineRelease } from './official-file.ts';
import { placeOf, withoutNumbers } from './places.ts';

const CLASSES = wordTable<LandUseClass>([
  ['residential', 'سكني'],
  ['commercial', 'تجاري'],
  ['agricultural', 'زراعي'],
  ['industrial', 'صناعي'],
  ['mixed_use', 'متعدد الاستخدام, متعدد الاستخدامات, مختلط, سكني تجاري, سكني - تجاري'],
]);

/** Missing and unknown classes become `other`. */
const landUseOf = memoize((word) => CLASSES.get(foldText(word)) ?? 'other');

const priceOf = numberFrom(1);

/** Tolerance in SAR, or 1% if higher, between the stated price per square meter and the price divided by the area. */
const PER_SQM_TOLERANCE = 1;

/** Files of this layout cover one city each, which they do not state. */
const ONE_CITY = 'justice_city';

/** The registered transactions of the justice ministry. */
export const transactions = defineRelease({
  kind: 'transactions',
  layouts: {
    justice_quarterly: ['place', 'gregorian', 'land_use_class', 'price', 'area'],
    [ONE_CITY]: ['district', 'gregorian', 'price', 'area'],
  },
  columns: {
    gregorian: column('تاريخ الصفقة ميلادي, Date', day),
    hijri: column('تاريخ الصفقة هجري', day),
    place: column('المدينة / الحي', text),
    region: column('المنطقة', place),
    city: column('المدينة', place),
    district: column('Neighbourhood', text),
    price: column('السعر, Total price', (...cell) => toAmount(priceOf(...cell)), {
      price_sar: 'double precision',
    }),
    area: column('المساحة, Area', numberFrom(0.01), { area_sqm: 'double precision' }),
    per_sqm: column('Price per meter', number),
    property_count: column('عدد العقارات', fewOrNull, { property_count: 'integer' }),
    land_use_class: column('تصنيف العقار', text),
    reference: column('الرقم المرجعي للصفقة, transaction number', text),
  },
  derived: {
    key: 'bigint',
    city: 'text',
    neighborhood_id: 'integer',
    ministry_region_ar: 'text',
    ministry_city_ar: 'text',
    ministry_district_ar: 'text',
    land_use_class: 'text',
    day: 'date',
    quarter: 'smallint',
  },
  derive(cells, options) {
    const { price, area, per_sqm: stated, reference } = cells;
    const registered = dayOf(cells);
    const { town, district } = namesOf(cells);
    if (stated !== null && Math.abs(price / area - stated) > Math.max(PER_SQM_TOLERANCE, stated * 0.01))
      throw new Reject('inconsistent_price', 'price, area and price per square meter do not agree');
    const city = town === null ? options.city : (findCity(town)?.slug ?? null);
    const found = placeOf(city, district);
    const land = landUseOf(cells.land_use_class ?? '');
    const identity =
      reference === null
        ? `row ${registered} ${town} ${district} ${land} ${price} ${area}`
        : `reference ${foldDigits(reference)}`;
    return {
      scope: options.layout === ONE_CITY ? (options.city ?? '') : '',
      key: keyOf(identity, options.idKey),
      city,
      neighborhood_id: found.neighborhood?.id ?? null,
      ministry_region_ar: cells.region,
      ministry_city_ar: town,
      ministry_district_ar: found.district,
      land_use_class: land,
      day: registered,
      quarter: Number(registered.slice(0, 4)) * 4 + Math.floor((Number(registered.slice(5, 7)) - 1) / 3),
    };
  },
  unique: ['key'],
  day: 'day',
  price: {
    sql: 'price_sar / area_sqm',
    stratum: `concat_ws('|', ministry_city_ar, city, ministry_district_ar, land_use_class)`,
  },
  ratio: {
    sql: 'price_sar / area_sqm',
    what: 'price per square meter',
    least: 1,
    most: 1_000_000,
    suspicion: 'the columns of price and area may be swapped',
  },
  check: ({ layout, city }) =>
    layout === ONE_CITY && city === null
      ? 'Files of this layout cover one city and do not name it. Name the city with --city, or in the file name (deals_riyadh.csv).'
      : null,
});

/**
 * Returns the Gregorian day, else the Hijri one. If both are stated, they must agree within `DATES_APART`. @throws
 * Reject
 */
function dayOf({ gregorian, hijri }: { gregorian: string | null; hijri: string | null }): string {
  const registered = gregorian ?? hijri;
  if (registered === null) throw new Reject('no_date', 'both date columns are empty');
  if (hijri !== null && Math.abs(Date.parse(registered) - Date.parse(hijri)) > DATES_APART)
    throw new Reject('dates_disagree', 'the Gregorian and the Hijri date are different days');
  return registered;
}

/** Maximum difference of the dates in milliseconds. A Hijri month may begin a day before or after the computed one. */
const DATES_APART = 2 * 86_400_000;

type Names = Readonly<Record<'place' | 'city' | 'district', string | null>>;

/** The column `place` contains `city/district`. */
function namesOf({ place: both, city, district }: Names): { town: string | null; district: string | null } {
  if (both === null) return { town: city, district };
  const [before = '', ...after] = both.split('/');
  return { town: (city ?? withoutNumbers(before.trim())) || null, district: after.join('/').trim() || null };
}

/** `idKey` is secret, so the hashed values cannot be guessed. */
function keyOf(identity: string, idKey: string): number {
  return Number.parseInt(hash('sha256', `${idKey} ${identity}`, 'hex').slice(0, KEY_BITS / 4), 16);
}
