import { between, type Home, pick, type Random, type Segment } from './home.ts';
import { type HomeChanges, type Posting, rounded } from './market.ts';
import type { Facts, Wordings } from './words.ts';

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
  /** Sentences for the ad's text. If omitted, the text states neither price nor area. */
  says?: Wordings;
  /** Whether the ad's text begins with the sentence from `says`. */
  opens?: boolean;
}

const SALE: readonly Segment[] = ['flat_sale', 'villa_sale', 'floor_sale'];
const RENT: readonly Segment[] = ['flat_rent', 'villa_rent'];
const HOMES: readonly Segment[] = [...SALE, 'flat_rent'];
const FLATS: readonly Segment[] = ['flat_sale', 'floor_sale'];
const VILLAS: readonly Segment[] = ['villa_sale'];

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
const TRUE_PRICE: Wordings = {
  ar: [
    'السعر الصحيح {price}',
    'المطلوب {price} صافي',
    'السعر {price} وليس المكتوب في الإعلان',
    'قيمتها {price} نهائي',
    'الحد {price}',
  ],
  en: [
    'The correct price is {price}',
    'Asking price {price} net',
    'Price: {price}, not the figure above',
    'Final price {price}',
  ],
};

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
    says: {
      ar: [
        'للبيع نصف {type} مشاع',
        'البيع لنصف العقار فقط والسعر {posted}',
        'نصف {type} مع شريك',
        'المعروض نصف {type} بـ {posted}',
      ],
      en: [
        'Half of the {type} is for sale',
        'For sale: 50% of this {type}, {posted}',
        'Selling my half of the {type}',
        'Half share of the {type} only',
      ],
    },
  },
  {
    name: 'share of heirs',
    of: SALE,
    post: atShare(0.24, 0.42),
    says: {
      ar: [
        'للبيع حصة في {type} ورثة',
        'حصتي من الورث في {type} بـ {posted}',
        'بيع حصة مشاعة والسعر {posted}',
        'البيع على حصة وارث واحد',
        'ثلث {type} للبيع بـ {posted}',
      ],
      en: [
        'A share in the {type} is for sale',
        'Selling an inherited share, {posted}',
        'One third share of this {type}',
        'Undivided share, price of the share {posted}',
      ],
    },
  },
  {
    name: 'equity only',
    of: SALE,
    post: atShare(0.3, 0.6),
    says: {
      ar: [
        'تنازل عن {type} والمطلوب {posted} والباقي على البنك',
        'للتنازل، مدفوع {posted} والمتبقي {rest}',
        'تنازل مع نقل القرض',
        'المطلوب {posted} ويكمل المشتري باقي القرض {rest}',
        '{type} للتنازل، دفعت {posted}',
      ],
      en: [
        'Transfer of the mortgage: {posted} to the owner, {rest} remains with the bank',
        'Equity {posted}, buyer takes over the loan of {rest}',
        'Owner equity only, remaining bank loan {rest}',
        'Assignment of contract, paid so far {posted}',
      ],
    },
  },
  {
    name: 'remaining instalments',
    of: SALE,
    post: atShare(0.4, 0.68),
    says: {
      ar: [
        'باقي الأقساط {posted}',
        'المتبقي من الأقساط {posted} يتحملها المشتري',
        'السعر المذكور باقي الاقساط للبنك',
        'متبقي عليها اقساط {posted}',
      ],
      en: [
        'Remaining instalments {posted}',
        'The price is the remaining installments',
        'Remaining installments of {posted} are on the buyer',
        'Outstanding instalments {posted}, the rest was paid',
      ],
    },
  },
  {
    name: 'down payment',
    of: SALE,
    post: exactly(0.3),
    says: {
      ar: [
        'دفعة أولى 30٪ {posted}',
        'الدفعة الأولى {posted} والباقي أقساط',
        'مقدم {posted} والباقي على 5 دفعات',
        'دفعه اولى {posted} يبقى 4 دفعات',
        'المقدم {posted}',
      ],
      en: [
        'Down payment {posted}',
        '30% down payment of {posted}, the rest in instalments',
        'First payment {posted}, four more payments remain',
        'Downpayment: {posted}',
      ],
    },
  },
  {
    name: 'reservation deposit',
    of: SALE,
    post: (_, random) => ({ price: pick(random, [5_000, 10_000, 20_000, 50_000]) }),
    says: {
      ar: ['عربون الحجز {posted}', 'مبلغ الحجز {posted}', 'احجز بعربون {posted} فقط', 'رسوم الحجز {posted} مستردة'],
      en: [
        'Reservation deposit {posted}',
        'Book with {posted} only',
        'Booking fee {posted}',
        'Deposit of {posted} to reserve',
      ],
    },
  },
  {
    name: 'monthly instalment',
    of: SALE,
    post: (home) => ({ price: Math.round(home.price / 240 / 10) * 10 }),
    says: {
      ar: ['قسط شهري {posted}', 'القسط الشهري يبدأ من {posted}', 'تملك بقسط {posted} شهريا', 'اقساط شهرية {posted}'],
      en: [
        'Monthly instalment {posted}',
        'Own it for {posted} a month',
        'Installment {posted} per month',
        'Monthly payments of {posted}',
      ],
    },
  },
  {
    name: 'prices from',
    of: SALE,
    expect: 'flagged',
    post: atShare(0.62, 0.8),
    says: {
      ar: [
        'الأسعار تبدأ من {posted}',
        'ابتداء من {posted}',
        'السعر يبدأ من {posted}',
        'أسعار ابتداءً من {posted}',
        'تبدأ الاسعار من {posted} حسب المساحة',
      ],
      en: [
        'Prices from {posted}',
        'Starting at {posted}',
        'Prices start from {posted}',
        'Starting from {posted} depending on the area',
      ],
    },
  },
  {
    name: 'several units, lowest price',
    of: FLATS,
    expect: 'flagged',
    post: atShare(0.6, 0.75),
    says: {
      ar: [
        'الأسعار من {posted} إلى {price}',
        'عدة شقق بأسعار تتراوح بين {posted} و {price}',
        'شقق بمساحات مختلفة واسعار مختلفة من {posted} الى {price}',
        'الدور الأول {price} والدور الأرضي {posted}',
      ],
      en: [
        'Prices range from {posted} to {price}',
        'Several units between {posted} and {price}',
        'Units of different sizes, {posted} to {price}',
        'Prices vary from {posted} up to {price}',
      ],
    },
  },
  {
    name: 'opening bid of an auction',
    of: SALE,
    expect: 'flagged',
    post: atShare(0.5, 0.7),
    says: {
      ar: [
        'مزاد علني والسعر الافتتاحي {posted}',
        'يبدأ المزاد من {posted}',
        'مزاد إلكتروني، سعر الافتتاح {posted}',
        'افتتاح المزاد بـ {posted}',
      ],
      en: [
        'Public auction, opening bid {posted}',
        'Bidding starts at {posted}',
        'Auction with a starting price of {posted}',
        'Reserve price of the auction {posted}',
      ],
    },
  },
  {
    name: 'price stated as not real',
    of: SALE,
    expect: 'flagged',
    post: atShare(0.5, 0.72),
    says: {
      ar: [
        'السعر المذكور غير حقيقي',
        'السعر عند التواصل والمكتوب غير صحيح',
        'السعر في الإعلان رمزي',
        'السعر وهمي للاستفسار اتصل',
      ],
      en: [
        'The price in the ad is not real',
        'Price shown is symbolic, call for the price',
        'The listed price is not the actual price',
        'Ignore the price, contact us',
      ],
    },
  },
  {
    name: 'half-year payment as yearly rent',
    of: RENT,
    post: exactly(0.5),
    says: {
      ar: [
        'الإيجار السنوي {price} على دفعتين كل دفعة {posted}',
        'الإيجار {posted} كل ستة أشهر',
        '{posted} كل 6 شهور',
        'الايجار {posted} نصف سنوي',
      ],
      en: [
        '{posted} every six months',
        'Rent {posted} half-yearly, {price} per year',
        '{posted} for 6 months',
        'Yearly rent {price} in two payments of {posted}',
      ],
    },
  },
  {
    name: 'price of the furniture',
    opens: true,
    of: SALE,
    post: (_, random) => ({ price: pick(random, [12_000, 25_000, 35_000, 45_000]) }),
    says: {
      ar: ['للبيع أثاث {type} كامل بـ {posted}', 'السعر للأثاث فقط', 'تقبيل اثاث {type}'],
      en: [
        'Furniture of the {type} for {posted}',
        'The price is for the furniture only',
        'Contents for sale, {posted}',
      ],
    },
  },
  {
    name: 'time share',
    opens: true,
    of: SALE,
    post: (_, random) => ({ price: pick(random, [18_000, 30_000, 40_000]) }),
    says: {
      ar: ['تايم شير أسبوع في السنة {posted}', 'مشاركة بالوقت، أسبوعان كل سنة', 'عقد مشاركة بالوقت {posted}'],
      en: ['Time share, one week a year', 'Timeshare contract for {posted}', 'Two weeks each year, time share'],
    },
  },
]);

