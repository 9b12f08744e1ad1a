import { isLatin } from '../fold.ts';

/** Numerals, folded. */
const WORDS: ReadonlyMap<string, number> = new Map(
  `1 واحد واحده one wahid
2 اثنين اتنين تنتين اثنان اثنتين اثنتان ثنتين two ithnain thnain
3 ثلاث ثلاثه تلات تلاته three thalath talat thalatha
4 اربع اربعه four arba arbaa
5 خمس خمسه five khams khamsa
6 ست سته six sitta
7 سبع سبعه seven saba sabaa
8 ثمان ثماني ثمانيه تمان تمن تمانيه eight
9 تسع تسعه nine
10 عشر عشره ten ashra ashr
11 احدعشر احدعش حداشر eleven
12 اثناعشر اثنعشر اثنعش اطنعش twelve
13 ثلاثطعش ثلطعش thirteen
14 اربعطعش اربعتعش fourteen
15 خمسطعش خمستعش fifteen
16 ستطعش ستعش sixteen
17 سبعطعش سبعتعش seventeen
18 ثمنطعش ثمانطعش eighteen
19 تسعطعش تسعتعش nineteen
20 عشرين عشرون twenty ishreen eshreen
30 ثلاثين تلاتين ثلاثون thirty thalatheen talateen
40 اربعين اربعون forty arbaeen arbeen
50 خمسين خمسون fifty khamseen
60 ستين ستون sixty sitteen
70 سبعين سبعون seventy sabeen
80 ثمانين تمانين ثمانون eighty thamaneen
90 تسعين تسعون ninety tiseen
100 ميه مايه hundred
200 ميتين مايتين ميتان مايتان ميتي مايتي مايتا
300 ثلاثميه ثلاثمايه ثلثميه
400 اربعميه اربعمايه
500 خمسميه خمسمايه
600 ستميه ستمايه
700 سبعميه سبعمايه
800 ثمانميه ثمانمايه ثمنميه
900 تسعميه تسعمايه`
    .split('\n')
    .flatMap((line) => {
      const [value, ...words] = line.split(' ');
      return words.map((word): [string, number] => [word, Number(value)]);
    }),
);
const TEEN_UNITS: ReadonlyMap<string, number> = new Map([
  ['احد', 1],
  ['احدي', 1],
  ['اثنا', 2],
  ['اثني', 2],
  ['اثنتا', 2],
  ['اثنتي', 2],
]);
const TEN = new Set(['عشر', 'عشره']);
const HUNDRED = new Set(['hundred', 'ميه', 'مايه']);
/** Attached prefixes: `وخمسين`, `بثلاث`, `الخمسة`. */
const ATTACHED = ['', 'و', 'ب', 'ل', 'ال', 'لل', 'بال', 'وب', 'ول', 'وال'];
const FIRST: ReadonlyMap<string, number> = new Map(
  ATTACHED.toReversed().flatMap((letters) =>
    [...WORDS].flatMap(([word, value]): [string, number][] =>
      letters === '' || !isLatin(word) ? [[letters + word, value]] : [],
    ),
  ),
);

/** Reads a number from 1 to 999 in folded words; returns null if there is none. */
export function readNumber(words: readonly string[], at: number): { value: number; length: number } | null {
  const [first = '', second = ''] = [words[at], words[at + 1]];
  const teen = TEN.has(second) ? TEEN_UNITS.get(first) : undefined;
  if (teen !== undefined) return { value: teen + 10, length: 2 };
  let value = FIRST.get(first);
  // "One of" is not a count.
  if (value === undefined || (first === 'one' && second === 'of')) return null;
  let length = 1;
  if (value < 10 && TEN.has(second)) return { value: value + 10, length: 2 };
  if (value < 10 && HUNDRED.has(second)) {
    value *= 100;
    length = 2;
  }
  for (let last = value; ; ) {
    const next = words[at + length] ?? '';
    const joined = next === 'and' && last >= 100;
    const word = joined ? (words[at + length + 1] ?? '') : next;
    const isArabic = word.startsWith('و');
    const addend = WORDS.get(isArabic ? word.slice(1) : word);
    if (addend === undefined || !(isArabic ? followsArabic(last, addend) : isLatin(word) && followsLatin(last, addend)))
      return { value, length };
    value += addend;
    last = addend;
    length += joined ? 2 : 1;
  }
}

/** Returns whether an addend continues an Arabic number: `مئة وخمسين`, `خمسة وعشرين`. */
const followsArabic = (last: number, addend: number): boolean =>
  last >= 100 ? addend < 100 : last < 10 && addend >= 20 && addend < 100;
/** Returns whether an addend continues an English number: `hundred fifty`, `twenty five`. */
const followsLatin = (last: number, addend: number): boolean =>
  last >= 100 ? addend < 100 : last >= 20 && addend < 10;

/** Nouns whose dual is a count; folded, in the singular. */
const COUNTED =
  `غرفه صاله حمام دوره موقف مدخل شارع واجهه دور طابق شقه فيلا وحده محل مكتب مصعد مطبخ مجلس ملحق جناح مستودع بلكونه مسبح كراج
خزان عداد باب قسم سياره سنه شهر دفعه قطعه عماره`.split(/\s+/);
const DUALS: ReadonlyMap<string, string> = new Map(
  COUNTED.flatMap((noun) => {
    const stem = noun.endsWith('ه') || noun === 'فيلا' ? `${noun.slice(0, -1)}ت` : noun;
    // Dual endings. `غرفتي نوم` has the form before another noun.
    const endings = noun.endsWith('ه') ? ['ين', 'ان', 'ي', 'ا'] : ['ين', 'ان'];
    return ATTACHED.flatMap((letters) => endings.map((ending): [string, string] => [letters + stem + ending, noun]));
  }).filter(([dual]) => dual !== 'دوران'),
);

/** Returns the singular of a dual such as `غرفتين`, or null. */
export const dualOf = (word: string): string | null => DUALS.get(word) ?? null;
