import { test } from '#test/test.ts';
import { ad, ads, pipelineOfFile, testSource } from '../run/pipeline.ts';

const pipeline = pipelineOfFile('ingest-survives');

const HOME = { area: 143, floor: '2', age_years: 4, lat: 24.8123, lng: 46.6123, bedrooms: 2, neighborhood: 'النرجس' };

const TEXTS = [
  'بلكونة تطل على الوادي ومستودع تحت الدرج',
  'مدخل خاص ومطبخ راكب قريبة من المدارس',
  'تشطيب حديث، مكيفات مخفية وموقف في القبو',
  'هادئة على شارع واسع وسطح مشترك',
];

/** Returns the served listings with the ids of their ads. */
async function properties(): Promise<Record<number, number[]>> {
  const { rows } = await pipeline.pool.query<{ id: number; leader: number }>(
    'select id, coalesce(duplicate_of, id) as leader from listings where withdrawn_at is null order by id',
  );
  const found: Record<number, number[]> = {};
  for (const { id, leader } of rows) {
    found[leader] ??= [];
    found[leader].push(id);
  }
  return Object.fromEntries(Object.entries(found).filter(([, members]) => members.length > 1));
}

test('homes keep their ids while a source is missing, and price changes do not split homes', async (t) => {
  const [first, second] = [testSource('first'), testSource('second')];
  const homes = TEXTS.map((description, at) => ({
    ...HOME,
    title: null,
    description,
    lat: 24.7 + at / 50,
    price: 61_000 + at * 7_000,
  }));
  const stock = ads(8, 'stock');
  const listed = (prefix: string, factor = 1) =>
    homes.map((home, at) => ad(`${prefix}${at}`, { ...home, price: Math.round(home.price * factor) }));
  const run = (day: string) => pipeline.run([first, second], `2026-04-${day}T03:00:00Z`);

  first.feed = [...stock, ...listed('a')];
  second.feed = [...ads(3, 'other'), ...listed('b')];
  await run('02');
  const known = await properties();
  t.is(Object.keys(known).length, homes.length);
  for (const [leader, members] of Object.entries(known)) t.is(Number(leader), Math.min(...members));

  // The source is missing for a day, then for a week.
  for (const [away, back] of [
    ['03', '04'],
    ['05', '12'],
  ] as const) {
    first.feed = stock;
    await run(away);
    t.deepEqual(await properties(), {});
    first.feed = [...stock, ...listed('a')];
    await run(back);
    t.deepEqual(await properties(), known);
  }

  for (const [at, factor] of [1.12, 1, 1.12, 1].entries()) {
    first.feed = [...stock, ...listed('a', factor)];
    await run(String(13 + at));
    t.deepEqual(await properties(), known, `the price is ${factor} of what it was`);
  }
});
