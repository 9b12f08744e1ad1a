import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import { nameKeys } from '#domain/geography/names.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { foldText } from '#domain/text/fold.ts';

/** Where a row says that something lies. */
export interface OfficialPlace {
  /** Slug of a city of the service. */
  city: string | null;
  neighborhood: Neighborhood | null;
  /** As the publisher writes it, without the plans and parcels that some put there. */
  district: string | null;
}

/** Words that publishers put where no district is known. */
const NO_DISTRICT: ReadonlySet<string> = new Set(['أخرى', 'اخري', 'بدون', 'جميع', 'غير محدد'].map(foldText));

/** `الجموم - بحرة`: a town of a governorate. The governorate's city is meant only where it is one of ours. */
export function townCity(town: string): string | null {
  return findCity(town)?.slug ?? findCity(town.split(' - ')[0] ?? '')?.slug ?? null;
}

/** Names already met, by city: files repeat them, and may hold any text, so what is remembered is bounded. */
const met = new Map<string, OfficialPlace>();
const REMEMBERED = 20_000;

export function placeOf(city: string | null, district: string | null): OfficialPlace {
  const key = `${city} ${district}`;
  const known = met.get(key);
  if (known !== undefined) return known;
  if (met.size >= REMEMBERED) met.clear();
  const place = findPlace(city, district);
  met.set(key, place);
  return place;
}

function findPlace(city: string | null, district: string | null): OfficialPlace {
  const named = district === null || NO_DISTRICT.has(foldText(district)) ? null : district;
  if (named === null) return { city, neighborhood: null, district: null };
  const neighborhood = city === null ? null : findDistrict(city, named);
  return { city, neighborhood, district: neighborhood === null ? withoutPlans(named) : named };
}

/** `المصيف في محافظة القطيف`. */
const IN_GOVERNORATE = / (?:في|ب)?محافظة .*$| في محافظة .*$/;

function findDistrict(city: string, name: string): Neighborhood | null {
  return findNeighborhood(city, name) ?? findNeighborhood(city, name.replace(IN_GOVERNORATE, ''));
}

/** What announces a plan, a parcel or a deed. */
const PLAN_WORDS: ReadonlySet<string> = new Set(
  'مخطط المخطط رقم قطعة القطعة صك الصك بلك بلوك'.split(' ').map(foldText),
);

/**
 * The name without numbers of plans, parcels and deeds, which some rows have where a district belongs: from the first
 * word with a digit, or the first that announces one, all is dropped. Null when no name is left.
 */
export function withoutPlans(name: string): string | null {
  const words = name.split(/[\s/]+/).filter(Boolean);
  const end = words.findIndex((word) => /\d/.test(foldText(word)) || PLAN_WORDS.has(foldText(word)));
  // Letters that stand alone are of a plan too: "ق/ ك/ 1013".
  const kept = words
    .slice(0, end === -1 ? words.length : end)
    .filter((word) => (word.match(/\p{L}/gu) ?? []).length > 1);
  return kept.length === 0 ? null : kept.join(' ');
}

/** Changes with every name that places are found by. */
export const PLACE_TEXT = JSON.stringify(
  NEIGHBORHOODS.map((place) => [place.id, place.name_ar, nameKeys(place.name_ar), place.aliases]),
);
