import { foldText } from '#domain/fold.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { memoize } from '#domain/memoize.ts';

interface OfficialPlace {
  neighborhood: Neighborhood | null;
  /** District name as published, without plan and parcel numbers. */
  district: string | null;
}

const NO_DISTRICT: ReadonlySet<string> = new Set(['أخرى', 'اخري', 'بدون', 'جميع', 'غير محدد'].map(foldText));

/** Returns the city of a town, or of the governorate of a town such as `الجموم - بحرة`; null if it is not ours. */
export function townCity(town: string): string | null {
  return findCity(town)?.slug ?? findCity(town.split(' - ')[0] ?? '')?.slug ?? null;
}

const cachedPlace = memoize((key) => {
  const [city, district] = JSON.parse(key) as [string | null, string | null];
  return findPlace(city, district);
});

export const placeOf = (city: string | null, district: string | null): OfficialPlace =>
  cachedPlace(JSON.stringify([city, district]));

function findPlace(city: string | null, district: string | null): OfficialPlace {
  const named = district === null || NO_DISTRICT.has(foldText(district)) ? null : district;
  if (named === null) return { neighborhood: null, district: null };
  const kept = withoutPlans(named);
  const neighborhood =
    city === null ? null : (findDistrict(city, named) ?? (kept === null ? null : findDistrict(city, kept)));
  // If nothing remains of the name, it may still contain a neighborhood: `(3738) الملقا`.
  return { neighborhood, district: kept ?? neighborhood?.name_ar ?? null };
}

/** For example `المصيف في محافظة القطيف`. */
const IN_GOVERNORATE = / (?:في|ب)?محافظة .*$| في محافظة .*$/;

function findDistrict(city: string, name: string): Neighborhood | null {
  return findNeighborhood(city, name) ?? findNeighborhood(city, name.replace(IN_GOVERNORATE, ''));
}

/** Returns whether a name is a direction within a city, such as `شرق الرياض`. */
export function isSideOfCity(name: string): boolean {
  const rest = /^(?:شمال|جنوب|شرق|غرب|وسط) (.+)$/.exec(foldText(name))?.[1];
  return rest !== undefined && findCity(rest) !== null;
}

/** Folded words that introduce the number of a plan, parcel, block or deed, with attached prefixes. */
const INTRODUCES_NUMBER = /^[وبلكف]?(?:ال|ل)?(?:مخطط|مخططات|رقم|ارقام|قطعه|قطع|صك|صكوك|بلك|بلوك)$/;

/**
 * Removes plan, parcel and deed numbers from a published place name: everything from the first number on, and the words
 * that introduce it. Returns null if nothing remains.
 * @param digits minimum number of digits for a number without an introducing word
 */
function cutNumbers(text: string, digits: number): string | null {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const introducesNumber = (at: number): boolean => INTRODUCES_NUMBER.test(foldText(words[at]?.[0] ?? ''));
  let at = words.findIndex(({ 0: word }, place) => {
    const found = word.match(/\p{N}/gu)?.length ?? 0;
    return found >= digits || (found > 0 && introducesNumber(place - 1));
  });
  if (at === -1) at = words.length;
  while (introducesNumber(at - 1)) at--;
  if (at === words.length) return text;
  const kept = text.slice(0, words[at]?.index).replace(/[\s\p{Pd}\p{Ps}\p{Po}\p{Pc}\p{S}]+$/u, '');
  return kept === '' ? null : kept;
}

/** Removes numbers from the name of a region or town, except short ones, as in `الفويلق 2`. */
export const withoutNumbers = memoize((name): string | null => cutNumbers(name, 3));

/** Removes numbers from a district name, with the single letters of plan numbers, as in `ق/ ك/ 1013`. */
export function withoutPlans(name: string): string | null {
  const words = (cutNumbers(name, 1) ?? '').split(/[\s/]+/).filter((word) => (word.match(/\p{L}/gu) ?? []).length > 1);
  return words.length === 0 ? null : words.join(' ');
}
