import { foldDigits, foldText } from '#domain/fold.ts';
import { parseQuarter } from '#domain/official/quarters.ts';
import { INDEX_ITEM_CODES, type IndicatorType, REGIONS, type RentPropertyType } from '#domain/official/vocabulary.ts';
import { wordTable } from '../normalize/phrases.ts';
import { type Cells, Reject, readQuarter } from './cells.ts';
import type { KindReader } from './kind.ts';
import { placeOf, townCity } from './places.ts';
import { judgeRentUnits } from './rent-units.ts';

/** The file states the type and its use: `شقة - سكني`. */
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

/** Registered rents of the regulator: means by town, or by district if the file states districts. */
export const registeredRents: KindReader = {
  kind: 'registered_rents',
  table: 'registered_rents',
  columns: {
    quarter: 'smallint',
    region_ar: 'text',
    town_ar: 'text',
    city: 'text',
    neighborhood_id: 'integer',
    neighborhood_ar: 'text',
    property_type: 'text',
    property_type_ar: 'text',
    contract_count: 'integer',
    mean_rent_sar: 'double precision',
    mean_rent_per_sqm_sar: 'double precision',
  },
  unique: ['quarter', 'town_ar', 'neighborhood_ar', 'property_type_ar'],
  deeds: 'contract_count',
  price: {
    sql: 'coalesce(mean_rent_sar, mean_rent_per_sqm_sar)',
    stratum: `concat_ws('|', town_ar, neighborhood_ar, property_type_ar, mean_rent_sar is null)`,
  },
  judge: judgeRentUnits,
  read(cells) {
    const quarter = readQuarter(cells);
    const region = cells.needPlace('region');
    const town = cells.needPlace('town');
    const type_ar = cells.needText('property_type');
    const type = RENT_TYPES.get(foldText(type_ar.split(' - ')[0] ?? ''));
    if (type === undefined) throw new Reject('unknown_property_type', 'the property type is not known');
    const place = placeOf(townCity(town), cells.text('district'));
    return {
      quarter,
      scope: scopeOf(region),
      values: [
        quarter,
        region,
        town,
        place.city,
        place.neighborhood?.id ?? null,
        place.district,
        type,
        type_ar,
        cells.needCount('contract_count'),
        cells.needNumber('mean_rent', 1),
        amountOrNull(cells, 'mean_rent_per_sqm'),
      ],
    };
  },
};

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

/** Mean price per m² of a row's deeds, in SAR. */
const PER_SQM = 'value_sar / nullif(area_sqm, 0)';

/** Sales indicators of the regulator. The deeds of one district and type may be spread over several rows. */
export const salesIndicators: KindReader = {
  kind: 'sales_indicators',
  table: 'sales_indicators',
  columns: {
    quarter: 'smallint',
    region_ar: 'text',
    town_ar: 'text',
    city: 'text',
    neighborhood_id: 'integer',
    neighborhood_ar: 'text',
    property_type: 'text',
    land_use_class: 'text',
    deed_count: 'integer',
    value_sar: 'double precision',
    area_sqm: 'double precision',
    mean_price_per_sqm_sar: 'double precision',
    max_price_per_sqm_sar: 'double precision',
    min_price_per_sqm_sar: 'double precision',
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
  read(cells) {
    const quarter = readQuarter(cells);
    const region = cells.needPlace('region');
    const town = cells.needPlace('town');
    // Before 2025 the property type includes the use of a plot: `قطعة أرض-سكنى`.
    const [type = '', use] = foldText(cells.needText('property_type')).split(/ ?- ?/);
    const property_type = INDICATOR_TYPES.get(type);
    if (property_type === undefined) throw new Reject('unknown_property_type', 'the property type is not known');
    const stated = cells.text('land_use_class');
    const place = placeOf(townCity(town), cells.text('district'));
    return {
      quarter,
      scope: scopeOf(region),
      values: [
        quarter,
        region,
        town,
        place.city,
        place.neighborhood?.id ?? null,
        place.district,
        property_type,
        INDICATOR_CLASSES.get(stated === null ? (use ?? '') : foldText(stated)) ?? null,
        cells.needCount('deed_count'),
        cells.needNumber('value', 0),
        cells.needNumber('area', 0),
        amountOrNull(cells, 'mean_per_sqm'),
        amountOrNull(cells, 'max_per_sqm'),
        amountOrNull(cells, 'min_per_sqm'),
      ],
    };
  },
};

const CODES: Readonly<Record<string, string>> = INDEX_ITEM_CODES;
const REGIONS_BY_CODE: Readonly<Record<string, { slug: string }>> = REGIONS;

/** Real-estate price index of the statistics office. */
export const priceIndex: KindReader = {
  kind: 'price_index',
  table: 'price_index',
  columns: {
    quarter: 'smallint',
    region: 'text',
    item: 'text',
    item_ar: 'text',
    base_year: 'smallint',
    index_value: 'double precision',
    weight: 'double precision',
    change_yoy: 'double precision',
    change_qoq: 'double precision',
  },
  unique: ['quarter', 'region', 'item'],
  price: { sql: 'index_value', stratum: `concat_ws('|', region, item, base_year)` },
  read(cells, { layout }) {
    const period = /^(\d{4}) ?\/ ?q([1-4])$/.exec(foldText(cells.needText('period')));
    if (period === null) throw new Reject('bad_quarter', 'the period is no quarter');
    const quarter = parseQuarter(`${period[1]}-Q${period[2]}`);
    const region = REGIONS_BY_CODE[foldDigits(cells.needText('region_code'))];
    if (region === undefined) throw new Reject('unknown_region', 'the region is not known');
    const item_ar = cells.needText('item');
    // Spreadsheets remove leading zeros. Every code except the code of the total begins with a zero.
    const code = foldDigits(cells.needText('item_code'));
    const item = CODES[code === '0' || code.startsWith('0') ? code : `0${code}`];
    if (item === undefined) throw new Reject('unknown_item', 'the item is not known');
    return {
      quarter,
      scope: '',
      values: [
        quarter,
        region.slug,
        item === 'house' && foldText(item_ar).startsWith('دور') ? 'floor' : item,
        item_ar,
        layout === 'price_index_2014' ? 2014 : 2023,
        cells.needNumber('value', 0.001),
        cells.number('weight'),
        cells.number('yoy'),
        cells.number('qoq'),
      ],
    };
  },
};

/** Unifies the spelling of a region, so that its files replace each other. */
const scopeOf = (region: string): string => foldText(region).replace(/^(?:منطقه|المنطقه) /, '');

function amountOrNull(cells: Cells, column: string): number | null {
  const amount = cells.number(column);
  return amount === null || amount <= 0 ? null : amount;
}
