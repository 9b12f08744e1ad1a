/** Translates descriptions into English. Without a translator, English is composed from the fields. */
export interface Translator {
  name: string;
  /** @throws when the text could not be translated; the English is then composed from the fields */
  translate(text: string): Promise<string>;
}

/**
 * The translator of a name; null for `none`, with which English is composed from the fields.
 * @throws Error on a name that is not known
 */
export function translatorNamed(name: string, known: readonly Translator[] = []): Translator | null {
  if (name === 'none') return null;
  const translator = known.find((candidate) => candidate.name === name);
  if (translator !== undefined) return translator;
  throw new Error(`No translator is called "${name}". Known: ${['none', ...known.map((one) => one.name)].join(', ')}.`);
}
