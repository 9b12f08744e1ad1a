import fc from 'fast-check';
import { type Ad, AdSet, FEW_HOMES, kindOf, photoHash, typeNumber } from '#ingest/identity/ads.ts';
import { findDuplicates, forEachCandidate } from '#ingest/identity/cluster.ts';
import { PhotoCounter } from '#ingest/identity/rarity.ts';
import {
  AMBIGUOUS,
  DIFFERENT_PROPERTY,
  evidenceOf,
  MIN_MEAN_SCORE,
  SAME_PROPERTY,
  similarity,
  TWO_UNITS,
} from '#ingest/identity/score.ts';
import { SIGNATURE_SIZE, textSignature } from '#ingest/normalize/signature.ts';
import { test } from '#test/test.ts';

interface PostedAd extends Ad {
  photos: readonly string[];
}

const HOME: PostedAd = {
  id: 1,
  source: 0,
  type: typeNumber('apartment'),
  neighborhood: 1001,
  bedrooms: 3,
  bathrooms: 2,
  livings: 1,
  age: 5,
  floor: '2',
  unit: null,
  area: 140,
  textArea: Number.NaN,
  plotArea: Number.NaN,
  streetWidth: Number.NaN,
  features: 0,
  price: 60_000,
  payments: 1,
  previousPrice: Number.NaN,
  lat: 24.8,
  lng: 46.6,
  advertiser: 'a',
  photos: ['aa/1.jpg', 'bb/2.jpg'],
  servable: true,
  leader: 0,
};

function setOf(ads: Partial<PostedAd>[], texts: string[] = []): AdSet {
  const set = new AdSet();
  for (const [index, ad] of ads.entries()) {
    const { photos, ...own } = { ...HOME, id: index + 1, leader: index + 1, ...ad };
    set.add(own, photos, textSignature(texts[index] ?? ''));
  }
  return set;
}

const joined = (...ads: Partial<PostedAd>[]) => findDuplicates(setOf(ads))[1] === 0;
const other = { source: 1, advertiser: 'b', photos: [] };

test('ads for one home on two sources match despite small differences in location, price and area', (t) => {
  t.true(joined({}, { ...other, lat: 24.8004, price: 61_000, area: 141 }));
  t.true(joined({}, { ...other, lat: Number.NaN, lng: Number.NaN, price: 60_500 }));
});

test('two flats in one building are separate homes', (t) => {
  const developer = { source: 1, photos: ['cc/3.jpg'] };
  t.false(joined({}, { ...developer, floor: '3' }), 'another floor');
  t.false(joined({}, { ...developer, area: 149, price: 63_000 }), 'another size');
  t.false(joined({}, { ...developer, source: 0, area: 143, price: 61_000 }), 'twice on one source by one advertiser');
});

test('two similar ads by one advertiser on one source are separate units, unless they are identical', (t) => {
  const twin = { source: 0, advertiser: 'a' };
  const texts = ['شقة فاخرة للبيع في برج النخيل', 'شقة فاخرة للبيع في برج النخيل'];
  const one = (ad: Partial<PostedAd>, said = texts) => findDuplicates(setOf([{}, { ...twin, ...ad }], said))[1] === 0;
  t.false(one({ photos: ['cc/3.jpg'] }), 'other photos');
  t.false(one({}, [texts[0] as string, 'شقة أخرى في الدور نفسه']), 'another text');
  t.true(one({}), 'the same ad, posted again');
  t.false(one({ floor: '3', source: 1, advertiser: 'b' }), 'another floor, with the same text and photos');
});

test('ads that differ clearly in location, price or area are for different homes', (t) => {
  t.false(joined({}, { ...other, lat: 24.82 }));
  t.false(joined({}, { ...other, price: 80_000 }));
  t.false(joined({}, { ...other, area: 180 }));
  t.false(joined({}, { ...other, bedrooms: 5 }));
});

test('ads that share photos match even if one price has an extra digit', (t) => {
  t.true(joined({}, { ...other, price: 600_000, photos: HOME.photos }));
  t.true(joined({}, { ...other, price: 600_000 }), 'all other facts match');
  t.false(joined({}, { ...other, price: 990_000 }), '990,000 is not 60,000 with an extra digit');
});

