import fc from 'fast-check';
import type { RawListing } from '#ingest/normalize/listing.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { codePoint } from '#test/code-points.ts';
import { hostileText } from '#test/hostile-text.ts';

/** A row with values of any type. */
export type AnyRow = Record<string, unknown>;

/** Values that feeds contain, by field. Each one occurs alone in at least one row. */
// biome-ignore format: a field is a line
export const AD_VALUES: { readonly [Name in keyof RawListing]?: readonly unknown[] } = {
  url: ['https://sa.example/شقق-للبيع/الرياض/123?حي=الملقا', 'https://إعلان.example/1', 'http://a.example:port/', 'https://a.example/\u0000\n\ud800', 'HTTPS://A.example/%zz', 'https://a.example/"><script>', 'javascript:alert(1)', `https://a.example/${'ش'.repeat(1_900)}`],
  title: ['', 'شقة للبيع', 'Villa', '\u0000', '\ud83d', 'ش'.repeat(4_000), '<b>&amp;</b>', '\u202eشقة', '🏠'.repeat(300)],
  description: ['', 'شقة للبيع السعر 891,000 ريال موقع ممتاز', 'Sale 900k, 3 bedrooms, 120 m2, floor 3 of 12', 'ب'.repeat(40_000), 'x'.repeat(40_000), 'a\u0301'.repeat(5_000), 'شقة للبيع في الدور الثاني عشر', '\u2028\u2029\ufeff', '}},"sort":[1,2]', 'السعر 1234567890123456789012345678901234567890 ريال', 'المساحة 99999999999999999999 متر', 'عرض الشارع 1e400 متر', 'بسعر 0.000001 ريال للمتر'],
  description_en: ['A clean apartment', '\u0000\ud800', 'y'.repeat(20_000), 'شقة'],
  price: ['850.000', '850.000,00', '€ 850.000,00', '٨٥٠٬٠٠٠', '8.5E+05', '1234.55', '850000.126', 0.004, 1e-7, 1e12, 1.1e12, 1e308, -5, -0, Number.MAX_SAFE_INTEGER, '$216,000', '216000 USD', '90000 ريال عماني', '850,000 ﷼', '1.250 مليون', '850,000 + 5% ضريبة', 'على السوم', '٫', '999999999999', '5.555555555', [850_000], { amount: 850_000 }, true],
  price_period: ['monthly', 'bi-weekly', 'monthly (paid yearly)', 'daily', 'weekly', 'سنوي', 'شهري', 'دفعتين', 'per hour', 7, ['monthly'], {}],
  area: ['145,5 m2', '1.200,5 m2', '1,560 SF', '143 sq yd', '120 m2 (1291 sqft)', '20m x 7m', '600 م² (20×30)', 1e-9, 1e308, 5e-324, 1e20, '0.0001', '9'.repeat(400), '99999999999999999999 x 99999999999999999999', [120], { value: 120 }],
  bedrooms: ['3', 'غرفتين', 'studio', 99, 100_000, 2.5, -1, '٣', 'three', [3], {}],
  bathrooms: ['2', 'حمامين', 1e9, '2 + 1', [], {}],
  livings: ['1', 'صالتين', 1e9, Number.NaN, {}],
  floor: ['الدور الثاني عشر', '3 of 12', '3/12', 'G+2', '−1', 'الطابق 2 شقة 14', 'twenty-first floor', 'ground of 4', '3 أدوار', 'أول علوي', 1e21, -7, '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20', [3], {}],
  age_years: ['5', 'جديد', 2015, 1e9, '-1', [], {}],
  furnished: ['yes', 'غير مؤثث', 1, 'maybe', [], {}],
  amenities: [['عدد المصاعد: 0'], ['pool=0'], ['parking: 1'], [''], [null], [7, {}], 'pool', { pool: true }, [['pool']], Array.from({ length: 500 }, (_, at) => `amenity ${at}`)],
  city: ['الرياض', 'jeddah', 'الدمام', '', 'Atlantis', 'الرياض'.repeat(500), ['Riyadh'], {}],
  neighborhood: ['الياسمين', 'Al Malqa', '', 'ن'.repeat(5_000), ['الملقا'], {}, '\u0000'],
  lat: ['24.713', 24.713, '24,713', 46.675, 0, 91, Number.POSITIVE_INFINITY, '24°42', [24.7], {}],
  lng: ['46.675', 46.675, -46.675, 0, 181, Number.NaN, {}],
  street_width: ['20', '20 م', 1e308, 1e-320, '20x30', [], {}],
  compound_name: ['Oasis', '\u0000', 'ك'.repeat(500), [], {}],
  project: [{ id: 'p1', name: 'Oasis' }, { id: {}, name: [] }, { id: 2 ** 53, name: '\ud800' }, 'p1', ['p1'], { id: '\u0000', developer: 'x'.repeat(3_000) }],
  photos: [['https://photos.example/1.jpg'], ['https://photos.example/صورة.jpg'], [''], [null, 7, {}], 'https://photos.example/1.jpg', {}, ['https://p.example/a b\tc.jpg'], Array.from({ length: 300 }, (_, at) => `https://p.example/${at}.jpg`)],
  advertiser_type: ['owner', 'وسيط', 'مالك', '\u0000', 'و'.repeat(300), 7, {}],
  advertiser_key: ['+966 50 000 0000', '\u0000\ud800', 'k'.repeat(5_000), 7, {}],
  verified: ['true', 'نعم', 2, {}, []],
  financing: [{ rent_now_pay_later_monthly_sar: 1234.567 }, { rent_now_pay_later_monthly_sar: 1e308 }, { landlord_payment_plans: 'monthly' }, { landlord_payment_plans: { monthly: {} } }, 'yes', [], { accepts_bank_financing: [] }],
  updated_at: ['2026-02-31T08:00:00Z', '2025-02-29T00:00:00Z', '2026-04-31T08:00:00Z', '30/02/2026', '2026-02-30', '2026-03-20 23:30:00', '2026-02-28T24:00:00Z', '1448/06/10', '2026-03-01T00:00:00+99:99', '0000-00-00', 1_767_225_600, '1767225600000', 1e300, -1, 'yesterday', '٢٠٢٦-٠٣-٠١', ['2026-03-01'], {}],
};

