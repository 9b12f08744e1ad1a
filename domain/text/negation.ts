import { type Phrases, phraseAt, phraseList } from './phrases.ts';

/** Folded words that negate those after them: `لا يوجد مصعد`, `without a pool`. */
const NEGATORS = phraseList(
  `لا يوجد, لا توجد, لايوجد, لاتوجد, لا يتوفر, لا تتوفر, ما يوجد, مايوجد, ما فيه, مافيه, ما في, مافي, ما فيها, مافيها, ما له, ما لها,
  ليس فيه, ليس فيها, ليس به, ليس بها, ليس له, ليس لها, ليس هناك, لا, ولا, بدون, من دون, دون, بلا, من غير, غير, مو, مهو, ليس, ليست, خالي من,
  خاليه من, no, not, without, non, w o, has no, have no, with no, there is no, lacks, lacking, does not have, doesn't have,
  doesn’t have, don't have, is not, isn't, isn’t, neither, nor, minus, free of, does not include,
  doesn't include, doesn’t include, does not come with, doesn't come with, not including, excluding, excludes, without any, لا يشمل, لا تشمل,
  لا يحتوي علي, لا تحتوي علي, لا يحتوي, لا تحتوي, ماعدا, ما عدا, عدا, ماله, مالها, ما عليه, ما عليها, بغير, مب,
  عدم وجود, عدم توفر, ممنوع, يمنع, غير شامل, غير شامله, not on`,
);
/**
 * Words that negate those before them, if the clause ends there or continues with "and": `مصعد: لا يوجد`, `pool not
 * available`.
 */
const NEGATIONS_BEHIND = phraseList(
  `لا يوجد, لا توجد, لايوجد, لاتوجد, غير متوفر, غير متوفره, غير موجود, غير موجوده, غير مشمول, غير مشموله,
  غير متضمن, غير متضمنه, لا, مو موجود, ما فيه, مافيه, no, none, not available,
  is not available, unavailable, not included, is not included, not provided, not allowed, are not allowed, is not allowed`,
);
/** Words that may stand between a negator and the negated word. */
const SKIPPED = wordSet('a an any the اي عليه عليها فيه فيها به بها لها له هناك عندنا لدينا حاليا الان yet currently');
/** Words that end a negation, because a description or a place follows. */
const STOPPERS = wordSet(
  'في علي الي مع لكن ولكن من عن و but with for in at on of to from only far just مشكله need problem يفوتك تفوت تفوتك تفوتكم',
);
/** Words that precede the negated noun: `غرفة خادمة`, `swimming pool`. */
const MODIFIERS = wordSet(
  `غرفه غرف صاله دوره حوض قابل قابله موقف مواقف مدخل نادي مركز حمام private swimming maid maid's maid’s driver driver's driver’s parking living dining
  laundry storage central shared covered car guest air security extra separate outdoor indoor built kids balcony sea dedicated own`,
);
/** Words that are never recorded as absent. For example, a home without a maid's room still has rooms. */
const GENERIC = wordSet(
  `غرفه غرف صاله دوره مدخل مركز room rooms space spaces area areas شقه شقق فيلا فله ارض دور عماره private خاص خاصه مستقل مستقله extra separate
  shared own dedicated متوفر متوفره موجود موجوده متاح متاحه available included يوجد توجد`,
);
/** Words that extend a negation to the next item: `no pool or gym`, `بدون مصعد أو موقف`. */
const OR = wordSet('or nor او ولا');
/** Prohibitions. They reach a second noun with an article and an attached "and": `ممنوع العزاب والحيوانات`. */
const PROHIBITIONS = wordSet('ممنوع وممنوع يمنع ويمنع');
/** Adjectives that mean the negation of another word, by form. */
const NEGATED_FORMS: ReadonlyMap<string, string> = new Map([
  ['unfurnished', 'furnished'],
  ['non-furnished', 'furnished'],
]);

