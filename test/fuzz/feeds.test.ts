import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { searchedText } from '#domain/text/searched-text.ts';
import { AD_COLUMNS, adValues, recordJson, recordLine } from '#ingest/fetch/ad-row.ts';
import { definitions } from '#ingest/load-sources.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { bayutFeed } from '#ingest/sources/kinds/bayut-xml.ts';
import { propertyFinderFeed } from '#ingest/sources/kinds/property-finder-xml.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample } from '#sample/off-plan.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { fuzz, isDocumented, mutatedBytes } from './fuzz.ts';

const DAY = '2026-03-10';
const AT = new Date(`${DAY}T12:00:00Z`);
/** Rows of a seed: more would dilute the mutations. */
const ROWS = 8;

/** Headers and rows of feeds that no sample contains. */
const ARCHIVED: Readonly<Record<string, string>> = {
  'listings/bayut_properties_ksa_17504.csv':
    'Price,Type,Beds,Baths,Area,Location,Page\n"1,250,000",Villa,5,6,312 Sq. M.,"Al Safa, North Jeddah, Jeddah",1\n',
  'listings/SA_Aqar.csv':
    'city,front,size,property_age,bedrooms,bathrooms,livingrooms,kitchen,garage,duplex,furnished,district,price\n' +
    ' الرياض,شمال,250,0,5,5,1,1,1,0,0, حي العارض,80000\n',
  'listings/aqar_riyadh_apartments_sale_2022.ndjson':
    '{"id":1,"title_ar":"شقة للبيع","description_ar":"شقة في حي الملقا 3 غرف","purpose":"sale","property_type":"apartment",' +
    '"price":750000,"area":140,"beds":3,"baths":2,"livings":1,"age":2,"furnished":0,"kitchen":1,"city_ar":"الرياض",' +
    '"district_ar":"حي الملقا","lat":24.81,"lng":46.61,"street_width":20,"last_update":1660000000}\n',
  'listings/bayut.xml':
    '<?xml version="1.0" encoding="UTF-8"?><Properties><Property><Property_Ref_No>1</Property_Ref_No><Property_purpose>Rent</Property_purpose>' +
    '<Property_Type>Apartment</Property_Type><City>Riyadh</City><Locality>Al Malqa</Locality><Price>95000</Price><!-- a -->' +
    '<Rent_Frequency>Yearly</Rent_Frequency><Features><Feature>Parking</Feature></Features></Property></Properties>\n',
  'listings/property_finder.xml':
    '<list last_update="2026-03-09 10:00:00"><property last_update="2026-03-09 10:00:00"><reference_number>1</reference_number>' +
    '<offering_type>RS</offering_type><property_type>VH</property_type><price>2500000</price><city>جدة</city>' +
    '<description_ar><![CDATA[فيلا <br> للبيع &amp;]]></description_ar><photo><url>https://a.example/1.jpg</url></photo>' +
    '<private_amenities>AC,PP</private_amenities><geopoints>39.1,21.6</geopoints></property></list>\n',
};
/** Sources of feeds in the layouts of the trade. */
const TRADE = [
  bayutFeed({ name: 'bayut_xml', file: 'listings/bayut.xml' }),
  propertyFinderFeed({ name: 'property_finder_xml', file: 'listings/property_finder.xml' }),
];

