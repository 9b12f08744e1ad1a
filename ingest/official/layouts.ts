import { foldText } from '#domain/fold.ts';

/** Supported publications. */
const OFFICIAL_KINDS = ['transactions', 'registered_rents', 'sales_indicators', 'price_index'] as const;
export type OfficialKind = (typeof OFFICIAL_KINDS)[number];

/** One column layout of a publication. */
interface Layout {
  name: string;
  kind: OfficialKind;
  /** Accepted header names for each column. Other columns, such as plan, parcel and deed numbers, are never read. */
  columns: Readonly<Record<string, readonly string[]>>;
  optional: readonly string[];
}

const INDEX_LEVELS = {
  period: ['التاريخ'],
  region_code: ['رمز المنطقة الإدارية'],
  item_code: ['رمز البند'],
  item: ['البند'],
  value: ['الرقم القياسي'],
};
const INDEX_CHANGES = { yoy: ['نسبة التغير السنوي'], qoq: ['نسبة التغير الربعي'] };

const LAYOUTS: readonly Layout[] = [
  {
    name: 'justice_quarterly',
    kind: 'transactions',
    columns: {
      region: ['المنطقة'],
      city: ['المدينة'],
      place: ['المدينة / الحي'],
      reference: ['الرقم المرجعي للصفقة'],
      gregorian: ['تاريخ الصفقة ميلادي'],
      hijri: ['تاريخ الصفقة هجري'],
      land_use_class: ['تصنيف العقار'],
      property_count: ['عدد العقارات'],
      price: ['السعر'],
      area: ['المساحة'],
    },
    optional: ['region', 'city', 'reference', 'hijri', 'property_count'],
  },
  {
    // Each file covers one city, which the file does not state.
    name: 'justice_city',
    kind: 'transactions',
    columns: {
      district: ['Neighbourhood'],
      gregorian: ['Date'],
      reference: ['transaction number'],
      price: ['Total price'],
      area: ['Area'],
      per_sqm: ['Price per meter'],
    },
    optional: ['reference', 'per_sqm'],
  },
  {
    name: 'rental_indicators',
    kind: 'registered_rents',
    columns: {
      year: ['السنة', 'year'],
      quarter: ['الربع', 'quarter'],
      region: ['المنطقة', 'region_ar'],
      town: ['المدينة', 'city_ar'],
      district: ['الحي', 'district_ar'],
      property_type: ['نوع العقار', 'Category'],
      contract_count: ['مجموع الصفقات', 'total_deals'],
      mean_rent: ['المتوسط', 'average'],
      mean_rent_per_sqm: ['متوسط سعر المتر', 'average_per_sqm'],
    },
    optional: ['district', 'mean_rent_per_sqm'],
  },
  {
    name: 'sales_indicators',
    kind: 'sales_indicators',
    columns: {
      year: ['السنة'],
      quarter: ['الربع'],
      region: ['المنطقة'],
      town: ['المدينة'],
      district: ['الحي'],
      property_type: ['نوع العقار'],
      land_use_class: ['تصنيف العقار'],
      deed_count: ['عدد الصكوك'],
      value: ['قيمة الصفقات', 'مجموع سعر العقار'],
      area: ['المساحة M2'],
      mean_per_sqm: ['متوسط سعر المتر'],
      max_per_sqm: ['الحد الأعلى لسعر المتر'],
      min_per_sqm: ['الحد الأدنى لسعر المتر'],
    },
    optional: ['land_use_class'],
  },
  {
    name: 'price_index_2014',
    kind: 'price_index',
    columns: { ...INDEX_LEVELS, weight: ['الأهمية النسبية'], ...INDEX_CHANGES },
    optional: [],
  },
  // The layout without weights was introduced with the base year 2023.
  { name: 'price_index_2023', kind: 'price_index', columns: { ...INDEX_LEVELS, ...INDEX_CHANGES }, optional: [] },
];

/** A recognized header, with the positions of each column. A column may occur twice. */
export interface Recognized {
  kind: OfficialKind;
  layout: string;
  columns: ReadonlyMap<string, readonly number[]>;
}

/** Returns a column name without spaces, marks, tatweel and spelling variants. */
export const headerKey = (name: string): string => foldText(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the layout that matches a header's columns, in any order; null if unknown. */
export function recognize(header: readonly string[]): Recognized | null {
  const keys = header.map(headerKey);
  let best: { layout: Layout; required: number } | null = null;
  for (const layout of LAYOUTS) {
    const required = Object.keys(layout.columns).filter((column) => !layout.optional.includes(column));
    if (!required.every((column) => positions(layout, column, keys).length > 0)) continue;
    if (best === null || required.length > best.required) best = { layout, required: required.length };
  }
  if (best === null) return null;
  const { layout } = best;
  const columns = Object.keys(layout.columns).map((column) => [column, positions(layout, column, keys)] as const);
  return {
    kind: layout.kind,
    layout: layout.name,
    columns: new Map(columns.filter(([, at]) => at.length > 0)),
  };
}

function positions(layout: Layout, column: string, keys: readonly string[]): number[] {
  const names = new Set(layout.columns[column]?.map(headerKey));
  return keys.flatMap((key, at) => (names.has(key) ? [at] : []));
}

/** Part of each file's digest, so that files are read again after the layouts have changed. */
export const LAYOUT_TEXT = JSON.stringify(LAYOUTS);

/** Returns the first name of each column in a layout, in order. */
export const firstNames = (layout: string): string[] =>
  Object.values(LAYOUTS.find(({ name }) => name === layout)?.columns ?? {}).map(([name = '']) => name);
