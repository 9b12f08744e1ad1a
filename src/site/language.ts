/** Languages of the site. English pages have no path prefix, so that published URLs stay valid. */
export const LANGUAGES = ['en', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface LocalPath {
  language: Language;
  /** Path without the language prefix, with a leading slash. */
  path: string;
}

/** Splits a path into language and local path. For example, `/ar/guides` is `/guides` in Arabic. Pure. */
export function readLanguage(path: string): LocalPath {
  const prefixed = /^\/ar(\/.*)?$/.exec(path);
  return prefixed ? { language: 'ar', path: prefixed[1] ?? '/' } : { language: 'en', path };
}

/** Returns a path with the language prefix. Pure. */
export function pathIn(language: Language, path: string): string {
  if (language === 'en') return path;
  return path === '/' ? '/ar' : `/ar${path}`;
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
