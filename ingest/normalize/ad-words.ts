import { foldText } from '#domain/fold.ts';
import {
  AMENITIES,
  type Amenity,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  type PropertyType,
  type RentFrequency,
} from '#domain/listing-vocabulary.ts';
import { memoize } from '#domain/memoize.ts';
import {
  clausesOf,
  isNearby,
  isNegated,
  isOptional,
  Lexicon,
  type Mention,
  phraseAt,
  phraseList,
  wordsOf,
} from '#domain/text/phrases.ts';
import { ADVERTISER_WORDS, PERIOD_WORDS, PURPOSE_WORDS, STATE_WORDS, TYPE_WORDS } from '#domain/text/word-lists.ts';
import { AMENITIES_OF_LISTS } from './amenity-phrases.ts';
import { readFlag } from './flags.ts';
import { isBlank } from './numbers.ts';
import { END, onlyOf } from './patterns.ts';

/** Names of programs, such as `ActiveUnderContract` and `sq_ft`, as words. */
export const spaced = (text: string): string => text.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ');

/** Reads a whole text that is a name, else the only mention that is not negated. */
function reader<Value extends string>(lexicon: Lexicon<Value>): (text: string) => Value | null {
  return memoize((stated) => {
    const text = spaced(stated);
    const whole = lexicon.whole(text);
    if (whole !== null) return whole;
    const clauses = clausesOf(text);
    return onlyOf(
      lexicon
        .mentions(clauses)
        .filter(({ clause, from, to }) => !isNegated(clauses[clause] as string[], from, to))
        .map(({ value }) => value),
    );
  });
}

const purposes = new Lexicon(PURPOSE_WORDS);
export const readPurpose = reader(purposes);

const JOINING = new Set(wordsOf('and, or, for, both, و, او'));

/** Whether a purpose is for sale and for rent. A rent that ends with the purchase is neither. */
export const isForBoth: (text: string) => boolean = memoize((text) => {
  const clauses = clausesOf(text);
  const mentions = purposes.mentions(clauses);
  const rest = clauses.flatMap((words, clause) =>
    words.filter((_, at) => !mentions.some((one) => one.clause === clause && at >= one.from && at < one.to)),
  );
  const isLinked = rest.length > 0 || clauses.length > 1 || /[^\p{L}\s]|(?<!\p{L})و/u.test(text);
  return isLinked && new Set(mentions.map(({ value }) => value)).size === 2 && rest.every((word) => JOINING.has(word));
});

export type AdState = 'offered' | 'reserved' | 'not_offered';
const stateOf = reader(new Lexicon(STATE_WORDS));

/** Reads a word for the state of an ad, or whether it is active; null for anything else. */
export function readState(value: string | number | boolean | null | undefined): AdState | null {
  const word = typeof value === 'string' ? stateOf(value) : null;
  const isActive = word === null && !isBlank(value) ? readFlag(value) : null;
  return word ?? (isActive === null ? null : isActive ? 'offered' : 'not_offered');
}

/** Why an ad that its source still lists is not offered. */
export type AdEnd = 'sold' | 'rented' | 'withdrawn';
const endOf = reader(
  new Lexicon<AdEnd>({
    sold: 'sold out, مباع, مباعة, تم البيع, تم بيعه, تم بيعها, بيعت, انباع, انباعت',
    rented:
      'rented out, leased, leased out, let, مؤجر, مؤجرة, مستأجر, مستأجرة, تم التأجير, تم الإيجار, تم تأجيره, تم تأجيرها',
    withdrawn: '',
  }),
);

/** Reads the reason of a state that is `not_offered`. */
export const readEnd = (value: unknown): AdEnd => (typeof value === 'string' ? endOf(value) : null) ?? 'withdrawn';

