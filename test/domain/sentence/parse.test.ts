import { readFile } from 'node:fs/promises';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { findNeighborhood } from '#domain/geography/locate.ts';
import { parseSentence } from '#domain/sentence/parse.ts';
import { test } from '#test/test.ts';

/** A sentence with its filters, written without knowledge of the parser. Neighborhoods are named in English. */
interface Labelled {
  q: string;
  filters: Record<string, string>;
  district?: string[];
  district_exclude?: string[];
  near?: string;
  sort?: string;
}

/** Neighborhood names that the writer of the sentences assumed to mean Riyadh. */
const IN_RIYADH = new Set('al_yasmin al_narjis al_malqa al_olaya al_aqiq hittin al_sahafah al_qairawan'.split(' '));
const slugs = new Map(NEIGHBORHOODS.map(({ id, city, slug }) => [id, city === 'riyadh' ? slug : '']));
const listingsOf = (id: number): number => (IN_RIYADH.has(slugs.get(id) ?? '') ? 1_000 : 10);
const parse = (sentence: string) => parseSentence(sentence, { listingsOf });

const inOrder = (list: string): string => list.split(',').sort().join(',');

/** The filters that a labelled sentence must give. */
function expected({ filters, district, district_exclude, near }: Labelled): Record<string, string> {
  const wanted = { ...filters };
  const find = (name: string) => {
    const city = filters.city ?? 'riyadh';
    const found = findNeighborhood(city, name) ?? NEIGHBORHOODS.find(({ name_en }) => name_en === name);
    wanted.city ??= found?.city ?? '';
    return found;
  };
  const ids = (names: readonly string[]) => names.map((name) => String(find(name)?.id)).join(',');
  if (district) wanted.neighborhood_id = ids(district);
  if (district_exclude) wanted.neighborhood_id_exclude = ids(district_exclude);
  if (near) {
    const center = find(near)?.center;
    wanted.near = `${center?.lat},${center?.lng}`;
    wanted.radius_m ??= '2000';
  }
  return wanted;
}

test('of 1,006 search sentences, 95% are parsed exactly and at most 1% have a wrong filter', async (t) => {
  const lines = (await readFile(new URL('sentences.jsonl', import.meta.url), 'utf8')).trim().split('\n');
  let right = 0;
  let wrong = 0;
  for (const labelled of lines.map((line): Labelled => JSON.parse(line))) {
    const wanted: Record<string, string> = { ...expected(labelled), ...(labelled.sort ? { sort: labelled.sort } : {}) };
    const { filters, sort } = parse(labelled.q);
    const got: Record<string, string> = { ...filters, ...(sort ? { sort } : {}) };
    const differing = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].filter((name) =>
      name === 'near' ? wanted[name] !== got[name] : inOrder(wanted[name] ?? '') !== inOrder(got[name] ?? ''),
    );
    if (differing.length === 0) right += 1;
    else if (differing.some((name) => got[name] !== undefined)) wrong += 1;
  }
  t.log(`${right} of ${lines.length} right, ${wrong} wrong`);
  t.true(right >= 0.95 * lines.length, `${right} right`);
  t.true(wrong <= 0.01 * lines.length, `${wrong} wrong`);
});

test('a sentence that repeats one word up to 10 KB is parsed without an error', (t) => {
  for (const word of ['شقة ', 'zzzzqqqq ', '60 ', 'في حي ', 'near '])
    t.notThrows(() => parse(word.repeat(Math.ceil(10_000 / word.length))));
});

const flat = { property_type: 'apartment' };
const rent = { ...flat, listing_type: 'rent' };

