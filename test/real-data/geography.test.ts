import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import { PUBLIC_DATA, testWhere } from '#test/present.ts';

const publicFile = (name: string) => join(PUBLIC_DATA, 'listings', name);

const AQAR = publicFile('aqar_riyadh_apartments_sale_2022.ndjson');
testWhere(existsSync(AQAR))(
  'of the neighborhoods named in Aqar ads of Riyadh, 97% are found and 70% have the center nearest to the ad',
  async (t) => {
    let named = 0;
    let found = 0;
    let placed = 0;
    let agreed = 0;
    for await (const line of createInterface({ input: createReadStream(AQAR) })) {
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

const BAYUT = publicFile('bayut_properties_ksa_17504.csv');
testWhere(existsSync(BAYUT))(
  'of the English neighborhood names in Bayut ads of six cities, 90% are found',
  async (t) => {
    const cities = new Set(['riyadh', 'jeddah', 'dammam', 'khobar', 'makkah', 'madinah']);
    const rows = createReadStream(BAYUT).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{
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
  },
);

const SA_AQAR = publicFile('SA_Aqar.csv');
testWhere(existsSync(SA_AQAR))('of the neighborhood names in the SA_Aqar data set, 90% are found', async (t) => {
  const rows = createReadStream(SA_AQAR).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{
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
