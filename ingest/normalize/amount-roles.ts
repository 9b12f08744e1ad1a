import type { RentFrequency } from '#domain/listing-vocabulary.ts';
import { matchesOf, wholeWords } from './patterns.ts';

export type AmountRole =
  | 'total'
  | 'unit'
  /** Lowest price of several units, or the opening price of an auction. */
  | 'start'
  | 'down'
  /** Remaining bank debt, or an amount already paid. */
  | 'equity'
  | 'share'
  | 'instalment'
  | 'furniture'
  | 'rent'
  | 'per_sqm'
  /** Bids, fees, rental income, earlier prices, or goods sold with the home. */
  | 'other';

const words = (source: string): RegExp => wholeWords(source, 'gu');
/** Optional prefixes of a word: `و`, `ب` and the article. */
const PRE = '(?:و|ف)?(?:ب)?(?:ال)?';

interface RoleRule {
  role: AmountRole;
  words: RegExp;
  period?: RentFrequency;
  /** Example texts whose last amount has the role. */
  examples: readonly string[];
}

/** Words anywhere before an amount. These rules apply before all others. */
const INCOME_AND_GOODS: readonly RoleRule[] = [
  {
    role: 'other',
    words: words('(?:ال)?(?:موجر|مجر|مستاجر|مستثمر)(?:ه)?|تاجيرها|دخل|دخلها|rented|let|income'),
    examples: ['الشقة مؤجرة بمبلغ 78 الف', 'موجره بعقد سنوي بقيمه 23 الف ريال', 'Rented for 60,000'],
  },
  {
    role: 'equity',
    words: words(
      '(?:(?:عليها|عليه|علي|فك) (?:ال)?(?:بنك|قرض|رهن|صندوق|مديونيه)|(?:لل|ل|ال)سداد|سداد المبكر)(?!.*(?:بيع|سعر|مطلوب|الحد|سوم|يبغي))',
    ),
    examples: ['عليها قرض بقيمة 400 الف', 'للسداد 275000'],
  },
  {
    role: 'furniture',
    words: words(
      '(?:ال)?(?:مطبخ|اثاث|طاوله|مكيفات|طعام|تاثيث)[^\\n]{0,30} (?:قيمته|قيمتها|سعره|سعرها|تكلفته|بقيمه)|زياده علي السعر|زياده',
    ),
    examples: ['المطبخ الراكب قيمته 55 الف', 'زيادة على السعر 20 الف'],
  },
];