test('a bedroom count off by one, a location a few hundred meters off or a rounded area is tolerated if all else matches', (t) => {
  t.true(joined({}, { ...other, bedrooms: 4 }));
  t.true(joined({}, { ...other, lat: 24.8035 }));
  t.true(joined({ area: 137 }, { ...other, area: 140 }));
  t.false(joined({ area: 137 }, { ...other, area: 140, bedrooms: 4, lat: 24.8035, floor: null }), 'not all at once');
});

test('an ad without a location is matched by area and price, by its words or by its photos', (t) => {
  const nowhere = { neighborhood: 0, lat: Number.NaN, lng: Number.NaN };
  t.true(joined({}, { ...other, ...nowhere }));
  const elsewhere = { ...other, ...nowhere, price: 66_500, area: 143 };
  t.false(joined({}, elsewhere));
  t.true(joined({}, { ...elsewhere, photos: HOME.photos }));
  const text = 'دور علوي تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج';
  t.is(findDuplicates(setOf([{}, elsewhere], [text, text]))[1], 0);
});

test('a flat that another source calls a floor matches by photos or words, not by facts that many homes share', (t) => {
  const floor = { ...other, type: typeNumber('floor') };
  t.is(kindOf('floor'), kindOf('apartment'));
  t.not(kindOf('floor'), kindOf('office'));
  t.false(joined({}, floor), 'area, price, place and rooms alone');
  t.true(joined({}, { ...floor, photos: HOME.photos }));
  const text = 'شقة علوية تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج';
  t.is(findDuplicates(setOf([{}, floor], [text, text]))[1], 0);
  t.false(joined({}, { ...floor, photos: HOME.photos, floor: '3' }), 'another floor of the building');
});

test('ads with different unit numbers are separate units', (t) => {
  t.true(joined({ unit: '12' }, { ...other, unit: '12' }));
  t.true(joined({ unit: '12' }, other));
  t.false(joined({ unit: '12' }, { ...other, unit: '14', photos: HOME.photos }));
});

test('a photo or text that many ads share is not evidence for a match', (t) => {
  const counter = new PhotoCounter();
  for (let ad = 0; ad < 60; ad++) counter.add(photoHash('placeholder'));
  counter.add(photoHash('own'));
  t.true(counter.isCommon(photoHash('placeholder')));
  t.false(counter.isCommon(photoHash('own')));
  // Ads for different homes, with different prices, that share an image.
  const dearer = { ...other, price: 78_000, floor: null, photos: ['placeholder'] };
  const set = new AdSet((photo) => counter.isCommon(photo));
  for (const { photos, ...own } of [
    { ...HOME, id: 1, photos: ['placeholder'] },
    { ...HOME, ...dearer, id: 2, leader: 2 },
  ])
    set.add(own, photos, '');
  t.deepEqual([...findDuplicates(set)], [0, 1]);
  const template = 'يتوفر لدى مكتبنا وحدات سكنية راقية تشطيب سوبر ديلوكس قريبة من جميع الخدمات';
  const tower = Array.from({ length: 40 }, (_, at) => ({
    ...other,
    source: at,
    area: 60 * 1.04 ** at,
    photos: [`${at}`],
  }));
  const scored = setOf(
    tower,
    tower.map(() => template),
  );
  t.like(scored.sharedText(0, 1), { equal: SIGNATURE_SIZE, rare: 0 });
});

test('a property is represented by its oldest servable ad, regardless of the previous representative', (t) => {
  const leaders = (...ads: Partial<PostedAd>[]) => [...findDuplicates(setOf(ads))];
  t.deepEqual(leaders({}, other), [0, 0]);
  t.deepEqual(leaders({ servable: false, photos: [] }, other), [1, 1]);
  t.deepEqual(leaders({ leader: 2 }, { ...other, leader: 2 }), [0, 0]);
});

test('the area in the field and the area in the text are both candidates for the area of a home', (t) => {
  t.false(joined({ area: 300 }, { ...other, area: 450 }));
  t.true(joined({ area: 300, textArea: 300 }, { ...other, area: 450, textArea: 300 }));
  t.true(joined({ area: 300, plotArea: 450 }, { ...other, area: 450 }), 'the other states the plot');
  t.true(joined({ area: 220, textArea: 222 }, { ...other, area: 225, textArea: 222 }), 'both texts say 222');
});

