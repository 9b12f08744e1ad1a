import fc from 'fast-check';
import { type Ad, adSet, type ComparableAd, photoHash } from '#ingest/identity/ads.ts';
import { findDuplicates } from '#ingest/identity/cluster.ts';
import {
  AMBIGUOUS,
  DIFFERENT_PROPERTY,
  evidenceOf,
  MIN_MEAN_SCORE,
  SAME_PROPERTY,
  TWO_UNITS,
} from '#ingest/identity/score.ts';
import { PhotoCounter } from '#ingest/identity/sharing.ts';
import { textSignature } from '#ingest/normalize/signature.ts';
import { test } from '#test/test.ts';

const HOME: Ad = {
  id: 1,
  source: 's0',
  type: 'apartment',
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
  signature: '',
};

function setOf(ads: Partial<Ad>[], texts: string[] = []): ComparableAd[] {
  return adSet(
    ads.map((ad, at) => ({ ...HOME, id: at + 1, leader: at + 1, signature: textSignature(texts[at] ?? ''), ...ad })),
  );
}

/** Returns for each ad the index of the ad that represents it. */
function leadersIn(set: readonly ComparableAd[]): number[] {
  const leaders = findDuplicates(set);
  return set.toSorted((a, b) => a.id - b.id).map(({ at }) => (leaders[at] as ComparableAd).id - 1);
}

const other = { source: 's1', advertiser: 'b', photos: [] };

const TEXT = 'دور علوي تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج';
const nowhere = { neighborhood: 0, lat: Number.NaN, lng: Number.NaN };
const elsewhere = { ...other, ...nowhere, price: 66_500, area: 143 };
const developer = { source: 's1', photos: ['cc/3.jpg'] };
const floor = { ...other, type: 'floor' };
const dearer = { ...other, price: 69_500, lat: Number.NaN, floor: null, livings: 2 };
const plain: Partial<Ad> = {};

/** A second ad, the first one if it is not `HOME`, and texts of both. */
type Pair = readonly [title: string, second: Partial<Ad>, first?: Partial<Ad>, texts?: string[]];

const ONE_HOME: readonly Pair[] = [
  [
    'neither neighborhood nor area, and a near point',
    { ...other, neighborhood: 0, area: Number.NaN, lat: 24.7998, lng: 46.5998 },
    { neighborhood: 0 },
  ],
  ['neither point nor area', { ...other, lat: Number.NaN, area: Number.NaN, price: 61_500 }],
  ['no point', { ...other, lat: Number.NaN, lng: Number.NaN, price: 60_500 }],
  ['the same ad of the advertiser, posted again', { source: 's0' }, plain, [TEXT, TEXT]],
  ['the same ad of the advertiser, at another price', { source: 's0', price: 58_700 }, plain, [TEXT, TEXT]],
  ['an extra digit, and the photos', { ...other, price: 600_000, photos: HOME.photos }],
  ['one bedroom more', { ...other, bedrooms: 4 }],
  ['a rounded area', { ...other, area: 140 }, { area: 137 }],
  ['no place, and the words', elsewhere, plain, [TEXT, TEXT]],
  ['a flat that is called a floor, and the photos', { ...floor, photos: HOME.photos }],
  ['one unit number', { ...other, unit: '12' }, { unit: '12' }],
  ['a unit number of one ad', other, { unit: '12' }],
  ['the area in both texts', { ...other, area: 450, textArea: 300 }, { area: 300, textArea: 300 }],
  ['the area of the plot', { ...other, area: 450 }, { area: 300, plotArea: 450 }],
  ['an area that only the texts share', { ...other, area: 225, textArea: 222 }, { area: 220, textArea: 222 }],
  ['a monthly rent', { ...other, price: 69_000, payments: 12 }],
  ['a daily rent', { ...other, price: 110_000, payments: 365 }],
  ['ads that were one before', { ...dearer, leader: 1 }, { leader: 1 }],
  ['the price before', { ...other, price: 75_000, previousPrice: 60_000 }],
];

const TWO_HOMES: readonly Pair[] = [
  ['another floor', { ...developer, floor: '3' }],
  ['two ads of an advertiser, other photos', { source: 's0', photos: ['cc/3.jpg'] }, plain, [TEXT, TEXT]],
  ['two ads of an advertiser, another text', { source: 's0' }, plain, [TEXT, 'شقة أخرى في الدور نفسه']],
  [
    'two ads of an advertiser, another area in the text',
    { source: 's0', textArea: 141 },
    { textArea: 143 },
    [TEXT, TEXT],
  ],
  ['another place', { ...other, lat: 24.82 }],
  ['two bedrooms more', { ...other, bedrooms: 5 }],
  ['990,000 is not 60,000 with an extra digit', { ...other, price: 990_000 }],
  ['no place, another price and area', elsewhere],
  ['a flat that is called a floor, with facts that many homes share', floor],
  ['another unit number', { ...other, unit: '14', photos: HOME.photos }, { unit: '12' }],
  ['the area of a plot and of a home', { ...other, area: 450 }, { area: 300 }],
  ['a yearly rent of that amount', { ...other, price: 110_000 }],
  ['ads that were not one before', dearer],
];

test('two ads are one home or two by their facts, words and photos', (t) => {
  for (const [pairs, isOne] of [
    [ONE_HOME, true],
    [TWO_HOMES, false],
  ] as const)
    for (const [title, second, first = plain, texts] of pairs)
      t.is(leadersIn(setOf([first, second], texts))[1] === 0, isOne, title);
});

