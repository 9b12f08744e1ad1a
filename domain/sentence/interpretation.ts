import type { Atom } from './atoms.ts';

/** Words with their range in UTF-16 code units: `start` inclusive, `end` exclusive. */
export interface Words {
  words: string;
  start: number;
  end: number;
}

export interface ParsedFilter extends Words {
  parameter: string;
  value: string;
}

/** Words that no filter represents. */
export interface NotUnderstood extends Words {
  /** `no_filter`: only known words. `ambiguous`: the name of several places, which are alternatives. */
  reason: (typeof NOT_UNDERSTOOD_REASONS)[number];
}
export const NOT_UNDERSTOOD_REASONS = ['no_filter', 'unknown', 'ambiguous'] as const;

const LIST_PARAMETERS = new Set([
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'neighborhood_id_exclude',
  'direction_id',
  'amenities',
  'amenities_exclude',
  'floor',
  'rent_frequency',
  'advertiser_type',
]);

/** The atoms of a sentence, and the filters that the words read so far state. */
export class Interpretation {
  readonly atoms: readonly Atom[];
  readonly understood: ParsedFilter[] = [];
  sort: string | null = null;
  /** What `near` or `near_any` is around. */
  nearPlace: { name_en: string | null; name_ar: string | null } | null = null;
  readonly #sentence: string;
  readonly #values = new Map<string, string[]>();

  constructor(sentence: string, atoms: readonly Atom[]) {
    this.#sentence = sentence;
    this.atoms = atoms;
  }

  filters(): Record<string, string> {
    return Object.fromEntries([...this.#values].map(([name, values]) => [name, values.join(',')]));
  }

  has(parameter: string, value?: string): boolean {
    const values = this.#values.get(parameter);
    return value === undefined ? values !== undefined : values?.[0] === value;
  }

  tag(index: number): string {
    return this.atoms[index]?.tag ?? '';
  }

  textOf(index: number): string {
    return this.atoms[index]?.text ?? '';
  }

  wordsOf(first: number, last: number): Words {
    const start = this.atoms[first]?.start ?? 0;
    const end = this.atoms[last]?.end ?? start;
    return { words: this.#sentence.slice(start, end), start, end };
  }

  /**
   * Sets a filter that atoms `first` to `last` state. Returns false if the filter takes one value and already has
   * another.
   */
  set(parameter: string, value: string, first: number, last = first): boolean {
    const values = this.#values.get(parameter) ?? [];
    if (!values.includes(value)) {
      if (values.length > 0 && !LIST_PARAMETERS.has(parameter)) return false;
      this.#values.set(parameter, [...values, value]);
    }
    this.use(first, last);
    this.understood.push({ parameter, value, ...this.wordsOf(first, last) });
    return true;
  }

  use(first: number, last = first): void {
    for (const atom of this.atoms.slice(first, last + 1)) atom.isUsed = true;
  }

  /** Returns the index of the next atom in the direction of `step`, without fillers; -1 at a mark or the end. */
  next(at: number, step: 1 | -1 = 1): number {
    for (let index = at + step; ; index += step) {
      const atom = this.atoms[index];
      if (atom === undefined || atom.tag === 'mark') return -1;
      if (atom.tag !== 'stop') return index;
    }
  }

  /** Yields up to `most` atoms, each with its index, without fillers and up to a mark. */
  *nextTo(at: number, step: 1 | -1, most: number): Generator<[number, Atom]> {
    let index = this.next(at, step);
    for (let count = 0; index >= 0 && count < most; count += 1) {
      yield [index, this.atoms[index] as Atom];
      index = this.next(index, step);
    }
  }

  /** Returns the words that no filter uses. */
  rest(alternatives: readonly Words[]): NotUnderstood[] {
    const rest: NotUnderstood[] = [];
    let phrase: number[] = [];
    const restOf = (words: Words, atoms: readonly number[]): NotUnderstood => {
      const isNamed = alternatives.some(({ start, end }) => start >= words.start && end <= words.end);
      const isUnknown = atoms.some((at) => this.tag(at) === 'unknown');
      return { ...words, reason: isNamed ? 'ambiguous' : isUnknown ? 'unknown' : 'no_filter' };
    };
    const end = (): void => {
      if (phrase.some((at) => !['in', 'district', 'to', 'label', 'between'].includes(this.tag(at))))
        rest.push(restOf(this.wordsOf(phrase[0] as number, phrase.at(-1) as number), phrase));
      phrase = [];
    };
    for (const [at, { tag, isUsed }] of this.atoms.entries()) {
      if (isUsed || tag === 'mark') end();
      else if (tag !== 'stop' && tag !== 'and' && tag !== 'or') phrase.push(at);
    }
    end();
    return rest;
  }

  hasOtherType(at: number, type: string): boolean {
    return this.atoms.slice(0, at).some(({ tag, value }) => tag === 'type' && value !== type);
  }

  isNear(at: number): boolean {
    const before = this.next(at, -1);
    return this.tag(before) === 'near' && !/^(?:from|من)$/.test(this.textOf(before));
  }
}