/** A range of words in a clause (`end` exclusive), and the words that it negates. */
export interface Negation {
  start: number;
  end: number;
  absent: string[];
}

/** Each covers the next word with its modifiers, and continues after "or". */
export function negationsIn(clause: readonly string[]): Negation[] {
  const found: Negation[] = [];
  for (let at = 0; at < clause.length; ) {
    const negation = negationAt(clause, at) ?? negationBehind(clause, at, found.at(-1)?.end ?? 0);
    if (negation === null) {
      at += 1;
      continue;
    }
    found.push(negation);
    at = negation.end;
  }
  return found;
}

/** Returns whether a text can contain a negation. Most texts need no further processing. */
export const mayNegate = (text: string): boolean => ARABIC_NEGATOR.test(text) || LATIN_NEGATOR.test(text);
const ARABIC_NEGATOR =
  /(?<![\u0621-\u064a])و?(?:لا|لا[يت]وجد|عدم|ممنوع|يمنع|بدون|دون|بلا|غير|ما|مافي(?:ها?)?|مايوجد|مو|مب|مهو|ماله|مالها|ماعدا|عدا|بغير|ليس|ليست|خاليه?)(?![\u0621-\u064a])/;
const LATIN_NEGATOR =
  /\b(?:no|not|none|nor|non|without|lacks|lacking|neither|excluding|excludes|minus|free|un|unfurnished|unavailable|does|don|isn|is|has|have)\b|w\/o/i;

function negationAt(clause: readonly string[], at: number): Negation | null {
  const form = NEGATED_FORMS.get(clause[at] as string);
  if (form !== undefined) return { start: at, end: at + 1, absent: [form] };
  const isUn = clause[at] === 'un' && clause[at + 1] === 'furnished';
  const length = isUn ? 1 : longestAt(clause, at, NEGATORS);
  if (length === 0) return null;
  const absent: string[] = [];
  let end = takeAbsent(clause, at + length, absent);
  if (PROHIBITIONS.has(clause[at] as string))
    while (absent.length > 0 && clause[end]?.startsWith('وال')) absent.push((clause[end++] as string).slice(1));
  // A negator such as `ولا يوجد` begins with the same word, but begins another negation.
  while (absent.length > 0 && OR.has(clause[end] as string) && longestAt(clause, end, NEGATORS) < 2) {
    const further = takeAbsent(clause, end + 1, absent);
    if (further === end + 1) break;
    end = further;
  }
  return absent.length > 0 ? { start: at, end, absent } : null;
}

/** @returns the position after the item, or the start position if there is none */
function takeAbsent(clause: readonly string[], from: number, absent: string[]): number {
  let at = from;
  while (SKIPPED.has(clause[at] as string)) at += 1;
  for (;;) {
    const word = clause[at];
    if (word === undefined || STOPPERS.has(word) || OR.has(word) || longestAt(clause, at, NEGATORS) > 0) return at;
    if (!GENERIC.has(word)) absent.push(word);
    at += 1;
    if (!MODIFIERS.has(word)) return at;
  }
}

function negationBehind(clause: readonly string[], at: number, from: number): Negation | null {
  const behind = longestAt(clause, at + 1, NEGATIONS_BEHIND);
  const end = at + 1 + behind;
  if (behind === 0 || (end < clause.length && !clause[end]?.startsWith('و'))) return null;
  const start = at > from && MODIFIERS.has(clause[at - 1] as string) ? at - 1 : at;
  const absent = clause.slice(start, at + 1).filter((word) => !GENERIC.has(word));
  return absent.length > 0 ? { start, end, absent } : null;
}

/** Returns the length of the longest phrase, with or without an attached "and"; 0 if none matches. */
function longestAt(words: readonly string[], at: number, among: Phrases): number {
  const first = words[at] ?? '';
  const listed = phraseAt(words, at, among, first);
  return first.startsWith('و') ? Math.max(listed, phraseAt(words, at, among, first.slice(1))) : listed;
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