/** Words before an amount. The last one that matches determines its role. */
const BEFORE: readonly RoleRule[] = [
  {
    role: 'total',
    words: words(
      `${PRE}(?:سعر|سعره|سعرها|مطلوب|حد|حدها|قيمه|قيمتها|قيمته)|السعر الاجمالي|اجمالي السعر|والاجمالي|${PRE}بيع(?: ب| علي| بمبلغ)?|البيعه|وصار|صار|علي شور|شور|` +
        'price[sd]?|priced at|asking|now|total|full price|asks?',
    ),
    examples: ['السعر ٨٥٠ ألف', 'السعر: 850.000 الف', 'البيع مليونين و 50 الف ريال', 'asking 850k SAR'],
  },
  {
    role: 'start',
    words: words(
      '(?:ت|ي|ب)بد[اي]?ء?|(?:ت|ي|ب)بدا? من|(?:ت|ي)بدا(?:ء)? (?:من|ب)|تبتدي|ابتدا(?:ء)?ا? ?من|بدايه|من بدايه|بدا من|ابتداء|' +
        '(?:ال)?اسعار(?:ها|هم|نا)? (?:من|بين|تتراوح)|(?:ب|و)(?:ال)?اسعار(?:ها)? (?:من|بين|تتراوح)|تتراوح بين|واسعار من|(?:ال)?مزاد|(?:ال)?افتتاح(?:ي|ه)?|' +
        'prices?(?: are| range)? (?:from|start(?:s|ing)? (?:from|at))|start(?:s|ing)?(?: price)? (?:from|at)|starting price(?: of| is)?|from only|' +
        'prices (?:range|vary) from|between|opening (?:bid|price)|bidding starts at|reserve price(?: of the auction)?|auction[a-z ]*',
    ),
    examples: ['الأسعار تبدأ من 780 الف', 'Prices from 590 to 720k', 'افتتاح المزاد 500 الف'],
  },
  {
    role: 'down',
    words: words(
      `${PRE}دفع[هة]? ?(?:ال)?(?:مقدمه|اولي|اول)(?: فقط)?|${PRE}(?:مقدم|عربون)|(?:ال)?دفعه اولي مقدم|` +
        '(?:مبلغ|رسوم|عربون|وعربون)(?: ال| )حجز|مبلغ الحجز|رسوم الحجز|بعربون|احجز(?:ها)? ب|عربون الحجز|' +
        'down ?payments?|first payment|deposit|(?:reservation|booking) (?:fee|deposit|amount)|book(?:ing)? (?:with|for)',
    ),
    examples: ['دفعة أولى 30٪ 377,700', 'احجز بعربون 10 آلاف فقط', 'Down payment SAR 300,000'],
  },
  {
    role: 'equity',
    words: words(
      `${PRE}متبقي(?:ه)?|${PRE}باقي|${PRE}تنازل|للتنازل|مدفوع|دفعت|دفع|يكمل|قرض|القرض|(?:ال)?رهن|مرهونه|` +
        'مديونيه|مديونة|التزام|سداد(?: مبكر)?|السداد|' +
        'equity|remain(?:s|ing)?|outstanding|take ?over|takes over|loan|mortgage|assignment|paid(?: so far)?|transfer fee',
    ),
    examples: ['متبقي عليها البنك الراجحي 270 الف', 'Outstanding loan 500,000'],
  },
  {
    role: 'unit',
    words: words('(?:و)?(?:ال)?دور (?:ال)?(?:ارضي|اول|ثاني|ثالث|علوي)(?= ?$)'),
    examples: ['الدور الأول 650 ألف'],
  },
  {
    role: 'share',
    words: words(`(?:${PRE})?(?:حصه|حصتي|نصيب|نصيبي|ثلث|نصف العقار)|share|half`),
    examples: ['نصيبي 425000', 'Half share 425,000'],
  },
  {
    role: 'instalment',
    words: words(
      '(?:ال|ب|و|بال)?(?:قسط|اقساط)(?: ال?شهري(?:ه)?)?|قسط شهري|(?:كل|ال|و?ال)?دفعه(?! (?:ال)?اول)|دفعات|دفعتين|' +
        'instal?lments?|monthly payments?|payments? of|each payment',
    ),
    examples: ['كل دفعة 30 الف', 'Monthly instalment 3,500 SAR', 'Monthly payment 3,500 SAR'],
  },
  {
    role: 'furniture',
    words: words(
      '(?<!(?:بدون|شامل|مع|غير) (?:ال)?)(?:لل|ال)?(?:اثاث|عفش)|(?<!(?:without|including|with) )(?:furniture|contents)',
    ),
    examples: ['للأثاث 40 ألف', 'Furniture SAR 40,000'],
  },
  {
    role: 'rent',
    words: words(
      `${PRE}(?:ايجار|ايجارها|اجار|تاجير)(?:ات)?(?: ال?(?:سنوي|شهري))?|للايجار|rent(?: is)?|yearly rent|annual rent|monthly rent|rental`,
    ),
    examples: ['الإيجار 60 الف', 'Annual rent 60,000'],
  },
  {
    role: 'per_sqm',
    words: words('(?:سعر )?(?:ال|لل|ب|بال)?متر(?: ال?مربع)?(?: ب)?|per (?:sqm|m2|meter|metre|square)'),
    examples: ['سعر المتر 5,667'],
  },
  {
    role: 'other',
    words: words(
      `${PRE}(?:سوم|سومه|سومها|سيمت|سايم|مسيومه|عليها|عليه|وصل|وصلت|واصل|كان|كانت|قبل|سابق|سابقا|عمول[ههت]*|سعي|ضريب[هة]|رسوم|تكلفه|تكلفتها|قيمه التاثيث|دخل|دخلها|مدخول|مدخولها|عائد|عايد|مؤجره|موجره|مجره|مستاجره|موجر|مستثمره|مستاجر|تامين|غرامه|دعم|خصم|تخفيض|خفض|نزل|نزلت|خصومات|راتب|رواتب|تقييم|مقيمه|صيانه|رقم|جوال|ترخيص|هاتف|يدفع|عداد|شراء|اشتريت|شريت|تكييف|حارس|الحارس|اتحاد)|` +
        'bids?|offers?(?: reached)?|was|reduced from|before|fee|fees|charge|commission|tax|vat|income|rented(?: at| for)?|let for|service|valued|bought|license|licence|discount|support|salary|no|number|budget',
    ),
    examples: ['السوم وصل 820 الف', 'رسوم الصيانة 6000 ريال', 'Reduced from SAR 950,000', 'commission 20,000'],
  },
];

