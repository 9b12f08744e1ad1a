import { readFileSync } from 'node:fs';
import { CITIES, NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { onOtherLayout, PlaceIndex, type Suggestible } from '#domain/suggestions/place-index.ts';
import { test } from '#test/test.ts';

const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');

interface NamedPlace extends Suggestible {
  /** `riyadh` or `riyadh/al_malqa`. */
  address: string;
}

const entry = (address: string, kind: NamedPlace['kind'], names: readonly string[], listing_count = 0): NamedPlace => ({
  address,
  kind,
  cities: [address.split('/')[0] as string],
  names,
  listing_count,
});
const places = [
  ...CITIES.map(({ slug, name_en, name_ar, aliases }) => entry(slug, 'city', [name_en, name_ar, ...aliases])),
  ...NEIGHBORHOODS.map(({ city, slug, name_en, name_ar, aliases }) =>
    entry(`${city}/${slug}`, 'neighborhood', [name_en, name_ar, ...aliases]),
  ),
  // `address | kind | English name | Arabic name`
  ...linesOf('others.txt').map((line) => {
    const [address = '', kind, ...names] = line.split(' | ');
    return { ...entry(address, kind as NamedPlace['kind'], names.filter(Boolean)), cities: ['riyadh'] };
  }),
];
const index = new PlaceIndex(places);
const suggest = (q: string, city?: string, limit = 8): string[] =>
  index.suggest({ q, city, limit }).map(({ address }) => address);

/**
 * Queries by the expected place: `place: query, query`, or `place @city: query`. Their author knew the names of all
 * places, but not the code.
 */
const QUERIES = linesOf('queries.txt').flatMap((line) => {
  const [place = '', queries = ''] = line.split(': ');
  const [address = '', city] = place.split(' @');
  return queries.split(', ').map((q) => ({ place: address, city, q }));
});

test('the mean reciprocal rank of the expected places is at least 0.95', (t) => {
  const ranked = QUERIES.map(({ place, city, q }) => ({ place, q, rank: suggest(q, city).indexOf(place) + 1 }));
  const sum = ranked.reduce((total, { rank }) => total + (rank === 0 ? 0 : 1 / rank), 0);
  const mean = sum / ranked.length;
  t.log(`${ranked.length} queries: ${mean.toFixed(3)}`);
  for (const { place, q, rank } of ranked) if (rank !== 1) t.log(`${q}: ${place} has rank ${rank || 'none'}`);
  t.true(ranked.length >= 300);
  t.true(mean >= 0.95);
});

test('every place is found by both of its names in its city', (t) => {
  for (const { slug, city, name_en, name_ar } of NEIGHBORHOODS)
    for (const name of [name_en, name_ar]) t.true(suggest(name, city).includes(`${city}/${slug}`), `${city}: ${name}`);
});

test('of places with the same name, the one with the most listings is first', (t) => {
  const [first] = new PlaceIndex([
    entry('riyadh/a', 'neighborhood', ['Rawdah'], 5),
    entry('jeddah/b', 'neighborhood', ['Rawdah'], 5_000),
  ]).suggest({ q: 'rawd', limit: 1 });
  t.is(first?.address, 'jeddah/b');
});

test('the Arabic article alone returns suggestions, and symbols and unknown words return none', (t) => {
  t.is(suggest('ال').length, 8);
  t.is(suggest('حي ال').length, 8);
  for (const q of [' ', '"', '()', 'zzzzzzzz']) t.deepEqual(suggest(q), [], q);
});

test('on an Arabic keyboard, one key types two letters', (t) => {
  t.deepEqual(onOtherLayout('لا'), ['b', 'gh']);
});
