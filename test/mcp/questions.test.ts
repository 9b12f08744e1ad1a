import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { Client } from '@modelcontextprotocol/client';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { OFFICIAL_RULES } from '#domain/official/rules.ts';
import { importOfficial } from '#ingest/official/import.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization } from '#test/factories.ts';
import { callTool, connectMcp } from '#test/mcp.ts';
import { dealsCsv, dealsOf } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../ingest/off-plan/ground.ts';
import { ad, installation, openPipeline, type Pipeline, testSource } from '../ingest/run/pipeline.ts';

/**
 * A scripted client answers questions of users with the listed tools only. Each question has the calls that answer it, and
 * the answer, which follows from the feeds below.
 */

const DAY_MS = 86_400_000;
const isoAt = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
const NOW = Date.now();
const [MALQA, YASMIN, NARJIS] = ['Al Malqa', 'Al Yasmin', 'Al Narjis'];
const idOf = (city: string, name: string): number =>
  neighborhoodsOf(city).find(({ name_en }) => name_en === name)?.id ?? Number.NaN;

interface Group {
  name: string;
  count: number;
  purpose: 'rent' | 'sale';
  property_type: 'apartment' | 'villa' | 'office';
  bedrooms: number | null;
  area: number;
  price: number;
  step: number;
  city: string;
  neighborhood: string | undefined;
}

const GROUPS: readonly Group[] = (
  [
    ['malqa-rent', 30, 'rent', 'apartment', 3, 130, 60_000, 1_000, 'Riyadh', MALQA],
    ['yasmin-rent', 30, 'rent', 'apartment', 2, 90, 45_000, 1_000, 'Riyadh', YASMIN],
    ['malqa-sale', 30, 'sale', 'apartment', 3, 130, 900_000, 10_000, 'Riyadh', MALQA],
    ['yasmin-sale', 30, 'sale', 'apartment', 2, 90, 600_000, 10_000, 'Riyadh', YASMIN],
    ['narjis-villa', 20, 'sale', 'villa', 5, 300, 2_000_000, 50_000, 'Riyadh', NARJIS],
    ['malqa-office', 12, 'rent', 'office', null, 200, 100_000, 2_000, 'Riyadh', MALQA],
    ['jeddah-rent', 12, 'rent', 'apartment', 4, 160, 50_000, 1_000, 'Jeddah', 'Al Rawdah'],
  ] as const
).map(([name, count, purpose, property_type, bedrooms, area, price, step, city, neighborhood]) => ({
  name,
  count,
  purpose,
  property_type,
  bedrooms,
  area,
  price,
  step,
  city,
  neighborhood,
}));

const WORDS = { rent: 'للإيجار', sale: 'للبيع' } as const;
const TYPES = { apartment: 'شقة', villa: 'فيلا', office: 'مكتب' } as const;

const adsOf = (updated: number) =>
  GROUPS.flatMap((group, of) =>
    Array.from({ length: group.count }, (_, at) =>
      ad(`${group.name}-${at}`, {
        title: `${TYPES[group.property_type]} ${WORDS[group.purpose]} ${at}`,
        description: at % 2 === 0 ? 'قريبة من الحديقة مع مسبح' : 'قريبة من المدرسة',
        purpose: group.purpose,
        property_type: group.property_type,
        bedrooms: group.bedrooms,
        price: group.price + at * group.step,
        price_period: group.purpose === 'rent' ? 'yearly' : null,
        area: group.area + (at % 5),
        city: group.city,
        neighborhood: group.neighborhood,
        // In a grid, so that no two ads are merged as one home.
        lat: (group.city === 'Riyadh' ? 24.8 : 21.55) + of * 0.01 + (at % 6) * 0.0015,
        lng: (group.city === 'Riyadh' ? 46.6 : 39.17) + Math.floor(at / 6) * 0.0015,
        updated_at: isoAt(updated),
      }),
    ),
  );

/** The price at the middle of a group. */
const medianOf = (name: string): number => {
  const group = GROUPS.find((each) => each.name === name);
  return group ? group.price + ((group.count - 1) / 2) * group.step : Number.NaN;
};

