import { isLatin } from '../fold.ts';
import { neighborhoodsOf } from '../geography/gazetteer.ts';
import { DIRECTIONS, type LatLng, type Neighborhood } from '../geography/places.ts';
import type { PointOfInterest } from '../geography/points-of-interest.ts';
import { RADIUS_M } from '../geography/shapes.ts';
import type { Atom } from './atoms.ts';
import type { Interpretation, Words } from './interpretation.ts';
import { isPlaceWord } from './place-names.ts';

export interface PlaceReading extends Words {
  city: string;
  neighborhood_id: number;
  name_en: string;
  name_ar: string;
}

export interface SentenceContext {
  /** The current year, from which the age of a building that a year states is computed. */
  year: number;
  /** Number of listings. It decides between cities that have a neighborhood of the same name. */
  listingsOf(neighborhoodId: number): number;
  centerOf?(neighborhoodId: number): LatLng | null;
  /** Neighborhoods whose names the words may be, misspelled. */
  similarTo?(words: string, city: string | null): readonly Neighborhood[];
  /** Places of the operator's file. */
  pointsOfInterest?: readonly PointOfInterest[];
}

/** Share of the listings under an ambiguous name that one city must have to be selected. */
const DOMINANT_SHARE = 0.9;
/**
 * Folded words for landmarks, after correction of the spelling. In Arabic they precede the name of their place, in
 * English they follow it.
 */
const LANDMARKS_AR =
  /^(?:ب|ال|بال|ل)?(?:مركز|حديقه|بوابه|برج|ابراج|مستشفي|ملعب|استاد|منتزه|بوليفارد|واجهه|محطه|مطار|جامع)$/;
const LANDMARKS_EN =
  /^(?:park|gated?|towers?|hospital|stadium|boulevard|front|mall|station|airport|mosque|museum|square)$/;

/** Number of phrases of a sentence that are compared with names. */
const MOST_COMPARED = 3;

interface Mention {
  at: number;
  first: number;
  mode: 'in' | 'near' | 'except';
  radius: number;
  names: readonly Neighborhood[];
}

/** A stated city. `isIn`: whether its word has the prefix for "in". */
interface City {
  slug: string;
  at: number;
  isIn: boolean;
}

/** @returns places that an ambiguous name may also mean */
export function readPlaces(sentence: Interpretation, context: SentenceContext): PlaceReading[] {
  const { mentions, cities } = readMentions(sentence);
  if (mentions.length === 0 && cities.length === 0) {
    // Without another place, "the city" is Madinah.
    const at = sentence.atoms.findIndex(({ text, tag }) => tag === 'stop' && /^ب?المدينه$/.test(text));
    if (at >= 0) sentence.set('city', 'madinah', at);
  }
  const alternatives = resolve(sentence, mentions, cities[0]?.slug ?? null, context);
  // Beside a neighborhood, a direction adds nothing.
  if (mentions.length === 0) for (const city of cities) readDirections(sentence, city);
  return [...alternatives, ...misspelled(sentence, cities[0]?.slug ?? null, context)];
}

/** Returns what unknown words may name where a place is expected: `in Alyasmn`, `Alyasmn`. */
function misspelled(sentence: Interpretation, city: string | null, { similarTo }: SentenceContext): PlaceReading[] {
  const isUnknown = (at: number): boolean => sentence.tag(at) === 'unknown' && !sentence.atoms[at]?.isUsed;
  const isExpected = (at: number): boolean =>
    ['in', 'near', 'district'].includes(sentence.tag(at - 1)) || /^(?:ب?ال|al).{3}/.test(sentence.textOf(at));
  const expected = [...sentence.atoms.keys()].filter((at) => isUnknown(at) && isExpected(at));
  return expected.slice(0, MOST_COMPARED).flatMap((first) => {
    let last = first;
    while (isUnknown(last + 1)) last += 1;
    const range = sentence.wordsOf(first, last);
    const found = similarTo?.(range.words, city) ?? [];
    return found.map((each) => readingOf(each, range));
  });
}

/** Nothing that introduces a place. */
const nothing = {
  mode: 'in' as Mention['mode'],
  isStreet: false,
  isDistrict: false,
  // `not near`, `far from`: the place is not understood.
  isDenied: false,
  first: -1,
  radius: RADIUS_M.default as number,
};

