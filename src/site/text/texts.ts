import type { en } from './en.ts';

type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };

/** The site's texts in one language. */
export type Texts = Same<typeof en>;
