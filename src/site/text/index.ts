import type { Language } from '../language.ts';
import { ar } from './ar.ts';
import { en } from './en.ts';
import type { Texts } from './texts.ts';

export type { Texts } from './texts.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { en, ar };
