import { ERRORS, type ErrorCode } from '#domain/errors.ts';
import { FIELDS, NULL_IF_UNKNOWN } from '../fields.ts';
import { isObject, type Json } from '../schemas.ts';
import sentences from './sentences.json' with { type: 'json' };

/** By English sentence. A test reports sentences without a translation. */
export const SENTENCES: Readonly<Record<string, string>> = sentences;

/** Descriptions of fields are translated as a whole. */
export const FIELD_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.values(FIELDS), NULL_IF_UNKNOWN].flatMap(({ en, ar }) => (en && ar ? [[en, ar]] : [])),
);

const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

const SENTENCE_END = /(?<=\.) (?=[A-Z`])/;

/** A sentence without a translation remains in English. */
export const arabicOf = (text: string, onMissing: (sentence: string) => void = () => {}): string =>
  FIELD_TEXTS[text] ??
  text
    .split(SENTENCE_END)
    .map((sentence) => {
      const arabic = SENTENCES[sentence] ?? FIELD_TEXTS[sentence];
      if (arabic === undefined) onMissing(sentence);
      return arabic ?? sentence;
    })
    .join(' ');

export function inArabic(document: Json, onMissing?: (sentence: string) => void): Json {
  const say = (text: string): string => arabicOf(text, onMissing);

  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        if (VALUES.has(name)) return [name, each];
        if ((name !== 'description' && name !== 'summary') || typeof each !== 'string') return [name, visit(each)];
        return [name, Array.isArray(value['x-codes']) ? describeCodes(value['x-codes']) : say(each)];
      }),
    );
  };

  const { tags, ...rest } = document;
  const named = (tags as readonly { name: string; description: string }[]).map((tag) => ({
    ...tag,
    'x-displayName': say(tag.name),
    description: say(tag.description),
  }));
  return { ...(visit(rest) as Json), tags: named };
}

const describeCodes = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${ERRORS[code].ar.message}`).join('\n\n');
