import { test } from '#test/test.ts';

/** Replaces Latin digits by Arabic digits. */
export function arabicDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

/** Declares a test that texts, separated by `|`, are read as the value before them. */
export const cases = <Value>(
  title: string,
  read: (text: string) => Value,
  rows: readonly (readonly [value: Value, texts: string])[],
) =>
  test(title, (t) => {
    for (const [expected, texts] of rows) for (const text of texts.split('|')) t.deepEqual(read(text), expected, text);
  });
