import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import { test } from '#test/test.ts';

/** Forms in which portals write the names of neighborhoods. */
const FORMS: Readonly<Record<string, (names: { name_ar: string; name_en: string }) => string>> = {
  'Arabic, with the word for district': ({ name_ar }) => `حي ${name_ar}`,
  'Arabic, informally spelled': ({ name_ar }) => name_ar.replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه').replace(/ى$/, 'ي'),
  'Arabic, with tatweel': ({ name_ar }) => `حـي ${name_ar.replace(/^ال/, 'الــ')}`,
  'English, with stray spaces': ({ name_en }) => `   ${name_en} `,
  'English, with a hyphen after the article': ({ name_en }) => name_en.replace(/^(A[a-z]) /, '$1-'),
  'English, in capitals': ({ name_en }) => `${name_en} District`.toUpperCase(),
};

for (const [title, form] of Object.entries(FORMS))
  test(`every neighborhood is found by its name in ${title}`, (t) => {
    const missed = NEIGHBORHOODS.filter((place) => findNeighborhood(place.city, form(place))?.id !== place.id);
    t.deepEqual(
      missed.map((place) => `${place.city}: ${form(place)}`),
      [],
    );
  });

test('cities are found by the names of portals', (t) => {
  for (const [name, slug] of [
    [' Riyadh', 'riyadh'],
    ['Al Khobar', 'khobar'],
    ['Madina', 'madinah'],
    ['Al Madinah Al Munawwarah', 'madinah'],
    ['Makkah Al Mukarramah', 'makkah'],
  ] as const)
    t.is(findCity(name)?.slug, slug, name);
});
