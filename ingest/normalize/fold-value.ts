import { foldText } from '#domain/fold.ts';
import { withoutMarkup } from './markup.ts';

/** Marks of direction and other invisible characters, which spreadsheets and forms insert into numbers and dates. */
const INVISIBLE = /\p{Cf}+/gu;

/** Longer values are texts. */
const MAX_CHARACTERS = 200;

/** Folds a field's value for the readers of numbers, areas, floors and dates; empty if it is too long for a value. */
export function foldValue(text: string): string {
  if (text.length > MAX_CHARACTERS) return '';
  return foldText(withoutMarkup(text).replace(INVISIBLE, '').replaceAll('\u2212', '-'));
}