test('directions beside a city are its parts; those of a facade, a street, a distance or another place set no filter', (t) => {
  for (const [sentence, directions] of [
    ['شقة حلوة في شمال وشرق الرياض', '1,3'],
    ['شقة بوسط جدة', '5'],
    ['شقق الرياض شمال', '1'],
    ['villa in the north of Riyadh', '1'],
    ['Riyadh north, 3 bedrooms', '1'],
    ['apartment in east or west Jeddah', '3,4'],
    ['شقة شرق الجبيل', undefined, 'the city has no such neighborhoods'],
    ['أرض شمال بالرياض', undefined],
    ['أرض شارع شمال الرياض', undefined],
    ['شقة قريبة من شمال الرياض', undefined],
    ['villa facing north Riyadh', undefined],
    ['villa north of Riyadh', undefined],
    ['30 km north of Riyadh', undefined],
    ['land near Riyadh north ring road', undefined],
    ['النرجس شمال الرياض', undefined, 'the neighborhood is more precise'],
    ['غرب الدمام', undefined, 'the name of a neighborhood'],
  ] as const)
    t.is(parse(sentence).filters.direction_id, directions, sentence);
});

/** The filters of sentences, by rule. Sentences with the same filters are separated by `|`. */
const RULES: Readonly<Record<string, readonly (readonly [sentences: string, filters: Record<string, string>])[]>> = {
  'words that describe the surroundings, the building or the street of a home set no filter': [
    ['شقة قريبة من الحرم بمكة', { ...flat, city: 'makkah' }],
    ['apartment near a mall in Dammam', { ...flat, city: 'dammam' }],
    ['شقة هادئة في عمارة بالرياض|شقق كل الأحياء بالرياض', { ...flat, city: 'riyadh' }],
    ['شقة بالدور ٢ في تبوك', { ...flat, city: 'tabuk' }],
    ['عندي 3 أطفال أبي شقة بجدة|شقة قريبة من مستشفى بجدة', { ...flat, city: 'jeddah' }],
    ['شقق بالمدينة', { ...flat, city: 'madinah' }],
    ['apartment near King Fahd hospital|apartment furnished or unfurnished|شقة مفروشة او غير مفروشة', flat],
    ['فيلا دورين في جدة', { property_type: 'villa', city: 'jeddah' }],
    ['villa on 15m wide street in Taif', { property_type: 'villa', city: 'taif' }],
    ['أرض شارع عرض 20 متر', { property_type: 'land' }],
    ['عمارة دخلها 200 ألف', { property_type: 'residential_building' }],
  ],
  'years, dates and phone numbers set no price': [
    [
      'apartment built after 2020|apartment built in 2000|apartment not older than 2017|شقة سنة البناء 2015 وما فوق',
      flat,
    ],
    ['apartment available from March 2027|apartment from 1/3/2027|شقة بناء سنة 1442', flat],
    ['apartment call 0551234567|شقة للتواصل ٠٥٥١٢٣٤٥٦٧|apartment +966 55 123 4567|apartment 053 444 5566', flat],
    ['apartment 920012345', flat],
  ],
  'numbers of licenses, plans, plots and units set no filter': [
    ['land license 7200345|أرض مخطط رقم 3020|أرض قطعة 5123|land plan 4410', { property_type: 'land' }],
    ['land, plot 600 sqm', { property_type: 'land', area_min: '540', area_max: '660' }],
  ],
  'a year with a currency, a period or a word for price is a price': [
    ['apartment 2020 SAR', { ...flat, price_max: '2020' }],
    ['apartment price 2024', { ...flat, price_max: '2024' }],
    ['apartment 2010 monthly', { ...rent, price_max: '24120' }],
    ['apartment 2000', { ...flat, price_max: '2000' }],
  ],
  'a comparison between two numbers belongs to the one that it precedes, unless it can only follow a number': [
    ['2 bedrooms at least 100 m2|غرفتين على الاقل ١٠٠ متر', { beds: '2', area_min: '100' }],
    ['4 bedrooms max 2 million', { beds: '4', price_max: '2000000' }],
    ['٥ غرف اكثر من ٣٠٠ متر', { beds: '5', area_min: '300' }],
    ['120 sqm at least 3 bedrooms|٣ غرف فأكثر ١٢٠ متر', { area_min: '108', area_max: '132', beds_min: '3' }],
    ['3 bedrooms at least, 100 m2', { beds_min: '3', area_min: '90', area_max: '110' }],
    ['500 sqm or more under 2.2 million', { area_min: '500', price_max: '2200000' }],
    ['500 sqm or more under 200 thousand', { area_min: '500', price_max: '200000' }],
    ['شقة صالتين بحد أقصى ٢٥ ألف', { ...flat, livings_min: '2', price_max: '25000' }],
    ['apartment in riyadh for rent at most 2 living rooms', { ...rent, city: 'riyadh' }],
  ],
  'a negated comparison is the opposite one': [
    ['apartment nothing above 70k', { ...flat, price_max: '70000' }],
    ['شقة ما تطلع اغلى من 60 الف', { ...flat, price_max: '60000' }],
  ],
  'a unit belongs to a number that can count it': [
    ['السعر لا يتجاوز ٤٠ ألف والغرف لا تقل عن ٣', { price_max: '40000', beds_min: '3' }],
    ['under 60k, 3 bedrooms', { price_max: '60000', beds: '3' }],
    ['warehouse height 8 m area 1200 m', { property_type: 'warehouse', area_min: '1080', area_max: '1320' }],
  ],
  'a unit of time after an amount is its period, and the duration of a contract is not': [
    ['apartment 800 a month|apartment 800/month|شقة ٨٠٠ بالشهر|شقة 800/شهر', { ...rent, price_max: '9600' }],
    ['apartment 1500 month|شقة 1500 شهر', { ...rent, price_max: '18000' }],
    ['apartment 150 night', { ...rent, price_max: '54750' }],
    ['شقة ٩٠٠ اليوم', { ...rent, price_max: '328500' }],
    ['apartment 45000 year', { ...rent, price_max: '45000' }],
    ['apartment 6 months contract 40k', { ...flat, price_max: '40000' }],
  ],
  'the letter m after a number means meters, millions if attached to a small one, and months after a slash': [
    ['land 900m', { property_type: 'land', area_min: '810', area_max: '990' }],
    ['villa 3m', { property_type: 'villa', price_max: '3000000' }],
    ['villa 15m street', { property_type: 'villa' }],
    ['studio 2000/m', { property_type: 'studio', listing_type: 'rent', price_max: '24000' }],
  ],
  'types of the contents of a property are not searched': [
    ['farm with a house', { property_type: 'farm' }],
    ['مزرعة فيها بيت ومسبح', { property_type: 'farm', amenities: 'pool' }],
    ['residential building 12 apartments', { property_type: 'residential_building' }],
    ['room in a shared apartment', { property_type: 'room' }],
    ['لا ابغى شقة ابغى دور', { property_type: 'floor' }],
    ['no basement villa', { property_type: 'villa', amenities_exclude: 'basement' }],
    ['بيت دور واحد', { property_type: 'villa' }],
  ],
};

for (const [rule, rows] of Object.entries(RULES))
  test(rule, (t) => {
    for (const [sentences, filters] of rows)
      for (const sentence of sentences.split('|')) t.deepEqual(parse(sentence).filters as object, filters, sentence);
  });

test('a name of a district within the name of another place is not understood', (t) => {
  for (const [sentence, words] of [
    ['villa in King Abdullah Financial District', 'in King Abdullah Financial District'],
    ['villa for rent King Salman Park', 'King Salman Park'],
    ['villa near Diriyah Gate', 'near Diriyah Gate'],
    ['فيلا في مركز الملك عبدالله المالي', 'في مركز الملك عبدالله المالي'],
    ['فيلا قرب حديقة الملك سلمان', 'قرب حديقة الملك سلمان'],
  ] as const) {
    const { filters, not_understood } = parse(sentence);
    t.false('neighborhood_id' in filters || 'near' in filters, sentence);
    t.deepEqual(
      not_understood.map((each) => each.words),
      [words],
    );
  }
  t.is(parse('villa in Riyadh, Al Malqa district').filters.neighborhood_id, '1001');
  t.is(parse('office in King Abdullah Financial District Riyadh').filters.city, 'riyadh');
});
