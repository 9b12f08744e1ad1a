import { between, type Home, pick, type Random, type Segment } from './home.ts';
import { type HomeChanges, type Posting, rounded } from './market.ts';
import type { Facts, Wording } from './words.ts';

/**
 * Expected outcome for the ads of a kind. An ad is shown if the API returns its listing. Only baits and bargains can be
 * deals.
 *
 * - `hidden`: at most 2 of 12 are shown as posted. An ad that was corrected from its own text and has a flag may be shown.
 * - `flagged`: may be shown as posted, with a quality flag.
 * - `not_a_deal`: may be shown; the ad is correct, but its price is not comparable.
 * - `bait`: shown with a quality flag. A deal only if it is at most 45% below the median of its band.
 * - `control`: correct as posted, and shown.
 * - `bargain`: correct as posted, shown, and a deal in at least half of the cases.
 * - `unpriced`: returned by id, without a price.
 */
type Expectation = 'hidden' | 'flagged' | 'not_a_deal' | 'bait' | 'control' | 'bargain' | 'unpriced';

interface Planted extends Partial<Posting> {
  amounts?: Facts['amounts'];
  numbers?: Facts['numbers'];
}

export interface Kind {
  name: string;
  /** Segments of the planted homes, in rotation. */
  of: readonly Segment[];
  expect: Expectation;
  home?: HomeChanges;
  /** Returns the facts that the ad states incorrectly. */
  post?: (home: Home, random: Random, index: number) => Planted;
  /** A sentence for the ad's text. If omitted, the text states neither price nor area. */
  says?: Wording;
  /** Whether the ad's text begins with the sentence from `says`. */
  opens?: boolean;
}

const SALE: readonly Segment[] = ['flat_sale', 'villa_sale', 'floor_sale'];
const RENT: readonly Segment[] = ['flat_rent', 'villa_rent'];
const HOMES: readonly Segment[] = [...SALE, 'flat_rent'];
const FLATS: readonly Segment[] = ['flat_sale', 'floor_sale'];

/** Completes the kinds of a group with the properties that most of them have. */
const kinds = (
  shared: Pick<Kind, 'expect' | 'home'>,
  group: readonly (Omit<Kind, 'expect'> & Partial<Pick<Kind, 'expect'>>)[],
): Kind[] => group.map((kind) => ({ ...shared, ...kind }));

/** Returns a random price between `min` and `max` times the correct price. */
const atShare =
  (min: number, max: number) =>
  (home: Home, random: Random): Planted => ({ price: rounded(home.price * between(random, min, max)) });
const inDollars = (home: Home): Planted => {
  const dollars = Math.round(home.price / 3.75 / 1_000) * 1_000;
  return { price: dollars, numbers: { dollars } };
};
const exactly = (share: number) => (home: Home) => ({ price: home.price * share });

const BAITS = kinds({ expect: 'bait', home: { spread: 0.04 } }, [
  { name: 'bait 45% below', of: HOMES, post: atShare(0.53, 0.57) },
  { name: 'bait 55% below', of: HOMES, post: atShare(0.43, 0.47) },
  { name: 'bait 65% below', of: HOMES, post: atShare(0.33, 0.37) },
  // Without the area in its text, an ad with a doubled area cannot be distinguished from a bait.
  { name: 'area doubled, not in text', of: FLATS, post: (home) => ({ area: home.area * 2 }) },
]);

/** Sentences that state the true price, unlike the posted one. */
const TRUE_PRICE: Wording = ['السعر الصحيح {price}', 'The correct price is {price}'];

/** Ads whose amount is not the price of the whole home, as their text states. */
const PARTIAL = kinds({ expect: 'hidden' }, [
  {
    name: 'true price in text',
    of: HOMES,
    post: atShare(0.5, 0.66),
    says: TRUE_PRICE,
  },
  {
    name: 'half a home',
    of: SALE,
    post: exactly(0.5),
    says: ['للبيع نصف {type} مشاع', 'Half of the {type} is for sale'],
  },
  {
    name: 'equity only',
    of: SALE,
    post: atShare(0.3, 0.6),
    says: [
      'تنازل عن {type} والمطلوب {posted} والباقي على البنك',
      'Transfer of the mortgage: {posted} to the owner, {rest} remains with the bank',
    ],
  },
  {
    name: 'down payment',
    of: SALE,
    post: exactly(0.3),
    says: ['دفعة أولى 30٪ {posted}', 'Down payment {posted}'],
  },
  {
    name: 'prices from',
    of: SALE,
    expect: 'flagged',
    post: atShare(0.62, 0.8),
    says: ['الأسعار تبدأ من {posted}', 'Prices from {posted}'],
  },
  {
    name: 'several units, lowest price',
    of: FLATS,
    expect: 'flagged',
    post: atShare(0.6, 0.75),
    says: ['الأسعار من {posted} إلى {price}', 'Prices range from {posted} to {price}'],
  },
]);

