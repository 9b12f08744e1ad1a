import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { normalize } from '#ingest/normalize/normalize.ts';
import { bayutFeed } from '#ingest/sources/kinds/bayut-xml.ts';
import type { FeedEnd, FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { propertyFinderFeed } from '#ingest/sources/kinds/property-finder-xml.ts';
import { openSource, type SourceDefinition } from '#ingest/sources/source.ts';
import { listen } from '#test/listen.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const dir = folderOfFile();
const at = new Date('2026-11-20T00:00:00Z');
const signal = new AbortController().signal;

async function read(definition: SourceDefinition) {
  const source = openSource(definition, { dataDir: dir });
  const rows: FeedRow[] = [];
  const feed = source.rows({ at, signal })[Symbol.asyncIterator]() as AsyncGenerator<FeedRow, FeedEnd>;
  for (let next = await feed.next(); ; next = await feed.next()) {
    if (!next.done) rows.push(next.value);
    else {
      const read = rows.map((row) => (row.ok ? normalize(source, row.raw, at) : row));
      const listings = read.map((each) => ('listing' in each ? each.listing : null));
      return { rows, read, listings, end: next.value };
    }
  }
}

const BAYUT = `<?xml version="1.0" encoding="UTF-8"?>
<Properties last_update="2026-11-19 10:00:00" listing_count="6">
  <Property>
    <Property_Ref_No><![CDATA[RUH-1042]]></Property_Ref_No>
    <Permit_Number>7200012345</Permit_Number>
    <Property_Status>live</Property_Status>
    <Property_purpose><![CDATA[Rent]]></Property_purpose>
    <Property_Type>Apartment</Property_Type>
    <Property_Size>120</Property_Size>
    <Property_Size_Unit>SQM</Property_Size_Unit>
    <Bedrooms>3</Bedrooms>
    <Bathroom>2</Bathroom>
    <Features><Feature>Swimming Pool</Feature><Feature><![CDATA[Parking]]></Feature><Feature>Lift: 0</Feature></Features>
    <Off_plan>No</Off_plan>
    <Portals><Portal>Bayut</Portal><Portal>dubizzle</Portal></Portals>
    <Last_Updated>2026-11-18 01:30:00</Last_Updated>
    <Property_Title>Three rooms in Al Malqa</Property_Title>
    <Property_Title_AR>شقة ثلاث غرف في حي الملقا</Property_Title_AR>
    <Property_Description><![CDATA[Bright home.<br/>Near the park &amp; shops]]></Property_Description>
    <Property_Description_AR><![CDATA[<p>شقة مشرقة</p><p>قريبة من الحديقة</p>]]></Property_Description_AR>
    <Price>95000</Price>
    <Rent_Frequency>Yearly</Rent_Frequency>
    <Furnished>Yes</Furnished>
    <City>Riyadh</City>
    <Locality>North Riyadh</Locality>
    <Sub_Locality>Al Malqa</Sub_Locality>
    <Tower_Name>Tower 7</Tower_Name>
    <Images><Image>https://photos.example/1.jpg</Image><Image><![CDATA[https://photos.example/2.jpg?a=1&b=2]]></Image></Images>
    <Listing_Agent>Sara</Listing_Agent>
    <Listing_Agent_Phone>+966500000000</Listing_Agent_Phone>
    <Listing_Agent_Email>sara@agency.example</Listing_Agent_Email>
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

test('a feed for Bayut is read by a source that states only its name and file', async (t) => {
  await writeFile(join(dir, 'bayut.xml'), BAYUT);
  const { read: results, listings, rows, end } = await read(bayutFeed({ name: 'agency', file: 'bayut.xml' }));
  t.is(end.cut, null);
  const [flat, plot, studio] = listings;
  t.like(flat, {
    source: 'agency',
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
    city: 'riyadh',
    neighborhood_stated: true,
    advertiser_type: 'company',
    project: null,
    source_updated_at: '2026-11-17T22:30:00Z',
  });
  t.deepEqual(flat?.amenities, ['parking', 'pool']);
  t.deepEqual(flat?.photos, ['https://photos.example/1.jpg', 'https://photos.example/2.jpg?a=1&b=2']);
  t.false(/sara|966/i.test(flat?.advertiser_key ?? 'sara'));
  t.like(plot, {
    listing_type: 'sale',
    property_type: 'land',
    area_sqm: 600,
    price_yearly_sar: 2_100_000,
    city: 'jeddah',
    neighborhood_stated: true,
    photos: [],
    source_updated_at: null,
  });
  t.like(studio, {
    property_type: 'studio',
    bedrooms: 0,
    bathrooms: 1,
    price_yearly_sar: 48_000,
    furnished: null,
    age_years: 0,
    neighborhood_stated: true,
  });
  t.is(studio?.project?.name, 'Noor Residence');
  t.deepEqual(
    results.slice(3).map((each) => !each.ok && each.reason),
    ['unknown_property_type', 'malformed_row'],
  );
  t.is(rows.length, 5, 'archived properties are no ads');
});

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
  <size>120</size><bedroom>3</bedroom><bathroom>2</bathroom><furnished>No</furnished>
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

test('a feed for Property Finder is read by a source that states only its name and file', async (t) => {
  await writeFile(join(dir, 'pf.xml'), PROPERTY_FINDER);
  const { read: results, listings, end } = await read(propertyFinderFeed({ name: 'agency', file: 'pf.xml' }));
  t.is(end.cut, null);
  const [flat, villa, studio, plot, floor, offPlan, building] = listings;
  t.like(flat, {
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
    furnished: false,
    city: 'riyadh',
    neighborhood_stated: true,
    lat: 24.8031,
    lng: 46.6123,
    advertiser_key: 'A-17',
    source_updated_at: '2026-11-17T22:30:00Z',
  });
  t.deepEqual(flat?.amenities, ['ac', 'pool', 'gym']);
  t.deepEqual(flat?.photos, ['https://photos.example/1.jpg', 'https://photos.example/2.jpg']);
  t.like(villa, {
    listing_type: 'sale',
    property_type: 'villa',
    price_yearly_sar: 2_500_000,
    title: 'Villa',
    description: 'English only',
    lat: null,
  });
  t.like(studio, { property_type: 'studio', bedrooms: 0, price_yearly_sar: 48_000, furnished: null });
  t.like(plot, { property_type: 'commercial_land', area_sqm: 2_000 });
  t.like(floor, { property_type: 'office', listing_category: 'commercial', price_yearly_sar: 300_000 });
  t.like(offPlan, { price_yearly_sar: null, age_years: 0 });
  t.deepEqual([offPlan?.project?.name, offPlan?.project?.developer], ['Noor', 'Bina']);
  t.is(building?.property_type, 'commercial_building');
  t.deepEqual(
    results.slice(7).map((each) => !each.ok && [each.reason, each.detail]),
    [
      ['unknown_property_type', '"LC"'],
      ['unknown_purpose', '"XX"'],
    ],
  );
});

test('a source states the unit and time zone that its feed omits', async (t) => {
  await writeFile(join(dir, 'dubai.xml'), PROPERTY_FINDER);
  const feed = propertyFinderFeed({ name: 'agency', file: 'dubai.xml', areaUnit: 'sqft', timeZone: 'Asia/Dubai' });
  const [flat, villa] = (await read(feed)).listings;
  t.is(flat?.source_updated_at, '2026-11-17T21:30:00Z');
  t.deepEqual([flat?.area_sqm, villa?.area_sqm], [11.1, 32.5]);
});

test('a source of a URL sends its headers, retries failures, and counts a broken download as a failure', async (t) => {
  const requests: (string | undefined)[] = [];
  const host = await listen(
    createServer((request, response) => {
      requests.push(request.headers.authorization);
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
  const { rows, end } = await read(sourceOf('/feed.xml'));
  t.deepEqual([rows.length, end.cut, requests], [5, null, ['Bearer secret', 'Bearer secret']]);
  t.true(sourceOf('/feed.xml').isOffered({ dataDir: dir }));
  await t.throwsAsync(read(sourceOf('/cut.xml')));
  await t.throwsAsync(read(sourceOf('/none.xml')), { message: /none\.xml returned HTTP status 404/ });
});

test('a source of a file is offered if the file exists, and is as old as the file', async (t) => {
  await writeFile(join(dir, 'dated.xml'), BAYUT);
  const feed = bayutFeed({ name: 'agency', file: 'dated.xml', maxAgeDays: 7 });
  t.true(feed.isOffered({ dataDir: dir }));
  t.false(bayutFeed({ name: 'agency', file: 'missing.xml' }).isOffered({ dataDir: dir }));
  t.is((await feed.snapshot?.({ dataDir: dir }, { at, signal }))?.maxAgeDays, 7);
});
