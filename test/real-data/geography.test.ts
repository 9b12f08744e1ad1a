import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import { checkBoundaries, checkNeighborhoods } from './neighborhood-check.ts';
import { publicData, testWith } from './public-data.ts';

const AQAR = ['listings', 'aqar_riyadh_apartments_sale_2022.ndjson'] as const;
testWith(...AQAR)(
  'of the neighborhoods named in Aqar ads of Riyadh, 97% are found and 70% have the center nearest to the ad',
  async (t) => {
    let named = 0;
    let found = 0;
    let placed = 0;
    let agreed = 0;
    for await (const line of createInterface({ input: createReadStream(publicData(...AQAR)) })) {
      const ad = JSON.parse(line) as { district_ar: string | null; lat: number | null; lng: number | null };
      if (ad.district_ar === null) continue;
      named++;
      const place = findNeighborhood('riyadh', ad.district_ar);
      if (place === null) continue;
      found++;
      if (ad.lat === null || ad.lng === null) continue;
      placed++;
      if (nearestNeighborhood('riyadh', { lat: ad.lat, lng: ad.lng }, 6000)?.id === place.id) agreed++;
    }
    t.log(`${found} of ${named} names found; the nearest center is the named one for ${agreed} of ${placed}`);
    t.true(found / named >= 0.97);
    t.true(agreed / placed >= 0.7);
  },
);

const BAYUT = ['listings', 'bayut_properties_ksa_17504.csv'] as const;
testWith(...BAYUT)('of the English neighborhood names in Bayut ads of six cities, 90% are found', async (t) => {
  const cities = new Set(['riyadh', 'jeddah', 'dammam', 'khobar', 'makkah', 'madinah']);
  const rows = createReadStream(publicData(...BAYUT)).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{
    Location: string;
  }>;
  let asked = 0;
  let found = 0;
  for await (const row of rows) {
    const parts = row.Location.split(',').map((part) => part.trim());
    const city = findCity(parts.at(-1) ?? '');
    if (city === null || !cities.has(city.slug)) continue;
    asked++;
    if (findNeighborhood(city.slug, parts[0] ?? '') !== null) found++;
  }
  t.log(`${found} of ${asked} rows found`);
  t.true(found / asked >= 0.9);
});

const SA_AQAR = ['listings', 'SA_Aqar.csv'] as const;
testWith(...SA_AQAR)('of the neighborhood names in the SA_Aqar data set, 90% are found', async (t) => {
  const rows = createReadStream(publicData(...SA_AQAR)).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{
    city: string;
    district: string;
  }>;
  let asked = 0;
  let found = 0;
  for await (const row of rows) {
    asked++;
    const city = findCity(row.city);
    if (city !== null && findNeighborhood(city.slug, row.district) !== null) found++;
  }
  t.log(`${found} of ${asked} rows found`);
  t.true(found / asked >= 0.9);
});

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
    t.true(byBoundary > byCenter);
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