/** Words directly after an amount that determine its role. */
export const BEHIND: readonly RoleRule[] = [
  {
    role: 'per_sqm',
    words: /^(?:\/ ?|per |a |لل|لكل |كل )(?:m2|م2|sqm|sq|square|met(?:er|re)|المتر|متر|م)(?![a-z0-9\u0621-\u064a])/u,
    examples: ['850 ألف للمتر', '5,000 SAR per sqm'],
  },
  {
    role: 'instalment',
    words:
      /^(?:قسط|كقسط|اقساط(?! (?:متاح|ميسر|مريح))|شهريا? قسط|instal(?!\w* (?:available|accepted|possible|welcome|offered)))/u,
    examples: ['3500 قسط شهري', 'السعر 3,500 SAR instalment'],
  },
  {
    role: 'down',
    words: /^(?:دفعه اولي|مقدم(?![a-z\u0621-\u064a])|عربون|down ?payment|deposit|only to (?:book|reserve)|to reserve)/u,
    examples: ['377,700 دفعة أولى', '20,000 SAR only to reserve'],
  },
  {
    role: 'equity',
    words:
      /^(?:للبنك|للصندوق|و?يكمل|ونقل|مع نقل|علي البنك|والباقي|والمتبقي|متبقي|باقي|is left|remain|left to|to the owner|equity)/u,
    examples: ['360 الف للبنك', '270,000 is left to the bank'],
  },
  {
    role: 'rent',
    period: 'semiannually',
    words:
      /^(?:(?:كل|for|every|in)? ?(?:سته|ست|6|six) ?(?:اشهر|شهور|months)|(?:ال)?نصف سنوي|نصف السنه|half[- ]?yearly|semi)/u,
    examples: ['الإيجار 30000 كل ستة أشهر'],
  },
  {
    role: 'rent',
    period: 'quarterly',
    words: /^(?:كل|for|every)? ?(?:ثلاثه|3|three) (?:اشهر|شهور|months)|^(?:ربع سنوي|quarterly)/u,
    examples: ['الإيجار 15000 كل ثلاثة أشهر', 'Rent 15,000 quarterly'],
  },
  {
    role: 'rent',
    period: 'monthly',
    words: /^(?:شهري|شهريا|بالشهر|في الشهر|كل شهر|ال?شهري|per month|a month|monthly|\/ ?(?:month|شهر))/u,
    examples: ['الإيجار 4500 شهريا', '4,500 SAR per month'],
  },
  {
    role: 'rent',
    period: 'daily',
    words: /^(?:يومي|يوميا|في اليوم|باليوم|لليله|لليوم|per (?:day|night)|a (?:day|night)|daily|nightly)/u,
    examples: ['400 ريال يوميا', 'SAR 400 per night'],
  },
  {
    role: 'rent',
    period: 'weekly',
    words: /^(?:اسبوعي|اسبوعيا|في الاسبوع|per week|a week|weekly)/u,
    examples: ['1500 ريال في الأسبوع'],
  },
  {
    role: 'rent',
    period: 'yearly',
    words:
      /^(?:سنوي|سنويا|سنويه|في السنه|بالسنه|للسنه|per year|a year|yearly|annual|per annum|p ?\. ?a|\/ ?(?:year|سنه))/u,
    examples: ['60 ألف سنويا', '60,000 SAR per annum'],
  },
  { role: 'rent', words: /^(?:ايجار|دخل|income|rent)/u, examples: ['60 الف دخل'] },
  {
    role: 'start',
    words: /^(?:الي|حتي|to|up to) (?:\d{5}|\d[\d,.]* (?:الف|مليون|k|m|million))/u,
    examples: ['850 الف الى 950 الف'],
  },
  {
    role: 'total',
    words: /^(?:excluding commission|including commission|net|كاش|صافي|قابل للتفاوض|غير قابل|negotiable|شامل السعي)/u,
    examples: ['850 الف كاش', '850,000 SAR net'],
  },
];