let app: TestApp;
let pipeline: Pipeline;
let client: Client;
let listed: ReadonlySet<string>;
test.before(async () => {
  const { database, prefix, bucket } = installation('questions');
  const databaseUrl = await createDatabase(database);
  app = await startTestApp({
    env: { DATABASE_URL: databaseUrl, INDEX_PREFIX: prefix, HISTORY_START: isoAt(NOW - 90 * DAY_MS).slice(0, 10) },
    indexes: ['history', 'deals', 'transactions', 'projects', 'developers'],
  });
  for (const slug of ['riyadh', 'jeddah']) {
    const city = CITIES.find((each) => each.slug === slug);
    if (city) await app.addCity(city, neighborhoodsOf(slug));
  }
  pipeline = await openPipeline(databaseUrl, prefix, bucket);
  await pipeline.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const portal = testSource('portal');
  const developments = testProjects('portal', [
    project('one', { name_en: 'Wahat Al Malqa', neighborhood: MALQA, status: 'under construction' }),
    project('two', { name_en: 'Diyar Narjis', developer_en: 'Diyar Co', developer_ar: null, neighborhood: NARJIS }),
  ]);
  for (const [time, count] of [
    [NOW - 40 * DAY_MS, 100],
    [NOW - 2 * DAY_MS, Number.POSITIVE_INFINITY],
  ] as const) {
    portal.feed = adsOf(time).slice(0, count);
    await pipeline.run([portal], isoAt(time), { projectSources: [developments] });
  }
  const folder = await mkdtemp(join(tmpdir(), 'questions-'));
  const random = seeded(3);
  for (const [at, quarter] of ['2024-Q1', '2024-Q2'].entries())
    await writeFile(
      join(folder, `deals-${quarter}.csv`),
      dealsCsv(dealsOf({ quarter, count: 400, random, from: at * 1_000, districts: ['الملقا', 'الياسمين'] })),
    );
  await importOfficial(
    {
      pool: pipeline.pool,
      opensearch: app.services.opensearch,
      rules: OFFICIAL_RULES,
      idKey: createHash('sha256').update('questions').digest('hex'),
      signal: new AbortController().signal,
    },
    folder,
  );
  await rm(folder, { recursive: true });
  await app.services.indexGuard.refresh();
});
test.after(async () => {
  await app.close();
  await pipeline.close();
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of results under test
type Body = any;
type Call = readonly [tool: string, args: Record<string, unknown> | ((last: Body) => Record<string, unknown>)];
type Question = readonly [question: string, calls: readonly Call[], answer: (last: Body) => unknown, expected: unknown];

const riyadh = { city: 'riyadh' };
const rent = { ...riyadh, listing_type: 'rent' };
const sale = { ...riyadh, listing_type: 'sale' };
const malqa = { neighborhood_id: [idOf('riyadh', MALQA ?? '')] };
const yasmin = { neighborhood_id: [idOf('riyadh', YASMIN ?? '')] };
const total = ({ data }: Body): unknown => data.total;
const rows = ({ data }: Body): unknown => data.length > 0;
const firstId = ({ data }: Body) => ({ id: data[0].id });
const other = (operation: string, args: object): Call => ['callOperation', { operation, arguments: args }];

const QUESTIONS: readonly Question[] = [
  // Search
  [
    'Show me 3-bedroom apartments to rent in Al Malqa under 65,000 a year.',
    [['searchListings', { ...rent, ...malqa, beds: [3], price_max: 65_000, sort: 'price_asc' }]],
    ({ data }) => data.map((each: Body) => each.price.yearly_sar),
    [60_000, 61_000, 62_000, 63_000, 64_000, 65_000],
  ],
  [
    'أبغى فلل للبيع في الرياض، الأرخص أولًا',
    [['searchListings', { ...sale, property_type: ['villa'], sort: 'price_asc', limit: 3 }]],
    ({ data }) => data.map((each: Body) => each.price.yearly_sar),
    [2_000_000, 2_050_000, 2_100_000],
  ],
  [
    'شقة للإيجار في الملقا بالرياض ثلاث غرف بحدود 70 ألف',
    [
      ['parseListings', { q: 'شقة للإيجار في الملقا بالرياض ثلاث غرف بأقل من 70 ألف' }],
      ['countListings', () => ({ ...rent, ...malqa, beds: [3], price_max: 70_000 })],
    ],
    total,
    11,
  ],
  [
    'Apartments for rent in Riyadh that mention a pool',
    [['searchListings', { ...rent, q: 'مسبح', property_type: ['apartment'] }]],
    rows,
    true,
  ],
  [
    'What is new for rent in Jeddah?',
    [['searchListings', { city: 'jeddah', listing_type: 'rent', sort: 'newest' }]],
    ({ data }) => data.every((each: Body) => each.location.city === 'jeddah'),
    true,
  ],
  [
    'مكاتب للإيجار في الملقا',
    [['searchListings', { ...rent, ...malqa, property_type: ['office'] }]],
    ({ data, pagination }) => [data.length, pagination.has_more],
    [10, true],
  ],
  [
    'Homes for sale within 2 km of 24.825, 46.603',
    [['searchListings', { ...sale, near: [24.825, 46.603], radius_m: 2_000, sort: 'distance' }]],
    rows,
    true,
  ],
  [
    'Show the next page of apartments for rent in Riyadh.',
    [
      ['searchListings', { ...rent, property_type: ['apartment'] }],
      [
        'searchListings',
        ({ pagination }) => ({ ...rent, property_type: ['apartment'], cursor: pagination.next_cursor }),
      ],
    ],
    ({ data }) => data.length,
    10,
  ],
  [
    'Two or three bedrooms in Al Malqa or Al Yasmin, up to 50,000?',
    [
      [
        'countListings',
        {
          ...rent,
          neighborhood_id: [...malqa.neighborhood_id, ...yasmin.neighborhood_id],
          beds: [2, 3],
          price_max: 50_000,
        },
      ],
    ],
    total,
    6,
  ],
  // Count
  [
    'How many apartments are for rent in Riyadh?',
    [['countListings', { ...rent, property_type: ['apartment'] }]],
    total,
    60,
  ],
  ['كم فيلا معروضة للبيع في الرياض؟', [['countListings', { ...sale, property_type: ['villa'] }]], total, 20],
  ['كم شقة للإيجار في جدة؟', [['countListings', { city: 'jeddah', listing_type: 'rent' }]], total, 12],
  [
    'How many homes for sale cost more than 2.5 million?',
    [['countListings', { ...sale, price_min: 2_500_001 }]],
    total,
    9,
  ],
  [
    'Which sizes do the apartments for sale have?',
    [other('listFacets', { ...sale, property_type: ['apartment'], fields: ['beds'] })],
    ({ data }) => data.facets[0].values.map(({ value, count }: Body) => [value, count]),
    [
      ['2', 30],
      ['3', 30],
    ],
  ],
  // One listing
  [
    'Tell me everything about the cheapest villa.',
    [
      ['searchListings', { ...sale, property_type: ['villa'], sort: 'price_asc', limit: 1 }],
      ['getListing', firstId],
    ],
    ({ data }) => data.price.yearly_sar,
    2_000_000,
  ],
  [
    'هل سعر هذا الإعلان مناسب؟',
    [
      ['searchListings', { ...rent, ...malqa, property_type: ['apartment'], sort: 'price_asc', limit: 1 }],
      ['getMarketPosition', firstId],
    ],
    ({ data }) => data.price_percentile < 10,
    true,
  ],
  [
    'What should this apartment cost?',
    [
      ['searchListings', { ...rent, ...malqa, property_type: ['apartment'], sort: 'price_desc', limit: 1 }],
      ['callOperation', ({ data }) => ({ operation: 'getPriceBand', arguments: { id: data[0].id } })],
    ],
    ({ data }) => data.price_sar,
    89_000,
  ],
  [
    'Show similar apartments.',
    [
      ['searchListings', { ...rent, ...malqa, property_type: ['apartment'], limit: 1 }],
      ['callOperation', ({ data }) => ({ operation: 'listComparables', arguments: { id: data[0].id } })],
    ],
    ({ data }) => data.comparables.length === data.summary.sample_size,
    true,
  ],
  [
    'Did the price of this villa change?',
    [
      ['searchListings', { ...sale, property_type: ['villa'], limit: 1 }],
      ['callOperation', ({ data }) => ({ operation: 'getPriceHistory', arguments: { id: data[0].id } })],
    ],
    ({ data }) => data.prices.length,
    1,
  ],
  // Market
  [
    'What is the median rent of an apartment in Al Malqa?',
    [['getMarketSummary', { ...rent, ...malqa, property_type: ['apartment'] }]],
    ({ data }) => data.median_price_sar,
    medianOf('malqa-rent'),
  ],
  [
    'كم متوسط سعر الشقق للبيع في الياسمين؟',
    [['getMarketSummary', { ...sale, ...yasmin, property_type: ['apartment'] }]],
    ({ data }) => data.median_price_sar,
    medianOf('yasmin-sale'),
  ],
  [
    'Which neighborhood has the highest rents?',
    [other('listMarketNeighborhoods', { ...rent, property_type: ['apartment'] })],
    ({ data }) => data.neighborhoods[0].name_en,
    MALQA,
  ],
  [
    'How are rents distributed?',
    [
      ['describeOperation', { operation: 'getPriceDistribution' }],
      other('getPriceDistribution', { ...rent, property_type: ['apartment'] }),
    ],
    ({ data }) => [data.sample_size, data.min_price_sar, data.max_price_sar],
    [60, 45_000, 89_000],
  ],
  [
    'كم يومًا تبقى الإعلانات في السوق؟',
    [other('getMarketVacancy', { ...rent, property_type: ['apartment'] })],
    ({ data }) => [data.sample_size, data.median_days_on_market > 0],
    [60, true],
  ],
  [
    'How many new listings appeared per week?',
    [other('getMarketSupply', { ...rent, property_type: ['apartment'] })],
    ({ data }) => data.periods[0].days,
    7,
  ],
  // Comparison, trends, yields
  [
    'Compare Al Malqa and Al Yasmin for buyers.',
    [['compareNeighborhoods', { ...sale, neighborhood_id: [...malqa.neighborhood_id, ...yasmin.neighborhood_id] }]],
    ({ data }) => data.neighborhoods.map(({ median_price_sar }: Body) => median_price_sar),
    [medianOf('malqa-sale'), medianOf('yasmin-sale')],
  ],
  [
    'قارن إيجارات الملقا والياسمين',
    [
      [
        'compareNeighborhoods',
        {
          ...rent,
          neighborhood_id: [...malqa.neighborhood_id, ...yasmin.neighborhood_id],
          property_type: ['apartment'],
        },
      ],
    ],
    ({ data }) => data.neighborhoods.map(({ median_price_sar }: Body) => median_price_sar),
    [medianOf('malqa-rent'), medianOf('yasmin-rent')],
  ],
  [
    'How did rents in Riyadh develop?',
    [['getMarketTrends', { ...rent, property_type: ['apartment'] }]],
    ({ data }) => [data.series[0].points.at(-1).month, data.series[0].points.at(-1).sample_size],
    [isoAt(NOW).slice(0, 7), 60],
  ],
  [
    'كيف تغيرت أسعار الفلل خلال الأشهر الماضية؟',
    [['getMarketTrends', { ...sale, property_type: ['villa'] }]],
    ({ data }) => data.series[0].points.at(-1).sample_size,
    20,
  ],
  [
    'What yield does an apartment in Riyadh return?',
    [['getRentalYield', { ...riyadh, property_type: ['apartment'] }]],
    ({ data }) => [data.city.rent_sample_size, data.city.sale_sample_size],
    [60, 60],
  ],
  ['هل توجد صفقات جيدة في الرياض؟', [['listMarketDeals', { ...sale }]], ({ data }) => Array.isArray(data), true],
  // Projects
  [
    'Which developments are under construction in Riyadh?',
    [['searchProjects', { ...riyadh }]],
    ({ data }) => data.map((each: Body) => each.name_en).sort(),
    ['Diyar Narjis', 'Wahat Al Malqa'],
  ],
  [
    'ما وحدات مشروع واحة الملقا؟',
    [
      ['searchProjects', { ...riyadh, ...malqa }],
      ['callOperation', ({ data }) => ({ operation: 'getProject', arguments: { id: data[0].id } })],
    ],
    ({ data }) => data.name_en,
    'Wahat Al Malqa',
  ],
  ['Who builds in Riyadh?', [other('listDevelopers', {})], rows, true],
  // Official figures
  [
    'What did land and homes in Riyadh really sell for?',
    [['getMarketTransactions', { ...riyadh }]],
    ({ data }) => data.cells.some((cell: Body) => cell.quarter === '2024-Q2'),
    true,
  ],
  [
    'كم عدد الصفقات المسجلة في الملقا؟',
    [['getMarketTransactions', { ...riyadh, ...malqa }]],
    ({ data }) => data.cells.length > 0,
    true,
  ],
  ['Show single registered deals.', [other('listTransactions', { ...riyadh })], rows, true],
  // Places, account
  [
    'Where is "ملقا"?',
    [['suggest', { q: 'الملق' }]],
    ({ data }) =>
      data.some(
        (each: Body) => each.neighborhood_id === malqa.neighborhood_id[0] || each.id === malqa.neighborhood_id[0],
      ),
    true,
  ],
  [
    'Which property types are there?',
    [other('listEnums', {})],
    ({ data }) => JSON.stringify(data).includes('rest_house'),
    true,
  ],
  ['كم بقي من رصيدي هذا الشهر؟', [['getLimits', {}]], ({ data }) => data.plan, 'pro'],
];

test('40 questions of users in English and Arabic are answered by the listed tools', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro', columns: { units_per_minute: 1_000_000 } });
  client = await connectMcp(t, app.url, key);
  listed = new Set((await client.listTools()).tools.map(({ name }) => name));
  t.is(QUESTIONS.length, 40);
  t.true(QUESTIONS.filter(([question]) => /\p{Script=Arabic}{3}/u.test(question)).length >= 14);
  for (const [question, calls, answer, expected] of QUESTIONS) {
    let last: Body = null;
    for (const [tool, given] of calls) {
      t.true(listed.has(tool), tool);
      const args = typeof given === 'function' ? given(last) : given;
      const { isError, body, size } = await callTool(client, tool, args);
      t.false(isError, `${question} ${JSON.stringify(body).slice(0, 400)}`);
      t.true(size <= 40_000, question);
      last = body;
    }
    t.deepEqual(answer(last), expected, `${question} ${JSON.stringify(last).slice(0, 400)}`);
  }
});
