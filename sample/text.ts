import type { Amenity, PropertyType } from '#domain/listings/vocabulary.ts';
import type { Property } from './ad.ts';
import { arabicDigits, looseSpelling, thousands } from './formats.ts';
import phrases from './phrases.json' with { type: 'json' };
import type { Random } from './random.ts';
import { floorAr, floorEn, TYPES_AR, TYPES_EN } from './words.ts';

/** An advertiser's text about a home. Other advertisers of the same home usually write another text. */
export interface AdText {
  title: string;
  description: string;
  description_en: string | null;
}

const { ads } = phrases;

const BARE: ReadonlySet<PropertyType> = new Set(['land', 'commercial_land']);
const TRADE: ReadonlySet<PropertyType> = new Set(['office', 'shop', 'showroom', 'warehouse', 'commercial_building']);
const LEISURE: ReadonlySet<PropertyType> = new Set(['rest_house', 'chalet', 'farm']);

const AMENITY_PHRASES: Partial<Record<Amenity, string>> = ads.amenities;

/** Writes the text of one ad for a home. @param english share of ads that also have an English text */
export function writeText(random: Random, property: Property, english: number): AdText {
  const style = random.next();
  const finish = (text: string): string => handwriting(random, text, style);
  const title = finish(titleOf(random, property));
  const description = finish(describe(random, property));
  return { title, description, description_en: random.chance(english) ? describeInEnglish(random, property) : null };
}

function titleOf(random: Random, property: Property): string {
  const type = TYPES_AR[property.property_type];
  const rent = property.listing_type === 'rent';
  const offer = rent ? 'للإيجار' : 'للبيع';
  const place = property.neighborhood.name_ar;
  const rooms = property.bedrooms === null ? '' : (ads.rooms[property.bedrooms] ?? `${property.bedrooms} غرف`);
  const { area, street_width: width, compound, city, furnished } = property;
  const titles = [
    () => `${type} ${offer} في حي ${place} ، ${city.name_ar}`,
    () => `${offer} ${type} ${rent && rooms !== '' ? random.pick(ads.family) : random.pick(ads.praise)} ${place}`,
    () => (rooms === '' ? `${type} ${area} متر ${offer} حي ${place}` : `${type} ${rooms} وصالة ${offer} حي ${place}`),
    () => `${type} ${random.pick(ads.praise)} ${offer} ب${place} ${area}م`,
    () => `${type} ${offer}`,
    () => (width === null ? `${offer} ${type} حي ${place} بدون عمولة` : `${type} ${offer} شارع ${width} حي ${place}`),
    () => (compound === null ? `${type} ${offer} ${city.name_ar} حي ${place}` : `${type} ${offer} في ${compound}`),
    () =>
      rooms === ''
        ? `فرصة ${type} ${offer} ${place}`
        : `${offer} ${type} ${rooms} ${furnished ? 'مفروشة' : 'وصالة'} ${place}`,
  ];
  return random.pick(titles)();
}

