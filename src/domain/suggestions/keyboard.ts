/** Arabic letters by the key of an English keyboard (layout Arabic 101). */
const ARABIC_BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ['q w e r t y u i o p [ ]', 'ض ص ث ق ف غ ع ه خ ح ج د'],
    ["a s d f g h j k l ; '", 'ش س ي ب ل ا ت ن م ك ط'],
    ['` z x c v b n m , . /', 'ذ ئ ء ؤ ر لا ى ة و ز ظ'],
    ['H Y N G T B', 'أ إ آ لأ لإ لآ'],
  ].flatMap(([keys = '', letters = '']) => {
    const typed = letters.split(' ');
    return keys.split(' ').map((key, at) => [key, typed[at] ?? ''] as const);
  }),
);
const KEY_BY_ARABIC: ReadonlyMap<string, string> = new Map(
  [...ARABIC_BY_KEY].map(([key, letter]) => [letter, key.toLowerCase()]),
);

/** Returns one text for Latin letters, up to two for Arabic ones, because `لا` is one key or two. */
export function onOtherLayout(text: string): string[] {
  if (!/[\u0621-\u064a]/.test(text))
    return [[...text].map((key) => ARABIC_BY_KEY.get(key) ?? ARABIC_BY_KEY.get(key.toLowerCase()) ?? key).join('')];
  const typed = (letters: readonly string[]): string =>
    letters.map((letter) => KEY_BY_ARABIC.get(letter) ?? letter).join('');
  const oneKey = typed(text.match(/ل[اأإآ]|./gsu) ?? []);
  const twoKeys = typed([...text]);
  return oneKey === twoKeys ? [oneKey] : [oneKey, twoKeys];
}
