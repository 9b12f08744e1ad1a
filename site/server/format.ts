import type { Language } from '#src/documents/language.ts';

/** Saudi Arabia has one time zone. Dates without a time are in UTC, as in the API. */
const TIME_ZONE = 'Asia/Riyadh';
const ZONE_NAMES: Readonly<Record<Language, string>> = { en: 'Riyadh time', ar: 'بتوقيت الرياض' };

/** Both languages use Latin digits, as in the API and in posted prices. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', ar: 'ar-SA-u-ca-gregory-nu-latn' };

/** Plural categories in the order of the forms in a text. English has a special form for 0 too. */
const CATEGORIES: Readonly<Record<Language, readonly Intl.LDMLPluralRule[]>> = {
  en: ['zero', 'one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
};

/** Creates a value when it is first used. Each format of `Intl` costs a phone milliseconds, and a page uses few. */
function onUse<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

const FORMATTERS = { en: onUse(() => createFormatter('en')), ar: onUse(() => createFormatter('ar')) };

/** Pure, for the server and the browser. */
export const formatter = (language: Language): Formatter => FORMATTERS[language]();
export type Formatter = ReturnType<typeof createFormatter>;

function createFormatter(language: Language) {
  const locale = LOCALES[language];
  const inArabic = language === 'ar';
  const whole = onUse(() => new Intl.NumberFormat(locale));
  const rules = onUse(() => new Intl.PluralRules(locale));
  const compacts = [0, 1, 2, 3].map((maximumFractionDigits) =>
    onUse(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits })),
  );
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = onUse(() => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }));
    return (time: string | number): string => format().format(new Date(time));
  };
  const time = date({ dateStyle: 'long', timeStyle: 'short', timeZone: TIME_ZONE });
  const number = (value: number): string => whole().format(Math.round(value * 100) / 100);
  return {
    number,
    /** @param forms in each plural category, for example `{n} listing|{n} listings`; the form for 0 is optional */
    count: (forms: string, value: number): string => {
      const all = forms.split('|');
      const categories = CATEGORIES[language];
      const category = value === 0 ? 'zero' : rules().select(value);
      const form = all[categories.indexOf(category) + all.length - categories.length] ?? all.at(-1) ?? '';
      return form.replace('{n}', number(value));
    },
    /** @param step difference between two numbers on an axis, whose texts then differ */
    compact: (value: number, step?: number): string =>
      compacts[step === undefined ? 1 : decimalsOf(value, step)]?.().format(value) ?? number(value),
    sar: (value: number): string => (inArabic ? `${number(value)} ريال` : `SAR ${number(value)}`),
    foreign: (value: number, currency: string): string =>
      inArabic ? `${number(value)} ${currency}` : `${currency} ${number(value)}`,
    /** Null parts are left out. */
    list: (parts: readonly (string | null)[]): string => joined(inArabic ? '، ' : ', ', parts),
    share: (value: number): string => `\u2066${number(value)}%\u2069`,
    percent: (value: number): string => `\u2066${value > 0 ? '+' : ''}${number(value)}%\u2069`,
    day: date({ dateStyle: 'long' }),
    shortDay: date({ month: 'short', day: 'numeric' }),
    month: date({ month: 'short', year: 'numeric' }),
    moment: (at: string | number): string => `${time(at)} ${ZONE_NAMES[language]}`,
    /** Formats a recent time for tables, without the name of the time zone. */
    hour: date({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone: TIME_ZONE }),
    distance: (meters: number): string =>
      meters < 1_000
        ? `${number(meters)} ${inArabic ? 'م' : 'm'}`
        : `${number(meters / 1_000)} ${inArabic ? 'كم' : 'km'}`,
    /** Formats square meters with a no-break space before the unit. */
    area: (value: number): string => `${number(value)}\u00a0${inArabic ? 'م²' : 'm²'}`,
  };
}

/** Returns the name of a source as people read it: `wateed_aqari` is `Wateed Aqari`. */
export const sourceName = (source: string): string =>
  source.replace(
    /(?:^|_)(\p{L})/gu,
    (start, letter: string) => `${start.startsWith('_') ? ' ' : ''}${letter.toUpperCase()}`,
  );

export const known = <Fact>(facts: readonly (Fact | null)[]): Fact[] => facts.filter((fact) => fact !== null);

export const joined = (separator: string, parts: readonly (string | null)[]): string => known(parts).join(separator);

/** A second decimal of a price difference is not meaningful. */
export const tenths = (percentage: number): number => Math.round(percentage * 10) / 10;

/** Returns the decimals, at most 3, with which thousands or millions that are `step` apart differ. */
function decimalsOf(value: number, step: number): number {
  const unit = 1_000 ** Math.floor(Math.log10(Math.max(Math.abs(value), 1)) / 3);
  return Math.min(3, Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9)));
}