test('ads with monthly, yearly and daily rents can be for one home', (t) => {
  const monthly = { ...other, price: 69_000, payments: 12 };
  t.true(evidenceOf(setOf([{}, monthly]), 0, 1).some(({ outcome }) => outcome === 'other_period'));
  t.true(joined({}, monthly));
  t.true(joined({}, { ...other, price: 110_000, payments: 365 }));
  t.false(joined({}, { ...other, price: 110_000 }));
});

test('many advertisers of one home do not increase the frequency of its values', (t) => {
  const text = 'شقة تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج ومدخل خاص';
  const posts = Array.from({ length: 20 }, (_, at) => ({
    source: at % 5,
    advertiser: `broker${at}`,
    price: 60_000 + 500 * (at % 3),
    photos: ['front', 'hall'],
  }));
  const popular = setOf(
    posts,
    posts.map(() => text),
  );
  t.is(new Set(findDuplicates(popular)).size, 1);
  t.is(popular.columns.photos.homesOf(0), 1);
  const brochure = posts.map((post, at) => ({ ...post, unit: String(at) }));
  const compound = setOf(
    brochure,
    brochure.map(() => text),
  );
  t.is(compound.columns.photos.homesOf(0), 20);
  t.is(new Set(findDuplicates(compound)).size, 20);
});

test('an ad that fits two units about equally is assigned to neither', (t) => {
  const unit = { source: 1, advertiser: 'developer', photos: [] };
  const [first, second] = [
    { ...unit, unit: '3' },
    { ...unit, unit: '4' },
  ];
  t.deepEqual([...findDuplicates(setOf([{ floor: null }, first, second]))], [0, 1, 2]);
  t.deepEqual([...findDuplicates(setOf([{ unit: '4' }, first, second]))], [0, 1, 0]);
});

test('merged ads stay merged while a price rises and falls', (t) => {
  const dearer = { ...other, price: 69_500, lat: Number.NaN, floor: null };
  t.false(joined({}, { ...dearer, livings: 2 }));
  t.true(joined({ leader: 1 }, { ...dearer, livings: 2, leader: 1 }), 'they were one before');
  t.true(joined({}, { ...other, price: 75_000, previousPrice: 60_000 }), 'the other still has the earlier price');
  t.false(joined({ leader: 1 }, { ...other, leader: 1, floor: '3' }), 'another floor parts them');
});

const number = (min: number, max: number) => fc.oneof(fc.integer({ min, max }), fc.constant(Number.NaN));
const anyAd = fc.record({
  type: fc.constantFrom(typeNumber('apartment'), typeNumber('apartment'), typeNumber('floor')),
  source: fc.integer({ min: 0, max: 3 }),
  neighborhood: fc.integer({ min: 0, max: 2 }),
  bedrooms: number(1, 3),
  bathrooms: number(1, 2),
  livings: number(1, 2),
  age: number(0, 2),
  floor: fc.constantFrom(null, '1', '2'),
  area: number(100, 110),
  unit: fc.constantFrom(null, null, '7', '8'),
  price: number(500, 520),
  previousPrice: number(500, 520),
  lat: fc.integer({ min: 0, max: 20 }).map((step) => 24.8 + step * 0.0003),
  lng: fc.constant(46.6),
  advertiser: fc.constantFrom(null, 'a', 'b'),
  features: fc.integer({ min: 0, max: 2 ** 29 - 1 }),
  photos: fc.subarray(['aa/1.jpg', 'bb/2.jpg', 'cc/3.jpg']),
});

test('the score of two ads does not depend on their order', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(anyAd, anyAd, fc.string(), fc.string(), (a, b, left, right) => {
        const set = setOf([a, b], [left, right]);
        return Object.is(similarity(set, 0, 1), similarity(set, 1, 0));
      }),
    ),
  );
});

