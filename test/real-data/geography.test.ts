import { readFileSync } from 'node:fs';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { checkBoundaries, checkNeighborhoods } from './neighborhood-check.ts';
import { publicData, testWith } from './public-data.ts';

const AQAR = ['listings', 'aqar_riyadh_apartments_sale_2022.ndjson'] as const;

for (const [city, count] of [
  ['riyadh', 187],
  ['jeddah', 139],
  ['dammam', 82],
] as const) {
  const file = ['geography', `${city}_districts.geojson`] as const;
  testWith(...file)(`all public boundaries of ${city} are read, except those with unknown names`, (t) => {
    const { size, skipped } = readBoundaries(readFileSync(publicData(...file), 'utf8'));
    t.log(`${size} neighborhoods, ${skipped.length} unknown names`);
    t.is(size, count);
  });
}

testWith(...AQAR)(
  'surveyed boundaries assign real ads to the stated neighborhood more often than the nearest center does',
  async (t) => {
    const { ads, byCenter, byBoundary } = await checkBoundaries();
    t.log(
      `${ads} ads: nearest center ${((100 * byCenter) / ads).toFixed(1)}%, boundary ${((100 * byBoundary) / ads).toFixed(1)}%`,
    );
    t.true(byBoundary / ads > 0.98);
    t.true(byBoundary > byCenter && byCenter / ads >= 0.7);
  },
);

testWith(...AQAR)(
  'of real ads that state both, the neighborhood of the point is right for 95% (five-fold)',
  async (t) => {
    const { ads, right, wrong, unplaced } = await checkNeighborhoods();
    const percent = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)}%`;
    t.log(
      `${percent(right, ads)} of ${ads} right, ${percent(right, right + wrong)} of those placed, ${unplaced} not placed`,
    );
    t.true(right / ads >= 0.95);
    t.true(right / (right + wrong) >= 0.97);
  },
);
