import type { StoredListing } from '#domain/listings/listing.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { callTool, connectMcp } from './client.ts';

const [MALQA, YASMIN] = [1001, 1002];
const near = [24.8, 46.6] as const;
const listingsOf = (
  listing_type: 'rent' | 'sale',
  property_type: 'apartment' | 'villa',
  bedrooms: number,
  price: number,
) =>
  Array.from({ length: 12 }, (_, at) =>
    makeListing({
      ...{ listing_type, property_type, bedrooms },
      description: at === 0 ? 'شقة مع مسبح' : 'شقة قريبة من الحديقة',
      location: {
        ...{ city: 'riyadh', neighborhood_id: at % 2 ? MALQA : YASMIN },
        ...{ lat: near[0] + at * 0.001, lng: near[1] },
      },
      price: { yearly_sar: price + at * 1_000 },
    }),
  );
const rents = listingsOf('rent', 'apartment', 3, 60_000);
const sales = listingsOf('sale', 'villa', 5, 2_000_000);
const id = (rents[0] as StoredListing).display.id;

let ground: OfficialGround;
test.before(async () => {
  const indexes = ['history', 'deals', 'transactions', 'projects', 'developers'] as const;
  ground = await officialGround('questions', ['riyadh', 'jeddah'], indexes);
  await indexListings(ground.app.services, [...rents, ...sales]);
  const deals = dealsOf({ quarter: '2024-Q2', count: 200, random: seeded(3), from: 0, districts: ['الملقا'] });
  await ground.importFile('deals.csv', dealsCsv(deals));
});
test.after(() => ground.close());

const city = 'riyadh';
const rent = { city, listing_type: 'rent' };
const sale = { city, listing_type: 'sale' };
const both = { neighborhood_id: [MALQA, YASMIN] };
const other = (operation: string, args: object) => ['callOperation', { operation, arguments: args }] as const;

/** Question, the call that answers it, and the number of rows, or of listings, in the answer if it is known. */
const QUESTIONS: readonly (readonly [question: string, call: readonly [tool: string, args: object], rows?: number])[] =
  [
    ['3-bedroom apartments to rent under 65,000', ['searchListings', { ...rent, beds: [3], price_max: 65_000 }], 6],
    ['أبغى فلل للبيع في الرياض، الأرخص أولًا', ['searchListings', { ...sale, sort: 'price_asc', limit: 3 }], 3],
    ['شقة للإيجار في الملقا بالرياض ثلاث غرف بحدود 70 ألف', ['parseListings', { q: 'شقة للإيجار في الملقا ثلاث غرف' }]],
    ['Apartments that mention a pool', ['searchListings', { ...rent, q: 'مسبح' }], 1],
    ['What is new for rent in Jeddah?', ['searchListings', { ...rent, city: 'jeddah', sort: 'newest' }], 0],
    ['شقق للإيجار في الملقا', ['searchListings', { ...rent, neighborhood_id: [MALQA] }], 6],
    ['Homes for sale within 500 m of 24.8, 46.6', ['countListings', { ...sale, near, radius_m: 500 }], 5],
    ['Furnished apartments?', ['countListings', { ...rent, furnished: true }], 0],
    ['Two or three bedrooms in Al Malqa or Al Yasmin?', ['countListings', { ...rent, ...both, beds: [2, 3] }], 12],
    ['How many apartments are for rent in Riyadh?', ['countListings', { ...rent, property_type: ['apartment'] }], 12],
    ['كم فيلا معروضة للبيع في الرياض؟', ['countListings', { ...sale, property_type: ['villa'] }], 12],
    ['كم شقة للإيجار في جدة؟', ['countListings', { ...rent, city: 'jeddah' }], 0],
    ['How many villas cost more than 2 million?', ['countListings', { ...sale, price_min: 2_000_001 }], 11],
    ['Which sizes do the villas have?', other('listFacets', { ...sale, fields: ['beds'] })],
    ['Tell me everything about this apartment.', ['getListing', { id }]],
    [
      'Compare these two listings.',
      other('batchListings', { ids: rents.slice(0, 2).map((each) => each.display.id) }),
      2,
    ],
    ['هل سعر هذا الإعلان مناسب؟', ['getMarketPosition', { id }]],
    ['كم إيجار شقة 120 متر في الملقا؟', ['estimatePrice', { ...rent, property_type: 'apartment', area: 120, near }]],
    ['Show similar apartments.', other('listComparables', { id })],
    ['Which prices fell?', ['searchListings', { ...sale, sort: 'price_drop' }], 0],
    ['What is the median rent in Al Malqa?', ['getMarketSummary', { ...rent, neighborhood_id: [MALQA] }]],
    ['كم متوسط سعر الفلل في الياسمين؟', ['getMarketSummary', { ...sale, neighborhood_id: [YASMIN] }]],
    ['Which neighborhood has the highest rents?', other('listMarketNeighborhoods', rent)],
    ['How are rents distributed?', other('getPriceDistribution', rent)],
    ['كم مساحة الفلل عادة؟', other('getAreaDistribution', sale)],
    ['كم يومًا تبقى الإعلانات في السوق؟', other('getMarketVacancy', rent)],
    ['How many new listings appeared per week?', other('getMarketSupply', rent)],
    ['Compare Al Malqa and Al Yasmin for buyers.', ['compareNeighborhoods', { ...sale, ...both }]],
    ['قارن إيجارات الملقا والياسمين', ['compareNeighborhoods', { ...rent, ...both }]],
    ['How did rents in Riyadh develop?', ['getMarketTrends', { ...rent, months: 6 }]],
    ['كيف تغيرت أسعار الفلل خلال الأشهر الماضية؟', ['getMarketTrends', { ...sale, property_type: ['villa'] }]],
    ['What yield does an apartment in Riyadh return?', other('getRentalYield', { city, property_type: ['apartment'] })],
    ['هل توجد صفقات جيدة في الرياض؟', ['listMarketDeals', sale], 0],
    ['Which developments are under construction?', ['searchProjects', { city, status: ['under_construction'] }], 0],
    ['من يبني في الرياض؟', other('listDevelopers', { city }), 0],
    ['What did land in Riyadh really sell for?', ['getMarketTransactions', { city, land_use_class: ['residential'] }]],
    ['كم عدد الصفقات المسجلة في الملقا؟', ['getMarketTransactions', { city, neighborhood_id: [MALQA] }]],
    ['Show single registered deals.', other('listTransactions', { city, limit: 5 }), 5],
    ['أين حي الملقا؟', ['suggest', { q: 'الملق', limit: 1 }], 1],
    ['كم بقي من رصيدي هذا الشهر؟', ['getLimits', {}]],
  ];

test('40 questions of users in English and Arabic are answered by one call of a listed tool', async (t) => {
  const { app } = ground;
  const { key } = await createOrganization(app.services, { plan: 'pro', columns: { units_per_minute: 1_000_000 } });
  const client = await connectMcp(t, app.url, key);
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  t.is(QUESTIONS.length, 40);
  for (const [question, [tool, args], rows] of QUESTIONS) {
    t.true(listed.includes(tool), tool);
    const { isError, body, size } = await callTool(client, tool, { ...args });
    const told = `${question} ${JSON.stringify(body).slice(0, 400)}`;
    t.false(isError, told);
    t.true(size <= 40_000, told);
    if (rows !== undefined) t.is(Array.isArray(body.data) ? body.data.length : body.data.total, rows, told);
  }
});
