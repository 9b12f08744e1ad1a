import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadSources } from '#ingest/load-sources.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const RIYADH_AD = {
  category: '6',
  purpose: 'sale',
  property_type: 'apartment',
  title_ar: 'شقة للبيع في حي الملقا ، الرياض ، الرياض',
  description_ar: 'شقة في الدور الثاني \nمكونة من ٣ غرف وصالة \n- يوجد مصعد \n\n[redacted]',
  price: 910000.0,
  beds: 3.0,
  livings: 1.0,
  baths: 2.0,
  area: 131.0,
  street_width: 20.0,
  age: 2.0,
  kitchen: 1.0,
  furnished: 0.0,
  width: null,
  lat: 24.81,
  lng: 46.61,
  city_ar: 'الرياض',
  advertiser_type: 'owner',
  advertiser_verified: true,
  advertiser_key: 'adv9001',
  image_count: 4,
  last_update: '1659978554',
};

/** Invented ads in the columns and spellings of the feeds, by path under the data folder. */
const FILES: Readonly<Record<string, string>> = {
  'listings/aqar_riyadh_apartments_sale_2022.ndjson': [
    { id: '1', district_ar: 'حي الملقا' },
    { id: '2', district_ar: null, lat: 24.8, lng: 46.6, advertiser_key: null },
    { id: '3', district_ar: 'حي الياسمين', price: 0, beds: null, age: null },
  ]
    .map((ad) => `${JSON.stringify({ ...RIYADH_AD, ...ad })}\n`)
    .join(''),
  'listings/SA_Aqar.csv': [
    'city,district,front,size,property_age,bedrooms,bathrooms,livingrooms,kitchen,garage,driver_room,maid_room,furnished,ac,roof,pool,frontyard,basement,duplex,stairs,elevator,fireplace,price',
    ' Riyadh,   Al-Areed ,North,251,0,5,5,1,1,1,0,1,0,0,0,0,1,0,1,1,0,0,81000',
    // Ads are repeated.
    ' Riyadh,   Al-Areed ,North,251,0,5,5,1,1,1,0,1,0,0,0,0,1,0,1,1,0,0,81000',
    ' Jeddah,   Ash Shati ,3 streets,410,7,4,5,2,0,0,1,1,1,1,1,1,0,1,0,0,1,1,250000',
    '',
  ].join('\n'),
  'listings/bayut_properties_ksa_17504.csv': [
    'Page,Price,Type,Beds,Baths,Area,Location',
    '2,"685,000",Apartment,4,3,231 Sq. M.,"Al Safa, North Jeddah, Jeddah"',
    '2,"1,250,000",Villa,6,5,"3,000 Sq. Ft.","Al Malqa, North Riyadh, Riyadh"',
    '3,"400,000",Residential Land,,,625 Sq. M.,"Al Rayaan, Buraydah Al Qassim Region"',
    '',
  ].join('\r\n'),
};

const EXPECTED: Readonly<Record<string, readonly object[]>> = {
  aqar: [
    {
      city: 'riyadh',
      neighborhood_id: 1001,
      price_yearly_sar: 910_000,
      bedrooms: 3,
      area_sqm: 131,
      floor: '2',
      source_updated_at: '2022-08-08T17:09:14Z',
    },
    { neighborhood_id: 1001, neighborhood_stated: false, advertiser_key: null },
    { neighborhood_id: 1002, price_yearly_sar: null, bedrooms: null, age_years: null },
  ],
  sa_aqar: [
    { city: 'riyadh', neighborhood_id: 1004, property_type: 'duplex', source_updated_at: null },
    { city: 'riyadh', property_type: 'duplex', price_yearly_sar: 81_000 },
    { city: 'jeddah', property_type: 'villa', furnished: true, area_sqm: 410 },
  ],
  bayut: [
    { city: 'jeddah', property_type: 'apartment', price_yearly_sar: 685_000, area_sqm: 231, source_updated_at: null },
    { city: 'riyadh', neighborhood_id: 1001, property_type: 'villa', area_sqm: 278.7 },
    { city: 'buraidah', property_type: 'land', bedrooms: null, area_sqm: 625 },
  ],
};

for (const [name, expected] of Object.entries(EXPECTED))
  test(`ads in the layout of ${name} are read and placed`, async (t) => {
    const dir = await temporaryFolder(t);
    for (const [file, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), content);
    }
    const source = (await loadSources({ dataDir: dir })).find((candidate) => candidate.name === name);
    if (source === undefined) return t.fail('not offered');
    const at = new Date('2026-01-01');
    const listings: object[] = [];
    for await (const row of source.rows({ at, signal: AbortSignal.timeout(60_000) })) {
      const result = row.ok ? normalize(source, row.raw, at) : row;
      if (!row.ok || !result.ok || !('listing' in result)) t.fail(JSON.stringify(result));
      else listings.push(result.listing);
    }
    t.is(listings.length, expected.length);
    for (const [index, listing] of expected.entries()) t.like(listings[index], listing);
  });