// biome-ignore format: a field is a line
export const PROJECT_VALUES: { readonly [Name in keyof RawProject]?: readonly unknown[] } = {
  name_en: ['Oasis', '\u0000', '\ud800', 'O'.repeat(500), 7, {}],
  name_ar: ['واحة', 'و'.repeat(500), []],
  developer_en: ['Masarat', '\u0000\ud800', 'D'.repeat(500), {}],
  developer_ar: ['مسارات', 7],
  status: ['ready', 'تحت الإنشاء', 'unknown', 7, {}],
  city: ['Riyadh', 'جدة', 'Atlantis', {}],
  neighborhood: ['الياسمين', 'ن'.repeat(2_000), {}],
  lat: [24.713, '24.713', 1e308, Number.NaN, {}],
  lng: [46.675, 'x', {}],
  boundary: ['POLYGON((46.6 24.7, 46.61 24.7, 46.61 24.71, 46.6 24.7))', { type: 'Polygon', coordinates: [[[1e308, Number.NaN], [0, 0]]] }, 'POLYGON((', { type: 'Polygon', coordinates: {} }, 7],
  price_min: ['1234.567', 1e308, 1e-9, -1, '850.000,00', {}],
  price_max: [2e12, '٨٥٠٬٠٠٠', []],
  unit_types: [[{ property_type: 'villa', area: '1e308', price: '600000.555-700000.1' }], [null], [7, 'villa', {}], 'villa', [{ property_type: {}, area: [], price: {} }], Array.from({ length: 200 }, () => ({ property_type: 'apartment', price: 5 }))],
  delivery: ['2027-02-30', 'Q4 2027', '2027-06', 'الربع الرابع 2027', '99999-01-01', 'Q9 2099', 7, {}],
  payment_plan: [{ down_payment: '20%', during_construction: 50, on_delivery: 30 }, { down_payment: Number.NaN }, 'monthly', { down_payment: 1e308, during_construction: -1e308, on_delivery: 100 }],
  features: [['mosque'], 'mosque', [null, 7], {}],
  banks: [['Al Rajhi Bank'], [{}]],
  amenities: [['pool'], [7]],
  license_number: ['LIC-1', 7, '\u0000', {}, ['x']],
  description: ['وصف', '\u0000\ud800', 'و'.repeat(30_000), {}],
  description_en: ['Text', 7],
  photos: [['https://photos.example/a.jpg'], ['https://p.example/a b\tc\u0000.jpg'], {}, 'x'],
  updated_at: ['2026-02-31T08:00:00Z', '30/02/2026', '2026-03-20 23:30:00', '0000-00-00', 1e300, {}],
};

/** Arbitrary values of a field, of any type. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
  { weight: 3, arbitrary: fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1e13 }).map((number) => `${number} ريال`) },
  { weight: 2, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, true, false, '', ' ', '0', 'null') },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('ا', 'a', ' ', '9', '\n', '-', '🏠').map((sign) => sign.repeat(30_000)) },
);

/** Words that are accepted, in both languages, for the fields without which a row is rejected. */
const ACCEPTED: Readonly<Record<string, readonly unknown[]>> = {
  purpose: ['rent', 'sale', 'للإيجار', 'للبيع'],
  property_type: ['apartment', 'villa', 'شقة', 'أرض', 'فيلا', 'land', 'office', 'محل'],
  city: ['Riyadh', 'الرياض', 'Jeddah', 'جدة'],
};

export interface RowOptions {
  /** Whether each of the values also occurs alone in a row. */
  singles: boolean;
  /** Number of rows with several changes. */
  count: number;
  seed: number;
}

/**
 * Returns rows that are a valid row with changes: several fields have one of the values or an arbitrary one.
 * @param valid returns a valid row by number
 */
export function rowsOf(
  values: Readonly<Record<string, readonly unknown[] | undefined>>,
  valid: (at: number) => AnyRow,
  { singles, count, seed }: RowOptions,
): AnyRow[] {
  const fields = Object.keys(values);
  const single = (singles ? fields : []).flatMap((field) => (values[field] ?? []).map((value) => ({ [field]: value })));
  const change = fc
    .constantFrom(...fields)
    .chain((field) => fc.tuple(fc.constant(field), fc.oneof(fc.constantFrom(...(values[field] ?? [])), anyValue)));
  const accepted = fc.record(
    Object.fromEntries(Object.entries(ACCEPTED).map(([field, words]) => [field, fc.constantFrom(...words)])),
  );
  const spoiled = fc.constantFrom('purpose', 'property_type', 'source_listing_id', 'source_project_id');
  const several = fc
    .tuple(
      accepted,
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.option(fc.tuple(spoiled, anyValue), { freq: 12, nil: null }),
    )
    .map(([words, changes, worse]) => ({ ...words, ...Object.fromEntries(worse ? [...changes, worse] : changes) }));
  const changes = [...single, ...fc.sample(several, { numRuns: count, seed })];
  return changes.map((changed, at) => ({ ...valid(at), ...changed }));
}
