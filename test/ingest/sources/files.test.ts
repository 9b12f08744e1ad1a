import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { definitions } from '#ingest/load-sources.ts';
import type { NormalizedListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { bayutFeed } from '#ingest/sources/kinds/bayut-xml.ts';
import { propertyFinderFeed } from '#ingest/sources/kinds/property-finder-xml.ts';
import { openSource, type SourceDefinition } from '#ingest/sources/source.ts';
import { listen } from '#test/listen.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { toEnd } from './to-end.ts';

const dir = folderOfFile();
const at = new Date('2026-11-20T00:00:00Z');
const signal = new AbortController().signal;

/** Returns the listing or the reason for the rejection of each row, and how the feed ended. */
async function read(definition: SourceDefinition) {
  const source = openSource(definition, { dataDir: dir, userAgent: 'Homes (+https://homes.example)' });
  const { rows, end } = await toEnd(source.rows({ at, signal }));
  const results = rows.map((row) => (row.ok ? normalize(source, row.raw, at) : row));
  return { rows: results.map((result) => ('listing' in result ? result.listing : result.reason)), cut: end.cut };
}

const BAYUT = `<?xml version="1.0" encoding="UTF-8"?>
<Properties last_update="2026-11-19 10:00:00" listing_count="6">
  <Property>
    <Property_Ref_No><![CDATA[RUH-1042]]></Property_Ref_No><Property_Status>live</Property_Status>
    <Property_purpose><![CDATA[Rent]]></Property_purpose><Property_Type>Apartment</Property_Type>
    <Property_Size>120</Property_Size><Property_Size_Unit>SQM</Property_Size_Unit>
    <Bedrooms>3</Bedrooms><Bathroom>2</Bathroom>
    <Features><Feature>Swimming Pool</Feature><Feature><![CDATA[Parking]]></Feature><Feature>Lift: 0</Feature></Features>
    <Off_plan>No</Off_plan><Last_Updated>2026-11-18 01:30:00</Last_Updated>
    <Property_Title_AR>شقة ثلاث غرف في حي الملقا</Property_Title_AR>
    <Property_Description><![CDATA[Bright home.<br/>Near the park &amp; shops]]></Property_Description>
    <Property_Description_AR><![CDATA[<p>شقة مشرقة</p><p>قريبة من الحديقة</p>]]></Property_Description_AR>
    <Price>95000</Price><Rent_Frequency>Yearly</Rent_Frequency><Furnished>Yes</Furnished>
    <City>Riyadh</City><Locality>North Riyadh</Locality><Sub_Locality>Al Malqa</Sub_Locality>
    <Images><Image>https://photos.example/1.jpg</Image><Image><![CDATA[https://photos.example/2.jpg?a=1&b=2]]></Image></Images>
    <Listing_Agent>Sara</Listing_Agent><Listing_Agent_Phone>+966500000000</Listing_Agent_Phone>
  </Property>
  <Property>
    <Property_Ref_No>JED-7</Property_Ref_No><Property_purpose>Buy</Property_purpose>
    <Property_Type>Residential Plot</Property_Type>
    <City>جدة</City><Locality>حي الشاطئ</Locality>
    <Property_Size>0</Property_Size><plotArea>6458.35</plotArea><Property_Size_Unit>SQFT</Property_Size_Unit>
    <Price>2100000</Price><Features>Balcony, Security</Features><Images/>
    <Property_Description_AR>أرض سكنية على شارع</Property_Description_AR>
    <Last_Updated>2026-02-30 00:00:00</Last_Updated>
  </Property>
  <Property>
    <Property_Ref_No>RUH-8</Property_Ref_No><Property_purpose>Rent</Property_purpose>
    <Property_Type>Apartment</Property_Type><Bedrooms>-1</Bedrooms><Bathrooms>1</Bathrooms>
    <City>Riyadh</City><Locality>Al Olaya</Locality><Sub_Locality>Tower street</Sub_Locality>
    <Property_Size>40</Property_Size><Property_Size_Unit>SQM</Property_Size_Unit>
    <Price>4000</Price><Rent_Frequency>Monthly</Rent_Frequency><Furnished>Partly</Furnished>
    <Off_Plan>Yes</Off_Plan><Tower_Name>Noor Residence</Tower_Name>
  </Property>
  <Property><Property_Ref_No>OLD-1</Property_Ref_No><Property_Status>archive</Property_Status></Property>
  <Property><Property_Ref_No>CAMP-1</Property_Ref_No><Property_purpose>Rent</Property_purpose><Property_Type>Labour Camp</Property_Type><City>Riyadh</City></Property>
  <Property><Property_Ref_No>BAD-1</Property_Ref_No><Property_Title>Sea & sun</Property_Title></Property>
</Properties>
`;

const DUBIZZLE = `<?xml version="1.0"?><dubizzlepropertyfeed>
<property><status>vacant</status><type>RP</type><subtype>AP</subtype><commercialtype/><refno>D-1</refno><title>Flat</title>
  <description><![CDATA[Nice<br>flat]]></description><size>1200</size><sizeunits>SqFt</sizeunits><price>60000</price>
  <pricecurrency>SAR</pricecurrency><rentpriceterm>YR</rentpriceterm><city>Riyadh</city><locationtext>Al Malqa</locationtext>
  <bedrooms>3</bedrooms><bathrooms>2</bathrooms><privateamenities>AC|BA|PP</privateamenities><furnished>1</furnished>
  <photos>https://photos.example/1.jpg|https://photos.example/2.jpg</photos><geopoints>46.6123,24.8031</geopoints>
  <lastupdated>2026-11-18 01:30:00</lastupdated><contactemail>sara@agency.example</contactemail></property>
<property><status>deleted</status><type>SP</type><subtype>VI</subtype><refno>D-2</refno></property>
<property><status>vacant</status><type>SP</type><subtype>CO</subtype><commercialtype>OF</commercialtype><refno>D-3</refno>
  <city>2</city><locationtext>Al Malqa, Riyadh</locationtext><price>900000</price></property>
</dubizzlepropertyfeed>`;

const property = (id: string, rest: string): string => `<property last_update="2026-11-18 01:30:00">
  <reference_number>${id}</reference_number><city>الرياض</city><community>شمال الرياض</community>
  <sub_community>حي الملقا</sub_community>${rest}</property>`;

const PROPERTY_FINDER = `<?xml version="1.0" encoding="utf-8"?>
<list last_update='2026-11-19 10:00:00' listing_count='9'>
${property(
  'PF-1',
  `<permit_number>7200012345</permit_number><offering_type>RR</offering_type><property_type>AP</property_type>
  <price_on_application>No</price_on_application><price><yearly>95000</yearly><monthly>8500</monthly></price>
  <title_en>Flat in Al Malqa</title_en><title_ar>شقة في الملقا</title_ar>
  <description_en><![CDATA[Bright home]]></description_en><description_ar><![CDATA[شقة مشرقة]]></description_ar>
  <size>120</size><bedroom>3</bedroom><bathroom>2</bathroom><furnished>No</furnished><build_year>2016</build_year>
  <completion_status>completed</completion_status><private_amenities>AC, PP, VW, SY</private_amenities>
  <agent><id>A-17</id><name>Sara</name><email>sara@agency.example</email><phone>966500000000</phone></agent>
  <photo><url last_update="2026-11-01 00:00:00" watermark="Yes">https://photos.example/1.jpg</url><url>https://photos.example/2.jpg</url></photo>
  <geopoints>46.6123,24.8031</geopoints>`,
)}
${property('PF-2', '<offering_type>RS</offering_type><property_type>VH</property_type><price>2500000</price><size>350</size><bedroom>5</bedroom><title_en>Villa</title_en><description_en>English only</description_en><geopoints></geopoints><photo/>')}
${property('PF-3', '<offering_type>RR</offering_type><property_type>AP</property_type><price><yearly>0</yearly><monthly>4000</monthly></price><bedroom>studio</bedroom><furnished>Partly</furnished>')}
${property('PF-4', '<offering_type>CS</offering_type><property_type>LP</property_type><price>9000000</price><plot_size>2000</plot_size>')}
${property('PF-5', '<offering_type>CR</offering_type><property_type>FF</property_type><price>300000</price><rental_period>Y</rental_period><size>400</size>')}
${property('PF-6', '<offering_type>RS</offering_type><property_type>AP</property_type><price_on_application>Yes</price_on_application><price>1</price><completion_status>off_plan_primary</completion_status><project_name>Noor</project_name><developer>Bina</developer>')}
${property('PF-7', '<offering_type>CS</offering_type><property_type>WB</property_type><price>9000000</price>')}
${property('PF-8', '<offering_type>RR</offering_type><property_type>LC</property_type><price>9000</price>')}
${property('PF-9', '<offering_type>XX</offering_type><property_type>AP</property_type><price>9000</price>')}
</list>`;

const RIYADH_AD = {
  purpose: 'sale',
  property_type: 'apartment',
  title_ar: 'شقة للبيع في حي الملقا ، الرياض ، الرياض',
  description_ar: 'شقة في الدور الثاني \nمكونة من ٣ غرف وصالة \n- يوجد مصعد \n\n[redacted]',
  price: 910000.0,
  beds: 3.0,
  area: 131.0,
  age: 2.0,
  furnished: 0.0,
  lat: 24.81,
  lng: 46.61,
  city_ar: 'الرياض',
  advertiser_type: 'owner',
  advertiser_key: 'adv9001',
  last_update: '1659978554',
};

/** Invented ads in the columns and spellings of the feeds, by path under the data folder. */
const FILES: Readonly<Record<string, string>> = {
  'bayut.xml': BAYUT,
  'pf.xml': PROPERTY_FINDER,
  'dubizzle.xml': DUBIZZLE,
  'listings/aqar_riyadh_apartments_sale_2022.ndjson': [
    { id: '1', district_ar: 'حي الملقا' },
    { id: '2', district_ar: null, advertiser_key: null, price: 0, beds: null, age: null },
  ]
    .map((ad) => `${JSON.stringify({ ...RIYADH_AD, ...ad })}\n`)
    .join(''),
  'listings/SA_Aqar.csv': [
    'city,district,front,size,property_age,bedrooms,bathrooms,livingrooms,kitchen,garage,driver_room,maid_room,furnished,ac,roof,pool,frontyard,basement,duplex,stairs,elevator,fireplace,price',
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
test.before(async () => {
  await mkdir(join(dir, 'listings'));
  for (const [file, content] of Object.entries(FILES)) await writeFile(join(dir, file), content);
});

/** Sources that folders do not define. */
const TRADE = [
  bayutFeed({ name: 'bayut_xml', file: 'bayut.xml' }),
  bayutFeed({ name: 'dubizzle_xml', file: 'dubizzle.xml' }),
  propertyFinderFeed({ name: 'property_finder_xml', file: 'pf.xml' }),
  propertyFinderFeed({ name: 'in_dubai', file: 'pf.xml', areaUnit: 'sqft', timeZone: 'Asia/Dubai' }),
];

/** The listings or reasons for rejection that the rows of each source become. */
const EXPECTED: Readonly<Record<string, readonly (Partial<NormalizedListing> | string)[]>> = {
  bayut_xml: [
    {
      source_listing_id: 'RUH-1042',
      listing_type: 'rent',
      property_type: 'apartment',
      title: 'شقة ثلاث غرف في حي الملقا',
      description: 'شقة مشرقة\nقريبة من الحديقة',
      description_en: 'Bright home.\nNear the park & shops',
      price_yearly_sar: 95_000,
      bedrooms: 3,
      bathrooms: 2,
      area_sqm: 120,
      furnished: true,
      amenities: ['parking', 'pool'],
      neighborhood_id: 1001,
      advertiser_type: 'company',
      photos: ['https://photos.example/1.jpg', 'https://photos.example/2.jpg?a=1&b=2'],
      source_updated_at: '2026-11-17T22:30:00Z',
    },
    { listing_type: 'sale', property_type: 'land', area_sqm: 600, city: 'jeddah', photos: [], source_updated_at: null },
    {
      property_type: 'studio',
      bathrooms: 1,
      price_yearly_sar: 48_000,
      furnished: null,
      age_years: 0,
      project: { id: null, name: 'Noor Residence', developer: null },
    },
    'not_offered',
    'unknown_property_type',
    'unknown_purpose',
  ],
  dubizzle_xml: [
    {
      source_listing_id: 'D-1',
      listing_type: 'rent',
      property_type: 'apartment',
      description: 'Nice\nflat',
      price_yearly_sar: 60_000,
      area_sqm: 111.5,
      bedrooms: 3,
      furnished: true,
      amenities: ['ac', 'balcony', 'pool'],
      neighborhood_id: 1001,
      lat: 24.8031,
      photos: ['https://photos.example/1.jpg', 'https://photos.example/2.jpg'],
      source_updated_at: '2026-11-17T22:30:00Z',
    },
    'not_offered',
    { listing_type: 'sale', property_type: 'office', city: 'riyadh', neighborhood_id: 1001, price_yearly_sar: 900_000 },
  ],
  property_finder_xml: [
    {
      source_listing_id: 'PF-1',
      listing_type: 'rent',
      property_type: 'apartment',
      title: 'شقة في الملقا',
      description: 'شقة مشرقة',
      description_en: 'Bright home',
      price_yearly_sar: 95_000,
      bedrooms: 3,
      bathrooms: 2,
      area_sqm: 120,
      age_years: 10,
      furnished: false,
      amenities: ['ac', 'pool', 'gym'],
      neighborhood_id: 1001,
      lat: 24.8031,
      lng: 46.6123,
      photos: ['https://photos.example/1.jpg', 'https://photos.example/2.jpg'],
      advertiser_key: 'A-17',
      source_updated_at: '2026-11-17T22:30:00Z',
    },
    {
      listing_type: 'sale',
      property_type: 'villa',
      price_yearly_sar: 2_500_000,
      description: 'English only',
      lat: null,
    },
    { property_type: 'studio', bedrooms: 0, price_yearly_sar: 48_000, furnished: null },
    { listing_type: 'sale', property_type: 'commercial_land', area_sqm: 2_000 },
    { listing_type: 'rent', property_type: 'office', listing_category: 'commercial', price_yearly_sar: 300_000 },
    { price_yearly_sar: null, age_years: 0, project: { id: null, name: 'Noor', developer: 'Bina' } },
    { property_type: 'commercial_building' },
    'unknown_property_type',
    'unknown_purpose',
  ],
  // The unit and time zone that the feed omits.
  in_dubai: [{ area_sqm: 11.1, source_updated_at: '2026-11-17T21:30:00Z' }, { area_sqm: 32.5 }],
  aqar: [
    { neighborhood_id: 1001, price_yearly_sar: 910_000, bedrooms: 3, source_updated_at: '2022-08-08T17:09:14Z' },
    { neighborhood_stated: false, advertiser_key: null, price_yearly_sar: null, bedrooms: null, age_years: null },
  ],
  sa_aqar: [
    { city: 'riyadh', neighborhood_id: 1004, property_type: 'duplex', price_yearly_sar: 81_000 },
    { city: 'jeddah', property_type: 'villa', furnished: true, area_sqm: 410 },
  ],
  bayut: [
    { city: 'jeddah', property_type: 'apartment', price_yearly_sar: 685_000, area_sqm: 231, source_updated_at: null },
    { city: 'riyadh', neighborhood_id: 1001, property_type: 'villa', area_sqm: 278.7 },
    { city: 'buraidah', property_type: 'land', bedrooms: null, area_sqm: 625 },
  ],
};

for (const [name, expected] of Object.entries(EXPECTED))
  test(`the rows of ${name} are read`, async (t) => {
    const definition = [...TRADE, ...(await definitions())].find((each) => each.name === name);
    if (definition === undefined) return t.fail('not defined');
    t.true(definition.isOffered({ dataDir: dir }));
    const { rows, cut } = await read(definition);
    t.is(cut, null);
    if (name !== 'in_dubai') t.is(rows.length, expected.length);
    for (const [index, listing] of expected.entries()) {
      const row = rows[index];
      if (typeof listing === 'string' || typeof row !== 'object') t.is<unknown, unknown>(row, listing);
      else
        for (const [field, value] of Object.entries(listing))
          t.deepEqual(row[field as keyof typeof row], value, `${index} ${field}`);
    }
    t.false(/sara|966/i.test(JSON.stringify(rows)), 'no contact of an agent');
  });

test('a source of a URL sends its headers, retries failures, and counts a broken download as a failure', async (t) => {
  const requests: (string | undefined)[] = [];
  const agents = new Set<string | undefined>();
  const host = await listen(
    createServer((request, response) => {
      requests.push(request.headers.authorization);
      agents.add(request.headers['user-agent']);
      if (request.url === '/cut.xml') {
        response.writeHead(200, { 'content-length': String(Buffer.byteLength(BAYUT)) });
        response.write(BAYUT.slice(0, 2_000), () => response.destroy());
      } else if (request.url !== '/feed.xml') response.writeHead(404).end();
      else if (requests.length === 1) response.writeHead(503).end();
      else response.end(BAYUT);
    }),
  );
  t.teardown(host.close);
  const sourceOf = (path: string) =>
    bayutFeed({ name: 'agency', url: `${host.url}${path}`, headers: { authorization: 'Bearer secret' } });
  const { rows, cut } = await read(sourceOf('/feed.xml'));
  t.deepEqual([rows.length, cut, requests], [6, null, ['Bearer secret', 'Bearer secret']]);
  t.deepEqual([...agents], ['Homes (+https://homes.example)']);
  t.true(sourceOf('/feed.xml').isOffered({ dataDir: dir }));
  await t.throwsAsync(read(sourceOf('/cut.xml')));
  await t.throwsAsync(read(sourceOf('/none.xml')), { message: /none\.xml returned HTTP status 404/ });
});

test('a source of a file is as old as the file, and not offered without it', async (t) => {
  const feed = bayutFeed({ name: 'agency', file: 'bayut.xml', maxAgeDays: 7 });
  t.is((await feed.snapshot?.({ dataDir: dir }, { at, signal }))?.maxAgeDays, 7);
  t.false(bayutFeed({ name: 'agency', file: 'missing.xml' }).isOffered({ dataDir: dir }));
});
