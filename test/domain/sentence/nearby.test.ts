import { readFile } from 'node:fs/promises';
import { PLACE_KINDS, type PointOfInterest, readPointsOfInterest } from '#domain/geography/points-of-interest.ts';
import { parseSentence } from '#domain/sentence/parse.ts';
import KINDS from '#domain/sentence/place-kinds.json' with { type: 'json' };
import { featureOf, fileOf } from '#test/boundaries.ts';
import { test } from '#test/test.ts';

const read = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), 'utf8');
const known = readPointsOfInterest(await read('../../../sample/places.geojson'));
const parse = (sentence: string, pointsOfInterest: readonly PointOfInterest[] = known) =>
  parseSentence(sentence, { listingsOf: () => 1, pointsOfInterest, year: 2026 });

interface Labelled {
  q: string;
  place?: string;
  radius?: string;
  filters: Record<string, string>;
  rest?: string;
}

test('each labelled sentence has its place, radius and other filters, and the rest is not understood', async (t) => {
  const rows = (await read('nearby.jsonl')).trim().split('\n');
  for (const { q, place, radius, filters, rest } of rows.map((row): Labelled => JSON.parse(row))) {
    const { filters: found, near_place, not_understood } = parse(q);
    const { near, near_any, radius_m, ...others } = found;
    t.is(near_place?.name_en, place, q);
    t.is(radius_m, radius, q);
    t.is((near ?? near_any) === undefined, place === undefined, q);
    t.deepEqual(others, filters, q);
    t.is(not_understood.map(({ words }) => words).join(), rest ?? '', q);
  }
});

test('every name of every place of the sample, and every word of a kind that it has, is understood', (t) => {
  const has = (points: string | undefined, { lat, lng }: PointOfInterest): boolean =>
    points?.split(';').includes(`${lat},${lng}`) ?? false;
  const check = (name: string, places: readonly PointOfInterest[]): void => {
    for (const [sentence, radius] of [
      [`apartment near ${name} for rent`, null],
      [`700 m from the ${name}`, '700'],
      [`500m from ${name}`, '500'],
      [`12 minutes walk from ${name}`, '960'],
      [`شقة قريبة من ${name} بالرياض`, null],
      [`على بعد ٥ دقائق مشي من ${name}`, '400'],
      [`نص ساعة بالسيارة من ${name}`, '15000'],
    ] as const) {
      const { filters, not_understood } = parse(sentence);
      for (const place of places) t.true(has(filters.near ?? filters.near_any, place), sentence);
      if (radius !== null) t.is(filters.radius_m, radius, sentence);
      t.deepEqual(not_understood, [], sentence);
      t.is(filters.area_min, undefined, sentence);
    }
    for (const sentence of [`not near ${name}`, `far from ${name}`, `ليس قريب من ${name}`, `away from ${name}`])
      t.is(parse(sentence).near_place, null, sentence);
  };
  for (const place of known)
    for (const name of [place.name_en, place.name_ar, ...place.aliases]) if (name !== null) check(name, [place]);
  for (const [kind, { words }] of Object.entries(KINDS)) {
    const places = known.filter((each) => each.kind === kind);
    for (const word of places.length === 0 ? [] : words) check(word, places);
  }
  t.deepEqual([...Object.keys(KINDS), 'other'].sort(), [...PLACE_KINDS].sort());
});

test('the name of another place that contains a known word is not understood', (t) => {
  for (const q of [
    'near Hogwarts University',
    'near the university of Oxford',
    'قريب من جامعة هوغورتس',
    'near King Saud University hospital',
    'قريب من المول الأزرق',
  ])
    t.is(parse(q).near_place, null, q);
});

const point = (lng: number, lat: number): object => ({ type: 'Point', coordinates: [lng, lat] });
const station = (name: unknown, lng = 46.7, more = {}): object =>
  featureOf({ kind: 'metro_station', name_en: name, ...more }, point(lng, 24.7));

