import { memoize } from '../memoize.ts';
import { MAX_COMPARED, nearestByEdits, singular } from './nearest.ts';
import parameterNames from './parameter-names.json' with { type: 'json' };

const OTHER_NAMES: Readonly<Record<string, string>> = parameterNames.other_names;
const SAME_WORDS: ReadonlyMap<string, string> = new Map(Object.entries(parameterNames.same_words));
const EMPTY_WORDS = new Set(['filter', 'is']);

const PARTS = /[a-z]+|[\u0621-\u064a]+/g;

/** Splits `camelCase`, `snake_case` or `a[b]` into words, each in the singular. */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(PARTS);
  return (words ?? []).map(singular);
}

const joined = (words: readonly string[]): string => words.join('');
const meaning = (words: readonly string[]): string[] =>
  [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => SAME_WORDS.get(word) ?? word))].toSorted();

const SHORTEST_PART = 3;
/** Shortest name that is found despite typing errors. Shorter names resemble too many others. */
const SHORTEST_MISTYPED = 5;
const MAX_OFFERED = 3;

const compile = memoize((name) => {
  const words = wordsOf(name);
  const [first = '', ...rest] = words;
  const otherWords = (OTHER_NAMES[name]?.split(' ') ?? []).map(wordsOf);
  const others = otherWords.map(joined);
  // Another order of the words, for example `minprice` for `price_min`.
  const spellings = [
    joined(words),
    joined([...rest, first]),
    ...others.filter((other) => other.length >= SHORTEST_MISTYPED),
  ];
  return {
    name,
    text: joined(words),
    words: words.length,
    meaning: meaning(words),
    otherNames: others,
    phrases: otherWords.filter(({ length }) => length > 1),
    spellings: spellings.map((text) => ({ value: name, text })),
  };
});

/**
 * Returns similar parameters, most likely first: by alternative names, words in any order, parts of longer names and
 * typing errors, and parameters whose words the given name contains.
 */
export function nearestParameters(given: string, names: readonly string[]): readonly string[] {
  if (given.length > MAX_COMPARED) return [];
  const words = wordsOf(given);
  const text = joined(words);
  if (text === '') return [];
  const known = names.map(compile);
  const same = known.find((each) => each.text === text);
  if (same) return [same.name];
  const called = known.filter((each) => each.otherNames.includes(text));
  if (called.length > 0) return offered(called);
  const own = meaning(words);
  const reordered = known.find((each) => joined(each.meaning) === joined(own));
  if (reordered) return [reordered.name];
  const longer = text.length < SHORTEST_PART ? [] : known.filter((each) => isWithin(own, each.meaning));
  if (longer.length > 0) return longer.length <= MAX_OFFERED ? offered(longer) : [];
  // A name that means something else is no typing error: `max_age` is not a misspelled `area_max`.
  const mistyped = VOCABULARY.has(text)
    ? null
    : nearestByEdits(
        text,
        known.flatMap((each) => each.spellings),
      );
  if (mistyped !== null) return [mistyped];
  // `resultsPerPage` contains `per_page`.
  const within = known.filter((each) => each.phrases.some((phrase) => isWithin(phrase, words)));
  if (within.length > 0 && within.length <= MAX_OFFERED) return offered(within);
  const shorter = known.filter((each) => each.meaning.length * 2 >= own.length && isWithin(each.meaning, own));
  const most = Math.max(...shorter.map((each) => each.words));
  return offered(shorter.filter((each) => each.words === most));
}

const VOCABULARY: ReadonlySet<string> = new Set(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) =>
    [name, ...others.split(' ')].map((each) => joined(wordsOf(each))),
  ),
);

const UNITS: readonly (readonly [name: RegExp, unit: string, of: RegExp])[] = [
  [/km$/i, 'km', /^radius/],
  [/sq_?f(ee)?t|square_?f(ee|oo)t/i, 'sqft', /^area/],
  [/month/i, ' monthly', /^price/],
];

/** Adds the unit that the name of its parameter states, for a parameter of this API. */
export const withUnit = (given: string, value: string, name: string): string =>
  value + (UNITS.find(([unit, , of]) => unit.test(given) && of.test(name))?.[1] ?? '');

const offered = (known: readonly { name: string }[]): string[] => known.slice(0, MAX_OFFERED).map(({ name }) => name);

const isWithin = (words: readonly string[], all: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => all.includes(word));
