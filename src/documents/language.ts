/** English pages have no prefix, so that published URLs remain valid. */
export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Splits a path: `/ar/guides` is `/guides` in Arabic. */
export function readLanguage(path: string): { language: Language; path: string } {
  const prefixed = /^\/ar(\/.*)?$/.exec(path);
  return prefixed ? { language: 'ar', path: prefixed[1] ?? '/' } : { language: 'en', path };
}

export function pathIn(language: Language, path: string): string {
  if (language === 'en') return path;
  return path === '/' ? '/ar' : `/ar${path}`;
}

/** Returns the name in a language, or else in the other one; empty for neither. Pure. */
export const nameIn = (
  language: Language,
  { name_en, name_ar }: { name_en: string | null; name_ar: string | null },
): string => (language === 'ar' ? (name_ar ?? name_en) : (name_en ?? name_ar)) ?? '';

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** English and Arabic, in groups of any depth. */
interface Translated {
  readonly [name: string]: readonly string[] | Translated;
}

type Texts<T> = { readonly [Name in keyof T]: T[Name] extends readonly string[] ? string : Texts<T[Name]> };

/** Texts for `format.count` have the forms of a noun, separated by `|`. */
export function byLanguage<T extends Translated>(translated: T): Readonly<Record<Language, Texts<T>>> {
  const textsIn = (group: Translated, at: number): unknown =>
    Object.fromEntries(
      Object.entries(group).map(([name, each]) => [
        name,
        Array.isArray(each) ? each[at] : textsIn(each as Translated, at),
      ]),
    );
  return Object.fromEntries(LANGUAGES.map((language, at) => [language, textsIn(translated, at)])) as Record<
    Language,
    Texts<T>
  >;
}