const periods = new Lexicon(PERIOD_WORDS);
/** Spellings in feeds that are ambiguous in search sentences, and unit codes of schema.org. */
const FEED_PERIODS: Partial<Record<RentFrequency, string>> = {
  daily: 'every day, كل يوم, كل ليلة',
  weekly: 'every week, wee, كل أسبوع',
  monthly: 'mon, pm, p.m., p.c.m., per calendar month, every month, 1 month, one month, لكل شهر',
  quarterly: 'كل ثلاث أشهر',
  semiannually: 'نص سنوي, every six months, ست شهور, لكل 6 أشهر, لكل 6 شهور',
  yearly: 'ann, 12 months, every 12 months, every year, 1 year, one year, 12 شهر, كل عام, لكل سنة, لكل عام',
};
for (const [period, names] of Object.entries(FEED_PERIODS) as [RentFrequency, string][])
  for (const name of names.split(',')) periods.add(name.trim(), period);

/** Words with a period that do not change it. */
const WITH_PERIOD = new Set(
  wordsOf(
    `rent, rental, rate, price, paid, payment, payments, installment, installments, cheque, cheques, check, checks, contract,
    lease, basis, basic, per, including, incl, inclusive, excluding, utilities, bills, water, electricity, only, sar, on, in,
    by, p, a, an, the, of, for, and, s, negotiable, one, single, ايجار, الايجار, بالايجار, للايجار, اجار, عقد, العقد, دفع, الدفع,
    دفعه, دفعات, الدفعات, دفعتين, دفعتان, واحده, شامل, شامله, غير, الكهرباء, كهرباء, الكهرب, والكهرب, الموية, موية, الماء, ماء, الخدمات, قسط, اقساط, سعر,
    السعر, ريال, فقط, علي, بنظام, نظام, قابل, قابله, للتفاوض, للتقسيط`,
  ),
);
interface Period {
  period: RentFrequency | 'unclear' | null;
  rest: string[];
}

function periodIn(clauses: readonly string[][]): Period {
  const mentions = periods.mentions(clauses);
  const [period = null, ...others] = new Set(mentions.map(({ value }) => value));
  const isDenied = mentions.some(({ clause, from, to }) => isNegated(clauses[clause] as string[], from, to));
  const rest = clauses.flatMap((words, clause) =>
    words.filter((_, at) => !mentions.some((one) => one.clause === clause && at >= one.from && at < one.to)),
  );
  return { period: isDenied || others.length > 0 ? 'unclear' : period, rest };
}

/** Reads a rent period whose words all have a known meaning; null for anything else, such as `bi-weekly`. */
export const readPeriod: (text: string) => RentFrequency | null = memoize((text) => {
  const whole = periods.whole(text.replace(/^\s*\/\s*/, ''));
  if (whole !== null) return whole;
  const clauses = clausesOf(text);
  const { period, rest } = periodIn(clauses);
  if (period === 'unclear') return null;
  const [payments] = clauses.flat().filter((word) => /^\d/.test(word));
  const isKnown = rest.every((word) => WITH_PERIOD.has(word) || word === payments);
  // `monthly (paid yearly)` states two periods, `yearly, 2 payments` one.
  const isCounted = payments === undefined || period === 'yearly';
  return isKnown && isCounted ? period : null;
});

/** Words for payments per year. If they replace the period, the amount is annual. */
const PAYMENTS = /دفع[هةات]|دفعتين|قسط|[اأ]قساط|payment|che(?:que|ck)|instal/i;

/** And no period. */
export const statesPayments = (text: string): boolean =>
  PAYMENTS.test(text) && periodIn(clausesOf(text)).period === null;

