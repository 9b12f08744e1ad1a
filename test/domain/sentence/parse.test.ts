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

test('each filter states the words that it was read from and their position in the sentence', (t) => {
  const sentence = 'villa near Al Malqa with sea view under 2.5 million';
  const { understood, not_understood } = parse(sentence);
  for (const { words, start, end } of [...understood, ...not_understood]) t.is(sentence.slice(start, end), words);
  t.deepEqual(
    understood.map(({ parameter, words }) => [parameter, words]),
    [
      ['property_type', 'villa'],
      ['near', 'near Al Malqa'],
      ['radius_m', 'near Al Malqa'],
      ['city', 'near Al Malqa'],
      ['price_max', 'under 2.5 million'],
    ],
  );
  t.deepEqual(
    not_understood.map(({ words }) => words),
    ['sea view'],
  );
});

test('a neighborhood name that exists in several cities sets no location unless the sentence names the city', (t) => {
  const { filters, alternatives } = parse('شقة للإيجار في حي الروضة');
  t.deepEqual(filters, { property_type: 'apartment', listing_type: 'rent' });
  t.true(alternatives.length > 5);
  t.is(parse('شقة للإيجار في حي الروضة بجدة').filters.city, 'jeddah');
});

test('a sentence that repeats one word up to 10 KB is parsed without an error', (t) => {
  for (const word of ['شقة ', 'zzzzqqqq ', '60 ', 'في حي ', 'near '])
    t.notThrows(() => parse(word.repeat(Math.ceil(10_000 / word.length))));
});

test('a maximum number of living rooms, for which there is no filter, sets none', (t) => {
  t.deepEqual(parse('apartment in riyadh for rent at most 2 living rooms').filters, {
    property_type: 'apartment',
    city: 'riyadh',
    listing_type: 'rent',
  });
  t.is(parse('شقة صالتين بحد أقصى ٢٥ ألف').filters.livings_min, '2', 'the maximum belongs to the price');
});

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

test('words that describe the surroundings, the building or the street of a home set no filter', (t) => {
  for (const [sentence, filters] of [
    ['شقة قريبة من الحرم بمكة', { property_type: 'apartment', city: 'makkah' }],
    ['apartment near a mall in Dammam', { property_type: 'apartment', city: 'dammam' }],
    ['شقة هادئة في عمارة بالرياض', { property_type: 'apartment', city: 'riyadh' }],
    ['فيلا دورين في جدة', { property_type: 'villa', city: 'jeddah' }],
    ['شقة بالدور ٢ في تبوك', { property_type: 'apartment', city: 'tabuk' }],
    ['أرض شارع عرض 20 متر', { property_type: 'land' }],
    ['villa on 15m wide street in Taif', { property_type: 'villa', city: 'taif' }],
    ['عمارة دخلها 200 ألف', { property_type: 'residential_building' }],
    ['عندي 3 أطفال أبي شقة بجدة', { property_type: 'apartment', city: 'jeddah' }],
  ] as const)
    t.deepEqual(parse(sentence).filters, filters, sentence);
});

test('a rent with a period of a month, in words or after a slash, is converted to a year', (t) => {
  for (const sentence of ['apartment 800 a month', 'apartment 800/month', 'شقة ٨٠٠ بالشهر', 'شقة 800/شهر'])
    t.deepEqual(
      parse(sentence).filters,
      { property_type: 'apartment', price_max: '9600', listing_type: 'rent' },
      sentence,
    );
});