/** Ads whose amount has the wrong unit or period. Some texts state the correct one. */
const UNITS = kinds({ expect: 'hidden' }, [
  {
    name: 'price per m2 as total',
    of: [...SALE, 'land_sale'],
    post: (home) => ({ price: Math.round(home.price / home.area) }),
    says: ['سعر المتر {posted}', '{posted} per sqm'],
  },
  { name: 'monthly rent as yearly', of: RENT, post: (home) => ({ price: Math.round(home.price / 12 / 50) * 50 }) },
  {
    name: 'daily rent as yearly',
    of: [...RENT, 'studio_rent'],
    post: (home) => ({ price: Math.max(150, Math.round(home.price / 200 / 10) * 10) }),
  },
  { name: 'weekly rent as yearly', of: RENT, post: (home) => ({ price: Math.round(home.price / 40 / 50) * 50 }) },
  { name: 'sale price posted as rent', of: RENT, post: exactly(17) },
  {
    name: 'monthly rent posted as sale',
    of: SALE,
    post: (home) => ({ price: Math.round((home.price * 0.055) / 12 / 50) * 50 }),
  },
  // A price in dollars is 27% of the price in SAR. If the text does not name the currency, only the distance to comparable
  // homes reveals the error.
  { name: 'price in dollars', of: SALE, expect: 'flagged', post: inDollars },
  { name: 'price in halalas', of: HOMES, post: exactly(100) },
  { name: 'thousands dropped', of: HOMES, post: (home) => ({ price: Math.round(home.price / 1_000) }) },
  { name: 'price with an extra digit', of: HOMES, post: exactly(10) },
  { name: 'price with a digit missing', of: HOMES, post: exactly(0.1) },
]);

/** Ads with a placeholder instead of a price. */
const PLACEHOLDERS = kinds({ expect: 'hidden' }, [
  {
    name: 'placeholder of few digits',
    of: HOMES,
    post: (_, random) => ({ price: pick(random, [1, 10, 100, 111, 123, 1_000, 1_234]) }),
  },
  {
    name: 'placeholder of one digit repeated',
    of: SALE,
    post: (_, random) => ({ price: pick(random, [111_111, 99_999_999, 9_999_999, 11_111_111, 99_999]) }),
  },
  {
    name: 'telephone number as price',
    of: HOMES,
    post: (_, random) => ({ price: 500_000_000 + Math.floor(random() * 99_999_999) }),
  },
]);

/** Ads with a wrong area or number of rooms. */
const SIZES = kinds({ expect: 'hidden' }, [
  { name: 'area with a digit missing', of: HOMES, post: (home) => ({ area: Math.max(8, Math.floor(home.area / 10)) }) },
  {
    name: 'area with a digit missing, in text',
    of: HOMES,
    post: (home) => ({ area: Math.max(8, Math.floor(home.area / 10)) }),
    says: ['المساحة {area} متر', 'Area {area} sqm'],
  },
  { name: 'area in square feet', of: HOMES, post: (home) => ({ area: Math.round(home.area * 10.764) }) },
  { name: 'area in thousands', of: FLATS, post: (home) => ({ area: home.area * 1_000 }) },
  { name: 'area of one', of: SALE, post: (_, random) => ({ area: pick(random, [1, 2, 5]) }) },
  {
    name: 'area doubled, in text',
    of: FLATS,
    home: { spread: 0.04 },
    post: (home) => ({ area: home.area * 2 }),
    says: ['المساحة {area} متر', 'Area {area} sqm'],
  },
  {
    name: 'area of the plot for a flat',
    of: ['flat_sale', 'flat_rent'],
    post: (home, random) => ({ area: Math.round(home.area * between(random, 5, 7)) }),
  },
  { name: 'price and area swapped', of: HOMES, post: (home) => ({ price: home.area, area: home.price }) },
  { name: 'bedrooms typed twice', of: HOMES, post: (home) => ({ bedrooms: (home.bedrooms ?? 3) * 11 }) },
]);