export const ROLE_RULES: readonly RoleRule[] = [...INCOME_AND_GOODS, ...BEFORE, ...BEHIND];

export const PERIODS_BEFORE: readonly (readonly [RentFrequency, RegExp])[] = [
  ['monthly', /(?:ال)?شهري(?:ه|ا)?(?![a-z\u0621-\u064a])|monthly/u],
  ['semiannually', /نصف سنوي|كل دفعه|half[- ]?yearly|every six months/u],
  ['daily', /يومي|daily|nightly/u],
  ['yearly', /سنوي|yearly|annual/u],
];

/** Roles that take precedence over a word for price or value before the amount: `مؤجرة بقيمة`, `تبدأ الأسعار من`. */
const OUTWEIGHS: ReadonlySet<string> = new Set<AmountRole>(['start', 'rent']);
const UNITS_NAMED = words(
  'شقق|ادوار|فلل|كل (?:شقه|الادوار|دور|وحده)|(?:ال)?شقه رقم|رقم (?:واحد|ثنين|اثنين)|شقه \\d{1,2}|شقتين|كما|يتوفر|متوفر|يوجد لدينا|(?:ال)?(?:اولي|ثانيه|ثالثه)|الاراضي|بعض|(?:ال)?علوي(?:ه)?|(?:ال)?ملحق|شقه السطح|' +
    'units?|other|another|each',
);

export function roleBefore(window: string): AmountRole | null {
  const always = INCOME_AND_GOODS.find(({ words }) => window.search(words) >= 0);
  if (always !== undefined) return always.role;
  let role: AmountRole | null = null;
  let end = -1;
  let begin = -1;
  for (const { role: candidate, words } of BEFORE)
    for (const match of matchesOf(window, words)) {
      const to = match.index + match[0].length;
      if (candidate === 'total' && role !== null && OUTWEIGHS.has(role)) continue;
      if (to > end || (to === end && match.index < begin) || (role === 'total' && OUTWEIGHS.has(candidate))) {
        role = candidate;
        end = to;
        begin = match.index;
      }
    }
  return role === 'total' && window.search(UNITS_NAMED) >= 0 ? 'unit' : role;
}

export function strongerRole(before: AmountRole | null, behind: AmountRole | null, after: string): AmountRole | null {
  // `السعر 500 ألف بنك` is a price for buyers with a loan, `عليها 100 ألف بنك` is a debt.
  if (before === 'other' && after.startsWith('بنك')) return 'equity';
  if (before === null || behind === null) return before ?? behind;
  // `مؤجرة بـ 60 ألف سنويا` is the income of a home, `السعر 60 ألف سنويا` its rent.
  const isWeaker =
    behind === 'total' || behind === 'start' || (behind === 'rent' && (before === 'other' || before === 'instalment'));
  return isWeaker ? before : behind;
}
