import { nameKeys } from '#domain/geography/names.ts';
import { foldText } from '#domain/text/fold.ts';

/** Keys of names of projects and developers, by which spellings of one name meet. All pure. */

/** Words that any name may have or lack. */
const PROJECT_NOISE = new Set('project the a of development مشروع'.split(' '));
const COMPANY_NOISE = new Set(
  `company co ltd llc corp corporation group holding real estate realestate properties property development developments
   developer developers for and of the investment investments شركه مجموعه القابضه العقاريه العقاري للتطوير التطوير
   والتطوير تطوير للاستثمار والاستثمار الاستثمار المحدوده عقاريه عقاري للعقارات المطور مطور`.split(/\s+/),
);

/** Numbers as words, which tell the phases of one development apart. */
const NUMBER_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    '1': 'one first i الاول الاولي اولي واحد',
    '2': 'two second ii الثاني الثانيه ثانيه اثنان',
    '3': 'three third iii الثالث الثالثه ثالثه ثلاثه',
    '4': 'four fourth iv الرابع الرابعه رابعه اربعه',
    '5': 'five fifth v الخامس الخامسه خامسه خمسه',
    '6': 'six sixth vi السادس السادسه سادسه سته',
  }).flatMap(([digit, words]) => words.split(' ').map((word) => [word, digit])),
);
/** What stands beside the number of a phase. */
const PHASE_WORDS = new Set('phase part stage المرحله مرحله الجزء'.split(' '));

const wordsOf = (name: string): string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? [];

export interface ProjectNameKey {
  /** Without numbers, articles and spaces; transliterations are made one. */
  key: string;
  /** The numbers in it, in order: two phases of a development have different ones. */
  numbers: string;
}

export function projectNameKey(name: string): ProjectNameKey {
  const numbers: string[] = [];
  const rest: string[] = [];
  for (const word of wordsOf(name)) {
    const number = /^\d+$/.test(word) ? String(Number(word)) : NUMBER_WORDS[word];
    if (number !== undefined) numbers.push(number);
    else if (!PROJECT_NOISE.has(word) && !PHASE_WORDS.has(word)) rest.push(word);
  }
  return { key: nameKeys(rest.join(' ')).loose, numbers: numbers.sort().join(' ') };
}

export type Language = 'en' | 'ar';

/** The language that a name is written in. */
export const languageOf = (name: string): Language => (/\p{Script=Arabic}/u.test(name) ? 'ar' : 'en');

/** The key of a developer's name, with its language; null for a name that is nothing but general words. */
export function developerKey(name: string): string | null {
  const words = wordsOf(name);
  const own = words.filter((word) => !COMPANY_NOISE.has(word));
  const { loose } = nameKeys((own.length > 0 ? own : words).join(' '));
  return loose === '' ? null : `${languageOf(name)}:${loose}`;
}
