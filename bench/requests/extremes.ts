import { COUNTRY } from '#domain/geography/country.ts';
import { POLYGON_POINTS, RADIUS_M } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { filterRows } from '#queries/filters/table.ts';
import { MAX_CORRECTED_LETTERS, MAX_WORDS } from '#queries/text/search-text.ts';
import { readWordList } from '#queries/text/word-lists.ts';
import { Random } from '#sample/random.ts';
import type { Parameter } from '#src/http/endpoint.ts';

/** Values that occur in the listings. */
export interface CorpusValues {
  city: string;
  neighborhoods: readonly number[];
  ids: readonly number[];
  point: { lat: number; lng: number };
  /** Words of titles and descriptions, the most frequent first. */
  words: readonly string[];
}

/** Letters of each script, characters that folding lengthens, and what separates words. */
const LETTERS = ['a', 'é', 'ب', 'б', '中', 'あ', '\ufdf2', '\ufdfa', '\u{1d400}', '1'];
const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'];

/** Most rows of a page of the Enterprise plan. */
const MAX_ROWS = 100;

/** Returns the texts of a query parameter that may cost the most, as written in a URL. */
export function extremesOf({ name, schema, example }: Parameter, known: CorpusValues): string[] {
  if (name === 'city') return [known.city];
  if (name === 'id') return known.ids.slice(0, 3).map(String);
  if (name === 'limit') return ['1', String(MAX_ROWS)];
  if (schema.searchText) return searchTexts(Number(schema.maxLength), known.words);
  if (schema.polygon) return [0.05, 0.3, 2].map((radius) => star(known.point, radius));
  if (schema.orderedBox) return [boxAround(known.point, 0.2), Object.values(boxOf(COUNTRY)).join(), '-180,-90,180,90'];
  if (schema.point) return [`${known.point.lat},${known.point.lng}`];
  if (name === 'radius_m') return [RADIUS_M.min, RADIUS_M.max].map(String);
  const values = valuesOf(schema, known, name);
  return [...new Set(values.length > 0 || example === undefined ? values : [example])];
}

const FILTER_NAMES = new Set<string>(filterRows().map(({ name }) => name));

const boxOf = ({ west, south, east, north }: typeof COUNTRY) => ({ west, south, east, north });
const boxAround = ({ lat, lng }: CorpusValues['point'], by: number): string =>
  [lng - by, lat - by, lng + by, lat + by].map((each) => each.toFixed(6)).join();

/** A polygon with the most corners and no crossing edges, whose distance from the center alternates. */
function star({ lat, lng }: CorpusValues['point'], radius: number): string {
  const { max } = POLYGON_POINTS;
  return Array.from({ length: max }, (_, at) => {
    const [angle, out] = [(2 * Math.PI * at) / max, at % 2 === 0 ? radius : radius * 0.9];
    return `${(lat + out * Math.sin(angle)).toFixed(5)},${(lng + out * Math.cos(angle)).toFixed(5)}`;
  }).join(';');
}

function valuesOf(schema: JsonSchema, known: CorpusValues, name: string): string[] {
  const { type, enum: listed, minimum, maximum, maxLength, maxItems, items } = schema;
  if (type === 'boolean') return ['true', 'false'];
  if (listed) return (listed as readonly unknown[]).map(String);
  if (type === 'integer' || type === 'number') {
    const [least, most] = [Number(minimum ?? 0), Number(maximum ?? 1e12)];
    // A wider range matches more listings.
    if (/_(min|max)$/.test(name)) return [String(name.endsWith('_min') ? least : most)];
    const isShort = type === 'integer' && most - least <= 30;
    return (isShort ? Array.from({ length: most - least + 1 }, (_, at) => least + at) : [least, most]).map(String);
  }
  if (type === 'array') {
    const inner = (items ?? {}) as JsonSchema;
    const most = Number(maxItems ?? 100);
    if (name.startsWith('neighborhood_id'))
      return [1, 5, most].map((count) => known.neighborhoods.slice(0, count).join());
    if (name === 'ids') return [known.ids.slice(0, most).join()];
    if (inner.type === 'integer') return [Array.from({ length: most }, (_, at) => at + 1).join()];
    if (!inner.enum) return [Array.from({ length: most }, (_, at) => `name-${at}`).join()];
    const values = (inner.enum as readonly unknown[]).map(String);
    const together = [values.slice(0, most).join(), values.slice(-most).join()];
    return FILTER_NAMES.has(name) ? together : [...values, ...together];
  }
  if (maxLength !== undefined) return LETTERS.map((letter) => fill(letter, Number(maxLength)));
  return [];
}

/** Repeats a text up to the number of characters that it has when it is folded. */
function fill(text: string, max: number): string {
  const length = [...text.normalize('NFKC')].length;
  return text.repeat(Math.floor(max / length));
}

function searchTexts(max: number, frequent: readonly string[]): string[] {
  const random = new Random(7, 1);
  const listed = readWordList('synonyms.txt').flatMap((line) => line.split(/,|=>/).map((term) => term.trim()));
  const joined = (separator: string, texts: readonly string[]): string => {
    let text = '';
    let words = 0;
    for (const each of texts) {
      words += each.split(/[ -]/).length;
      if (words > MAX_WORDS || text.length + separator.length + each.length > max) break;
      text += (text === '' ? '' : separator) + each;
    }
    return text;
  };
  const letters = (alphabet: string, length: number): string =>
    Array.from({ length }, () => random.pick([...alphabet])).join('');
  const misspelled = (length: number, alphabet: string): string[] =>
    Array.from({ length: MAX_WORDS }, () => letters(alphabet, length));
  const frequentWrong = frequent.filter((word) => word.length >= 5).map((word) => change(word, random));
  return [
    ...LETTERS.map((letter) => fill(letter, max)),
    ...ALPHABETS.flatMap((alphabet) =>
      [5, 6, 9, 20, MAX_CORRECTED_LETTERS].flatMap((length) => [
        joined(' ', misspelled(length, alphabet)),
        joined(' | ', misspelled(length, alphabet)),
      ]),
    ),
    ...['-', ' ', ' | '].map((separator) => joined(separator, frequentWrong)),
    ...[' ', ' | ', '-'].flatMap((separator) => [joined(separator, frequent), joined(separator, listed)]),
    ...[1, 5, 15].map((from) => joined(' | ', listed.slice(from * 20))),
    `"${joined(' ', frequent)}"`,
    `"${joined(
      ' ',
      Array.from({ length: MAX_WORDS }, (_, at) => frequent[at % 2] ?? ''),
    )}"`,
    Array.from({ length: 15 }, (_, at) => `"${frequent[at]} ${frequent[at + 1]}"`).join(' | '),
    Array.from({ length: 15 }, (_, at) => `no ${frequent[at]}`).join(' '),
    fill('ac-', max).slice(0, 3 * MAX_WORDS),
    frequent[0] ?? '',
  ].filter((text) => text.length <= max);
}

function change(word: string, random: Random): string {
  const at = 1 + Math.floor(random.between(0, word.length - 1));
  return `${word.slice(0, at)}${random.pick([...(ALPHABETS[/[a-z]/.test(word) ? 0 : 1] as string)])}${word.slice(at + 1)}`;
}
