/** The languages of the site. English pages have no prefix, so that addresses that were given out stay as they are. */
export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface LocalPath {
  language: Language;
  /** The path without the prefix of the language, beginning with a slash. */
  path: string;
}

/** Splits the language off a path: `/ar/guides` is `/guides` in Arabic. Pure. */
export function readLanguage(path: string): LocalPath {
  const prefixed = /^\/ar(\/.*)?$/.exec(path);
  return prefixed ? { language: 'ar', path: prefixed[1] ?? '/' } : { language: 'en', path };
}

/** The address of a path in a language. Pure. */
export function pathIn(language: Language, path: string): string {
  if (language === 'en') return path;
  return path === '/' ? '/ar' : `/ar${path}`;
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
