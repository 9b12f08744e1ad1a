/** Arabic letters by the key of an English keyboard that types them (layout Arabic 101). */
const ARABIC_BY_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    q: 'ض',
    w: 'ص',
    e: 'ث',
    r: 'ق',
    t: 'ف',
    y: 'غ',
    u: 'ع',
    i: 'ه',
    o: 'خ',
    p: 'ح',
    '[': 'ج',
    ']': 'د',
    a: 'ش',
    s: 'س',
    d: 'ي',
    f: 'ب',
    g: 'ل',
    h: 'ا',
    j: 'ت',
    k: 'ن',
    l: 'م',
    ';': 'ك',
    "'": 'ط',
    '`': 'ذ',
    z: 'ئ',
    x: 'ء',
    c: 'ؤ',
    v: 'ر',
    b: 'لا',
    n: 'ى',
    m: 'ة',
    ',': 'و',
    '.': 'ز',
    '/': 'ظ',
    H: 'أ',
    Y: 'إ',
    N: 'آ',
    G: 'لأ',
    T: 'لإ',
    B: 'لآ',
  }),
);
const KEY_BY_ARABIC: ReadonlyMap<string, string> = new Map(
  [...ARABIC_BY_KEY].map(([key, letter]) => [letter, key.toLowerCase()]),
);

/**
 * Returns the texts that the same keys type on the other keyboard layout: one for a text in Latin letters, and up to two
 * for a text in Arabic letters, because `لا` is one key or two.
 */
export function onOtherLayout(text: string): string[] {
  if (!/[\u0621-\u064a]/.test(text))
    return [[...text].map((key) => ARABIC_BY_KEY.get(key) ?? ARABIC_BY_KEY.get(key.toLowerCase()) ?? key).join('')];
  const typed = (letters: readonly string[]): string =>
    letters.map((letter) => KEY_BY_ARABIC.get(letter) ?? letter).join('');
  const oneKey = typed(text.match(/ل[اأإآ]|./gsu) ?? []);
  const twoKeys = typed([...text]);
  return oneKey === twoKeys ? [oneKey] : [oneKey, twoKeys];
}