const dir = folderOfFile();
/** The start of each file of the sample, by its path in the data folder. */
const feeds = new Map<string, Buffer>();
test.before(async () => {
  const sample = join(dir, 'sample');
  await generateSample({
    dir: sample,
    listings: 1_500,
    seed: 3,
    days: 1,
    until: DAY,
    since: '2026-02-09',
    hostUrl: 'http://127.0.0.1:9',
  });
  generateOffPlanSample({ dir: sample, seed: 3, days: [DAY], hostUrl: 'http://127.0.0.1:9', projects: 12, units: 60 });
  for (const folder of ['feeds', 'project-feeds'])
    for (const entry of await readdir(join(sample, folder), { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        const lines = (await readFile(path, 'utf8')).split('\n').slice(0, ROWS + 1);
        feeds.set(relative(sample, path), Buffer.from(`${lines.join('\n')}\n`));
      }
  for (const [path, text] of Object.entries(ARCHIVED)) feeds.set(path, Buffer.from(text));
});

/** Converts a row as an ingest run does, to the lines that Postgres copies. */
function store(source: string, raw: RawListing): void {
  const result = normalize({ name: source }, raw, AT);
  if (!result.ok) return;
  const { listing, areas, implausible } = result;
  const sourceListingId = String(raw.source_listing_id);
  const row = { id: 1, sourceListingId, contentHash: 'a', listing, areas, textImplausible: implausible !== null };
  const columns = adValues(row, AT.toISOString(), true).split('\t');
  if (columns.length !== AD_COLUMNS.length) throw new TypeError(`${columns.length} columns`);
  searchedText([listing.title ?? '', listing.description]);
  const line = recordLine(row, recordJson(listing));
  if (line.split('\t').length !== 3 || line.includes('\n'))
    throw new TypeError(`not one line of three columns: ${line}`);
}

/** Reads a feed to its end. @throws except for documented errors */
async function readFeed<Row>(rows: AsyncIterable<Row>, take: (row: Row) => void): Promise<void> {
  try {
    for await (const row of rows) take(row);
  } catch (error) {
    if (!isDocumented(error)) throw error;
  }
}

const signal = new AbortController().signal;

/** Fuzzes the files under a folder. Each input is one changed file in a separate folder. */
async function fuzzFiles(
  t: ExecutionContext,
  folder: string,
  read: (dataDir: string, path: string) => Promise<void>,
): Promise<void> {
  const inputs = [...feeds].filter(([path]) => path.startsWith(`${folder}/`));
  t.true(inputs.length > 1, `feeds in ${folder}`);
  await fuzz(
    t,
    fc.oneof(...inputs.map(([path, bytes]) => fc.tuple(fc.constant(path), mutatedBytes([bytes])))),
    async ([path, bytes]) => {
      const dataDir = join(dir, folder.replaceAll('/', '-'));
      const file = join(dataDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
      await read(dataDir, path);
    },
  );
}

for (const folder of ['feeds', 'listings'])
  test(`a damaged file of ${folder} is read in bounded time and memory, and no row stops an ingest run`, async (t) => {
    const sources = new Map(
      [...SAMPLE_SOURCES, ...(await definitions()), ...TRADE].map((source) => [source.name, source]),
    );
    await fuzzFiles(t, folder, async (dataDir, path) => {
      const { name = '' } = FILE_SOURCE.exec(path)?.groups ?? {};
      const source = sources.get(ARCHIVED_SOURCES[path] ?? name);
      if (source === undefined) throw new TypeError(`no source reads ${path}`);
      await readFeed(source.rows({ dataDir }, { at: AT, signal }), (row) => {
        if (row.ok) store(source.name, row.raw);
      });
    });
  });

const FILE_SOURCE = /^[\w-]+\/(?<name>\w+)\//;
const ARCHIVED_SOURCES: Readonly<Record<string, string>> = {
  'listings/bayut_properties_ksa_17504.csv': 'bayut',
  'listings/SA_Aqar.csv': 'sa_aqar',
  'listings/aqar_riyadh_apartments_sale_2022.ndjson': 'aqar',
  'listings/bayut.xml': 'bayut_xml',
  'listings/property_finder.xml': 'property_finder_xml',
};

test('a damaged file of projects is read in bounded time and memory, and no row stops an ingest run', (t) =>
  fuzzFiles(t, 'project-feeds', async (dataDir) => {
    for (const source of loadProjectSources({ dataDir }))
      await readFeed(source.rows({ at: AT, signal }), (row) => {
        if (row.ok) JSON.stringify(normalizeProject(row.raw as RawProject, AT));
      });
  }));
