import { hash } from 'node:crypto';
import { foldDigits, foldText } from '#domain/fold.ts';
import { findCity } from '#domain/geography/locate.ts';
import { memoize } from '#domain/memoize.ts';
import { toAmount } from '#domain/money.ts';
import { KEY_BITS } from '#domain/official/transaction.ts';
import type { LandUseClass } from '#domain/official/vocabulary.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { type Cells, Reject } from './cells.ts';
import { readDay } from './dates.ts';
import { defineKind, type ReadOptions } from './kind.ts';
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

/** Tolerance in SAR, or 1% if higher, between the stated price per square meter and the price divided by the area. */
const PER_SQM_TOLERANCE = 1;

/** The justice ministry's registered transactions. */
export const transactions = defineKind({
  kind: 'transactions',
  table: 'transactions',
  row(cells, options) {
    const day = dayOf(cells);
    const { region, town, district } = namesOf(cells);
    const price = toAmount(cells.needNumber('price', 1));
    const area = cells.needNumber('area', 0.01);
    const stated = cells.number('per_sqm');
    if (stated !== null && Math.abs(price / area - stated) > Math.max(PER_SQM_TOLERANCE, stated * 0.01))
      throw new Reject('inconsistent_price', 'price, area and price per square meter do not agree');
    const count = cells.number('property_count');
    if (count !== null && !(Number.isInteger(count) && count >= 0 && count < 1e6))
      throw new Reject('bad_property_count', 'property_count is not a count');
    const city = town === null ? options.city : (findCity(town)?.slug ?? null);
    const place = placeOf(city, district);
    const land = landUseOf(cells.text('land_use_class') ?? '');
    const quarter = Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
    const reference = cells.text('reference');
    const identity =
      reference === null
        ? `row ${day} ${town} ${district} ${land} ${price} ${area}`
        : `reference ${foldDigits(reference)}`;
    const key = keyOf(identity, options.idKey);
    const scope = isOfOneCity(options.layout) ? (options.city ?? '') : '';
    return { quarter, scope, key, city, place, region, town, land, day, price, area, count };
  },
  columns: [
    ['key', 'bigint', ({ key }) => key],
    ['city', 'text', ({ city }) => city],
    ['neighborhood_id', 'integer', ({ place }) => place.neighborhood?.id ?? null],
    ['ministry_region_ar', 'text', ({ region }) => region],
    ['ministry_city_ar', 'text', ({ town }) => town],
    ['ministry_district_ar', 'text', ({ place }) => place.district],
    ['land_use_class', 'text', ({ land }) => land],
    ['day', 'date', ({ day }) => day],
    ['quarter', 'smallint', ({ quarter }) => quarter],
    ['price_sar', 'double precision', ({ price }) => price],
    ['area_sqm', 'double precision', ({ area }) => area],
    ['property_count', 'integer', ({ count }) => (count === 0 ? null : count)],
  ],
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
    isOfOneCity(layout) && city === null
      ? 'Files of this layout cover one city and do not name it. Name the city with --city, or in the file name (deals_riyadh.csv).'
      : null,
});

/** Returns whether files in a layout cover one city each. */
const isOfOneCity = (layout: string): boolean => layout === 'justice_city';

/**
 * Returns the registration date from the Gregorian column, or else from the Hijri column. If both have a value, they
 * must agree within `DATES_APART`.
 * @throws Reject
 */
function dayOf(cells: Cells): string {
  const days = ['gregorian', 'hijri'].map((column) => {
    const value = cells.value(column);
    const day = value === null ? null : readDay(value);
    if (value !== null && day === null) throw new Reject('bad_date', `the ${column} date is not a valid day`);
    return day;
  });
  const [gregorian, hijri] = days as [string | null, string | null];
  const day = gregorian ?? hijri;
  if (day === null) throw new Reject('no_date', 'both date columns are empty');
  if (hijri !== null && Math.abs(Date.parse(day) - Date.parse(hijri)) > DATES_APART)
    throw new Reject('dates_disagree', 'the Gregorian and the Hijri date are different days');
  return day;
}

/** Maximum difference of the dates in milliseconds. A Hijri month may begin a day before or after the computed one. */
const DATES_APART = 2 * 86_400_000;

/** Returns the ministry's names for region, town and district. The column `place` contains `city/district`. */
function namesOf(cells: Cells): { region: string | null; town: string | null; district: string | null } {
  const place = cells.text('place');
  if (place === null)
    return { region: cells.place('region'), town: cells.place('city'), district: cells.text('district') };
  const [before, ...after] = place.split('/');
  const city = cells.place('city') ?? withoutNumbers(before?.trim() ?? '');
  const district = after.join('/').trim();
  return {
    region: cells.place('region'),
    town: city === '' ? null : city,
    district: district === '' ? null : district,
  };
}

/** Returns a one-way key. `idKey` is secret, so the hashed values cannot be guessed. */
function keyOf(identity: string, idKey: ReadOptions['idKey']): number {
  return Number.parseInt(hash('sha256', `${idKey} ${identity}`, 'hex').slice(0, KEY_BITS / 4), 16);
}
