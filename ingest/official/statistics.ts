import { foldDigits, foldText } from '#domain/fold.ts';
import { parseQuarter } from '#domain/official/quarters.ts';
import { INDEX_ITEM_CODES, type IndicatorType, REGIONS, type RentPropertyType } from '#domain/official/vocabulary.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { type Cells, Reject, readQuarter } from './cells.ts';
import { defineKind } from './kind.ts';
import { type OfficialPlace, placeOf, townCity } from './places.ts';
import { judgeRentUnits } from './rent-units.ts';

/** The quarter, region and town that a row states, and the service's city and district for them. */
interface TownRow {
  quarter: number;
  scope: string;
  region: string;
  town: string;
  place: OfficialPlace;
}

function placeOfTown(cells: Cells): TownRow {
  const quarter = readQuarter(cells);
  const region = cells.needPlace('region');
  const town = cells.needPlace('town');
  return { quarter, scope: scopeOf(region), region, town, place: placeOf(townCity(town), cells.text('district')) };
}

const PLACE_COLUMNS = [
  ['quarter', 'smallint', ({ quarter }: TownRow) => quarter],
  ['region_ar', 'text', ({ region }: TownRow) => region],
  ['town_ar', 'text', ({ town }: TownRow) => town],
  ['city', 'text', ({ place }: TownRow) => place.city],
  ['neighborhood_id', 'integer', ({ place }: TownRow) => place.neighborhood?.id ?? null],
  ['neighborhood_ar', 'text', ({ place }: TownRow) => place.district],
] as const;

/** The regulator's property types. Files combine a type with its use: `شقة - سكني`. */
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
export const registeredRents = defineKind({
  kind: 'registered_rents',
  table: 'registered_rents',
  row(cells) {
    const place = placeOfTown(cells);
    const type_ar = cells.needText('property_type');
    const type = RENT_TYPES.get(foldText(type_ar.split(' - ')[0] ?? ''));
    if (type === undefined) throw new Reject('unknown_property_type', 'the property type is unknown');
    return { cells, ...place, type, type_ar };
  },
  columns: [
    ...PLACE_COLUMNS,
    ['property_type', 'text', ({ type }) => type],
    ['property_type_ar', 'text', ({ type_ar }) => type_ar],
    ['contract_count', 'integer', ({ cells }) => cells.needCount('contract_count')],
    ['mean_rent_sar', 'double precision', ({ cells }) => cells.needNumber('mean_rent', 1)],
    ['mean_rent_per_sqm_sar', 'double precision', ({ cells }) => amountOrNull(cells, 'mean_rent_per_sqm')],
  ],
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
export const salesIndicators = defineKind({
  kind: 'sales_indicators',
  table: 'sales_indicators',
  row(cells) {
    const place = placeOfTown(cells);
    // Before 2025, the property type includes a plot's use: `قطعة أرض-سكنى`.
    const [name = '', use] = foldText(cells.needText('property_type')).split(/ ?- ?/);
    const type = INDICATOR_TYPES.get(name);
    if (type === undefined) throw new Reject('unknown_property_type', 'the property type is unknown');
    const stated = cells.text('land_use_class');
    return { cells, ...place, type, class: stated === null ? (use ?? '') : foldText(stated) };
  },
  columns: [
    ...PLACE_COLUMNS,
    ['property_type', 'text', ({ type }) => type],
    ['land_use_class', 'text', (row) => INDICATOR_CLASSES.get(row.class) ?? null],
    ['deed_count', 'integer', ({ cells }) => cells.needCount('deed_count')],
    ['value_sar', 'double precision', ({ cells }) => cells.needNumber('value', 0)],
    ['area_sqm', 'double precision', ({ cells }) => cells.needNumber('area', 0)],
    ['mean_price_per_sqm_sar', 'double precision', ({ cells }) => amountOrNull(cells, 'mean_per_sqm')],
    ['max_price_per_sqm_sar', 'double precision', ({ cells }) => amountOrNull(cells, 'max_per_sqm')],
    ['min_price_per_sqm_sar', 'double precision', ({ cells }) => amountOrNull(cells, 'min_per_sqm')],
  ],
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

/** The statistics office's real-estate price index. */
export const priceIndex = defineKind({
  kind: 'price_index',
  table: 'price_index',
  row(cells, { layout }) {
    const period = /^(\d{4}) ?\/ ?q([1-4])$/.exec(foldText(cells.needText('period')));
    if (period === null) throw new Reject('bad_quarter', 'the period is not a quarter');
    const region = REGIONS_BY_CODE[foldDigits(cells.needText('region_code'))];
    if (region === undefined) throw new Reject('unknown_region', 'the region is unknown');
    const item_ar = cells.needText('item');
    // Spreadsheets remove leading zeros. Every code except that of the total starts with a zero.
    const code = foldDigits(cells.needText('item_code'));
    const item = CODES[code === '0' || code.startsWith('0') ? code : `0${code}`];
    if (item === undefined) throw new Reject('unknown_item', 'the item is unknown');
    return { cells, layout, quarter: parseQuarter(`${period[1]}-Q${period[2]}`), scope: '', region, item, item_ar };
  },
  columns: [
    ['quarter', 'smallint', ({ quarter }) => quarter],
    ['region', 'text', ({ region }) => region.slug],
    ['item', 'text', ({ item, item_ar }) => (item === 'house' && foldText(item_ar).startsWith('دور') ? 'floor' : item)],
    ['item_ar', 'text', ({ item_ar }) => item_ar],
    ['base_year', 'smallint', ({ layout }) => (layout === 'price_index_2014' ? 2014 : 2023)],
    ['index_value', 'double precision', ({ cells }) => cells.needNumber('value', 0.001)],
    ['weight', 'double precision', ({ cells }) => cells.number('weight')],
    ['change_yoy', 'double precision', ({ cells }) => cells.number('yoy')],
    ['change_qoq', 'double precision', ({ cells }) => cells.number('qoq')],
  ],
  unique: ['quarter', 'region', 'item'],
  price: { sql: 'index_value', stratum: `concat_ws('|', region, item, base_year)` },
});

/** Unifies the spelling of a region name, so that files for the region replace each other. */
const scopeOf = (region: string): string => foldText(region).replace(/^(?:منطقه|المنطقه) /, '');

function amountOrNull(cells: Cells, column: string): number | null {
  const amount = cells.number(column);
  return amount === null || amount <= 0 ? null : amount;
}
