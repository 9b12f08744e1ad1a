import { foldText } from '../fold.ts';
import { memoize } from '../memoize.ts';
import { addTo } from '../multimap.ts';
import type { WordList } from './word-lists.ts';

/** Folds a text in which underscores and hyphens separate words, as in identifiers. */
function fold(text: string): string {
  return foldText(text.replace(/[_-]+/g, ' '));
}

/** A slash also separates list entries: `lift / parking`. */
const CLAUSE_END = /[,،;؛.|/\n•]+/;

export function clausesOf(text: string): string[][] {
  // The text is split first, because folding turns line breaks into spaces.
  return text.split(/\n+/).flatMap((line) => clausesOfFolded(fold(line)));
}

export function clausesOfFolded(line: string): string[][] {
  return line
    .split(CLAUSE_END)
    .map((clause) => clause.match(/[\p{L}\p{N}'’]+/gu) ?? [])
    .filter((words) => words.length > 0);
}

function withoutArticle(word: string): string {
  return word.length > 4 && word.startsWith('ال') ? word.slice(2) : word;
}

/** Returns a word with and without attached Arabic prefixes (and, with, for, the). */
function formsOf(word: string): string[] {
  const forms = [withoutArticle(word)];
  // The prefix may be the first letter of the word itself: `وبلكونه` is a balcony.
  if (/^[وبل]/.test(word))
    for (const prefix of PREFIXES)
      if (word.startsWith(prefix) && word.length >= prefix.length + 3) forms.push(word.slice(prefix.length));
  return forms;
}

const PREFIXES = ['وبال', 'ولل', 'وال', 'بال', 'لل', 'وب', 'ول', 'و', 'ب', 'ل'];

interface Name<Value> {
  words: string[];
  value: Value | null;
}

export interface Mention<Value> {
  value: Value;
  clause: number;
  from: number;
  to: number;
}

/** Finds values as whole words. If several start at the same word, the longest applies. */
export class Lexicon<Value extends string> {
  readonly #whole = new Map<string, Value>();
  readonly #names = new Map<string, Name<Value>[]>();
  #words: ReadonlySet<string> | undefined;
  readonly #namesFrom = memoize((word) => formsOf(word).flatMap((first) => this.#names.get(first) ?? []));

  constructor(words: WordList<Value>, unrelated = '') {
    for (const [value, names] of Object.entries(words) as [Value, string][])
      for (const name of [value, ...names.split(',')]) this.add(name, value);
    for (const phrase of unrelated.split(',')) this.#addName(fold(phrase), null);
  }

  add(name: string, value: Value): void {
    const folded = fold(name);
    if (this.#whole.has(folded)) return;
    this.#whole.set(folded, value);
    // One or two letters (`r`, `mo`) are a code, which `mentions` ignores.
    if (folded.length > 2) this.#addName(folded, value);
  }

  #addName(folded: string, value: Value | null): void {
    const words = (folded.match(/[\p{L}\p{N}'’]+/gu) ?? []).map(withoutArticle);
    const [first] = words;
    if (first === undefined) return;
    addTo(this.#names, first, { words, value });
    this.#names.get(first)?.sort((a, b) => b.words.length - a.words.length);
  }

  knows(word: string): boolean {
    return this.words().has(withoutArticle(word)) || this.#whole.has(word);
  }

  words(): ReadonlySet<string> {
    this.#words ??= new Set([...this.#names.values()].flat().flatMap(({ words }) => words));
    return this.#words;
  }

  whole(text: string): Value | null {
    return this.#whole.get(fold(text)) ?? null;
  }

  mentions(clauses: readonly string[][]): Mention<Value>[] {
    return clauses.flatMap((words, clause) => {
      const found: Mention<Value>[] = [];
      for (let from = 0; from < words.length; ) {
        const name = this.#nameAt(words, from);
        if (name === null) {
          from++;
          continue;
        }
        const to = from + name.words.length;
        if (name.value !== null) found.push({ value: name.value, clause, from, to });
        from = to;
      }
      return found;
    });
  }

  /** Phrases that contain a value's word in another meaning have the value null. */
  nameAt(words: readonly string[], from: number): { value: Value | null; length: number } | null {
    const name = this.#nameAt(words, from);
    if (name !== null) return { value: name.value, length: name.words.length };
    const short = this.#whole.get(words[from] as string);
    return short === undefined ? null : { value: short, length: 1 };
  }

  #nameAt(words: readonly string[], from: number): Name<Value> | null {
    const matches = ({ words: names }: Name<Value>): boolean =>
      names.every((word, index) => index === 0 || word === withoutArticle(words[from + index] ?? ''));
    return this.#namesFrom(words[from] as string).find(matches) ?? null;
  }
}

/** Each entry is a value with its comma-separated words. */
export const wordTable = <Value>(entries: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(entries.flatMap(([value, words]) => wordsOf(words).map((word) => [word, value] as const)));

export const wordsOf = (list: string): string[] => list.split(',').map((word) => foldText(word));

export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

export const phraseList = (list: string): Phrases =>
  Map.groupBy(
    list.split(',').map((phrase) => fold(phrase).split(' ')),
    ([first = '']) => first,
  );

/**
 * Returns the number of words of the longest phrase that starts at a word; 0 if there is none.
 * @param first replaces the word, for example without an attached "and"
 */
export function phraseAt(words: readonly string[], from: number, phrases: Phrases, first = words[from] ?? ''): number {
  let longest = 0;
  for (const phrase of phrases.get(first) ?? [])
    if (phrase.length > longest && phrase.every((word, index) => index === 0 || words[from + index] === word))
      longest = phrase.length;
  return longest;
}

/** Words that negate the rest of their clause: `no lift`, `بدون مصعد`. */
const NEGATORS = phraseList(
  `no, not, without, non, never, لا, ولا, لايوجد, ولايوجد, مافيه, ما فيه, مافيها, ما فيها, مافي, ما في, ما يوجد, مايوجد, بدون, وبدون, بلا, من غير,
  ينقصه, ينقصها, دون, بغير, ما به, ما بها, ما له, ما لها, ماله, مالها, غير شامل, غير شاملة, excluding, excludes, lacks, lacking,
  غير متوفر, غير متوفرة, غير موجود, غير موجودة, لم يركب, لم تركب, لم يتم, ليس,
  وليس, ليست, مو, مب, عدم, يمنع, ممنوع, خالي من, خالية من`,
);
/** Words that negate a mention before them, at the end of the clause: `pets not allowed`, `مصعد غير متوفر`. */
const NEGATIONS_BEHIND = phraseList(
  `no, none, false, n a, not allowed, not available, not included, not permitted, not provided, unavailable, excluded,
  prohibited, forbidden, are not allowed, is not available, is not allowed, absent, out of order, not working, not ready,
  planned, coming soon, to be installed, optional, under maintenance, not equipped, not fitted, not installed, علي المستاجر, علي المشتري,
  معطل حاليا, عطلان, تحت الصيانه, تحت الانشاء, معطل, معطله, لا يعمل, لا تعمل, غير جاهز, غير جاهزه, غير راكب, غير راكبه, غير مركب, غير مركبه, قيد الانشاء, قيد التركيب,
  تحت التركيب, اختياري, اختياريه, غير متوفر, غير متوفره, غير موجود, غير موجوده,
  غير متاح, غير مسموح, غير مسموح به, غير مسموحه, لا يوجد, لايوجد, لا توجد, ممنوع, ممنوعه, مافيه, ما فيه, مو موجود, لا`,
);
/** Words that end a negation: `no pool but a garden`, `لا يوجد مسبح ويوجد مصعد`. */
const AFFIRMATIONS = phraseList(
  `but, has, have, with, available, however, يوجد, ويوجد, وفيه, فيه, وفيها, فيها, لكن, ولكن, متوفر, ومتوفر, مع, ومع`,
);
/** Words before places outside the property: `near gym`, `قريب من نادي`. */
const NEARBY = phraseList(
  `near, nearby, nearest, close, next to, beside, opposite, behind, across, facing, overlooking, minutes, minute, mins, min,
  walking distance, distance, away, steps from, قرب, قريب, قريبه, وقريب, وقريبه, قريبا, بالقرب, القريب, القريبه, بجوار, جوار,
  بجانب, جنب, مجاور, مجاوره, مقابل, امام, خلف, علي بعد, تبعد, يبعد, دقائق, دقيقه, مطل, مطله, ومطل, ومطله, يطل, تطل, وتطل, اطلاله`,
);
const NEARBY_BEHIND = phraseList(
  `nearby, away, close by, next door, in the area, in the neighborhood, view, بالقرب, قريبا, قريب, قريبه, قريب منه, مجاور, مجاوره, في الحي, بالحي`,
);

/** Words before features that are only a possibility: `يمكن تحويلها لمستودع`. */
const OPTIONAL = phraseList(
  `يحتاج, تحتاج, بحاجة, can be, could be, may be, possible, optional, planned, space for, provision for, ready for, لتركيب, ممكن, وممكن, يمكن, ويمكن, بالامكان, وبالامكان, امكانيه, مع امكانيه, تحويلها, تنفع, ينفع, يصلح, تصلح, تقدر, خصم,
  خصومات`,
);

export function isOptional(words: readonly string[], from: number): boolean {
  return isWithin(words, from, OPTIONAL);
}

export function isNegated(words: readonly string[], from: number, to: number): boolean {
  return isWithin(words, from, NEGATORS) || words[from - 1] === 'غير' || endsWith(words, to, NEGATIONS_BEHIND);
}

export function isNearby(words: readonly string[], from: number, to: number): boolean {
  return isWithin(words, from, NEARBY) || endsWith(words, to, NEARBY_BEHIND);
}

/** Words before a mention that are searched, so that clauses without an end take linear time. */
const REACH = 40;

/** Returns whether a phrase precedes in the same clause, with no affirmation in between. */
function isWithin(words: readonly string[], from: number, phrases: Phrases): boolean {
  for (let at = from - 1; at >= Math.max(from - REACH, 0); at--) {
    if (phraseAt(words, at, phrases) > 0) return true;
    // A negation such as `لا يوجد` contains an affirmation.
    if (phraseAt(words, at, AFFIRMATIONS) > 0 && phraseAt(words, at - 1, NEGATORS) === 0) return false;
  }
  return false;
}

/** Returns whether a phrase ends the clause after at most two more words, or is followed by "and": `pool not available`. */
function endsWith(words: readonly string[], to: number, phrases: Phrases): boolean {
  for (let at = to; at < Math.min(to + 3, words.length); at++) {
    const length = phraseAt(words, at, phrases);
    const end = at + length;
    if (length > 0 && (end === words.length || words[end]?.startsWith('و'))) return true;
  }
  return false;
}
