import { foldText, withoutIgnorable } from '../fold.ts';

/** A part of the sentence, with its range in UTF-16 code units. */
export interface Token {
  /** Lower-case letters, with digits in Latin script and corrected spelling. */
  text: string;
  start: number;
  end: number;
  /** A `reference` is a date, a phone number, or any number too long for an amount, such as that of a license. */
  kind: 'word' | 'number' | 'reference' | 'mark';
}

/** Digits and adjacent letters are separate tokens. */
const TOKEN =
  /((?:\+\p{Nd}|[0٠۰]{1,2}[1-9١-٩۱-۹]|(?:966|٩٦٦)[ -]?[15١٥])(?:[ -]?\p{Nd}){6,12}(?!\p{Nd})|\p{Nd}{9,}|\p{Nd}{1,2}([/-])\p{Nd}{1,2}\2\p{Nd}{4}(?!\p{Nd})|\p{Nd}{4}([/-])\p{Nd}{1,2}\3\p{Nd}{1,2}(?!\p{Nd}))|(\p{Nd}{1,3}(?:[,٬،']\p{Nd}{3})+(?:[.٫]\p{Nd}+)?(?!\p{Nd})|\p{Nd}+(?:[.٫]\p{Nd}+)?)|(m²|م²|m2(?![\p{L}\p{Nd}])|م2(?![\p{L}\p{Nd}]))|([\p{L}\p{M}ـ]+(?:['’][\p{L}\p{M}]+)*)|([<>]=|[^\s\p{Cf}])/gu;

export function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = [];
  const kept = [...sentence.matchAll(/\P{Default_Ignorable_Code_Point}/gu)];
  const positions = kept.flatMap(({ 0: char, index }) => (char.length === 1 ? index : [index, index + 1]));
  const text = withoutIgnorable(sentence);
  for (const { 0: raw, 1: reference, 4: number, 5: squareMeter, 6: word, index } of text.matchAll(TOKEN)) {
    const [start, last] = [positions[index] as number, positions[index + raw.length - 1] as number];
    const range = { start, end: last + 1 };
    if (reference !== undefined) tokens.push({ ...range, text: foldText(reference), kind: 'reference' });
    else if (number !== undefined)
      tokens.push({ ...range, text: foldText(number).replace(/[,،']/g, ''), kind: 'number' });
    else if (squareMeter !== undefined) tokens.push({ ...range, text: 'sqm', kind: 'word' });
    else if (word !== undefined) tokens.push({ ...range, text: foldText(word), kind: 'word' });
    // `3-bedroom`, `Al-Yasmin`: the lists of words have no hyphens.
    else if (/^[\p{L}\p{Nd}][-‐‑]\p{L}/u.test(text.slice(index - 1, index + 2))) continue;
    else tokens.push({ ...range, text: raw === '–' || raw === '—' ? '-' : raw, kind: 'mark' });
  }
  return tokens;
}