test('a photo that many ads share is not evidence for a match', (t) => {
  const counter = new PhotoCounter();
  for (let ad = 0; ad < 60; ad++) counter.add(photoHash('placeholder'));
  counter.add(photoHash('own'));
  t.true(counter.isCommon(photoHash('placeholder')));
  t.false(counter.isCommon(photoHash('own')));
  // Ads for different homes, with different prices, that share an image.
  const placeholder = { ...other, price: 78_000, floor: null, photos: ['placeholder'] };
  const ads = [
    { ...HOME, photos: ['placeholder'] },
    { ...HOME, ...placeholder, id: 2, leader: 2 },
  ];
  t.deepEqual(leadersIn(adSet(ads, { isCommon: (photo) => counter.isCommon(photo) })), [0, 1]);
});

test('a property is represented by its oldest servable ad, regardless of the previous representative', (t) => {
  const leaders = (...ads: Partial<Ad>[]) => leadersIn(setOf(ads));
  t.deepEqual(leaders({}, other), [0, 0]);
  t.deepEqual(leaders({ servable: false, photos: [] }, other), [1, 1]);
  t.deepEqual(leaders({ leader: 2 }, { ...other, leader: 2 }), [0, 0]);
});

test('many advertisers of one home do not increase the frequency of its values', (t) => {
  const text = 'شقة تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج ومدخل خاص';
  const posts = Array.from({ length: 20 }, (_, at) => ({
    source: `s${at % 5}`,
    advertiser: `broker${at}`,
    price: 60_000 + 500 * (at % 3),
    photos: ['front', 'hall'],
  }));
  const texts = posts.map(() => text);
  t.is(new Set(leadersIn(setOf(posts, texts))).size, 1);
  const units = posts.map((post, at) => ({ ...post, unit: String(at) }));
  t.is(new Set(leadersIn(setOf(units, texts))).size, 20);
});

test('an ad that fits two units about equally is assigned to neither', (t) => {
  const unit = { source: 's1', advertiser: 'developer', photos: [] };
  const [first, second] = [
    { ...unit, unit: '3' },
    { ...unit, unit: '4' },
  ];
  t.deepEqual(leadersIn(setOf([{ floor: null }, first, second])), [0, 1, 2]);
  t.deepEqual(leadersIn(setOf([{ unit: '4' }, first, second])), [0, 1, 0]);
});

const number = (min: number, max: number) => fc.oneof(fc.integer({ min, max }), fc.constant(Number.NaN));
/** Ads that are all compared with each other: of one type, in one neighborhood, and of similar areas. */
const anyAd = fc.record({
  source: fc.constantFrom('s0', 's1', 's2', 's3'),
  bedrooms: number(1, 3),
  bathrooms: number(1, 2),
  livings: number(1, 2),
  age: number(0, 2),
  floor: fc.constantFrom(null, '1', '2'),
  area: fc.integer({ min: 100, max: 105 }),
  unit: fc.constantFrom(null, null, '7', '8'),
  price: number(500, 520),
  previousPrice: number(500, 520),
  lat: fc.integer({ min: 0, max: 20 }).map((step) => 24.8 + step * 0.0003),
  lng: fc.constant(46.6),
  advertiser: fc.constantFrom(null, 'a', 'b'),
  features: fc.integer({ min: 0, max: 2 ** 29 - 1 }),
  photos: fc.subarray(['aa/1.jpg', 'bb/2.jpg', 'cc/3.jpg']),
});

/** Reference implementation: finds duplicates by comparing all pairs, without early exclusion. */
function plainDuplicates(set: readonly ComparableAd[]): number[] {
  const ads = set.toSorted((a, b) => a.id - b.id);
  const evidenceBetween = (i: number, j: number) => evidenceOf(ads[i] as ComparableAd, ads[j] as ComparableAd);
  const score = (i: number, j: number) => {
    const evidence = evidenceBetween(i, j);
    return evidence.some(({ part }) => part === 'units')
      ? TWO_UNITS
      : evidence.reduce((sum, { points }) => sum + points, 0);
  };
  const pairs: { i: number; j: number; score: number }[] = [];
  for (let i = 0; i < ads.length; i++)
    for (let j = i + 1; j < ads.length; j++) pairs.push({ i, j, score: score(i, j) });
  let groups = ads.map((_, at) => [at]);
  const possible = pairs.filter((pair) => pair.score >= SAME_PROPERTY);
  const otherOf = ({ i, j }: { i: number; j: number }, at: number) => (i === at ? j : i);
  const isAmbiguous = (pair: (typeof pairs)[number]) =>
    [pair.i, pair.j].some((at) =>
      possible.some((rival) => {
        if (rival === pair || (rival.i !== at && rival.j !== at)) return false;
        const twoUnits = evidenceBetween(otherOf(pair, at), otherOf(rival, at)).some(({ part }) => part === 'units');
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
  const posted = fc.tuple(anyAd, fc.constantFrom(...texts), fc.boolean());
  let joinedAds = 0;
  fc.assert(
    fc.property(fc.array(posted, { minLength: 2, maxLength: 14 }), (made) => {
      const ads = made.map(([ad, , own], at) => ({ ...ad, ...(own ? { photos: [`own${at}`] } : {}) }));
      const set = setOf(
        ads,
        made.map(([, text]) => text),
      );
      const found = leadersIn(set);
      joinedAds += found.filter((leader, at) => leader !== at).length;
      const plain = plainDuplicates(set);
      return found.every((leader, at) => leader === plain[at]);
    }),
    { numRuns: 400 },
  );
  t.true(joinedAds > 100, `${joinedAds} ads were joined`);
});
