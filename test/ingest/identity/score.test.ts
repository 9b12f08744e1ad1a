import test from 'ava';
import fc from 'fast-check';
import { type Ad, AdSet } from '#ingest/identity/ads.ts';
import { findDuplicates } from '#ingest/identity/cluster.ts';
import { SAME_PROPERTY, similarity } from '#ingest/identity/score.ts';
import { ScoreBound } from '#ingest/identity/score-bound.ts';
import { textSignature } from '#ingest/identity/signature.ts';

const HOME: Omit<Ad, 'hasText'> = {
  id: 1,
  source: 0,
  neighborhood: 1001,
  bedrooms: 3,
  bathrooms: 2,
  livings: 1,
  age: 5,
  floor: '2',
  area: 140,
  price: 60_000,
  lat: 24.8,
  lng: 46.6,
  advertiser: 'a',
  photos: ['aa/1.jpg', 'bb/2.jpg'],
  servable: true,
  wasServed: false,
};

function setOf(ads: Partial<Omit<Ad, 'hasText'>>[], texts: string[] = []): AdSet {
  const set = new AdSet();
  for (const [index, ad] of ads.entries())
    set.add({ ...HOME, id: index + 1, ...ad }, textSignature(texts[index] ?? ''));
  return set;
}

const joined = (...ads: Partial<Omit<Ad, 'hasText'>>[]) => findDuplicates(setOf(ads))[1] === 0;
const other = { source: 1, advertiser: 'b', photos: [] };

test('one home on two sources is one, with a point, a price and an area a little off', (t) => {
  t.true(joined({}, { ...other, lat: 24.8004, price: 61_000, area: 141 }));
  t.true(joined({}, { ...other, lat: Number.NaN, lng: Number.NaN, price: 60_500 }));
});

test('two flats of one building are two homes', (t) => {
  const developer = { source: 1, photos: ['cc/3.jpg'] };
  t.false(joined({}, { ...developer, floor: '3' }), 'another floor');
  t.false(joined({}, { ...developer, area: 149, price: 63_000 }), 'another size');
  t.false(joined({}, { ...developer, source: 0, area: 143, price: 61_000 }), 'twice on one source by one advertiser');
});

test('two ads of one advertiser on one source are two units, however alike, unless one repeats the other whole', (t) => {
  const twin = { source: 0, advertiser: 'a' };
  const texts = ['شقة فاخرة للبيع في برج النخيل', 'شقة فاخرة للبيع في برج النخيل'];
  const one = (ad: Partial<Ad>, said = texts) => findDuplicates(setOf([{}, { ...twin, ...ad }], said))[1] === 0;
  t.false(one({ photos: ['cc/3.jpg'] }), 'photos of its own');
  t.false(one({}, [texts[0] as string, 'شقة أخرى في الدور نفسه']), 'a text of its own');
  t.true(one({}), 'the same ad, posted again');
  t.false(one({ floor: '3', source: 1, advertiser: 'b' }), 'another floor, with the same text and photos');
});

test('what is far, dearer or larger is another home', (t) => {
  t.false(joined({}, { ...other, lat: 24.82 }));
  t.false(joined({}, { ...other, price: 80_000 }));
  t.false(joined({}, { ...other, area: 180 }));
  t.false(joined({}, { ...other, bedrooms: 4 }));
});

test('shared photos outweigh a slipped digit', (t) => {
  t.true(joined({}, { ...other, price: 600_000, photos: HOME.photos }));
});

test('the one that stands for a property can be served, was served before, is the oldest', (t) => {
  const leaders = (...ads: Partial<Ad>[]) => [...findDuplicates(setOf(ads))];
  t.deepEqual(leaders({}, other), [0, 0]);
  t.deepEqual(leaders({ servable: false, photos: [] }, other), [1, 1]);
  t.deepEqual(leaders({}, { ...other, wasServed: true }), [1, 1]);
  t.deepEqual(leaders({ wasServed: true, servable: false, photos: [] }, other), [1, 1]);
});

