import { CITIES, NEIGHBORHOODS, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { sphericalMeters } from '#test/distance.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Only neighborhoods of Greater Riyadh are nearly as far from the center of their city. */
const CITY_REACH_M = 75_000;

test('cities and neighborhoods have unique ids, slugs and names, and neighborhoods lie within their city', (t) => {
  t.is(new Set(CITIES.map(({ slug }) => slug)).size, CITIES.length);
  t.is(new Set(NEIGHBORHOODS.map(({ id }) => id)).size, NEIGHBORHOODS.length);
  for (const city of CITIES) {
    t.regex(city.slug, /^[a-z_]+$/);
    const places = neighborhoodsOf(city.slug);
    t.is(new Set(places.map(({ id }) => Math.floor(id / 1000))).size, 1, `${city.slug}: one block of 1,000 ids`);
    for (const key of ['slug', 'name_en', 'name_ar'] as const)
      t.is(new Set(places.map((place) => place[key])).size, places.length, `${city.slug} ${key}`);
    for (const { slug, name_ar, center } of places) {
      t.regex(slug, /^[a-z_]+$/);
      t.regex(name_ar, /^(?!حي )[\u0621-\u064a ]+$/);
      if (center !== null) t.true(sphericalMeters(center, city.center) < CITY_REACH_M, `${city.slug} ${slug}`);
    }
  }
});

/** Forms in which portals write the names of neighborhoods. */
const FORMS: readonly ((names: Neighborhood) => string)[] = [
  ({ name_en }) => name_en,
  ({ name_ar }) => name_ar,
  ({ name_ar }) => `حي ${name_ar}`,
  ({ name_ar }) => name_ar.replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه').replace(/ى$/, 'ي'),
  ({ name_ar }) => `حـي ${name_ar.replace(/^ال/, 'الــ')}`,
  ({ name_en }) => `   ${name_en} `,
  ({ name_en }) => name_en.replace(/^(A[a-z]) /, '$1-'),
  ({ name_en }) => `${name_en} Dist.`,
  ({ name_en }) => `${name_en} District`.toUpperCase(),
];

test('every name and spelling of a city or a neighborhood resolves to it', (t) => {
  for (const city of CITIES)
    for (const name of [city.slug, city.name_en, city.name_ar, ...city.aliases]) t.is(findCity(name), city, name);
  for (const place of NEIGHBORHOODS)
    for (const name of [...FORMS.map((form) => form(place)), ...place.aliases])
      t.is(findNeighborhood(place.city, name)?.id, place.id, `${place.city}: ${name}`);
});

test('alternative spellings resolve to the neighborhood, and unknown or ambiguous names to none', (t) => {
  const spellings: [city: string, name: string, slug: string | null][] = [
    ['riyadh', 'Al-Yasmeen', 'al_yasmin'],
    ['riyadh', 'Yasmin', 'al_yasmin'],
    ['riyadh', '  حى الياسمين ', 'al_yasmin'],
    ['riyadh', 'ياسمين', 'al_yasmin'],
    ['riyadh', 'الملك عبد العزيز', 'king_abdulaziz'],
    ['riyadh', 'Western Al-Naseem', 'al_nasim_al_gharbi'],
    ['riyadh', 'An Nasim Ash Sharqi', 'al_nasim_al_sharqi'],
    ['riyadh', 'الزهراء', 'al_zahra'],
    ['riyadh', 'الزهرة', 'al_zuhrah'],
    ['riyadh', 'Al Nasim', null],
    ['riyadh', 'Al Suwaidi West', 'al_suwaidi_al_gharbi'],
    ['riyadh', '', null],
    ['riyadh', 'حي', null],
    ['jeddah', 'Ash Shati', 'al_shati'],
    ['jeddah', 'الشاطى', 'al_shati'],
    ['jeddah', 'North Obhur', 'abhur_al_shamaliyah'],
    ['atlantis', 'Al Yasmin', null],
  ];
  for (const [city, name, slug] of spellings) t.is(findNeighborhood(city, name)?.slug ?? null, slug, name);
  for (const [name, slug] of [
    ['Khabar', 'khobar'],
    ['مدينة الرياض', 'riyadh'],
    ['مكه المكرمه', 'makkah'],
    ['ابها', 'abha'],
    ['Hofuf', 'ahsa'],
    [' Riyadh', 'riyadh'],
  ] as const)
    t.is(findCity(name)?.slug, slug, name);
  for (const name of ['Atlantis', '']) t.is(findCity(name), null);
});

test('the nearest neighborhood has the smallest distance of all within the limit', (t) => {
  const random = seeded(4);
  for (const { slug, center } of CITIES)
    for (let turn = 0; turn < 60; turn++) {
      const point = { lat: center.lat + (random() - 0.5) * 0.4, lng: center.lng + (random() - 0.5) * 0.4 };
      const maxM = 500 + random() * 9_000;
      const [near] = neighborhoodsOf(slug)
        .flatMap((place) => (place.center === null ? [] : [{ place, m: sphericalMeters(point, place.center) }]))
        .sort((a, b) => a.m - b.m);
      const expected = near !== undefined && near.m <= maxM ? near.place.slug : null;
      t.is(nearestNeighborhood(slug, point, maxM)?.slug ?? null, expected);
    }
});
