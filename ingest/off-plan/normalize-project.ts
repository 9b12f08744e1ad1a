import { foldText } from '#domain/fold.ts';
import { type Boundaries, NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { type BoundaryFault, centerOf, readBoundary } from '#domain/geography/boundary.ts';
import { PROPERTY_TYPE_TABLE } from '#domain/listing-vocabulary.ts';
import type { PaymentPlan, UnitType } from '#domain/off-plan/project.ts';
import { quarterDays } from '#domain/official/quarters.ts';
import { wordsOf } from '#domain/text/phrases.ts';
import { type DateOrder, readDate, readDay } from '../normalize/ad-dates.ts';
import { readAmenities, readPropertyType } from '../normalize/ad-words.ts';
import { readArea } from '../normalize/area.ts';
import type { ReadSettings, RejectReason } from '../normalize/listing.ts';
import { photoAddresses, quoted } from '../normalize/normalize.ts';
import { isBlank, readSmall, type Scalar } from '../normalize/numbers.ts';
import { readPlace, readPoint } from '../normalize/place.ts';
import { feedId, plainValues } from '../normalize/plain-values.ts';
import { readPrice } from '../normalize/price.ts';
import { readCount } from '../normalize/room-counts.ts';
import { cleanDescription, cleanEnglish, cleanName } from '../normalize/text.ts';
import { readBanks, readFeatures, readStatus } from './project-words.ts';
import { FIELDS, type NormalizedProject, type RawProject, type RawUnitType, UNIT_FIELDS } from './sources/raw.ts';

export type NormalizeProjectResult =
  | {
      ok: true;
      project: NormalizedProject;
      license: string | null;
      /** The fault of the stated boundary; null if it is valid, or if none is stated. */
      boundary: BoundaryFault | null;
    }
  | { ok: false; reason: RejectReason; detail: string };

const MAX_NAME = 160;
const MAX_UNIT_TYPES = 50;
/** Later delivery dates are treated as errors. */
const LAST_DELIVERY = Date.UTC(2100, 0, 1);
const CLOCK_TOLERANCE = 10 * 60 * 1_000;

/** Converts a project to the service's vocabulary. Pure. @param at time of the run; later updates are ignored */
export function normalizeProject(
  row: RawProject,
  at: Date,
  boundaries: Boundaries = NO_BOUNDARIES,
  { timeZone, dateOrder }: ReadSettings = {},
): NormalizeProjectResult {
  const { row: raw } = plainValues(row, FIELDS);
  const names = inBothLanguages(raw.name, raw.name_en, raw.name_ar);
  if (names.en === null && names.ar === null) return rejected('missing_name', 'the project has no name');
  const status = isBlank(raw.status) ? null : readStatus(String(raw.status));
  if (status === null) return rejected('unknown_status', quoted(raw.status));
  // If the source states no point, the center of the boundary is used.
  const stated = readPoint(raw.lat, raw.lng);
  const bounds = isBlank(raw.boundary) ? null : readBoundary(raw.boundary, stated);
  const boundary = bounds?.ok ? bounds.boundary : null;
  const point = stated ?? (boundary === null ? null : centerOf(boundary));
  const { city = null, neighborhood = null } = raw;
  const place = readPlace({ city, neighborhood, lat: point?.lat ?? null, lng: point?.lng ?? null }, boundaries);
  if (place === null) return rejected('unknown_city', `${quoted(raw.city)} at ${quoted(raw.lat)}, ${quoted(raw.lng)}`);
  const developers = inBothLanguages(raw.developer, raw.developer_en, raw.developer_ar);
  const unitTypes = unitTypesFrom(raw.unit_types);
  const price = priceRange(raw, unitTypes);
  const commercial =
    unitTypes.length > 0 &&
    unitTypes.every((type) => PROPERTY_TYPE_TABLE[type.property_type].category === 'commercial');
  return {
    ok: true,
    license: isBlank(raw.license_number) ? null : foldText(String(raw.license_number)).replace(/[^\p{L}\p{N}]/gu, ''),
    boundary: bounds === null || bounds.ok ? null : bounds.reason,
    project: {
      source_project_id: feedId(raw.source_project_id),
      name_en: names.en,
      name_ar: names.ar,
      developer_en: developers.en,
      developer_ar: developers.ar,
      status,
      category: commercial ? 'commercial' : 'residential',
      city: place.city,
      neighborhood_id: place.neighborhood_id,
      lat: place.lat,
      lng: place.lng,
      boundary: place.lat === null ? null : boundary,
      price_min_sar: price.min,
      price_max_sar: price.max,
      unit_types: unitTypes,
      delivery_date: readDelivery(raw.delivery, dateOrder),
      payment_plan: paymentPlan(raw.payment_plan),
      features: readFeatures(raw.features),
      banks: readBanks(raw.banks),
      amenities: readAmenities(raw.amenities),
      description: cleanDescription(withoutLicense(raw.description, raw)) || null,
      description_en: cleanEnglish(withoutLicense(raw.description_en, raw)),
      // JSON in Postgres supports neither NUL nor unpaired surrogates.
      photos: photoAddresses(raw.photos).filter((address) => address.isWellFormed() && !/\p{Cc}/u.test(address)),
      source_updated_at: readDate(raw.updated_at, at.getTime() + CLOCK_TOLERANCE, timeZone, dateOrder),
    },
  };
}

/** Removes the private license number, which sources repeat in their texts. */
function withoutLicense(text: string | null | undefined, { license_number: license }: RawProject) {
  const number = isBlank(license) ? '' : String(license).trim();
  return typeof text === 'string' && number.length >= MIN_LICENSE ? text.replaceAll(number, '') : text;
}

/** Shorter license numbers could match unrelated numbers in a text. */
const MIN_LICENSE = 5;

function rejected(reason: RejectReason, detail: string): NormalizeProjectResult {
  return { ok: false, reason, detail };
}

const ARABIC = /\p{Script=Arabic}/u;

/** Assigns each text to the language of its letters. */
function inBothLanguages(either: unknown, en: unknown, ar: unknown): { en: string | null; ar: string | null } {
  const found: { en: string | null; ar: string | null } = { en: null, ar: null };
  for (const text of [en, ar, either]) {
    const name = typeof text === 'string' ? cleanName(text, MAX_NAME) : null;
    if (name !== null) found[ARABIC.test(name) ? 'ar' : 'en'] ??= name;
  }
  return found;
}

function unitTypesFrom(raw: readonly RawUnitType[] | null | undefined): UnitType[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_UNIT_TYPES).flatMap((row: RawUnitType | null): UnitType[] => {
    if (typeof row !== 'object' || row === null) return [];
    const { row: unit } = plainValues(row, UNIT_FIELDS);
    const type = isBlank(unit.property_type) ? null : readPropertyType(String(unit.property_type));
    if (type === null) return [];
    const area = rangeOf(unit.area, unit.area_min, unit.area_max, (value) => readArea(value, type) ?? null);
    const price = rangeOf(unit.price, unit.price_min, unit.price_max, salePrice);
    return [
      {
        property_type: type,
        bedrooms: readCount(unit.bedrooms, 'bedrooms'),
        bathrooms: readCount(unit.bathrooms, 'bathrooms'),
        area_min_sqm: area.min,
        area_max_sqm: area.max,
        price_min_sar: price.min,
        price_max_sar: price.max,
      },
    ];
  });
}