/** Ads that offer no home, or a home other than their fields describe. */
const OTHER_GOODS = kinds({ expect: 'hidden' }, [
  {
    name: 'sold',
    of: SALE,
    post: atShare(0.7, 1),
    says: ['تم البيع', 'SOLD'],
  },
  {
    name: 'wanted',
    opens: true,
    of: SALE,
    // Half of the titles are generated, so that only the text shows that the ad is a wanted ad.
    post: (home, random, index) => ({
      ...atShare(0.6, 0.8)(home, random),
      ...(index % 2 === 0 && {
        title: home.style.language === 'en' ? `Wanted: ${home.type} to buy` : 'مطلوب شقة أو دور للشراء في شمال الرياض',
      }),
    }),
    says: ['مطلوب {type} للشراء بحدود {posted}', 'Looking to buy a {type}, budget {posted}'],
  },
  {
    name: 'right of use',
    of: FLATS,
    expect: 'not_a_deal',
    post: atShare(0.45, 0.65),
    says: ['حق انتفاع 20 سنة', 'Usufruct for 20 years'],
  },
  {
    name: 'building posted as flat',
    opens: true,
    of: ['flat_sale'],
    post: (home, random) => ({
      price: rounded(home.price * between(random, 7, 10)),
      area: home.area * 6,
      bedrooms: null,
    }),
    says: ['عمارة سكنية للبيع 8 شقق', 'Residential building with 8 apartments'],
  },
  {
    name: 'photos of other homes',
    of: SALE,
    expect: 'flagged',
    home: { spread: 0.04 },
    post: (home, random) => ({
      ...atShare(0.62, 0.72)(home, random),
      photos: ['living', 'kitchen', 'front'].map((photo) => `https://photos.example/repeated-${photo}.jpg`),
    }),
  },
]);

/** Ads that look suspicious but are correct as posted. */
const CONTROLS = kinds({ expect: 'control', home: { spread: 0.05 } }, [
  {
    name: 'bargain of 25 to 35%',
    of: [...SALE, 'flat_rent'],
    expect: 'bargain',
    home: { spread: 0.03 },
    post: atShare(0.66, 0.74),
    says: ['بيع عاجل لظروف السفر {posted}', 'Urgent, owner is leaving, {posted}'],
  },
  { name: 'large home', of: ['villa_sale', 'floor_sale', 'villa_rent'], home: { areas: 2.2, age: 2, spread: 0.05 } },
  {
    name: 'instalment plan',
    of: SALE,
    says: ['السعر {price} ويقبل البنك بدفعة أولى 10%', '{price}, instalments available'],
  },
  {
    name: 'price on request',
    of: HOMES,
    expect: 'unpriced',
    home: {},
    post: () => ({ price: null }),
    says: ['السعر عند التواصل', 'Price on request'],
  },
  { name: 'old flat at its price', of: ['flat_sale'], home: { age: 27, spread: 0.04 } },
  {
    name: 'luxury',
    of: SALE,
    home: { age: 0, spread: 0.04 },
    post: (home) => ({ price: rounded(home.price * 1.7) }),
    says: ['تشطيب فاخر جدا مع مسبح ومصعد', 'Luxury finishing, pool and lift'],
  },
  { name: 'small studio', of: ['studio_rent'], home: { areas: 0.52, spread: 0.05 } },
  {
    name: 'earlier price in text',
    of: SALE,
    home: { spread: 0.04 },
    post: (home) => ({ amounts: { before: rounded(home.price * 1.15) } }),
    says: ['السعر قبل {before} والآن {price}', 'Was {before}, now {price}'],
  },
  {
    name: 'price per m2 next to total',
    of: SALE,
    says: ['السعر {price} يعني المتر بـ {per_sqm}', '{price}, that is {per_sqm} per sqm'],
  },
  {
    name: 'rent in two payments',
    of: RENT,
    says: ['الإيجار {price} على دفعتين كل دفعة {half}', '{price} a year in two payments of {half}'],
  },
]);

/** Ads whose text states another price that may also be right: neither is certain. */
const NEAR = kinds({ expect: 'flagged' }, [
  { name: 'true price in text, near the posted one', of: HOMES, post: atShare(0.68, 0.9), says: TRUE_PRICE },
]);

export const KINDS: readonly Kind[] = [
  ...BAITS,
  ...PARTIAL,
  ...UNITS,
  ...PLACEHOLDERS,
  ...SIZES,
  ...OTHER_GOODS,
  ...CONTROLS,
  ...NEAR,
];
