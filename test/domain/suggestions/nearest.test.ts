import fc from 'fast-check';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { cityCandidates } from '#domain/geography/places.ts';
import { nearest } from '#domain/suggestions/nearest.ts';
import { nearestParameters } from '#domain/suggestions/parameters.ts';
import { nearestNumber, nearestValue } from '#domain/suggestions/values.ts';
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

test('a city with one typing error is suggested, and no city is suggested for an unknown city', (t) => {
  for (const [given, slug] of [
    ['riyad', 'riyadh'],
    ['jedah', 'jeddah'],
    ['dammaam', 'dammam'],
    ['Ryiadh', 'riyadh'],
    ['khamis', 'khamis_mushait'],
    ['الريض', 'riyadh'],
  ])
    t.is(nearest(String(given), cities), String(slug), given);
  for (const given of ['dubai', 'cairo', 'doha', 'atlantis', 'Saudi Arabia', '', '---', '7', 'القاهرة'])
    t.is(nearest(given, cities), null, given);
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

test('a parameter name in camel case, upper case, brackets or with its words swapped suggests the parameter', (t) => {
  for (const name of names) {
    const [first = '', ...rest] = name.split('_');
    const turned = [...rest, first].join('_');
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const given of [camel, name.toUpperCase(), `${name}[]`, `${name}[0]`, `filter[${name}]`])
      t.deepEqual(nearestParameters(given, names), [name], given);
    if (rest.length === 1) t.deepEqual(nearestParameters(turned, names), [name], turned);
  }
});

test('numbers with a currency, a unit, thousands separators or a scale are recognized', (t) => {
  for (const [given, expected] of [
    ['SAR 5000', '5000'],
    ['5,000 ريال', '5000'],
    ['$1,250,000.50', '1250000.5'],
    ['5k', '5000'],
    ['1.1M', '1100000'],
    ['10 ألف', '10000'],
    ['100m', '100'],
    ['100 m²', '100'],
    ['-5', '-5'],
  ])
    t.is(nearestNumber(String(given)), String(expected), given);
  for (const given of ['', 'abc', '1,2', '2-4', '1e5x', '5 x 4', '1.2.3', '1y', '30 days'])
    t.is(nearestNumber(given), null, given);
});