interface Range {
  min: number | null;
  max: number | null;
}

const FROM = /^\s*(?:(?:start(?:s|ing)? )?(?:from|at)|(?:(?:ت|ي)بد[أا] |ابتداء? )?من)\s+/i;
const BETWEEN = /\s*[-–—]\s*|\s+(?:to|[إا]لى)\s+/i;

/** Reads a range from two fields, or from one such as `95-120`. A single bound counts as both, in any order. */
function rangeOf(both: Scalar, low: Scalar, high: Scalar, read: (value: Scalar) => number | null): Range {
  const [first, second, ...others] = typeof both === 'string' ? both.replace(FROM, '').split(BETWEEN) : [both];
  if (others.length > 0) return { min: null, max: null };
  const unit = typeof second === 'string' ? second.replace(/^.*\d/s, '') : '';
  const start = typeof first === 'string' && !/\p{L}/u.test(first) ? `${first}${unit}` : first;
  const bounds = [low ?? start, high ?? second].map((bound) =>
    read(typeof bound === 'string' ? bound.replace(FROM, '') : bound),
  );
  const found = bounds.filter((bound) => bound !== null);
  // A range with one readable bound, such as `up to 120`.
  if (second !== undefined && found.length < bounds.length) return { min: null, max: null };
  return found.length === 0 ? { min: null, max: null } : { min: Math.min(...found), max: Math.max(...found) };
}

