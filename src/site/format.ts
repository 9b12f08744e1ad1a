import type { Language } from './language.ts';

/** Both languages use Latin digits, as in the API and in posted prices. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', ar: 'ar-SA-u-ca-gregory-nu-latn' };

const wholes: Readonly<Record<Language, Intl.NumberFormat>> = each((locale) => new Intl.NumberFormat(locale));
const compacts = each((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
const days = each((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
const months = each((locale) => new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }));
const moments = each(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
);
const hours = each(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
    }),
);

const rules = each((locale) => new Intl.PluralRules(locale));

/**
 * Forms of a counted noun by plural category. The placeholder `{n}` is replaced by the number. Missing categories use
 * `other`.
 */
export type CountForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

function each<T>(make: (locale: string) => T): Readonly<Record<Language, T>> {
  return { en: make(LOCALES.en), ar: make(LOCALES.ar) };
}

/** Returns functions that format numbers, dates and prices in a language, on the server and in the browser. Pure. */
export function formatter(language: Language) {
  const number = (value: number): string => wholes[language].format(Math.round(value * 100) / 100);
  return {
    number,
    /** Formats a count with its noun, for example `20 listings`. */
    count: (forms: CountForms, value: number): string =>
      (forms[rules[language].select(value)] ?? forms.other).replace('{n}', number(value)),
    /** Formats a number briefly for axes and markers, for example `48K`. */
    compact: (value: number): string => compacts[language].format(value),
    sar: (value: number): string => (language === 'ar' ? `${number(value)} ريال` : `SAR ${number(value)}`),
    percent: (value: number): string => `\u2066${value > 0 ? '+' : ''}${number(value)}%\u2069`,
    day: (time: string | number): string => days[language].format(new Date(time)),
    month: (time: string | number): string => months[language].format(new Date(time)),
    moment: (time: string | number): string => `${moments[language].format(new Date(time))} UTC`,
    /** Formats a recent time for tables, in UTC. */
    hour: (time: string | number): string => hours[language].format(new Date(time)),
    /** Formats meters, from a kilometer on in kilometers. */
    distance: (meters: number): string => {
      const [value, units] = meters < 1_000 ? [meters, { en: 'm', ar: 'م' }] : [meters / 1_000, { en: 'km', ar: 'كم' }];
      return `${number(value)} ${units[language]}`;
    },
    area: (value: number): string => (language === 'ar' ? `${number(value)} م²` : `${number(value)} m²`),
  };
}

export type Formatter = ReturnType<typeof formatter>;
