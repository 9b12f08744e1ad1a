import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import { nameKeys } from '#domain/geography/names.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { foldText } from '#domain/text/fold.ts';
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
  const kept = withoutPlans(named);
  const neighborhood =
    city === null ? null : (findDistrict(city, named) ?? (kept === null ? null : findDistrict(city, kept)));
  // A name in which nothing is left beside a plan may still say where it is: `مخطط الملقا`.
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

/** Words that announce a plan, a parcel, a block or a deed, folded, with what is written on to them. */
const ANNOUNCES = /^[وبلكف]?(?:ال|ل)?(?:مخطط|مخططات|رقم|ارقام|قطعه|قطع|صك|صكوك|بلك|بلوك)$/;

/**
 * What a publisher writes of a place without numbers of plans, parcels and deeds: from the first word with a digit, or the
 * first that announces one, all is dropped. Null when nothing is left.
 */
export const withoutNumbers = memoize((text): string | null => {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!/\p{N}/u.test(word) && !ANNOUNCES.test(foldText(word))) continue;
    const kept = text.slice(0, index).replace(/[\s\p{Pd}\p{Ps}\p{Po}\p{Pc}\p{S}]+$/u, '');
    return kept === '' ? null : kept;
  }
  return text;
});

/** The name of a district without them: letters that stand alone are of a plan too, as in `ق/ ك/ 1013`. */
export function withoutPlans(name: string): string | null {
  const words = (withoutNumbers(name) ?? '').split(/[\s/]+/).filter((word) => (word.match(/\p{L}/gu) ?? []).length > 1);
  return words.length === 0 ? null : words.join(' ');
}

/** Changes with every name that places are found by. */
export const PLACE_TEXT = JSON.stringify(
  NEIGHBORHOODS.map((place) => [place.id, place.name_ar, nameKeys(place.name_ar), place.aliases]),
);