/** Ads whose amount has the wrong unit or period. Some texts state the correct one. */
const UNITS = kinds({ expect: 'hidden' }, [
  {
    name: 'price per m2 as total',
    of: [...SALE, 'land_sale'],
    post: (home) => ({ price: Math.round(home.price / home.area) }),
    says: {
      ar: ['سعر المتر {posted}', '{posted} للمتر', 'المتر بـ {posted}', 'السعر للمتر المربع {posted}'],
      en: ['{posted} per sqm', 'Price per square meter {posted}', '{posted}/m2', 'Per meter {posted}'],
    },
  },
  { name: 'monthly rent as yearly', of: RENT, post: (home) => ({ price: Math.round(home.price / 12 / 50) * 50 }) },
  {
    name: 'monthly rent as yearly, in text',
    of: [...RENT, 'studio_rent'],
    post: (home) => ({ price: Math.round(home.price / 12 / 50) * 50 }),
    says: {
      ar: ['الإيجار الشهري {posted}', '{posted} شهري', 'الايجار {posted} بالشهر', 'ايجار شهري {posted}'],
      en: ['{posted} per month', 'Monthly rent {posted}', '{posted} monthly', 'Rent is {posted} a month'],
    },
  },
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
  {
    name: 'yearly rent posted as sale',
    of: SALE,
    post: (home) => ({ price: Math.round((home.price * 0.055) / 500) * 500 }),
    says: {
      ar: [
        '{type} للإيجار السنوي بـ {posted}',
        'الإيجار {posted} سنويا',
        'للايجار عوائل فقط',
        'الإيجار السنوي {posted}',
      ],
      en: [
        '{type} for rent, {posted} per year',
        'Yearly rent {posted}',
        'For rent to families only',
        'Annual rent {posted}',
      ],
    },
  },
  // A price in dollars is 27% of the price in SAR. If the text does not name the currency, only the distance to comparable
  // homes reveals the error.
  { name: 'price in dollars', of: SALE, expect: 'flagged', post: inDollars },
  {
    name: 'price in dollars, in text',
    of: SALE,
    expect: 'flagged',
    post: inDollars,
    says: {
      ar: ['السعر {dollars} دولار', '{dollars} دولار أمريكي'],
      en: ['{dollars} USD', 'USD {dollars}', 'US$ {dollars}'],
    },
  },
  { name: 'price in halalas', of: HOMES, post: exactly(100) },
  {
    name: 'price in millions',
    of: SALE,
    post: (home) => ({ price: Math.round(home.price / 10_000) / 100 }),
    says: { ar: ['السعر {price}', 'المطلوب {price}'], en: ['Price {price}', 'Asking {price}'] },
  },
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
    name: 'placeholder in counting order',
    of: SALE,
    post: (_, random) => ({ price: pick(random, [12_345, 123_456, 123_456_789, 12_345_678]) }),
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
    says: {
      ar: ['المساحة {area} متر', 'مساحتها {area} م2', 'بمساحة {area}م'],
      en: ['Area {area} sqm', '{area} m2', 'Total area {area} square meters'],
    },
  },
  { name: 'area in square feet', of: HOMES, post: (home) => ({ area: Math.round(home.area * 10.764) }) },
  {
    name: 'area in square feet, in text',
    of: HOMES,
    post: (home) => ({ area: Math.round(home.area * 10.764) }),
    says: {
      ar: ['المساحة {posted_area} قدم مربع', 'مساحة {posted_area} قدم'],
      en: ['{posted_area} sq ft', '{posted_area} square feet', 'Area: {posted_area} sqft ({area} sqm)'],
    },
  },
  { name: 'area in thousands', of: FLATS, post: (home) => ({ area: home.area * 1_000 }) },
  { name: 'area of one', of: SALE, post: (_, random) => ({ area: pick(random, [1, 2, 5]) }) },
  {
    name: 'area doubled, in text',
    of: FLATS,
    home: { spread: 0.04 },
    post: (home) => ({ area: home.area * 2 }),
    says: {
      ar: ['المساحة {area} متر', 'مساحة الشقة {area} م2', 'بمساحة {area} متر مربع'],
      en: ['Area {area} sqm', '{area} m2', 'The area is {area} square meters'],
    },
  },
  {
    name: 'area of the plot for a flat',
    of: ['flat_sale', 'flat_rent'],
    post: (home, random) => ({ area: Math.round(home.area * between(random, 5, 7)) }),
  },
  {
    name: 'area of the plot for a flat, in text',
    of: ['flat_sale', 'flat_rent'],
    post: (home, random) => ({ area: Math.round(home.area * between(random, 3, 6)) }),
    says: {
      ar: ['مساحة الأرض {posted_area} ومساحة الشقة {area} متر', 'العمارة على أرض {posted_area} م والشقة {area} م'],
      en: ['Land area {posted_area} sqm, apartment {area} sqm', 'The plot is {posted_area} m2 and the flat {area} m2'],
    },
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
    says: {
      ar: ['تم البيع', 'تم البيع ولله الحمد', 'مباع', '** تم بيع ال{type} **', 'مباعة'],
      en: ['SOLD', 'This {type} has been sold', 'Sold, thank you', 'Already sold'],
    },
  },
  {
    name: 'let',
    of: RENT,
    post: atShare(0.7, 1),
    says: {
      ar: ['تم التأجير', 'تم التاجير ولله الحمد', 'مؤجرة وغير متاحة', '** تم تأجير ال{type} **'],
      en: ['RENTED', 'This {type} has been rented out', 'Already rented', 'Rented, no longer available'],
    },
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
    says: {
      ar: ['مطلوب {type} للشراء بحدود {posted}', 'أرغب بشراء {type} كاش', 'مشتري جاد يبحث عن {type}'],
      en: [
        'Looking to buy a {type}, budget {posted}',
        'Wanted: {type} for a serious buyer',
        'I want to buy a {type} in {place}',
      ],
    },
  },
  {
    name: 'land posted as villa',
    opens: true,
    of: VILLAS,
    post: (home, random) => ({ ...atShare(0.42, 0.62)(home, random), bedrooms: null }),
    says: {
      ar: ['أرض سكنية للبيع مساحة {area}', 'قطعة أرض على شارع 20', 'أرض خام جاهزة للبناء'],
      en: ['Residential plot for sale, {area} sqm', 'Vacant land ready to build on', 'Plot of land on a 20 m street'],
    },
  },
  {
    name: 'old house sold as land',
    opens: true,
    of: VILLAS,
    expect: 'not_a_deal',
    post: atShare(0.5, 0.65),
    says: {
      ar: ['بيت قديم يباع أرض', 'هدد، البناء لا قيمة له', 'بيت شعبي للهدم والسعر سعر الأرض'],
      en: ['Old house sold at land value', 'For demolition, price of the land', 'Tear-down, land value only'],
    },
  },
  {
    name: 'unfinished structure',
    opens: true,
    of: VILLAS,
    expect: 'not_a_deal',
    post: atShare(0.48, 0.65),
    says: {
      ar: ['فيلا عظم', 'عظم بدون تشطيب', 'هيكل انشائي غير مشطب'],
      en: ['Unfinished structure', 'Shell and core, no finishing', 'Concrete structure only'],
    },
  },
  {
    name: 'right of use',
    of: FLATS,
    expect: 'not_a_deal',
    post: atShare(0.45, 0.65),
    says: {
      ar: ['حق انتفاع 20 سنة', 'البيع حق منفعة لمدة 15 سنة', 'عقد انتفاع لا تملك'],
      en: ['Usufruct for 20 years', 'Leasehold, 15 years left', 'Right of use only, no title deed'],
    },
  },
  {
    name: 'text of another city',
    opens: true,
    of: FLATS,
    expect: 'not_a_deal',
    post: atShare(0.5, 0.7),
    says: {
      ar: ['الموقع جدة حي الصفا', 'العقار في مدينة أبها', 'في الدمام حي الشاطئ', 'بمدينة تبوك حي المروج'],
      en: ['The property is in Jeddah, Al Safa', 'Located in Abha city', 'In Dammam, Ash Shati district'],
    },
  },
  {
    name: 'room in a shared flat',
    opens: true,
    of: ['flat_rent'],
    expect: 'not_a_deal',
    post: atShare(0.4, 0.6),
    says: {
      ar: ['غرفة في شقة مشتركة', 'سكن مشترك للعزاب، غرفة واحدة', 'غرفة مفروشة داخل شقة'],
      en: ['A room in a shared apartment', 'Shared accommodation, one room', 'Bed space in a shared flat'],
    },
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
    says: {
      ar: ['عمارة سكنية للبيع 8 شقق', 'عمارة من 3 أدوار و6 شقق'],
      en: ['Residential building with 8 apartments', 'Whole building, 6 flats on 3 floors'],
    },
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
    says: {
      ar: ['بيع عاجل لظروف السفر {posted}', 'السعر {posted} لسرعة البيع'],
      en: ['Urgent, owner is leaving, {posted}', 'Priced at {posted} for a quick deal'],
    },
  },
  { name: 'large home', of: ['villa_sale', 'floor_sale', 'villa_rent'], home: { areas: 2.2, age: 2, spread: 0.05 } },
  {
    name: 'floors and a half',
    of: VILLAS,
    says: {
      ar: ['فيلا دور ونصف', 'دورين ونصف مع ملحق', 'فيلا نصف تشطيب خارجي حجر'],
      en: ['One and a half floors', 'Two and a half storeys', '2.5 floors with annex'],
    },
  },
  {
    name: 'instalment plan',
    of: SALE,
    says: {
      ar: [
        'السعر {price} ويقبل البنك بدفعة أولى 10%',
        'إمكانية التقسيط بدون مقدم',
        'السعر {price} كاش أو أقساط',
        'نساعدك بالتمويل، دفعة أولى 5٪',
      ],
      en: [
        '{price}, instalments available',
        'Price {price}, bank financing with 10% down payment',
        'Payment plans accepted',
        'No down payment, financing available',
      ],
    },
  },
  {
    name: 'half bath',
    of: SALE,
    says: {
      ar: ['حمامين ونصف', 'ثلاث دورات مياه ونصف', 'نصف حمام للضيوف'],
      en: ['Two and a half baths', 'Half bath for guests', '3.5 bathrooms'],
    },
  },
  {
    name: 'million and a half in words',
    of: VILLAS,
    post: (home) => {
      const millions = Math.max(1, Math.round(home.price / 1_000_000 - 0.5));
      const price = (millions + 0.5) * 1_000_000;
      return { price, area: Math.round((home.area * price) / home.price), numbers: { millions } };
    },
    says: {
      ar: ['السعر {millions} مليون ونصف', 'المطلوب {millions} مليون و نصف'],
      en: ['{millions} and a half million riyals', 'Price: {millions} and a half million'],
    },
  },
  {
    name: 'price on request',
    of: HOMES,
    expect: 'unpriced',
    home: {},
    post: () => ({ price: null }),
    says: { ar: ['السعر عند التواصل', 'السعر على السوم'], en: ['Price on request', 'Call for the price'] },
  },
  { name: 'old flat at its price', of: ['flat_sale'], home: { age: 27, spread: 0.04 } },
  {
    name: 'luxury',
    of: SALE,
    home: { age: 0, spread: 0.04 },
    post: (home) => ({ price: rounded(home.price * 1.7) }),
    says: {
      ar: ['تشطيب فاخر جدا مع مسبح ومصعد', 'سوبر ديلوكس أثاث إيطالي'],
      en: ['Luxury finishing, pool and lift', 'Super deluxe with Italian furniture'],
    },
  },
  { name: 'small studio', of: ['studio_rent'], home: { areas: 0.52, spread: 0.05 } },
  {
    name: 'earlier price in text',
    of: SALE,
    home: { spread: 0.04 },
    post: (home) => ({ amounts: { before: rounded(home.price * 1.15) } }),
    says: {
      ar: ['السعر قبل {before} والآن {price}', 'كان {before} وصار {price}'],
      en: ['Was {before}, now {price}', 'Reduced from {before} to {price}'],
    },
  },
  {
    name: 'neighbor sold',
    of: FLATS,
    says: {
      ar: [
        'تم بيع جميع الشقق وبقيت هذه الشقة',
        'آخر شقة في العمارة، الباقي تم بيعها',
        'الدور الأرضي مباع والدور الأول متاح',
      ],
      en: ['All other units are sold, this is the last one', 'Last unit left, the others were sold'],
    },
  },
  {
    name: 'income of a let home',
    of: SALE,
    post: (home) => ({ amounts: { income: Math.round((home.price * 0.05) / 1_000) * 1_000 } }),
    says: {
      ar: ['مؤجرة بـ {income} سنويا والسعر {price}', 'الدخل السنوي {income}', 'عليها مستأجر يدفع {income}'],
      en: ['Rented at {income} a year, price {price}', 'Yearly income {income}', 'Let for {income} until next year'],
    },
  },
  {
    name: 'price per m2 next to total',
    of: SALE,
    says: {
      ar: ['السعر {price} يعني المتر بـ {per_sqm}', 'سعر المتر {per_sqm} والإجمالي {price}'],
      en: ['{price}, that is {per_sqm} per sqm', 'Total {price} ({per_sqm} per square meter)'],
    },
  },
  {
    name: 'areas of plot and building',
    of: VILLAS,
    post: (home) => ({ numbers: { built: Math.round(home.area * 1.3) } }),
    says: {
      ar: ['مساحة الأرض {area} ومسطح البناء {built}', 'الأرض {area} م والبناء {built} م'],
      en: ['Plot {area} sqm, built-up area {built} sqm', 'Land area {area} m2 and built area {built} m2'],
    },
  },
  {
    name: 'rent in two payments',
    of: RENT,
    says: {
      ar: ['الإيجار {price} على دفعتين كل دفعة {half}', 'دفعتين، الدفعة {half}'],
      en: ['{price} a year in two payments of {half}', 'Two payments, {half} each'],
    },
  },
  {
    name: 'rent stated by month too',
    of: RENT,
    says: {
      ar: ['السنوي {price} أو شهري {month}', '{price} سنوي ويعادل {month} شهريا'],
      en: ['{price} a year, about {month} per month', 'Yearly {price}; monthly {month} possible'],
    },
  },
  {
    name: 'words of shares in another sense',
    of: SALE,
    says: {
      ar: ['لا تنازل عن الجودة', 'موقف مشترك وحصة في الحديقة', 'قريب من نصف القمر'],
      en: ['Shared garden and parking', 'Starting a new life in {place}', 'Kitchen to be sold with the {type}'],
    },
  },
  {
    name: 'annual fee of the compound',
    of: FLATS,
    post: () => ({ amounts: { fee: 6_000 } }),
    says: {
      ar: ['رسوم اتحاد الملاك {fee} سنويا', 'رسوم الصيانة {fee} في السنة'],
      en: ['Owners association fee {fee} a year', 'Service charge {fee} per year'],
    },
  },
  {
    name: 'warranty of the structure',
    of: SALE,
    says: {
      ar: ['ضمان على العظم 10 سنوات', 'ضمانات: الهيكل الإنشائي والعظم 15 سنة'],
      en: ['10 years of warranty on the structure', 'Warranty: concrete structure 15 years'],
    },
  },
  {
    name: 'roof for the use of the owner',
    of: FLATS,
    says: {
      ar: ['السطح منفعته لصاحب الشقة وغير مسجل في الصك', 'حق الانتفاع بالسطح مشمول'],
      en: ['The roof is for the use of the owner', 'Comes with the right to use the roof'],
    },
  },
  {
    name: 'areas from',
    of: FLATS,
    says: {
      ar: ['مساحات تبدأ من 110م', 'المساحات من 105 إلى 320 متر'],
      en: ['Areas start from 110 sqm', 'Sizes between 105 and 320 sqm'],
    },
  },
  {
    name: 'bids below the price',
    of: SALE,
    post: (home) => ({ amounts: { bid: rounded(home.price * 0.85) } }),
    says: {
      ar: ['السوم واصل {bid} والحد {price}', 'وصلت {bid} والبيع على {price}'],
      en: ['Highest bid so far {bid}, the owner asks {price}', 'Offers reached {bid}, asking {price}'],
    },
  },
  {
    name: 'assignment at the full price',
    of: SALE,
    says: {
      ar: ['السعر {price} كامل والتنازل لدى المطور إلى صدور الصك', 'الإفراغ فوري والسعر {price}'],
      en: ['Full price {price}, assigned at the office of the developer', 'Immediate transfer of the deed, {price}'],
    },
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