test('a score is the sum of its evidence, and its computation stops early only if it cannot reach the threshold', (t) => {
  const close = fc.tuple(anyAd, fc.array(fc.constantFrom(...(Object.keys(HOME) as (keyof typeof HOME)[])))).map(
    // Most values are equal in all ads, because completely random pairs rarely match.
    ([ad, differing]) => ({ ...HOME, ...Object.fromEntries(differing.map((key) => [key, { ...HOME, ...ad }[key]])) }),
  );
  let same = 0;
  fc.assert(
    fc.property(close, close, fc.constantFrom('', 'شقة للإيجار'), (a, b, text) => {
      const set = setOf([a, { ...b, source: 1 }], [text, text]);
      const score = similarity(set, 0, 1);
      const evidence = evidenceOf(set, 0, 1);
      const sum = evidence.reduce((total, { points }) => total + points, 0);
      if (evidence.some(({ part }) => part === 'units') ? score !== TWO_UNITS : Math.abs(score - sum) > 1e-6)
        return false;
      const isShared = text !== '' || a.photos.some((photo) => b.photos.includes(photo));
      const shared = isShared ? undefined : { photos: false, words: false };
      const asked = similarity(set, 0, 1, SAME_PROPERTY, shared);
      if (similarity(set, 0, 1, score, shared) !== score) return false;
      if (score < SAME_PROPERTY) return asked < SAME_PROPERTY;
      same++;
      return asked === score;
    }),
    { numRuns: 2_000 },
  );
  t.true(same > 100);
});

test('among many similar ads, only the pairs with the highest scores are kept', (t) => {
  const crowd = Array.from({ length: 3_000 }, (_, at) => ({ source: at % 16, advertiser: `${at}`, photos: [] }));
  const before = process.memoryUsage().arrayBuffers;
  findDuplicates(setOf(crowd));
  t.true(process.memoryUsage().arrayBuffers - before < 64 * 1024 ** 2);
});

test('duplicate groups do not depend on the order of ads', (t) => {
  t.notThrows(() =>
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
    ),
  );
});

test('every leader represents itself, and no pair below the threshold is merged on its own', (t) => {
  t.notThrows(() =>
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
    ),
  );
});

/** Reference implementation: finds duplicates by comparing all pairs, without early exclusion. */
function plainDuplicates(set: AdSet): number[] {
  const { ads, columns, signatures } = set;
  const near = (a: number, b: number) => Math.abs(Math.floor(a / 0.001) - Math.floor(b / 0.001)) <= 1;
  const sharedRareWords = (i: number, j: number) =>
    Array.from({ length: SIGNATURE_SIZE }, (_, place) => {
      const value = (at: number) => signatures[at * SIGNATURE_SIZE + place];
      const sameType = ads[i]?.type === ads[j]?.type;
      const homes = (sameType ? columns.slotCounts : columns.slotCountsOfAll)[i * SIGNATURE_SIZE + place] as number;
      return set.sharedText(i, j) !== null && value(i) === value(j) && homes <= FEW_HOMES;
    }).filter(Boolean).length;
  const photosOf = (at: number) => columns.photos.of(at).filter((photo) => columns.photos.homesOf(photo) <= FEW_HOMES);
  const looksFor = (i: number, j: number): boolean => {
    const [a, b] = [ads[i] as Ad, ads[j] as Ad];
    if (a.type !== b.type) return false;
    if (near(a.lat, b.lat) && near(a.lng, b.lng)) return true;
    const cheaper = Math.min(a.price, b.price) / Math.max(a.price, b.price);
    if (a.neighborhood !== 0 && a.neighborhood === b.neighborhood) {
      if (Number.isNaN(a.area) ? cheaper >= 1 / 1.2 : Math.abs(a.area - b.area) <= Math.max(5, 0.05 * a.area))
        return true;
    }
    const unplaced = a.neighborhood === 0 && Number.isNaN(a.lat);
    return unplaced && Math.abs(a.area - b.area) <= 1.5 && Math.abs(a.price - b.price) <= 0.031 * a.price;
  };
  const score = (i: number, j: number) => {
    const evidence = evidenceOf(set, i, j);
    return evidence.some(({ part }) => part === 'units')
      ? TWO_UNITS
      : evidence.reduce((sum, { points }) => sum + points, 0);
  };
  const pairs: { i: number; j: number; score: number }[] = [];
  for (let i = 0; i < ads.length; i++)
    for (let j = i + 1; j < ads.length; j++) {
      const photos = photosOf(i).some((photo) => photosOf(j).includes(photo));
      if (looksFor(i, j) || looksFor(j, i) || photos || sharedRareWords(i, j) >= 2)
        pairs.push({ i, j, score: score(i, j) });
    }
  let groups = ads.map((_, at) => [at]);
  const possible = pairs.filter((pair) => pair.score >= SAME_PROPERTY);
  const otherOf = ({ i, j }: { i: number; j: number }, at: number) => (i === at ? j : i);
  const isAmbiguous = (pair: (typeof pairs)[number]) =>
    [pair.i, pair.j].some((at) =>
      possible.some((rival) => {
        if (rival === pair || (rival.i !== at && rival.j !== at)) return false;
        const twoUnits = evidenceOf(set, otherOf(pair, at), otherOf(rival, at)).some(({ part }) => part === 'units');
        return twoUnits && Math.abs(rival.score - pair.score) <= AMBIGUOUS;
      }),
    );
  const alike = possible.filter((pair) => !isAmbiguous(pair));
  for (const { i, j } of alike.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j)) {
    const [left, right] = [groups.find((group) => group.includes(i)), groups.find((group) => group.includes(j))];
    if (!left || !right || left === right) continue;
    const scores = left.flatMap((a) => right.map((b) => score(a, b)));
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    if (mean < MIN_MEAN_SCORE || scores.some((one) => one < DIFFERENT_PROPERTY)) continue;
    groups = [...groups.filter((group) => group !== left && group !== right), [...left, ...right]];
  }
  const leaders: number[] = [];
  for (const group of groups) for (const at of group) leaders[at] = Math.min(...group);
  return leaders;
}