test('features of one name are one place with several points, a city limits the points, and none in it are not understood', (t) => {
  const places = readPointsOfInterest(
    fileOf(
      station('Wadi Gate'),
      station('Wadi Gate', 46.8),
      featureOf({ kind: 'mall', name_ar: 'مول الشاطئ' }, point(39.1, 21.6)),
      featureOf({ kind: 'metro_station', name_ar: 'محطة البحر' }, point(39.1, 21.5)),
    ),
  );
  t.is(parse('near wadi gate', places).filters.near_any, '24.7,46.7;24.7,46.8');
  t.is(parse('near the metro in jeddah', places).filters.near, '21.5,39.1');
  t.is(parse('near the metro', places).filters.near_any?.split(';').length, 3);
  t.is(parse('near the metro', places).filters.city, undefined);
  t.like(parse('near wadi gate in jeddah', places), { near_place: null, filters: { city: 'jeddah' } });
  // A station that is named after a neighborhood does not replace it.
  const olaya = readPointsOfInterest(fileOf(station('Al Olaya')));
  t.is(parse('near al olaya riyadh', olaya).filters.radius_m, '2000');
});

test('a wrong feature is refused with its number, name and remedy', (t) => {
  const refused = (...features: object[]) => t.throws(() => readPointsOfInterest(fileOf(...features)))?.message ?? '';
  for (const [feature, message] of [
    [station('Wadi', 24.7), /^Feature 1 \(Wadi\) is outside Saudi Arabia at 24\.7,24\.7/],
    [featureOf({ kind: 'mall', name_en: 'Wadi' }, point(24.7, 46.7)), /swap them\.$/],
    [featureOf({ kind: 'mall', name_en: 'Wadi' }, { type: 'Polygon', coordinates: [] }), /Export points/],
    [featureOf({ name_en: 'Wadi' }, point(46.7, 24.7)), /State `kind`: metro_station, school/],
    [featureOf({ kind: 'mall' }, point(46.7, 24.7)), /\(no name\) has no name\. State `name_en` or `name_ar`\.$/],
    [station('x'.repeat(81)), /at most 80 characters and 8 words/],
    [station('a b c d e f g h i'), /at most 80 characters and 8 words/],
    [station('..'), /three letters or more/],
    [station(7), /has a name that is not accepted/],
    [station('Wadi', 46.7, { aliases: 'Valley' }), /`aliases`\. State a list of at most 10 names/],
    [station('Wadi', 46.7, { city: 'Atlantis' }), /unknown city/],
    [station('Wadi', 46.7, { radius_m: 5 }), /State meters from 10 to 50000/],
  ] as const)
    t.regex(refused(feature), message);
  t.regex(
    refused(...Array.from({ length: 101 }, (_, at) => station(`Stop ${at}`))),
    /101 places of kind metro_station in riyadh/,
  );
  t.regex(refused(...Array.from({ length: 2_001 }, () => station('Wadi'))), /2001 features, and at most 2000/);
  t.regex(refused(...Array.from({ length: 30 }, () => station('..'))), /\n10 more errors\.$/);
  t.throws(() => readPointsOfInterest('{'), { message: /Export the layer as GeoJSON/ });
});

test('hostile names are found as text, and 2,000 of them do not slow a sentence of 10 KB', (t) => {
  const hostile = [
    '(a+)+$ abc',
    '[[[ abc',
    '.* abc',
    '__proto__ abc',
    'constructor',
    '\u202eabc\u202c def',
    'and or the',
  ];
  const many = Array.from({ length: 1_900 }, (_, at) => `near ${'metro '.repeat(5)}from${at}`);
  const places = readPointsOfInterest(
    fileOf(...[...hostile, ...many].map((name) => featureOf({ kind: 'other', name_en: name }, point(46.7, 24.7)))),
  );
  t.is(parse('near constructor', places).filters.near, '24.7,46.7');
  t.is(parse('near proto', places).near_place, null);
  const seconds = (work: () => void): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  for (const word of ['near metro ', 'metro ', 'from 5 minutes ', 'near (a+)+$ ', 'قريب من ']) {
    const sentence = word.repeat(Math.ceil(10_000 / word.length));
    parse(sentence, []);
    parse(sentence, places);
    const usual = seconds(() => parse(sentence, []));
    t.true(seconds(() => parse(sentence, places)) < 5 * usual + 0.2, word);
  }
});
