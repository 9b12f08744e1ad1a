/**
 * What `index-templates/words.txt` comes to in the engine. The engine's light stemmer takes off one prefix and common
 * endings; a word list on either side of it, each a `stemmer_override`, does the rest without any cost a token.
 */
export interface WordRules {
  /** Whole words, before the light stemmer: those that it would make into another listed word. */
  whole: string[];
  /** What the light stemmer leaves of a word: its forms, letters that it does not take off, attached in front. */
  stems: string[];
}

/** Attached letters in their combinations; the plainer reading of a spelling comes first. */
const PREFIXES = ['', 'ال', 'و', 'ب', 'ل', 'لل', 'ك', 'وال', 'بال', 'وب', 'ول', 'ولل', 'وبال'];
/** What may follow a word behind any prefix, and what only follows a bare one or "and"; the last is the alef of شهرياً. */
const ENDINGS = ['', 'ه', 'ات', 'ين'];
const BARE_ENDINGS = ['ها', 'ان', 'ا'];
/** What may stand in the place of a final ta marbuta. */
const FEMININE_ENDINGS = ['ه', 'ات', 'تين'];
const BARE_FEMININE_ENDINGS = ['تها', 'تان'];

/** The last result: templates are compiled several times in a start, from the same file. */
let last: { text: string; rules: WordRules } | undefined;

/**
 * @param lines a word a line, its forms separated by commas, folded
 * @throws when a form stands on two lines
 */
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
  // A stem belongs to the word that is spelled like it, or else to the first that has it.
  const owner = new Map<string, number>();
  for (const [form, word] of listed) {
    for (const stem of ownStems(form)) if (!owner.has(stem) || wordOf.get(stem) === word) owner.set(stem, word);
  }
  const isWhole = ([form, word]: readonly [string, number]): boolean =>
    !isArabic(form) || ownStems(form).some((stem) => owner.get(stem) !== word);
  const kept = listed.filter(isWhole);
  const stemmed = listed.filter((entry) => !isWhole(entry));

  const whole = new Map(kept);
  const stems = new Map(owner);
  for (const prefix of PREFIXES) {
    for (const [form, word] of kept) {
      if (!isArabic(form)) continue;
      for (const spelling of spellings(prefix, form)) {
        if (!wordOf.has(spelling) && !whole.has(spelling)) whole.set(spelling, word);
      }
    }
    for (const [form, word] of stemmed) {
      for (const spelling of spellings(prefix, form)) {
        const stem = lightStem(spelling);
        if (!stems.has(stem)) stems.set(stem, word);
      }
    }
  }
  const name = (word: number): string => (words[word] as string[])[0] as string;
  return { whole: rules(whole, name), stems: rules(stems, name) };
}

/** The stem of a form as it stands, and behind the article, which the stemmer may see differently (واجهة, الواجهة). */
function ownStems(form: string): string[] {
  return isArabic(form) ? [lightStem(form), lightStem(`ال${form}`)] : [];
}

function spellings(prefix: string, form: string): string[] {
  const bare = prefix === '' || prefix === 'و';
  if (form.endsWith('ه')) {
    const endings = bare ? [...FEMININE_ENDINGS, ...BARE_FEMININE_ENDINGS] : FEMININE_ENDINGS;
    return endings.map((ending) => prefix + form.slice(0, -1) + ending);
  }
  const endings = bare ? [...ENDINGS, ...BARE_ENDINGS] : ENDINGS;
  return endings.map((ending) => prefix + form + ending);
}

function rules(words: ReadonlyMap<string, number>, name: (word: number) => string): string[] {
  const byWord = Map.groupBy(words.keys(), (spelling) => words.get(spelling) as number);
  return [...byWord].map(([word, all]) => `${all.join(', ')} => ${name(word)}`);
}

const isArabic = (form: string): boolean => /^[\u0621-\u064a]/.test(form);

const STEMMER_PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و'];
const STEMMER_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];

/** What the engine's light stemmer for Arabic makes of a folded word: at most one prefix off, then every ending in turn. */
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