/** Reads a price in riyals; null if there is none. */
function salePrice(value: Scalar): number | null {
  const read = readPrice(value, null, 'sale');
  return 'unreadable' in read ? null : (read.price?.yearly ?? null);
}

function priceRange(raw: RawProject, types: readonly UnitType[]): Range {
  const stated = rangeOf(null, raw.price_min, raw.price_max, salePrice);
  if (stated.min !== null) return stated;
  const prices = types.flatMap((type) => [type.price_min_sar, type.price_max_sar]).filter((price) => price !== null);
  return prices.length === 0 ? stated : { min: Math.min(...prices), max: Math.max(...prices) };
}

const QUARTER_WORDS: readonly (readonly [RegExp, number])[] = [
  [/\bq1\b|\b1st quarter|first quarter|الربع الاول/, 0],
  [/\bq2\b|\b2nd quarter|second quarter|الربع الثاني/, 1],
  [/\bq3\b|\b3rd quarter|third quarter|الربع الثالث/, 2],
  [/\bq4\b|\b4th quarter|fourth quarter|الربع الرابع/, 3],
];

/** Returns the last day of the stated day, month (`2027-06`) or quarter (`Q4 2027`, `الربع الرابع 2027`). */
export function readDelivery(text: string | null | undefined, order?: DateOrder): string | null {
  if (isBlank(text)) return null;
  const folded = foldText(String(text));
  const [year, ...years] = new Set(folded.match(/\b20\d\d\b/g));
  const [quarter, ...quarters] = QUARTER_WORDS.filter(([words]) => words.test(folded.replace(/[-/]/g, ' ')));
  // A range of quarters states no day.
  if (quarters.length > 0 || (quarter !== undefined && years.length > 0)) return null;
  if (quarter !== undefined && year !== undefined) return quarterDays(Number(year) * 4 + quarter[1]).end;
  const month = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(folded);
  if (month !== null) return new Date(Date.UTC(Number(month[1]), Number(month[2]), 0)).toISOString().slice(0, 10);
  return readDay(folded, LAST_DELIVERY, order);
}

const SHARE = new Set(wordsOf('%, ٪, percent, بالمئة, في, المئة'));

/** Returns the payment plan; null unless the shares add up to 100%, within one percentage point. */
function paymentPlan(raw: RawProject['payment_plan']): PaymentPlan | null {
  const [down, during, end] = [raw?.down_payment, raw?.during_construction, raw?.on_delivery].map((share) =>
    readSmall(share, SHARE),
  );
  if (typeof down !== 'number' || typeof during !== 'number' || typeof end !== 'number') return null;
  if (Math.min(down, during, end) < 0 || Math.abs(down + during + end - 100) > 1) return null;
  return { down_payment_pct: down, during_construction_pct: during, on_delivery_pct: end };
}
