import { placesIn, radiusOf } from './interest-index.ts';
import type { Interpretation } from './interpretation.ts';
import type { Nearby } from './introductions.ts';

/** Meters of a minute: walking at 4.8 km/h, and by car at 30 km/h in a straight line. */
const METERS_PER_MINUTE: Readonly<Record<string, number>> = { foot: 80, car: 500 };
export interface Claim extends Nearby {
  first: number;
  last: number;
  means: string | null;
}

/** Reserves the atoms of the first place, so that its distance is not read as an area. */
export function claimNearby(sentence: Interpretation): Claim | null {
  const at = sentence.atoms.findIndex(({ nearby }) => nearby !== undefined);
  const { nearby } = sentence.atoms[at] ?? {};
  if (nearby === undefined) return null;
  const { amount, means, first } = nearby.introduction;
  // `5 minutes from KAFD by car`.
  const behind = sentence.next(at);
  const isBehind = means === null && amount?.isTime === true && sentence.tag(behind) === 'means';
  const last = isBehind ? behind : at;
  sentence.use(first, last);
  return { ...nearby, first, last, means: isBehind ? (sentence.atoms[behind]?.value ?? null) : means };
}

/** Sets the circle or circles of a claim; without them its words are not understood. */
export function setNearby(sentence: Interpretation, { named, introduction, means, first, last }: Claim): void {
  const { city } = sentence.filters();
  const places = city?.includes(',') ? null : placesIn(named, city);
  if (places === null || sentence.has('near') || sentence.has('radius_m')) {
    for (const atom of sentence.atoms.slice(first, last + 1)) atom.isUsed = false;
    return;
  }
  const { amount } = introduction;
  const perUnit = amount?.isTime ? (METERS_PER_MINUTE[means ?? 'car'] as number) : 1;
  const points = [...new Set(places.map(({ lat, lng }) => `${lat},${lng}`))];
  sentence.set(points.length === 1 ? 'near' : 'near_any', points.join(';'), first, last);
  sentence.set('radius_m', String(radiusOf(named, amount && amount.value * perUnit)), first, last);
  const cities = new Set(places.map((place) => place.city));
  if (city === undefined && cities.size === 1) sentence.set('city', [...cities][0] as string, first, last);
  const { name_en, name_ar } = named;
  sentence.nearPlace = { name_en, name_ar };
}
