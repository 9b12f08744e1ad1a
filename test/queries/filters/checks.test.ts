import fc from 'fast-check';
import { type Box, COUNTRY, overlapsCountry, swapAxes } from '#domain/geography/country.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { Places } from '#domain/geography/reference.ts';
import type { CheckContext, ValueCheck } from '#domain/value-check.ts';
import { boxInCountry, neighborhoodsOfCity } from '#queries/filters/checks.ts';
import { test } from '#test/test.ts';

const center = { lat: 24, lng: 46 };
const city = (slug: string) => ({ slug, name_en: slug, name_ar: slug, center, aliases: [] });
const neighborhood = (id: number, slug: string, name: string): Neighborhood => ({
  ...{ id, city: slug, slug: name, name_en: name, name_ar: name, direction_id: null, center: null, aliases: [] },
});

const places = new Places({
  cities: ['riyadh', 'jeddah', 'makkah', 'dammam', 'abha'].map(city),
  neighborhoods: [neighborhood(1001, 'riyadh', 'Al Malqa'), neighborhood(2001, 'jeddah', 'Al Safa')],
});

function messageOf<Value>(
  check: ValueCheck<Value>,
  value: Value,
  context: Partial<CheckContext> = {},
): string | undefined {
  return check.refuse(value, {
    name: 'p',
    notation: 'url',
    values: {},
    places,
    explain: () => 'none of them',
    ...context,
  })?.();
}

test('a neighborhood outside the city is rejected with its city and the operation that lists ids', (t) => {
  const message = (ids: number[], cities?: string | string[]) =>
    messageOf(neighborhoodsOfCity, ids, { name: 'neighborhood_id', values: { city: cities } });
  t.is(message([1001], 'riyadh'), undefined);
  t.is(
    message([1001, 2001], 'riyadh'),
    '`neighborhood_id` 2001 (Al Safa) is in `jeddah`, not in `riyadh`. GET /cities/riyadh/neighborhoods lists the ids of `riyadh`.',
  );
  t.is(
    message([7], 'riyadh'),
    '`neighborhood_id` 7 does not exist. GET /cities/riyadh/neighborhoods lists the ids of `riyadh`.',
  );
  t.is(message([1001, 2001], ['riyadh', 'jeddah']), undefined);
  t.is(
    message([2001], ['riyadh', 'makkah']),
    '`neighborhood_id` 2001 (Al Safa) is in `jeddah`, not in `riyadh` or `makkah`. GET /cities/{city}/neighborhoods lists the ids of a city.',
  );
  t.regex(message([2001], ['riyadh', 'makkah', 'dammam', 'abha']) ?? '', /`makkah`, `dammam`, …\. GET/);
  t.is(message([1001, 2001]), undefined, 'without a city any neighborhood is accepted');
  t.regex(message([7]) ?? '', /7 does not exist/);
});

test('every box around a point in the country is accepted with longitude first and rejected with latitude first', (t) => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const point = fc.tuple(degrees(COUNTRY.west, COUNTRY.east), degrees(COUNTRY.south, COUNTRY.north));
  fc.assert(
    fc.property(point, degrees(0, 0.9), ([lng, lat], width) => {
      const box: Box = [lng - width, lat - width, lng + width, lat + width];
      t.true(overlapsCountry(box));
      const swapped = swapAxes(box);
      t.regex(messageOf(boxInCountry, swapped) ?? '', /latitude before longitude/);
      t.deepEqual(swapAxes(swapped), box);
    }),
  );
});
