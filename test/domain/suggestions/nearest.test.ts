import fc from 'fast-check';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { cityCandidates } from '#domain/geography/places.ts';
import { nearest } from '#domain/suggestions/nearest.ts';
import { nearestParameters } from '#domain/suggestions/parameters.ts';
import { nearestValue } from '#domain/suggestions/values.ts';
import { endpoints } from '#endpoints/index.ts';
import { codePoint } from '#test/code-points.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

const cities = cityCandidates({ ...ANY_PLACE, cities: () => CITIES });
const parameters = endpoints.find(({ operationId }) => operationId === 'searchListings')?.parameters ?? [];
const names = parameters.map(({ name }) => name);

test('every name and spelling of a city suggests its slug', (t) => {
  for (const { value, names: spellings } of cities)
    for (const name of [value, ...spellings, value.toUpperCase()]) t.is(nearest(name, cities), value, name);
});

test('every suggestion is one of the candidates, for any text', (t) => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 80 }),
    fc.constantFrom(...names, '__proto__', 'constructor'),
  );
  t.notThrows(() =>
    fc.assert(
      fc.property(text, (given) => {
        const city = nearest(given, cities);
        if (city !== null && !cities.some(({ value }) => value === city)) return false;
        const value = nearestValue(given, ['rent', 'sale']);
        if (value !== null && !['rent', 'sale'].includes(value)) return false;
        return nearestParameters(given, names).every((name) => names.includes(name));
      }),
    ),
  );
});
