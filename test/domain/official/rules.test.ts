import { parseQuarter } from '#domain/official/quarters.ts';
import {
  classedQuarters,
  completeQuarters,
  coverageOfCity,
  type LoadedQuarter,
  quartersOfCity,
} from '#domain/official/rules.ts';
import type { MarketCell } from '#domain/property-index/release.ts';
import { publishedWhole } from '#src/property-index/publish-month.ts';
import { test } from '#test/test.ts';

const quarter = parseQuarter;
const load = (label: string, last_day: string, scope = '', names_classes = true): LoadedQuarter => ({
  scope,
  quarter: quarter(label),
  last_day,
  names_classes,
});

test('loaded and complete quarters are determined for each city separately', (t) => {
  const loaded = [
    load('2025-Q1', '2025-03-30'),
    load('2025-Q2', '2025-06-29', 'riyadh'),
    load('2025-Q2', '2025-05-20', 'jeddah'),
    load('2025-Q3', '2025-09-01'),
    // After the cut-off of Riyadh.
    load('2026-Q2', '2026-06-28'),
  ];
  for (const [city, all, complete, isNoted] of [
    ['riyadh', ['2025-Q1', '2025-Q2', '2025-Q3', '2026-Q2'], ['2025-Q1', '2025-Q2', '2025-Q3'], false],
    ['jeddah', ['2025-Q1', '2025-Q2', '2025-Q3', '2026-Q2'], ['2025-Q1', '2025-Q3', '2026-Q2'], true],
    ['taif', ['2025-Q1', '2025-Q3', '2026-Q2'], ['2025-Q1', '2025-Q3', '2026-Q2'], false],
  ] as const) {
    t.deepEqual(quartersOfCity(city, loaded), all.map(quarter), city);
    t.deepEqual(completeQuarters(city, loaded), complete.map(quarter), city);
    const { complete_through_quarter, notes } = coverageOfCity(city, loaded);
    t.is(complete_through_quarter, complete[2]);
    t.is(
      notes.some((note) => note.includes('2025-Q2')),
      isNoted,
      city,
    );
  }
});

test('quarters without land-use classes are listed in the coverage notes and have no land prices', (t) => {
  const loaded = [
    load('2025-Q1', '2025-03-30', 'riyadh', false),
    load('2025-Q1', '2025-03-30', 'jeddah'),
    load('2025-Q3', '2025-09-30'),
  ];
  const notes = (city: string) => coverageOfCity(city, loaded).notes.filter((note) => note.includes('land-use class'));
  t.deepEqual(classedQuarters('jeddah', loaded), ['2025-Q1', '2025-Q3'].map(quarter));
  t.deepEqual(notes('jeddah'), []);
  t.deepEqual(classedQuarters('riyadh', loaded), [quarter('2025-Q3')]);
  t.regex(notes('riyadh').join(), /: 2025-Q1\.$/);
  // The index of residential plots does not count this quarter as published.
  t.is(publishedWhole([], [load('2025-Q1', '2025-03-30', '', false)]).through, null);
});

test('the property index includes a city only in quarters that were published completely for the city', (t) => {
  const cells = ['riyadh', 'jeddah', 'taif'].flatMap((city) =>
    ['2025-Q1', '2025-Q2', '2025-Q3', '2025-Q4'].map((label): MarketCell => {
      const period = quarter(label);
      return { city, cluster: city, stratum: city, period, deals: 9, count: 9, price: 1, spread: null };
    }),
  );
  const kept = (loaded: readonly LoadedQuarter[]) => {
    const { cells: found, through } = publishedWhole(cells, loaded);
    return { through, found: found.map(({ city, period }) => `${city} ${period - quarter('2025-Q1') + 1}`) };
  };
  // Files of single cities only: `through` is the last complete quarter of any city. Up to it, each city has cells up to its
  // own last complete quarter. Later cells are kept, to be withheld as incomplete.
  const cities = [load('2025-Q1', '2025-03-30', 'riyadh'), load('2025-Q2', '2025-06-29', 'riyadh')];
  const { through, found } = kept([...cities, load('2025-Q1', '2025-03-01', 'jeddah')]);
  t.is(through, quarter('2025-Q2'));
  t.deepEqual(found, [
    'riyadh 1',
    'riyadh 2',
    'riyadh 3',
    'riyadh 4',
    'jeddah 1',
    'jeddah 3',
    'jeddah 4',
    'taif 3',
    'taif 4',
  ]);
  // If there is a file of the whole country, the file of a single city does not extend `through`.
  const national = kept([load('2025-Q1', '2025-03-30'), load('2025-Q2', '2025-06-29', 'riyadh')]);
  t.is(national.through, quarter('2025-Q1'));
  t.is(national.found.length, cells.length);
  t.is(kept([load('2025-Q1', '2025-02-01')]).through, null);
});
