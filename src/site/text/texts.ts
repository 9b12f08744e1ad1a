import type { en } from './en.ts';

type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };

/** Texts of the site in one language. */
export type Texts = Same<typeof en>;