test('duplicate groups match those of a brute-force pairwise comparison', (t) => {
  const texts = [
    '',
    'دور علوي مع بلكونة تطل على الوادي',
    'شقة للإيجار في حي النرجس',
    'شقة للإيجار في حي النرجس ثلاث غرف',
  ];
  const nowhere = { neighborhood: 0, lat: Number.NaN, lng: Number.NaN };
  const posted = fc.tuple(anyAd, fc.constantFrom({}, {}, {}, nowhere), fc.constantFrom(...texts), fc.boolean());
  let joinedAds = 0;
  fc.assert(
    fc.property(fc.array(posted, { minLength: 2, maxLength: 14 }), (made) => {
      const ads = made.map(([ad, place, , own], at) => ({ ...ad, ...place, ...(own ? { photos: [`own${at}`] } : {}) }));
      const set = setOf(
        ads,
        made.map(([, , text]) => text),
      );
      const found = [...findDuplicates(set)];
      joinedAds += found.filter((leader, at) => leader !== at).length;
      const plain = plainDuplicates(set);
      return found.every((leader, at) => leader === plain[at]);
    }),
    { numRuns: 400 },
  );
  t.true(joinedAds > 100, `${joinedAds} ads were joined`);
});

test('text signatures estimate the overlap of two texts regardless of spelling variants', (t) => {
  const text = 'شقة فاخرة للإيجار في حي النرجس ثلاث غرف وصالة ومطبخ راكب قريبة من الخدمات';
  const loose = 'شقه فاخره للايجار في حي النرجس ثلاث غرف وصاله ومطبخ راكب قريبه من الخدمات';
  const else_ = 'أرض سكنية للبيع على شارعين مستوية وجاهزة للبناء والكهرباء واصلة مخطط معتمد';
  const set = setOf([{}, {}, {}, {}], [text, loose, else_, '']);
  t.is(set.sharedText(0, 1)?.equal, SIGNATURE_SIZE);
  t.true((set.sharedText(0, 2)?.equal ?? SIGNATURE_SIZE) < 0.2 * SIGNATURE_SIZE);
  t.is(set.sharedText(0, 3), null);
});

test('a pair is excluded early only if the full score also excludes it', (t) => {
  const texts = [
    'شقة للإيجار في حي النرجس',
    'شقة للإيجار في حي النرجس ثلاث غرف',
    'دور علوي مع بلكونة تطل على الوادي',
    '',
  ];
  let same = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyAd, fc.constantFrom(...texts)), { minLength: 2, maxLength: 20 }), (ads) => {
      const alike = ads.map(([{ photos, unit, source, price }]) => ({ photos, unit, source, price }));
      const set = setOf(
        alike,
        ads.map(([, text]) => text),
      );
      let agree = true;
      forEachCandidate(set, (i, j, shared) => {
        const is = similarity(set, i, j) >= SAME_PROPERTY;
        if (is) same++;
        if (is !== similarity(set, i, j, SAME_PROPERTY, shared) >= SAME_PROPERTY) agree = false;
      });
      return agree;
    }),
    { numRuns: 200 },
  );
  t.true(same > 100);
});
