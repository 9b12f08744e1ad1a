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

async function rowsOf<Row>(file: string): Promise<Row[]> {
  const lines = (await readFile(new URL(file, import.meta.url), 'utf8')).trim().split('\n');
  return lines.map((line): Row => JSON.parse(line));
}

/** Neighborhood names that the writer of the sentences assumed to mean Riyadh. */
const IN_RIYADH = new Set('al_yasmin al_narjis al_malqa al_olaya al_aqiq hittin al_sahafah al_qairawan'.split(' '));
const slugs = new Map(NEIGHBORHOODS.map(({ id, city, slug }) => [id, city === 'riyadh' ? slug : '']));
const listingsOf = (id: number): number => (IN_RIYADH.has(slugs.get(id) ?? '') ? 1_000 : 10);
const parse = (sentence: string) => parseSentence(sentence, { listingsOf, year: 2026 });

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
  const rows = await rowsOf<Labelled>('sentences.jsonl');
  let right = 0;
  let wrong = 0;
  for (const labelled of rows) {
    const wanted: Record<string, string> = { ...expected(labelled), ...(labelled.sort ? { sort: labelled.sort } : {}) };
    const { filters, sort } = parse(labelled.q);
    const got: Record<string, string> = { ...filters, ...(sort ? { sort } : {}) };
    const differing = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].filter((name) =>
      name === 'near' ? wanted[name] !== got[name] : inOrder(wanted[name] ?? '') !== inOrder(got[name] ?? ''),
    );
    if (differing.length === 0) right += 1;
    else if (differing.some((name) => got[name] !== undefined)) wrong += 1;
  }
  t.log(`${right} of ${rows.length} right, ${wrong} wrong`);
  t.true(right >= 0.95 * rows.length, `${right} right`);
  t.true(wrong <= 0.01 * rows.length, `${wrong} wrong`);
});

test('a sentence that repeats one word up to 10 KB is parsed without an error', (t) => {
  for (const word of ['شقة ', 'zzzzqqqq ', '60 ', 'في حي ', 'near '])
    t.notThrows(() => parse(word.repeat(Math.ceil(10_000 / word.length))));
});

test('each sentence of the table of rules has exactly its filters', async (t) => {
  for (const { rule, q, filters } of await rowsOf<{ rule: string } & Labelled>('rules.jsonl'))
    t.deepEqual(parse(q).filters as object, filters, `${rule}: ${q}`);
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

test('words without a filter state why', (t) => {
  for (const [sentence, reason] of [
    ['شقة عوائل بجدة', 'no_filter'],
    ['flat for families in Jeddah', 'no_filter'],
    ['villa zzqqx in Jeddah', 'unknown'],
    ['شقة في الروضة', 'ambiguous'],
  ] as const)
    t.deepEqual(
      parse(sentence).not_understood.map((each) => each.reason),
      [reason],
      sentence,
    );
});

test('an unknown word where a place is expected has the neighborhoods with similar names as alternatives', (t) => {
  const [first] = NEIGHBORHOODS;
  const similarTo = (words: string, city: string | null) =>
    words === 'Alyasmn' && city === 'riyadh' && first ? [first] : [];
  const read = (sentence: string) => parseSentence(sentence, { listingsOf, year: 2026, similarTo });
  for (const sentence of ['villa in Alyasmn Riyadh', 'villa Riyadh Alyasmn']) {
    const { alternatives, not_understood } = read(sentence);
    t.like(alternatives[0], { words: 'Alyasmn', neighborhood_id: first?.id }, sentence);
    t.is(not_understood[0]?.reason, 'ambiguous', sentence);
  }
  t.deepEqual(read('villa zzqqx Riyadh').alternatives, []);
});
