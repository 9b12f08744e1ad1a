import { endpoints } from '#endpoints/index.ts';
import { compileParameters } from '#http/parameters.ts';
import { ANY_PLACE } from '#test/places.ts';
import { test } from '#test/test.ts';

const search = endpoints.find(({ operationId }) => operationId === 'searchListings');
const decode = compileParameters(search?.parameters ?? []);
const REQUIRED = 'city=riyadh&listing_type=rent';

const messageFor = (name: string): string | undefined => {
  const { faults } = decode(new URLSearchParams(`${REQUIRED}&${name}=1`), ANY_PLACE);
  return faults.map(({ message }) => message?.()).join();
};

test('the error for an unknown parameter suggests a similar name', (t) => {
  t.is(messageFor('bed'), 'This endpoint has no parameter `bed`. Did you mean `beds=1`?');
  t.is(messageFor('price_mim'), 'This endpoint has no parameter `price_mim`. Did you mean `price_min=1`?');
  t.is(messageFor('price_maxx'), 'This endpoint has no parameter `price_maxx`. Did you mean `price_max=1`?');
  const listed = 'GET /v1/openapi.json lists the accepted names.';
  for (const name of ['b', 'colour', 'x'.repeat(60)])
    t.is(messageFor(name), `This endpoint has no parameter \`${name}\`. ${listed}`);
  t.is(messageFor('x'.repeat(5_000)), `This endpoint has no parameter \`${'x'.repeat(60)}…\`. ${listed}`);
});

test('a repeated list parameter equals comma-separated values', (t) => {
  const valuesOf = (query: string) => {
    const { values, faults } = decode(new URLSearchParams(`${REQUIRED}&${query}`), ANY_PLACE);
    t.deepEqual(faults, [], query);
    return values;
  };
  for (const [repeated, joined] of [
    ['property_type=apartment&property_type=villa', 'property_type=apartment,villa'],
    ['beds=2&beds=3,4&beds=5', 'beds=2,3,4,5'],
    ['bbox=46.6&bbox=24.6&bbox=46.8&bbox=24.9', 'bbox=46.6,24.6,46.8,24.9'],
    ['near=24.7&near=46.6', 'near=24.7,46.6'],
  ] as const)
    t.deepEqual(valuesOf(repeated), valuesOf(joined));
  const { faults } = decode(new URLSearchParams(`${REQUIRED}&limit=1&limit=1`), ANY_PLACE);
  t.deepEqual(
    faults.map(({ param }) => param),
    ['limit'],
  );
});

test('the error for a thousand unknown parameters takes less than 10 ms', (t) => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${'neighborhod_x'.repeat(4)}${index}`);
  const { faults } = decode(new URLSearchParams(names.join('=&')), ANY_PLACE);
  const costs = Array.from({ length: 20 }, () => {
    const begun = process.cpuUsage();
    t.deepEqual(
      faults.map(({ code }) => code),
      ['missing_parameter', 'missing_parameter', 'unknown_parameter'],
    );
    t.is(faults[0]?.message?.(), '`city` is required: a city slug from GET /cities.');
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  });
  t.true(Math.min(...costs) < 10_000, `${Math.min(...costs)} µs`);
});

test('decoding hundreds of unknown parameters before the key is checked takes less than 1.5 ms', (t) => {
  const names = Array.from({ length: 810 }, (_, index) => `zzzzz${String(index).padStart(3, 'z')}`);
  const raw = new URLSearchParams(`${REQUIRED}&${names.join('=&')}`);
  // The minimum of many measurements is used, because other processes also use the CPU.
  const costs = Array.from({ length: 20 }, () => {
    const begun = process.cpuUsage();
    t.is(decode(raw, ANY_PLACE).faults.length, 1);
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  });
  t.true(Math.min(...costs) < 1_500, `${Math.min(...costs)} µs`);
});
