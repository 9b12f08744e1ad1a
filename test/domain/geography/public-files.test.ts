import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'csv-parse';
import { findCity, findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';

/** Public listings that may lie beside the repository; without them these tests say so and pass. */
function publicFile(t: ExecutionContext, name: string): string | null {
  const path = fileURLToPath(new URL(`../../../../shared/data/listings/${name}`, import.meta.url));
  if (existsSync(path)) return path;
  t.log(`skipped: ../shared/data/listings/${name} is not there`);
  t.pass();
  return null;
}

test('Aqar, Riyadh flats: neighborhoods by Arabic name and by point', async (t) => {
  const path = publicFile(t, 'aqar_riyadh_apartments_sale_2022.ndjson');
  if (path === null) return;
  let named = 0;
  let found = 0;
  let placed = 0;
  let agreed = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
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
});

test('Bayut, six cities: neighborhoods by English name', async (t) => {
  const path = publicFile(t, 'bayut_properties_ksa_17504.csv');
  if (path === null) return;
  const cities = new Set(['riyadh', 'jeddah', 'dammam', 'khobar', 'makkah', 'madinah']);
  const rows = createReadStream(path).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{ Location: string }>;
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

test('SA_Aqar: neighborhoods by translated names', async (t) => {
  const path = publicFile(t, 'SA_Aqar.csv');
  if (path === null) return;
  const rows = createReadStream(path).pipe(parse({ columns: true, bom: true })) as AsyncIterable<{
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