/** Reads the names of neighborhoods and cities, each with the words that introduce it. */
function readMentions(sentence: Interpretation): { mentions: Mention[]; cities: City[] } {
  const mentions: Mention[] = [];
  const cities: City[] = [];
  let read = nothing;
  for (let at = 0; at < sentence.atoms.length; at += 1) {
    const { tag, text, place, amount, isUsed } = sentence.atoms[at] as Atom;
    if (isUsed) {
      read = nothing;
      continue;
    }
    const next = sentence.next(at);
    const first = read.first < 0 ? at : read.first;
    if (place) {
      const { city, neighborhoods } = place;
      const { mode, radius } = read;
      const behind = sentence.tag(at + 1);
      const isAfterMention = mode !== 'in' && mentions.some((mention) => mention.mode === mode);
      // `Al Olaya district`. In Arabic, the word precedes the name.
      const isSuffix = behind === 'district' && isLatin(sentence.textOf(at + 1));
      // `أحياء بالرياض`: the prefix means "in".
      const isIn = /^و?بال/.test(text) || (/^ب/.test(text) && isPlaceWord(text.slice(1)));
      const isDistrict = read.isDistrict && !isIn;
      // `near Riyadh` is the city, unless the words say district, or name another city, which has one of this name.
      const isCity =
        mode === 'near' &&
        !/(?<!\p{L})(?:ال)?حي(?!\p{L})|district/iu.test(sentence.wordsOf(at, at).words) &&
        !sentence.atoms.some((other) => other.place?.city && other.place.city !== city);
      if (read.isDenied || (neighborhoods.length > 0 && isOfLandmark(sentence, at))) read = nothing;
      else if ((read.isStreet && !isIn) || (behind === 'street' && isLatin(text))) {
        // The name of a street or a building. It follows the word in Arabic and precedes it in English.
        if (!read.isStreet) at += 1;
        read = nothing;
      } else if (city !== null && (mode === 'in' || isAfterMention || isCity) && !isDistrict && !isSuffix) {
        if (sentence.set('city', city.slug, first, at)) cities.push({ slug: city.slug, at, isIn });
        read = { ...read, first: -1, isDistrict: false };
      } else if (neighborhoods.length > 0) {
        if (isSuffix) at += 1;
        mentions.push({ at, first, mode, radius, names: neighborhoods });
        read = { ...read, first: -1, isDistrict: false };
      }
    } else if (['stop', 'or', 'and'].includes(tag) || text === '،' || text === ',') continue;
    else if (tag === 'in') {
      const keepsMode = read.mode === 'except' || (read.mode === 'near' && text !== 'in');
      read = {
        ...read,
        first,
        isStreet: false,
        isDistrict: false,
        isDenied: false,
        mode: keepsMode ? read.mode : 'in',
      };
    } else if (tag === 'district') read = { ...read, first, isStreet: false, isDistrict: true };
    else if (tag === 'near') {
      const isDenied = read.isDenied || (text === 'away' && read.mode !== 'near') || isNegated(sentence, at);
      if (isDenied) read = { ...nothing, isDenied };
      else if (read.mode !== 'near' && !/^(?:من|from)$/.test(text)) read = { ...read, first, mode: 'near' };
    } else if (/^(?:far|بعيده?)$/.test(text)) read = { ...nothing, isDenied: true };
    else if (tag === 'except' || (tag === 'neg' && ['place', 'in', 'district'].includes(sentence.tag(next))))
      read = { ...read, first: at, mode: 'except' };
    // `15m street`: a width, not a name.
    else if (tag === 'street')
      read = { ...nothing, isStreet: !(isLatin(text) && ['number', 'unit'].includes(sentence.tag(at - 1))) };
    else if (amount && sentence.atoms[next]?.value === 'km') {
      const radius = Math.min(RADIUS_M.max, Math.round(amount.value * 1_000));
      const latest = mentions.at(-1);
      if (read.mode === 'near' && latest?.mode === 'near' && sentence.tag(sentence.next(next)) !== 'near')
        Object.assign(latest, { radius, at: next });
      else {
        const before = sentence.next(at, -1);
        const isIntroduced = ['max', 'in', 'near'].includes(sentence.tag(before)) && !sentence.atoms[before]?.isUsed;
        read = { ...read, radius, first: isIntroduced ? before : at, mode: 'near' };
      }
      at = next;
    } else if (tag !== 'max' || sentence.tag(next) !== 'number') read = nothing;
  }
  return { mentions, cities };
}

const isNegated = (sentence: Interpretation, at: number): boolean =>
  ['neg', 'except'].includes(sentence.tag(sentence.next(at, -1)));

/**
 * Reads directions beside a city: `شمال وشرق الرياض`, `Riyadh north`. Those without neighborhoods are not understood, nor
 * those of a street, a facade or another place: `villa facing north`, `30 km north of Riyadh`, `أرض شمال بالرياض`.
 */
