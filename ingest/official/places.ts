import { foldText } from '#domain/fold.ts';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import { nameKeys } from '#domain/geography/names.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { memoize } from '../normalize/memoize.ts';

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

/** `الجموم - بحرة`: a town of a governorate. It is assigned to the governorate's city if that is in the gazetteer. */
export function townCity(town: string): string | null {
  return findCity(town)?.slug ?? findCity(town.split(' - ')[0] ?? '')?.slug ?? null;
}

/** Cached names by city. Files repeat them and may contain any text, so the cache is bounded. */
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
  const kept = withoutPlans(named);
  const neighborhood =
    city === null ? null : (findDistrict(city, named) ?? (kept === null ? null : findDistrict(city, kept)));
  // One in which nothing is left may still say where it is: `(3738) الملقا`.
  return { city, neighborhood, district: kept ?? neighborhood?.name_ar ?? null };
}

/** `المصيف في محافظة القطيف`. */
const IN_GOVERNORATE = / (?:في|ب)?محافظة .*$| في محافظة .*$/;

function findDistrict(city: string, name: string): Neighborhood | null {
  return findNeighborhood(city, name) ?? findNeighborhood(city, name.replace(IN_GOVERNORATE, ''));
}

/** `شرق الرياض`: a side of a city stands where a district belongs, and is none. */
export function isSideOfCity(name: string): boolean {
  const rest = /^(?:شمال|جنوب|شرق|غرب|وسط) (.+)$/.exec(foldText(name))?.[1];
  return rest !== undefined && findCity(rest) !== null;
}

/** Words before the number of a plan, a parcel, a block or a deed, folded, with attached letters. */
const ANNOUNCES = /^[وبلكف]?(?:ال|ل)?(?:مخطط|مخططات|رقم|ارقام|قطعه|قطع|صك|صكوك|بلك|بلوك)$/;

/**
 * Removes numbers of plans, parcels and deeds from a published place: drops all from the first number on, with the words before
 * it. Returns null if nothing is left.
 * @param digits minimum number of digits without one of these words
 */
function cutNumbers(text: string, digits: number): string | null {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const announces = (at: number): boolean => ANNOUNCES.test(foldText(words[at]?.[0] ?? ''));
  let at = words.findIndex(({ 0: word }, place) => {
    const found = word.match(/\p{N}/gu)?.length ?? 0;
    return found >= digits || (found > 0 && announces(place - 1));
  });
  if (at === -1) at = words.length;
  while (announces(at - 1)) at--;
  if (at === words.length) return text;
  const kept = text.slice(0, words[at]?.index).replace(/[\s\p{Pd}\p{Ps}\p{Po}\p{Pc}\p{S}]+$/u, '');
  return kept === '' ? null : kept;
}

/** Removes numbers from the name of a region or town. Some towns have a short number in their name: `الفويلق 2`. */
export const withoutNumbers = memoize((name): string | null => cutNumbers(name, 3));

/** The name of a district without them: letters that stand alone are of a plan too, as in `ق/ ك/ 1013`. */
export function withoutPlans(name: string): string | null {
  const words = (cutNumbers(name, 1) ?? '').split(/[\s/]+/).filter((word) => (word.match(/\p{L}/gu) ?? []).length > 1);
  return words.length === 0 ? null : words.join(' ');
}

/** Changes with every name that places are found by. */
export const PLACE_TEXT = JSON.stringify(
  NEIGHBORHOODS.map((place) => [place.id, place.name_ar, nameKeys(place.name_ar), place.aliases]),
);