/** Words that do not change the amount that follows. */
const PRICE_LABELS = new Set(
  wordsOf(
    `price, asking, total, sale, rent, for, is, at, only, net, final, about, approx, approximately, hotel, apartment, villa, land,
    house, property, حد, حده, حدنا, اخر, قبل, ضريبة, قدره, قيمتها,
    قيمته, listing, فقط, كاش, شامل, سعر, السعر, سعرها, سعره, بسعر, ب, مطلوب, المطلوب, مبلغ, بمبلغ, قيمة, القيمة, ثمن, صافي, اجمالي, حوالي, بيع, للبيع,
    ايجار, شقة, فيلا, ارض, عمارة, دور, عقار`,
  ),
);
/** Words that do not change the amount before them. */
const PRICE_REMARKS = new Set([
  ...PRICE_LABELS,
  ...wordsOf(
    `cash, fixed, firm, negotiable, slightly, ono, obo, or, best, offer, all, plus, including, includes, included, incl,
    inclusive, excluding, excl, exclusive, before, not, of, the, with, without, vat, tax, taxes, rett, commission, fee, fees, utilities,
    bills, water, electricity, services, كاش, نقدا, فقط, لا, غير, نهائي, ثابت, قابل, قابلة, تفاوض, بسيط, او, اقرب, عرض, تقريبا, شامل,
    شاملة, يشمل, بدون, مع, زائد, علي, كل, شيء, ضريبة, تصرفات, عقارية, مضافة, سعي, عمولة, كهرباء, ماء, خدمات, مباشر, مباشرة, من, مالك, نقاش, للنقاش, كامل, لكامل, بنك, يقبل,
    تمويل, مشتري, ادني, موية, كهرب`,
  ),
]);
/** Also with "and", "for" or the article. */
const isAmong = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) || words.has(word.replace(/^و?(?:ال|لل)?(?=\p{L}{2})/u, ''));

/** Null if a word is unknown and no period is stated. */
export function periodOfPrice(before: readonly string[], after: readonly string[]): Pick<Period, 'period'> | null {
  const [ahead, behind] = [before, after].map((words) => {
    const text = words.join(' ');
    const whole = periods.whole(text);
    return whole === null ? periodIn(clausesOf(text)) : { period: whole, rest: [] };
  }) as [Period, Period];
  const period = ahead.period !== null && behind.period !== null ? 'unclear' : (ahead.period ?? behind.period);
  const isKnown =
    ahead.rest.every((word) => isAmong(PRICE_LABELS, word)) &&
    behind.rest.every((word) => isAmong(PRICE_REMARKS, word) || (period !== null && isAmong(WITH_PERIOD, word)));
  if (isKnown) return { period };
  return period === null ? null : { period: 'unclear' };
}

export const readAdvertiserType = reader(new Lexicon(ADVERTISER_WORDS));

export const types = new Lexicon(TYPE_WORDS);
for (const type of PROPERTY_TYPES) {
  types.add(PROPERTY_TYPE_TABLE[type].name_ar, type);
  types.add(PROPERTY_TYPE_TABLE[type].name_en, type);
}

/** Words that introduce a location: an apartment in a villa is an apartment. */
const LOCATIVES = phraseList(
  'in, inside, within, of, at, on, with, in a, in an, in the, of a, في, داخل, ضمن, من, بداخل, مع',
);

export const readPropertyType = memoize((stated) => {
  const text = spaced(stated);
  const whole = types.whole(text);
  if (whole !== null) return whole;
  const clauses = clausesOf(text);
  const clauseOf = ({ clause }: Mention<PropertyType>) => clauses[clause] as string[];
  const named = types
    .mentions(clauses)
    .filter((mention) => !isNegated(clauseOf(mention), mention.from, mention.to))
    .filter((mention) => !isPlace(clauseOf(mention), mention.from));
  // A nearby place is not the property: `near metro: apartment` is an apartment.
  const here = named.filter((mention) => !isNearby(clauseOf(mention), mention.from, mention.to));
  const mentions = here.length > 0 ? here : named;
  const first = mentions[0];
  if (first === undefined) return null;
  // In English, the last of adjacent type words applies (`villa apartment`); in Arabic, the first.
  const isLatin = /^[a-z]/.test(clauses[first.clause]?.[first.from] ?? '');
  return isLatin ? lastInRow(mentions).value : first.value;
});

function isPlace(words: readonly string[], from: number): boolean {
  return [1, 2].some((back) => from >= back && phraseAt(words, from - back, LOCATIVES) === back);
}

function lastInRow<Value>(mentions: readonly Mention<Value>[]): Mention<Value> {
  let last = mentions[0] as Mention<Value>;
  for (const next of mentions.slice(1)) {
    if (next.clause !== last.clause || next.from !== last.to) break;
    last = next;
  }
  return last;
}

