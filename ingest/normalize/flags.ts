import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { onlyOf } from './patterns.ts';

const FLAGS = wordTable<boolean>([
  [true, 'yes, y, true, t, 1, checked, verified, licensed, نعم, اي, يوجد, متوفر, موثق, موثوق, مرخص'],
  [true, 'furnished, fully furnished, full, مفروش, مفروشة, مؤثث, مؤثثة, مؤثثة بالكامل, مفروش بالكامل'],
  [
    false,
    'no, n, false, f, 0, unchecked, unverified, not verified, unlicensed, لا, لا يوجد, غير متوفر, غير موثق, غير موثوق, غير مرخص',
  ],
  [
    false,
    'unfurnished, un furnished, non furnished, not furnished, no furniture, without furniture, empty, بدون أثاث, بلا أثاث, غير مفروش, غير مفروشة, غير مؤثث, غير مؤثثة, بدون فرش, فارغ, فارغة',
  ],
]);

/** A label before the value: `Furnished: No`, `مفروش: لا`. */
const LABEL = /^(?:furnish(?:ed|ing)|verified|(?:ال)?(?:مفروشه?|موثثه?|تاثيث|فرش|اثاث|موثق)) ?[:=؟?] ?/;
const NEUTRAL =
  /(?<![a-z\u0621-\u064a])(?:(?:ال)?(?:شقه|فيلا|دور|وحده)|apartment|flat|villa|unit|fully|completely|بالكامل|كليا|بكامل الاثاث)(?![a-z\u0621-\u064a])/gu;
const DENIAL = /^(?:ليس|ليست|مو|is not) /;

const flagOfText = memoize((text) => {
  const folded = foldText(text).replace(/(?<=\p{L}) ?[_-] ?(?=\p{L})/gu, ' ');
  const rest = folded.replace(LABEL, '').replace(DENIAL, 'غير ').replace(NEUTRAL, ' ').trim();
  const parts = rest.split(/[,،؛;()]+/).map((part) => part.trim());
  return FLAGS.get(folded) ?? onlyOf(parts.filter(Boolean).map((part) => FLAGS.get(part) ?? null));
});

/** Reads yes or no, also as furnished or unfurnished; null for anything else. */
export function readFlag(value: string | number | boolean | null | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : null;
  return typeof value === 'string' ? flagOfText(value) : null;
}
