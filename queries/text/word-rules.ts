/**
 * The engine's rules, compiled from `index-templates/words.txt`: one `stemmer_override` list before its light stemmer,
 * which removes one prefix and common endings, and one after it.
 */
export interface WordRules {
  /** Rules for whole words that the light stemmer would shorten too much or turn into another listed word. */
  whole: string[];
  /** Rules for the light stemmer's output: the forms of a word, and attached letters that the stemmer keeps. */
  stems: string[];
  /** Stems that equal the name of their word. Tokens with one of these stems skip the lookup in `stems`. */
  settled: string[];
  /** Returns the stem of a folded word. From an unlisted English word, only `'s` and the plural are removed. */
  stemOf(word: string): string;
}

/** Combinations of attached letters, simplest first. */
const PREFIXES = ['', 'ال', 'و', 'ب', 'ل', 'لل', 'ك', 'وال', 'بال', 'وب', 'ول', 'ولل', 'وبال'];
const BARE_PREFIXES = ['', 'و'];
/**
 * Endings after any prefix, and endings that occur only without a prefix or after "and". The last one is the alef in
 * شهرياً.
 */
const ENDINGS = ['', 'ه', 'ات', 'ين'];
const BARE_ENDINGS = ['ها', 'ان', 'ا'];
/** Forms of a final ta marbuta: after any prefix, and only without a prefix or after "and". */
const FEMININE_ENDINGS = ['ه', 'ات', 'تين'];
const BARE_FEMININE_ENDINGS = ['تها', 'تان'];

/** Minimum length of a distinctive stem. For example, ده, the stem of دهان, is too short. */
const SHORTEST_STEM = 3;

/** The last result, cached because the three lists are read separately. */
let last: { text: string; rules: WordRules } | undefined;

export function compileWords(lines: readonly string[]): WordRules {
  const text = lines.join('\n');
  if (last?.text !== text) last = { text, rules: compile(lines) };
  return last.rules;
}

function compile(lines: readonly string[]): WordRules {
  const words = lines.map((line) => line.split(',').map((form) => form.trim()));
  const wordOf = new Map<string, number>();
  for (const [word, forms] of words.entries()) {
    for (const form of forms) {
      if (form === '' || /\s/.test(form) || (wordOf.get(form) ?? word) !== word)
        throw new Error(`index-templates/words.txt: "${form}" stands on two lines, or is not one word.`);
      wordOf.set(form, word);
    }
  }
  const listed = [...wordOf];
  // A stem belongs to the word that is spelled like it, otherwise to the first word with it. A short stem belongs to no
  // word.
  const owner = new Map<string, number>();
  for (const [form, word] of listed) {
    for (const stem of ownStems(form)) {
      if (stem.length >= SHORTEST_STEM && (!owner.has(stem) || wordOf.get(stem) === word)) owner.set(stem, word);
    }
  }
  const isWhole = ([form, word]: readonly [string, number]): boolean =>
    !isArabic(form) || ownStems(form).some((stem) => owner.get(stem) !== word);
  // Listed forms with every prefix. Endings added to another word must not produce these.
  const plain = new Map<string, number>();
  for (const prefix of PREFIXES) {
    for (const [form, word] of listed) {
      if (isArabic(form) && !plain.has(prefix + form)) plain.set(prefix + form, word);
    }
  }

  const whole = new Map<string, number>();
  const stems = new Map(owner);
  for (const entry of listed) {
    const [form, word] = entry;
    if (!isArabic(form)) whole.set(form, word);
    else if (isWhole(entry)) {
      for (const spelling of spellings(form)) {
        if (!whole.has(spelling) && (plain.get(spelling) ?? word) === word) whole.set(spelling, word);
      }
    } else {
      for (const stem of spellings(form).map(lightStem)) {
        // Without any of the word's own stems, a stem does not identify it.
        if (!stems.has(stem) && ownStems(form).some((own) => stem.includes(own))) stems.set(stem, word);
      }
    }
  }
  for (const [spelling, word] of plain) {
    // After a prefix, the stemmer may produce another word (باركان) or too short a stem (بلون).
    if (!whole.has(spelling) && stems.get(lightStem(spelling)) !== word) whole.set(spelling, word);
  }
  // A word is named by its light stem if that is unique, so that most spellings need no rule.
  const name = (word: number): string => {
    const [form] = words[word] as [string];
    const stem = lightStem(form);
    return isArabic(form) && owner.get(stem) === word ? stem : form;
  };
  const settled = [...stems].filter(([stem, word]) => stem === name(word)).map(([stem]) => stem);
  for (const stem of settled) stems.delete(stem);
  const stemOf = (text: string): string => {
    const listed = whole.get(text);
    if (listed !== undefined) return name(listed);
    if (!isArabic(text)) return withoutPlural(text);
    const stem = lightStem(text);
    const word = stems.get(stem);
    return word === undefined ? stem : name(word);
  };
  return { whole: rules(whole, name), stems: rules(stems, name), settled, stemOf };
}

/** Removes `'s` and an English plural ending, as the engine's `minimal_english` stemmer does. */
function withoutPlural(text: string): string {
  const word = text.replace(/['’]s$/, '');
  if (word.length < 3 || !/[^us]s$/.test(word)) return word;
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /[iaoe]es$/.test(word) ? word : word.slice(0, -1);
}

/** Returns the stems of a form with and without the article, where they may differ (واجهة, الواجهة). */
function ownStems(form: string): string[] {
  return isArabic(form) ? [lightStem(form), lightStem(`ال${form}`)] : [];
}

function spellings(form: string): string[] {
  const feminine = form.endsWith('ه');
  const base = feminine ? form.slice(0, -1) : form;
  const [endings, bareEndings] = feminine ? [FEMININE_ENDINGS, BARE_FEMININE_ENDINGS] : [ENDINGS, BARE_ENDINGS];
  return [
    ...PREFIXES.flatMap((prefix) => endings.map((ending) => prefix + base + ending)),
    ...BARE_PREFIXES.flatMap((prefix) => bareEndings.map((ending) => prefix + base + ending)),
  ];
}

function rules(words: ReadonlyMap<string, number>, name: (word: number) => string): string[] {
  const byWord = Map.groupBy(words.keys(), (spelling) => words.get(spelling) as number);
  return [...byWord].map(([word, all]) => `${all.join(', ')} => ${name(word)}`);
}

const isArabic = (form: string): boolean => /^[\u0621-\u064a]/.test(form);

const STEMMER_PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و'];
const STEMMER_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];

/**
 * Returns the output of the engine's light Arabic stemmer, which removes at most one prefix, then endings in sequence.
 */
export function lightStem(word: string): string {
  let stem = word;
  const prefix = STEMMER_PREFIXES.find(
    (start) => stem.startsWith(start) && stem.length >= start.length + (start.length === 1 ? 3 : 2),
  );
  if (prefix) stem = stem.slice(prefix.length);
  for (const end of STEMMER_SUFFIXES) {
    if (stem.endsWith(end) && stem.length >= end.length + 2) stem = stem.slice(0, -end.length);
  }
  return stem;
}