const number = (min: number, max: number) => fc.oneof(fc.integer({ min, max }), fc.constant(Number.NaN));
const anyAd = fc.record({
  source: fc.integer({ min: 0, max: 3 }),
  neighborhood: fc.integer({ min: 0, max: 2 }),
  bedrooms: number(1, 3),
  bathrooms: number(1, 2),
  livings: number(1, 2),
  age: number(0, 2),
  floor: fc.constantFrom(null, '1', '2'),
  area: number(100, 110),
  price: number(500, 520),
  lat: fc.integer({ min: 0, max: 20 }).map((step) => 24.8 + step * 0.0003),
  lng: fc.constant(46.6),
  advertiser: fc.constantFrom(null, 'a', 'b'),
  photos: fc.subarray(['aa/1.jpg', 'bb/2.jpg', 'cc/3.jpg']),
});

test('the score is the same from either side', (t) => {
  fc.assert(
    fc.property(anyAd, anyAd, fc.string(), fc.string(), (a, b, left, right) => {
      const set = setOf([a, b], [left, right]);
      return Object.is(similarity(set, 0, 1), similarity(set, 1, 0));
    }),
  );
  t.pass();
});

test('no pair that is of one property is passed over', (t) => {
  const close = fc.tuple(anyAd, fc.array(fc.constantFrom(...(Object.keys(HOME) as (keyof typeof HOME)[])))).map(
    // Alike in most: chance alone seldom makes a pair that is of one property.
    ([ad, differing]) => ({ ...HOME, ...Object.fromEntries(differing.map((key) => [key, { ...HOME, ...ad }[key]])) }),
  );
  let same = 0;
  fc.assert(
    fc.property(close, close, fc.constantFrom('', 'شقة للإيجار'), (a, b, text) => {
      const set = setOf([a, { ...b, source: 1 }], [text, text]);
      if (similarity(set, 0, 1) < SAME_PROPERTY) return true;
      same++;
      return new ScoreBound(set).allows(0, 1) && new ScoreBound(set).allows(1, 0);
    }),
    { numRuns: 2_000 },
  );
  t.true(same > 100);
  const far = setOf([{}, { ...other, area: 180, price: 80_000 }]);
  t.false(new ScoreBound(far).allows(0, 1));
});

test('the order in which ads come does not change which are one', (t) => {
  fc.assert(
    fc.property(
      fc
        .array(anyAd, { minLength: 2, maxLength: 25 })
        .chain((ads) =>
          fc.tuple(
            fc.constant(ads.map((ad, index) => ({ ...ad, id: index + 1 }))),
            fc.shuffledSubarray([...ads.keys()], { minLength: ads.length }),
          ),
        ),
      ([ads, order]) => {
        const byId = (set: AdSet) => {
          const leaders = findDuplicates(set);
          return new Map(set.ads.map((ad, index) => [ad.id, set.ads[leaders[index] as number]?.id]));
        };
        const straight = byId(setOf(ads));
        const mixed = byId(setOf(order.map((index) => ads[index] as (typeof ads)[number])));
        return [...straight].every(([id, leader]) => mixed.get(id) === leader);
      },
    ),
    { numRuns: 300 },
  );
  t.pass();
});

test('every leader stands for itself, and no pair under the threshold stands alone together', (t) => {
  fc.assert(
    fc.property(fc.array(anyAd, { minLength: 2, maxLength: 20 }), (ads) => {
      const set = setOf(ads);
      const leaders = findDuplicates(set);
      return set.ads.every((_, index) => {
        const leader = leaders[index] as number;
        if (leaders[leader] !== leader) return false;
        const group = [...leaders.keys()].filter((one) => leaders[one] === leader);
        return group.length !== 2 || similarity(set, group[0] as number, group[1] as number) >= SAME_PROPERTY;
      });
    }),
  );
  t.pass();
});

test('text signatures estimate what two texts have in common, whatever the spelling', (t) => {
  const text = 'شقة فاخرة للإيجار في حي النرجس ثلاث غرف وصالة ومطبخ راكب قريبة من الخدمات';
  const loose = 'شقه فاخره للايجار في حي النرجس ثلاث غرف وصاله ومطبخ راكب قريبه من الخدمات';
  const else_ = 'أرض سكنية للبيع على شارعين مستوية وجاهزة للبناء والكهرباء واصلة مخطط معتمد';
  const set = setOf([{}, {}, {}, {}], [text, loose, else_, '']);
  t.is(set.textSimilarity(0, 1), 1);
  t.true(set.textSimilarity(0, 2) < 0.2);
  t.true(Number.isNaN(set.textSimilarity(0, 3)));
});
