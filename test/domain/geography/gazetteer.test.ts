import { flatMeters } from '#domain/geography/distance.ts';
import { CITIES, NEIGHBORHOODS, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import { test } from '#test/test.ts';

/**
 * Maximum distance of a neighborhood from the center of its city, in meters. Only neighborhoods of Greater Riyadh come close
 * to it.
 */
const CITY_REACH_M = 75_000;

test('cities and neighborhoods have unique ids, slugs and names', (t) => {
  t.true(CITIES.length >= 14);
  t.is(new Set(CITIES.map((city) => city.slug)).size, CITIES.length);
  t.is(new Set(NEIGHBORHOODS.map((place) => place.id)).size, NEIGHBORHOODS.length);
  for (const city of CITIES) {
    t.regex(city.slug, /^[a-z_]+$/);
    const places = neighborhoodsOf(city.slug);
    for (const key of ['slug', 'name_en', 'name_ar'] as const) {
      const repeated = places.map((place) => place[key]).filter((value, at, all) => all.indexOf(value) !== at);
      t.deepEqual(repeated, [], `${city.slug} ${key}`);
    }
    for (const place of places) {
      t.regex(place.slug, /^[a-z_]+$/);
      t.regex(place.name_ar, /^[\u0621-\u064a ]+$/);
      t.notRegex(place.name_ar, /^حي /);
    }
  }
});

test('each city has a minimum number of neighborhoods', (t) => {
  const least = { riyadh: 150, jeddah: 110, dammam: 60, khobar: 35, makkah: 45, madinah: 45 };
  for (const city of CITIES) {
    const wanted = least[city.slug as keyof typeof least] ?? 12;
    t.true(neighborhoodsOf(city.slug).length >= wanted, `${city.slug} has ${neighborhoodsOf(city.slug).length}`);
  }
});

test('every neighborhood lies within its city', (t) => {
  for (const city of CITIES) {
    for (const { slug, center } of neighborhoodsOf(city.slug)) {
      if (center !== null) t.true(flatMeters(center, city.center) < CITY_REACH_M, `${city.slug} ${slug}`);
    }
  }
});

test('the neighborhood ids in each city are in one block of 1,000', (t) => {
  for (const city of CITIES) {
    const blocks = new Set(neighborhoodsOf(city.slug).map((place) => Math.floor(place.id / 1000)));
    t.is(blocks.size, 1, city.slug);
  }
});

test('every name and spelling of a city or a neighborhood resolves to it', (t) => {
  for (const city of CITIES) {
    for (const name of [city.slug, city.name_en, city.name_ar, ...city.aliases]) t.is(findCity(name), city, name);
  }
  for (const place of NEIGHBORHOODS) {
    for (const name of [
      place.name_en,
      place.name_ar,
      `حي ${place.name_ar}`,
      `${place.name_en} Dist.`,
      ...place.aliases,
    ]) {
      t.is(findNeighborhood(place.city, name)?.id, place.id, `${place.city}: ${name}`);
    }
  }
});

const SPELLINGS: [city: string, name: string, slug: string | null][] = [
  ['riyadh', 'Al-Yasmeen', 'al_yasmin'],
  ['riyadh', 'Yasmin', 'al_yasmin'],
  ['riyadh', 'AL YASMEEN DISTRICT', 'al_yasmin'],
  ['riyadh', '  حى الياسمين ', 'al_yasmin'],
  ['riyadh', 'ياسمين', 'al_yasmin'],
  ['riyadh', 'حي النرجــس', 'al_narjis'],
  ['riyadh', 'اشبيليه', 'ishbiliyah'],
  ['riyadh', 'الملك عبد العزيز', 'king_abdulaziz'],
  ['riyadh', 'Western Al-Naseem', 'al_nasim_al_gharbi'],
  ['riyadh', 'East Al Naseem', 'al_nasim_al_sharqi'],
  ['riyadh', 'An Nasim Ash Sharqi', 'al_nasim_al_sharqi'],
  ['riyadh', 'الزهراء', 'al_zahra'],
  ['riyadh', 'الزهرة', 'al_zuhrah'],
  ['riyadh', 'Al Nasim', null],
  ['riyadh', 'السويدي', 'al_suwaidi'],
  ['riyadh', 'Al Suwaidi West', 'al_suwaidi_al_gharbi'],
  ['riyadh', 'Nowhere', null],
  ['riyadh', '', null],
  ['riyadh', 'حي', null],
  ['jeddah', 'Ash Shati', 'al_shati'],
  ['jeddah', 'الشاطى', 'al_shati'],
  ['jeddah', 'North Obhur', 'abhur_al_shamaliyah'],
  ['dammam', 'Western Al-Shate', 'al_shati_al_gharbi'],
  ['atlantis', 'Al Yasmin', null],
];

for (const [city, name, slug] of SPELLINGS) {
  test(`the name "${name}" in ${city} resolves to ${slug ?? 'no neighborhood'}`, (t) => {
    t.is(findNeighborhood(city, name)?.slug ?? null, slug);
  });
}

test('alternative spellings of a city resolve to its slug', (t) => {
  for (const [name, slug] of [
    ['Khabar', 'khobar'],
    ['Al-Khobar', 'khobar'],
    ['مدينة الرياض', 'riyadh'],
    ['مكه المكرمه', 'makkah'],
    ['Mecca', 'makkah'],
    ['Medina', 'madinah'],
    ['ابها', 'abha'],
    ['Buraydah', 'buraidah'],
    ['Hofuf', 'ahsa'],
    ['الاحساء', 'ahsa'],
  ] as const) {
    t.is(findCity(name)?.slug, slug, name);
  }
  t.is(findCity('Atlantis'), null);
  t.is(findCity(''), null);
});

test('a distant point or an unknown city has no nearest neighborhood', (t) => {
  t.is(nearestNeighborhood('riyadh', { lat: 10, lng: 60 }, 5000), null);
  t.is(nearestNeighborhood('atlantis', { lat: 24.7, lng: 46.7 }, 5000), null);
});

test('the nearest neighborhood has the smallest distance of all within the limit', (t) => {
  let at = 0;
  const fraction = (): number => {
    at += 0.618_033_988_7;
    return at % 1;
  };
  for (const city of ['riyadh', 'jeddah', 'dammam', 'hail']) {
    const center = CITIES.find(({ slug }) => slug === city)?.center ?? { lat: 0, lng: 0 };
    for (let turn = 0; turn < 300; turn++) {
      const point = { lat: center.lat + (fraction() - 0.5) * 0.6, lng: center.lng + (fraction() - 0.5) * 0.6 };
      const maxM = 500 + fraction() * 9000;
      const near = neighborhoodsOf(city)
        .flatMap((place) => (place.center === null ? [] : [{ place, m: flatMeters(point, place.center) }]))
        .sort((a, b) => a.m - b.m)[0];
      const expected = near !== undefined && near.m <= maxM ? near.place.slug : null;
      t.is(nearestNeighborhood(city, point, maxM)?.slug ?? null, expected);
    }
  }
});

test('the nearest neighborhood of a center is the neighborhood of that center', (t) => {
  for (const place of NEIGHBORHOODS) {
    if (place.center !== null) t.is(nearestNeighborhood(place.city, place.center, 1000)?.id, place.id);
  }
});
