import { memoize } from '#domain/memoize.ts';
import { clausesOf, type Phrases, phraseAt, phraseList } from '#domain/text/phrases.ts';
import { types } from './ad-words.ts';

const WANTED = phraseList(
  `مطلوب, مطلوبه, نبحث عن, ابحث عن, يبحث عن, باحث عن, ابغي, ابغا, ابي, احتاج, محتاج, نحتاج, ارغب بشراء, ارغب في شراء,
  ارغب باستئجار, ارغب في استئجار, يرغب بشراء, يرغب في شراء, يرغب باستئجار, يرغب في استئجار, wanted, looking for, looking to buy,
  looking to rent, searching for, in search of, seeking, need, needed, want to buy, want to rent, wants to buy, wants to rent`,
);
/** A fast precheck. */
const MAYBE_WANTED = /مطلوب|بحث|باحث|حتاج|رغب|[اأ]بغ|(?:^|\s)[اأ]بي\s|want|look|search|seek|need/i;
const OPENINGS = phraseList(
  `السلام, عليكم, ورحمه, الله, وبركاته, عاجل, جدا, وعاجل, لو, سمحتم, اخواني, مشتري, عميل, مستاجر, جاد, لدينا, لدي, عندي, urgent,
  urgently, hi, hello, i, im, i'm, am, we, are, have, has, a, our, client, buyer, tenant, serious, is`,
);
const BETWEEN = phraseList(
  `للشراء, شراء, لشراء, للايجار, ايجار, لايجار, استئجار, للاستئجار, عاجل, urgently, to buy, to rent, for rent, for sale, a, an, the, any`,
);
/** Number of characters within which the property must be mentioned. */
const MAX_CHARACTERS = 120;
const MAX_WORDS = 8;

/** Returns whether a text is a wanted ad: one of the phrases, then a property, unlike `مطلوب 900 ألف`. */
export function isWanted(text: string): boolean {
  const start = text.slice(0, MAX_CHARACTERS);
  if (!MAYBE_WANTED.test(start)) return false;
  // Greetings may precede the phrase.
  const words = clausesOf(start).flat();
  let at = 0;
  const skip = (phrases: Phrases): void => {
    for (let length = phraseAt(words, at, phrases); length > 0 && at < MAX_WORDS; length = phraseAt(words, at, phrases))
      at += length;
  };
  skip(OPENINGS);
  const wanted = phraseAt(words, at, WANTED);
  if (wanted === 0) return false;
  at += wanted;
  skip(BETWEEN);
  const property = types.mentions([words.slice(at)])[0];
  return property?.from === 0 && !/^[^.\n!]*[?؟]/.test(start);
}

const WANTED_PURPOSES = phraseList('مطلوب, مطلوبه, wanted, طلب, request, requested');

export const isWantedPurpose = memoize((purpose) =>
  clausesOf(purpose).some((words) => words.some((_, at) => phraseAt(words, at, WANTED_PURPOSES) > 0)),
);
