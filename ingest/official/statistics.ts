import { foldDigits, foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import {
  INDEX_ITEM_CODES,
  type IndicatorType,
  REGIONS,
  type RentPropertyType,
} from '#domain/official/official-vocabulary.ts';
import { parseQuarter } from '#domain/official/quarters.ts';
import { wordTable } from '#domain/text/phrases.ts';
import {
  amount,
  count,
  neededPlace,
  neededText,
  number,
  numberFrom,
  quarterOfYear,
  Reject,
  text,
} from './cell-types.ts';
import { column, defineRelease } from './official-file.ts';
import { placeOf, townCity } from './places.ts';
import { judgeRentUnits } from './rent-units.ts';

const TOWN = {
  year: column('السنة, year', numberFrom(2000)),
  quarter: column('الربع, quarter', quarterOfYear),
  region: column('المنطقة, region_ar', neededPlace),
  town: column('المدينة, city_ar', neededPlace),
  district: column('الحي, district_ar', text),
  property_type: column('نوع العقار, Category', neededText),
};
const STORED_TOWN = {
  quarter: 'smallint',
  region_ar: 'text',
  town_ar: 'text',
  city: 'text',
  neighborhood_id: 'integer',
  neighborhood_ar: 'text',
  property_type: 'text',
} as const;

interface TownCells {
  year: number;
  quarter: number | null;
  region: string;
  town: string;
  district: string | null;
}

function deriveTown({ year, quarter, region, town, district }: TownCells) {
  if (!Number.isInteger(year) || year > 2100 || quarter === null)
    throw new Reject('bad_quarter', 'year and quarter are not a calendar quarter');
  const city = townCity(town);
  const place = placeOf(city, district);
  return {
    quarter: year * 4 + quarter - 1,
    scope: scopeOf(region),
    region_ar: region,
    town_ar: town,
    city,
    neighborhood_id: place.neighborhood?.id ?? null,
    neighborhood_ar: place.district,
  };
}

/** Files for a region replace each other, in any spelling. */
const scopeOf = memoize((region): string => foldText(region).replace(/^(?:منطقه|المنطقه) /, ''));

function typeIn<Type>(types: ReadonlyMap<string, Type>, name: string): Type {
  const type = types.get(name);
  if (type === undefined) throw new Reject('unknown_property_type', 'the property type is unknown');
  return type;
}

const RENT_TYPES = wordTable<RentPropertyType>([
  ['apartment', 'شقة'],
  ['studio', 'استديو, استوديو'],
  ['floor', 'دور'],
  ['villa', 'فيلا'],
  ['duplex', 'دوبلاكس, دوبلكس'],
  ['office', 'مكتب'],
  ['shop', 'محل'],
  ['showroom', 'معرض تجاري, معرض'],
]);

/** The regulator's registered rents: means by town, or by district if the file states districts. */
export const registeredRents = defineRelease({
  kind: 'registered_rents',
  layouts: {
    rental_indicators: ['year', 'quarter', 'region', 'town', 'property_type', 'contract_count', 'mean_rent'],
  },
  columns: {
    ...TOWN,
    contract_count: column('مجموع الصفقات, total_deals', count, { contract_count: 'integer' }),
    mean_rent: column('المتوسط, average', numberFrom(1), { mean_rent_sar: 'double precision' }),
    mean_rent_per_sqm: column('متوسط سعر المتر, average_per_sqm', amount, {
      mean_rent_per_sqm_sar: 'double precision',
    }),
  },
  derived: { ...STORED_TOWN, property_type_ar: 'text' },
  derive: (cells) => ({
    ...deriveTown(cells),
    // The cell includes the use, as in `شقة - سكني`.
    property_type: typeIn(RENT_TYPES, foldText(cells.property_type.split(' - ')[0] ?? '')),
    property_type_ar: cells.property_type,
  }),
  unique: ['quarter', 'town_ar', 'neighborhood_ar', 'property_type_ar'],
  deeds: 'contract_count',
  price: {
    sql: 'coalesce(mean_rent_sar, mean_rent_per_sqm_sar)',
    stratum: `concat_ws('|', town_ar, neighborhood_ar, property_type_ar, mean_rent_sar is null)`,
  },
  judge: judgeRentUnits,
});

const INDICATOR_TYPES = wordTable<IndicatorType>([
  ['land', 'أرض, قطعة أرض'],
  ['apartment', 'شقة'],
  ['floor', 'دور'],
  ['villa', 'فيلا'],
  ['duplex', 'دوبلكس'],
  ['building', 'مبنى, عمارة'],
  ['other', 'أخرى'],
]);
const INDICATOR_CLASSES = wordTable<string>([
  ['residential', 'سكني'],
  ['commercial', 'تجاري'],
  ['agricultural', 'زراعي'],
  ['other', 'أخرى'],
]);

/** Mean price per m² of the deeds in a row, in SAR. */
const PER_SQM = 'value_sar / nullif(area_sqm, 0)';

/** The regulator's sales indicators. The deeds for one district and type may be spread over several rows. */
export const salesIndicators = defineRelease({
  kind: 'sales_indicators',
  layouts: {
    sales_indicators: [
      ...(['year', 'quarter', 'region', 'town', 'district', 'property_type', 'deed_count', 'value', 'area'] as const),
      ...(['mean_per_sqm', 'max_per_sqm', 'min_per_sqm'] as const),
    ],
  },
  columns: {
    ...TOWN,
    land_use_class: column('تصنيف العقار', text),
    deed_count: column('عدد الصكوك', count, { deed_count: 'integer' }),
    value: column('قيمة الصفقات, مجموع سعر العقار', numberFrom(0), { value_sar: 'double precision' }),
    area: column('المساحة M2', numberFrom(0), { area_sqm: 'double precision' }),
    mean_per_sqm: column('متوسط سعر المتر', amount, { mean_price_per_sqm_sar: 'double precision' }),
    max_per_sqm: column('الحد الأعلى لسعر المتر', amount, { max_price_per_sqm_sar: 'double precision' }),
    min_per_sqm: column('الحد الأدنى لسعر المتر', amount, { min_price_per_sqm_sar: 'double precision' }),
  },
  derived: { ...STORED_TOWN, land_use_class: 'text' },
  derive(cells) {
    // Before 2025, the property type includes a plot's use: `قطعة أرض-سكنى`.
    const [name = '', use = ''] = foldText(cells.property_type).split(/ ?- ?/);
    const { land_use_class: stated } = cells;
    return {
      ...deriveTown(cells),
      property_type: typeIn(INDICATOR_TYPES, name),
      land_use_class: INDICATOR_CLASSES.get(stated === null ? use : foldText(stated)) ?? null,
    };
  },
  unique: [],
  deeds: 'deed_count',
  price: { sql: PER_SQM, stratum: `concat_ws('|', town_ar, neighborhood_ar, property_type, land_use_class)` },
  means: {
    mean: 'mean_price_per_sqm_sar',
    max: 'max_price_per_sqm_sar',
    min: 'min_price_per_sqm_sar',
    ofRow: PER_SQM,
  },
});

const CODES: Readonly<Record<string, string>> = INDEX_ITEM_CODES;
const REGIONS_BY_CODE: Readonly<Record<string, { slug: string }>> = REGIONS;
const INDEX_LEVELS = ['period', 'region_code', 'item_code', 'item', 'value', 'yoy', 'qoq'] as const;

/** The real-estate price index of the statistics office. */
export const priceIndex = defineRelease({
  kind: 'price_index',
  // The index has no weights since the base year 2023.
  layouts: { price_index_2014: [...INDEX_LEVELS, 'weight'], price_index_2023: INDEX_LEVELS },
  columns: {
    period: column('التاريخ', neededText),
    region_code: column('رمز المنطقة الإدارية', neededText),
    item: column('البند', neededText),
    item_code: column('رمز البند', neededText),
    value: column('الرقم القياسي', numberFrom(0.001), { index_value: 'double precision' }),
    weight: column('الأهمية النسبية', number, { weight: 'double precision' }),
    yoy: column('نسبة التغير السنوي', number, { change_yoy: 'double precision' }),
    qoq: column('نسبة التغير الربعي', number, { change_qoq: 'double precision' }),
  },
  derived: { quarter: 'smallint', region: 'text', item: 'text', item_ar: 'text', base_year: 'smallint' },
  derive(cells, { layout }) {
    const period = /^(\d{4}) ?\/ ?q([1-4])$/.exec(foldText(cells.period));
    if (period === null) throw new Reject('bad_quarter', 'the period is not a quarter');
    const region = REGIONS_BY_CODE[foldDigits(cells.region_code)]?.slug;
    if (region === undefined) throw new Reject('unknown_region', 'the region is unknown');
    // Spreadsheets remove leading zeros, which every code has except that of the total.
    const code = foldDigits(cells.item_code);
    const item = CODES[code === '0' || code.startsWith('0') ? code : `0${code}`];
    if (item === undefined) throw new Reject('unknown_item', 'the item is unknown');
    return {
      quarter: parseQuarter(`${period[1]}-Q${period[2]}`),
      scope: '',
      region,
      item: item === 'house' && foldText(cells.item).startsWith('دور') ? 'floor' : item,
      item_ar: cells.item,
      base_year: layout === 'price_index_2014' ? 2014 : 2023,
    };
  },
  unique: ['quarter', 'region', 'item'],
  price: { sql: 'index_value', stratum: `concat_ws('|', region, item, base_year)` },
});