function describe(random: Random, property: Property): string {
  const type = TYPES_AR[property.property_type];
  const lines: string[] = [];
  if (random.chance(0.55)) lines.push(random.pick(ads.openings));
  lines.push(
    `${type} ${property.listing_type === 'rent' ? 'للإيجار' : 'للبيع'} في ${random.chance(0.6) ? 'حي ' : ''}${property.neighborhood.name_ar}${random.chance(0.5) ? ` ب${property.city.name_ar}` : ''}`,
  );
  if (property.compound !== null && random.chance(0.7)) lines.push(`ضمن ${property.compound}`);
  if (random.chance(0.7))
    lines.push(
      `المساحة ${random.chance(0.5) ? arabicDigits(property.area) : property.area} متر${random.chance(0.4) ? ' مربع' : ''}`,
    );
  if (property.bedrooms !== null) lines.push(roomsLine(random, property));
  if (property.floor !== null && random.chance(0.6))
    lines.push(`الدور ${floorAr(property.floor).replace(/^الدور /, '')}`);
  if (property.age !== null && random.chance(0.5))
    lines.push(
      property.age === 0
        ? random.pick(ads.conditionNew)
        : random.chance(0.5)
          ? `عمر العقار ${property.age} سنوات`
          : random.pick(ads.conditionUsed),
    );
  if (property.street_width !== null && random.chance(0.5))
    lines.push(
      `${random.pick(['شارع عرض', 'على شارع', 'واجهة شارع'])} ${property.street_width} ${random.pick(['متر', 'م', 'شمالي', 'شرقي', 'جنوبي', 'غربي'])}`,
    );
  const offered = property.amenities.flatMap((amenity) => AMENITY_PHRASES[amenity] ?? []);
  if (offered.length > 0 && random.chance(0.6)) lines.push(`يوجد ${offered.slice(0, random.int(1, 4)).join(' و')}`);
  const pool = BARE.has(property.property_type)
    ? ads.landLines
    : TRADE.has(property.property_type)
      ? ads.tradeLines
      : LEISURE.has(property.property_type)
        ? ads.leisureLines
        : ads.homeLines;
  for (let more = random.int(1, 3); more > 0; more--) {
    const line = random.pick<string>(pool);
    if (!lines.includes(line)) lines.push(line);
  }
  lines.push(random.pick(ads.near));
  lines.push(random.pick(property.listing_type === 'rent' ? ads.rentLines : ads.saleLines));
  if (random.chance(0.25)) lines.push(priceLine(random, property));
  if (random.chance(0.5)) lines.push(random.pick(ads.closings));
  return lines.join(random.pick(['\n', '\n', ' ، ', '\n- ', ' . ']));
}

function roomsLine(random: Random, property: Property): string {
  const rooms = ads.rooms[property.bedrooms ?? 0] ?? `${property.bedrooms} غرف`;
  const baths =
    property.bathrooms === null ? '' : (ads.baths[property.bathrooms] ?? `${property.bathrooms} دورات مياه`);
  const andBaths = baths === '' ? '' : ` و${baths}`;
  return random.pick([
    `مكونة من ${rooms} وصالة ومطبخ${andBaths}`,
    `${rooms} وصالة${andBaths}`,
    `عدد الغرف ${arabicDigits(property.bedrooms ?? 0)}`,
    `${rooms} نوم ومجلس وصالة`,
  ]);
}

function priceLine(random: Random, property: Property): string {
  if (property.compound !== null) return `الأسعار تبدأ من ${thousands(property.price)} ريال`;
  if (property.listing_type === 'rent') return `الإيجار السنوي ${thousands(property.price)} ريال`;
  return random.chance(0.5)
    ? `السعر ${arabicDigits(Math.round(property.price / 1000))} ألف`
    : `المطلوب ${thousands(property.price)} ريال`;
}

function describeInEnglish(random: Random, property: Property): string {
  const type = TYPES_EN[property.property_type];
  const lines = [
    `${random.pick(ads.english.praise)} ${type.toLowerCase()} for ${property.listing_type === 'rent' ? 'rent' : 'sale'} in ${property.neighborhood.name_en}, ${property.city.name_en}.`,
  ];
  if (property.bedrooms !== null)
    lines.push(
      `${property.bedrooms} bedroom${property.bedrooms === 1 ? '' : 's'}, ${property.bathrooms ?? 1} bathrooms, ${property.area} sqm.`,
    );
  else lines.push(`Area ${property.area} sqm.`);
  if (property.floor !== null) lines.push(`${floorEn(property.floor)}.`);
  lines.push(random.pick(ads.english.near), random.pick(ads.english.closings));
  return lines.join(' ');
}

/** Varies a text as advertisers type it: other letters, a repeated letter, a vowel mark. */
function handwriting(random: Random, text: string, style: number): string {
  let written = style < 0.25 ? looseSpelling(text) : text;
  if (random.chance(0.06)) written = written.replace(/(?<=\p{L})ـ?ي(?=\p{L})/u, 'ـــي');
  if (random.chance(0.05)) written = written.replace('شقة', 'شَقّة').replace('فيلا', 'فِيلّا').replace('للبيع', 'لِلبيع');
  return written;
}