/** `lift: 0`, `lift 0%`, `عدد المصاعد: لا يوجد`, `!lift`. A dash before a word may be that of a list. */
const ABSENT = `x? ?0+(?:\\.0+)?%?|no|n|non|none|nil|absent|null|false|f|off|zero|x|n ?/ ?a|na|unknown|unavailable|not (?:available|included|specified)|coming soon|لا|لا يوجد|لا توجد|لايوجد|بدون|غير (?:متوفر|متاح|موجود|محدد|معروف)ه?|صفر|[-–—?✗✘✖❌×]`;
const ABSENCE_SIGN = '[!✗✘✖❌×]';
/** A part of a text states an absence by the value after its label, or by a sign or a zero at its end or its beginning. */
const STATES_ABSENCE = [
  `[^:=]*\\p{L}[^:=]*?(?: ?[:=؟]+ ?| ?[([]| - | )(?:${ABSENT})\\s*[)\\]]?`,
  `.*\\p{L} ?[?؟✗✘✖❌×]`,
  `.*\\p{L} 0+(?:\\.0+)?%?`,
  `${ABSENCE_SIGN} ?\\p{L}.*`,
  `(?:0|zero|صفر) .*\\p{L}.*`,
].map((part) => new RegExp(`^(?:${part})$`, 'u'));
/** Among other labels: `lift: 0 parking: 1`. */
const ABSENT_WITHIN = new RegExp(`[\\p{L}_]+(?: [\\p{L}_]+){0,2} ?[:=] ?(?:${ABSENT})${END}`, 'gu');
/** A fast precheck. */
const MAYBE_VALUE =
  /[:=([؟-]\s*[0٠nfozxucلبغص?✗✘✖❌×–—-]|[?؟✗✘✖❌×]|(?:^|[\s,،;؛|•])(?:!|x?(?:0|٠|zero|none|soon|صفر)(?![\d.]))/i;

/** Longer parts are sentences. */
const MAX_PART = 60;

/** Removes the parts of a text that state an absence by a value, as in `lift: 0, pool=no`. */
export function withoutAbsent(text: string): string {
  if (!MAYBE_VALUE.test(text)) return text;
  const parts = text.split(/([,،;؛|\n•])/);
  return parts
    .map((part) => {
      if (part.length > MAX_PART) return part;
      const folded = foldText(part);
      return STATES_ABSENCE.some((states) => states.test(folded)) ? '' : folded.replace(ABSENT_WITHIN, ' ');
    })
    .join('');
}

/** Between and around the texts of a list as Python writes it: `['pool', 'lift']`. */
const QUOTED_LIST = /^\s*\[['"]|['"],\s?['"]|['"]\]\s*$/g;
const AC = /(?<![a-z])a[/.]c\.?(?![a-z])/gi;
/** `AC: split`. */
const LABELLED = /^([^:=]*[^\s:=])\s*[:=]\s*[\p{L}\d]+$/u;

const amenitiesOf = memoize((stated): readonly Amenity[] => {
  // A label without a value states nothing. In a text, it is a heading.
  if (/[:=]\s*$/.test(stated)) return [];
  const text = withoutAbsent(spaced(stated.replace(QUOTED_LIST, ','))).replace(AC, 'ac');
  const whole = AMENITIES_OF_LISTS.whole(text.replace(LABELLED, '$1'));
  if (whole !== null) return [whole];
  const clauses = clausesOf(text);
  return statedAmenities(AMENITIES_OF_LISTS, clauses).map(({ value }) => value);
});

/** Returns the mentions that are neither negated, near the home, nor only possible. */
export const statedAmenities = (lexicon: Lexicon<Amenity>, clauses: readonly string[][]): Mention<Amenity>[] =>
  lexicon.mentions(clauses).filter(({ clause, from, to }) => {
    const words = clauses[clause] as string[];
    return !isNegated(words, from, to) && !isNearby(words, from, to) && !isOptional(words, from);
  });

export function readAmenities(words: readonly string[] | null | undefined): Amenity[] {
  if (!Array.isArray(words) || words.length === 0) return [];
  const found = new Set(words.flatMap((word) => (typeof word === 'string' ? amenitiesOf(word) : [])));
  return AMENITIES.filter((amenity) => found.has(amenity));
}
