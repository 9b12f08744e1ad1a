import { type Amenity, PROPERTY_TYPE_TABLE } from '#domain/listing-vocabulary.ts';
import type { Ad, Property } from './homes.ts';
import phrases from './phrases.json' with { type: 'json' };
import type { Random } from './random.ts';
import { arabicDigits, floorAr, floorEn, looseSpelling, TYPES_AR, TYPES_EN, thousands } from './words.ts';

/** Other advertisers of the same home usually write another text. */
export type AdText = Pick<Ad, 'title' | 'description' | 'description_en'>;

const { ads } = phrases;
const AMENITY_PHRASES: Partial<Record<Amenity, string>> = ads.amenities;
const LEISURE = new Set(['rest_house', 'chalet', 'farm']);
const PLOTS = new Set(['land', 'commercial_land']);

/** Facts that are only conditions are empty. */
const FACT = /\{(\w+)\}/g;
type Facts = Readonly<Record<string, string | number | null | false>>;

/** @param english share of ads that also have an English text */
export function writeText(random: Random, property: Property, english: number): AdText {
  const loose = random.chance(0.25);
  const facts = factsOf(random, property);
  const finish = (text: string): string => handwriting(random, loose ? looseSpelling(text) : text);
  return {
    title: finish(fill(random, ads.titles, facts) ?? ''),
    description: finish(lines(random, ads.description, facts).join(random.pick(['\n', '\n', ' ، ', '\n- ', ' . ']))),
    description_en: random.chance(english) ? lines(random, ads.description_en, facts).join(' ') : null,
  };
}

/** @param parts for each line, the share of ads that have it, and its templates */
function lines(random: Random, parts: readonly (readonly (number | string[])[])[], facts: Facts): string[] {
  const written = parts.flatMap(([share, templates]) =>
    random.chance(share as number) ? (fill(random, templates as string[], facts) ?? []) : [],
  );
  return [...new Set(written)];
}

/** Fills one of the templates whose facts the home has. */
function fill(random: Random, templates: readonly string[], facts: Facts): string | null {
  const missing = (name: string): boolean => facts[name] === null || facts[name] === false || facts[name] === undefined;
  const usable = templates.filter((template) => ![...template.matchAll(FACT)].some(([, name = '']) => missing(name)));
  return usable.length === 0 ? null : random.pick(usable).replace(FACT, (_, name: string) => String(facts[name]));
}

function factsOf(random: Random, home: Property): Facts {
  const { property_type: type, listing_type, bedrooms, bathrooms, area, floor, age, price, city, neighborhood } = home;
  const rent = listing_type === 'rent';
  const leisure = LEISURE.has(type);
  const plot = PLOTS.has(type);
  const trade = !plot && PROPERTY_TYPE_TABLE[type].category === 'commercial';
  const offered = home.amenities.flatMap((amenity) => AMENITY_PHRASES[amenity] ?? []);
  const condition = (met: boolean): '' | false => (met ? '' : false);
  return {
    type: TYPES_AR[type],
    type_en: TYPES_EN[type].toLowerCase(),
    offer: rent ? 'للإيجار' : 'للبيع',
    offer_en: listing_type,
    place: neighborhood.name_ar,
    place_en: neighborhood.name_en,
    city: city.name_ar,
    city_en: city.name_en,
    praise: random.pick(ads.praise),
    rooms: bedrooms === null ? null : (ads.rooms[bedrooms] ?? `${bedrooms} غرف`),
    bedrooms,
    bedrooms_ar: bedrooms === null ? null : arabicDigits(bedrooms),
    baths: bathrooms === null ? null : (ads.baths[bathrooms] ?? `${bathrooms} دورات مياه`),
    baths_en: bathrooms,
    area,
    area_ar: arabicDigits(area),
    floor: floor === null ? null : floorAr(floor).replace(/^الدور /, ''),
    floor_en: floor === null ? null : floorEn(floor),
    age: age === 0 ? null : age,
    street: home.street_width,
    compound: home.compound,
    amenities: offered.length === 0 ? null : offered.slice(0, random.int(1, 4)).join(' و'),
    price: thousands(price),
    thousands_ar: arabicDigits(Math.round(price / 1000)),
    new: condition(age === 0),
    used: condition(age !== null && age > 0),
    rent: condition(rent),
    sale: condition(!rent),
    home: condition(!plot && !trade && !leisure),
    plot: condition(plot),
    trade: condition(trade),
    leisure: condition(leisure),
    compound_price: condition(home.compound !== null),
    rent_price: condition(rent && home.compound === null),
    sale_price: condition(!rent && home.compound === null),
  };
}

/** Varies a text as advertisers type it: a repeated letter, a vowel mark. */
function handwriting(random: Random, text: string): string {
  const long = random.chance(0.06) ? text.replace(/(?<=\p{L})ـ?ي(?=\p{L})/u, 'ـــي') : text;
  return random.chance(0.05) ? long.replace('شقة', 'شَقّة').replace('فيلا', 'فِيلّا').replace('للبيع', 'لِلبيع') : long;
}