function readDirections(sentence: Interpretation, { slug, at, isIn }: City): void {
  const directionAt = (index: number): number | null => {
    const { tag, value, isUsed } = sentence.atoms[index] ?? { tag: '', value: '', isUsed: true };
    const id = tag === 'landmark' && !isUsed ? DIRECTIONS.find((each) => each.slug === value)?.id : undefined;
    return neighborhoodsOf(slug).some(({ direction_id }) => direction_id === id) ? (id ?? null) : null;
  };
  const isOf = sentence.textOf(at - 1) === 'of';
  const found: number[] = [];
  for (let index = isOf ? at - 2 : at - 1; ; index -= 1)
    if (directionAt(index) !== null) found.push(index);
    else if (found.length === 0 || !['and', 'or'].includes(sentence.tag(index)) || directionAt(index - 1) === null)
      break;
  const before = sentence.next(found.at(-1) ?? at, -1);
  if (isIn || isOfFacade(sentence, before) || (isOf && sentence.tag(before) !== 'in')) return;
  const isBehind = !['unknown', 'landmark', 'place'].includes(sentence.tag(at + 2)) && !isOfFacade(sentence, at + 2);
  if (found.length === 0 && isBehind && directionAt(at + 1) !== null) found.push(at + 1);
  for (const index of found.toReversed()) sentence.set('direction_id', String(directionAt(index)), index);
}

/**
 * Returns whether a word beside a direction makes it that of a facade, a street, a distance or another place. A unit of a
 * filter does not: `2 bedroom north Riyadh`.
 */
function isOfFacade(sentence: Interpretation, at: number): boolean {
  if (sentence.tag(at) === 'unit' && sentence.atoms[at]?.isUsed) return false;
  const tags = ['unit', 'label', 'street', 'near', 'except', 'neg'];
  return tags.includes(sentence.tag(at)) || /^(?:facing|faces|ring|ب?اتجاه)$/.test(sentence.textOf(at));
}

/**
 * Returns whether the name of a district is part of that of another place: `King Abdullah Financial District`, `حديقة
 * الملك سلمان`.
 */
function isOfLandmark(sentence: Interpretation, at: number): boolean {
  const before = sentence.atoms[at - 1];
  if (before && !before.isUsed && LANDMARKS_AR.test(before.text)) return true;
  let behind = at + 1;
  while (sentence.tag(behind) === 'unknown' && !LANDMARKS_EN.test(sentence.textOf(behind))) behind += 1;
  if (sentence.atoms[behind]?.isUsed || !isLatin(sentence.textOf(at))) return false;
  return LANDMARKS_EN.test(sentence.textOf(behind)) || (behind > at + 1 && sentence.textOf(behind) === 'district');
}

const readingOf = ({ city, id, name_en, name_ar }: Neighborhood, range: Words): PlaceReading => ({
  city,
  neighborhood_id: id,
  name_en,
  name_ar,
  ...range,
});

function resolve(
  sentence: Interpretation,
  mentions: readonly Mention[],
  stated: string | null,
  { listingsOf, centerOf }: SentenceContext,
): PlaceReading[] {
  const reading = (neighborhood: Neighborhood, { first, at }: Mention): PlaceReading =>
    readingOf(neighborhood, sentence.wordsOf(first, at));
  const alternatives: PlaceReading[] = [];
  // The stated city, otherwise the city of a name that only one city has, or the only city with all names.
  const [main] = mentions;
  const shared = main?.names.filter(({ city }) =>
    mentions.every(({ names }) => names.some((each) => each.city === city)),
  );
  const only = mentions.find(({ names }) => names.length === 1)?.names ?? (shared?.length === 1 ? shared : []);
  let city = stated ?? only[0]?.city ?? null;
  if (city === null && main) {
    const counts = main.names.map(({ id }) => listingsOf(id));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const most = Math.max(...counts);
    if (total > 0 && most >= DOMINANT_SHARE * total) {
      const taken = main.names[counts.indexOf(most)] as Neighborhood;
      city = taken.city;
      alternatives.push(...main.names.filter((other) => other !== taken).map((other) => reading(other, main)));
    }
  }
  for (const mention of mentions) {
    const { at, first, mode, radius, names } = mention;
    const found = city === null ? undefined : names.find((each) => each.city === city);
    if (found === undefined) {
      alternatives.push(...names.map((other) => reading(other, mention)));
      continue;
    }
    if (mode === 'near') {
      const center: LatLng | null = found.center ?? centerOf?.(found.id) ?? null;
      if (center === null || !sentence.set('near', `${center.lat},${center.lng}`, first, at)) continue;
      sentence.set('radius_m', String(radius), first, at);
      sentence.nearPlace = { name_en: found.name_en, name_ar: found.name_ar };
    } else sentence.set(mode === 'in' ? 'neighborhood_id' : 'neighborhood_id_exclude', String(found.id), first, at);
    if (stated === null && !sentence.has('city')) sentence.set('city', found.city, first, at);
  }
  return alternatives;
}
