import { parseQuarter } from '#domain/official/quarters.ts';
import {
  classedQuarters,
  completeQuarters,
  completeThrough,
  coverageOfCity,
  type LoadedQuarter,
  OFFICIAL_RULES,
  quartersOfCity,
} from '#domain/official/rules.ts';
import type { MarketCell } from '#domain/property-index/release.ts';
import { publishedWhole } from '#src/property-index/material.ts';
import { test } from '#test/test.ts';

const quarter = parseQuarter;
const load = (label: string, last_day: string, scope = '', names_classes = true): LoadedQuarter => ({
  scope,
  quarter: quarter(label),
  last_day,
  names_classes,
});
const LOADED = [
  load('2025-Q1', '2025-03-30'),
  load('2025-Q2', '2025-06-29', 'riyadh'),
  load('2025-Q2', '2025-05-20', 'jeddah'),
  load('2025-Q3', '2025-09-01'),
  load('2026-Q2', '2026-06-28'),
];

test('loaded and complete quarters are determined for each city separately', (t) => {
  const of = (city: string) => ({
    all: quartersOfCity(OFFICIAL_RULES, city, LOADED),
    complete: completeQuarters(OFFICIAL_RULES, city, LOADED),
  });
  const [first, second, third, last] = ['2025-Q1', '2025-Q2', '2025-Q3', '2026-Q2'].map(quarter);
  t.deepEqual(of('riyadh'), {
    all: [first, second, third, last] as number[],
    complete: [first, second, third] as number[],
  });
  t.deepEqual(of('jeddah'), {
    all: [first, second, third, last] as number[],
    complete: [first, third, last] as number[],
  });
  t.deepEqual(of('taif'), { all: [first, third, last] as number[], complete: [first, third, last] as number[] });
  t.is(completeThrough(OFFICIAL_RULES, 'riyadh', LOADED), third as number);
  t.is(completeThrough(OFFICIAL_RULES, 'riyadh', []), null);
  t.true(coverageOfCity(OFFICIAL_RULES, 'jeddah', LOADED).notes.some((note) => note.includes('2025-Q2')));
  t.false(coverageOfCity(OFFICIAL_RULES, 'taif', LOADED).notes.some((note) => note.includes('2025-Q2')));
});

test('quarters without land-use classes are listed in the coverage notes and have no land prices', (t) => {
  const loaded = [
    load('2025-Q1', '2025-03-30', 'riyadh', false),
    load('2025-Q1', '2025-03-30', 'jeddah'),
    load('2025-Q3', '2025-09-30'),
  ];
  const of = (city: string) => {
    const notes = coverageOfCity(OFFICIAL_RULES, city, loaded).notes.filter((note) => note.includes('land-use class'));
    return { classed: classedQuarters(OFFICIAL_RULES, city, loaded), notes };
  };
  t.deepEqual(of('jeddah'), { classed: [quarter('2025-Q1'), quarter('2025-Q3')], notes: [] });
  const riyadh = of('riyadh');
  t.deepEqual(riyadh.classed, [quarter('2025-Q3')]);
  t.regex(riyadh.notes.join(), /: 2025-Q1\.$/);
  // The index of residential plots does not count this quarter as published.
  t.is(publishedWhole(OFFICIAL_RULES, [], [load('2025-Q1', '2025-03-30', '', false)]).through, null);
});

test('the property index includes a city only in quarters that were published completely for the city', (t) => {
  const cells = ['riyadh', 'jeddah', 'taif'].flatMap((city) =>
    ['2025-Q1', '2025-Q2', '2025-Q3', '2025-Q4'].map((label): MarketCell => {
      const period = quarter(label);
      return { city, cluster: city, stratum: city, period, deals: 9, count: 9, price: 1, spread: null };
    }),
  );
  const kept = (loaded: readonly LoadedQuarter[]) => {
    const { cells: found, through } = publishedWhole(OFFICIAL_RULES, cells, loaded);
    return { through, found: found.map(({ city, period }) => `${city} ${period - quarter('2025-Q1') + 1}`) };
  };
  const four = (city: string) => [1, 2, 3, 4].map((at) => `${city} ${at}`);
  // Files of single cities only: `through` is the last complete quarter of any city. Up to `through`, each city has cells up
  // to its own last complete quarter. Later cells are kept, to be withheld as incomplete.
  const cities = [load('2025-Q1', '2025-03-30', 'riyadh'), load('2025-Q2', '2025-06-29', 'riyadh')];
  t.deepEqual(kept([...cities, load('2025-Q1', '2025-03-01', 'jeddah'), load('2025-Q2', '2025-05-01', 'jeddah')]), {
    through: quarter('2025-Q2'),
    found: [...four('riyadh'), 'jeddah 1', 'jeddah 3', 'jeddah 4', 'taif 3', 'taif 4'],
  });
  // If there is a file of the whole country, the file of a single city does not extend `through`.
  t.deepEqual(kept([load('2025-Q1', '2025-03-30'), load('2025-Q2', '2025-06-29', 'riyadh')]), {
    through: quarter('2025-Q1'),
    found: cells.map(({ city, period }) => `${city} ${period - quarter('2025-Q1') + 1}`),
  });
  t.is(kept([load('2025-Q1', '2025-02-01')]).through, null);
});
