import { foldDigits, longestLength } from '#domain/fold.ts';
import { POLYGON_POINTS } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Candidate } from '#domain/named.ts';
import { nearest } from '#domain/suggestions/nearest.ts';
import {
  candidatesOf,
  lostPlus,
  momentsOf,
  nearestBoolean,
  nearestNumber,
  nearestValue,
  periodsOf,
  polygonOfWkt,
} from '#domain/suggestions/values.ts';
import { quote } from '#domain/text/visible.ts';
import type { Notation } from '#domain/value-check.ts';
import { countWords, MAX_WORDS, parseSearchText } from '#queries/text/search-text.ts';
import { decodeValue } from '../decode-value.ts';
import { createValidator } from '../schema.ts';
import { describeValue } from './describe-schema.ts';

interface Accepted {
  schema: JsonSchema;
  accepts(value: unknown): boolean;
  /** Accepted values, if the schema does not list them. */
  candidates?: (() => readonly Candidate[]) | undefined;
}

export type AcceptedValues = ReadonlyMap<string, Accepted>;

export interface RefusedValue extends Accepted {
  name: string;
  /** A string if it was in a URL. */
  given: unknown;
  notation: Notation;
  /** The invalid item, if the value is a list. */
  item?: string | undefined;
  inList?: boolean;
  parameters?: AcceptedValues;
}

export function explainRefused(refused: RefusedValue): string {
  const { name, given, schema, notation, item } = refused;
  const shown = item === undefined ? describeGiven(given, schema, notation) : describeText(item);
  const subject = name === '' ? 'The body' : `\`${name.slice(0, MAX_PATH_CHARACTERS)}\``;
  return `${subject} must be ${describeValue(schema, notation)}, not ${shown}.${hint(refused)}`;
}

const MAX_SHOWN_ITEMS = 10;
const MAX_PATH_CHARACTERS = 100;

function describeGiven(given: unknown, schema: JsonSchema, notation: Notation): string {
  if (Array.isArray(given) && (plainType(schema).type !== 'array' || given.length > MAX_SHOWN_ITEMS))
    return `a list of ${given.length} values`;
  if (Array.isArray(given)) return quote(JSON.stringify(given));
  if (typeof given === 'object' && given !== null) return 'an object';
  if (typeof given !== 'string') return `\`${String(given)}\``;
  // The URL of a webhook can contain a password or token.
  if (schema.sensitive && given !== '') return `a string of ${given.length} characters`;
  const points = schema.polygon ? given.split(';').length : 0;
  if (points > POLYGON_POINTS.max) return `${points} points`;
  const most = Number(schema.maxLength ?? schema.maxCharacters);
  const written = [...given].length;
  if (written > most) return `a string of ${written} characters`;
  // Without a maximum, the text may be a whole body.
  const spelled = Number.isNaN(most) ? written : longestLength(given);
  if (spelled > most) return `a string of ${spelled} characters with its ligatures spelled out`;
  const words = schema.searchText ? countWords(parseSearchText(given)) : 0;
  if (words > MAX_WORDS) return `${words} words`;
  const isCounted = schema.type === 'array' && typeof schema.maxItems === 'number';
  const count = given.split(',').length;
  if (isCounted && count > Number(schema.maxItems)) return `${count} values`;
  // In JSON, `"3"` and `3` differ.
  const isText = [schema.type].flat().includes('string');
  return notation === 'json' && !isText ? quote(JSON.stringify(given)) : describeText(given);
}

const describeText = (text: string): string => (text.trim() === '' ? 'an empty value' : quote(text));

function hint({ given, notation, name, parameters, inList, ...accepted }: RefusedValue): string {
  const { schema } = accepted;
  const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  if (typeof text !== 'string' || schema.sensitive) return '';
  // One character, such as a ligature of a sentence, may fold to eighteen.
  if (text.length > MAX_REPAIRED || text.normalize('NFKC').length > MAX_REPAIRED) return '';
  const plain = plainType(schema);
  const isNamed = accepted.candidates !== undefined || plain.enum !== undefined;
  // A word for a single number or time means no value of another parameter: `max_age=year` is no `rent_frequency`.
  const other = () => (isNamed || plain.type === 'array' ? parameterNaming(text, parameters, name) : null);
  const assigned = rangeBounds(text, name, parameters) ?? (readingOf(text, accepted) === null ? other() : null);
  if (assigned) return ` Did you mean \`${assigned}\`?`;
  const parts = plain.type === 'string' && isNamed ? partsOf(text) : [];
  const meant = parts.map((part) => meaningOf(part, accepted));
  if (meant.length > 1 && !meant.includes(null)) {
    if (inList) return ` Did you mean \`${meant.map((each) => JSON.stringify(each)).join(', ')}\`?`;
    return ` It accepts one value, such as \`${meant[0]}\`.`;
  }
  // In JSON, another type may be meant: the number in a string, or a list of it.
  const found = meaningOf(text, accepted);
  if (found === null) return '';
  const value = plain.type === 'string' ? found : decodeValue(found, plain);
  if (notation === 'json') return ` Did you mean \`${JSON.stringify(value)}\`?`;
  // Coordinates are complete, so that they can be copied.
  if (schema.polygon) return ` Did you mean \`${found}\`?`;
  if (!lostPlus(text)) return ` Did you mean ${quote(found)}?`;
  return ` Encode \`+\` as \`%2B\`: ${quote(found.replace('+', '%2B'))}.`;
}

/** In characters. */
const MAX_REPAIRED = 300;

function plainType(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.find((type) => type !== 'null') };
}

function meaningOf(text: string, accepted: Accepted): string | null {
  const bare = withoutQuotes(text);
  const rewritten = () => rewrites(bare, plainType(accepted.schema), accepted.candidates);
  return (
    readingOf(text, accepted) ?? (bare === '' ? null : (rewritten().find((each) => takes(each, accepted)) ?? null))
  );
}

/** Returns the text, with or without quotation marks and empty items, if it is accepted. */
const readingOf = (text: string, accepted: Accepted): string | null =>
  [text, withoutQuotes(text), withoutEmptyItems(withoutQuotes(text))].find((each) => takes(each, accepted)) ?? null;

const withoutEmptyItems = (text: string): string =>
  text
    .split(',')
    .filter((item) => item.trim() !== '')
    .join(',');

const withoutQuotes = (text: string): string =>
  foldDigits(text.normalize('NFKC'))
    .trim()
    .replace(/^[[({"'“”‘’`<]+|[\])}"'“”‘’`>]+$/g, '')
    .trim();

function takes(text: string | null, { schema, accepts }: Accepted): boolean {
  const value = text === null ? undefined : decodeValue(text, plainType(schema));
  return value !== undefined && accepts(value);
}

function rewrites(text: string, schema: JsonSchema, candidates: Accepted['candidates']): (string | null)[] {
  const { type, prefixItems, polygon } = schema;
  if (prefixItems !== undefined) return [text.split(/[,;|،\s]+/).join(',')];
  if (type === 'array') {
    const items = schema.items as JsonSchema;
    const item = { schema: items, accepts: (value: unknown) => createValidator(items)(value) === null, candidates };
    const lists = [partsOf(text), text.split(/\s+/)].map((parts) => parts.map((part) => meaningOf(part, item)));
    return lists.map((meant) => (meant.includes(null) ? null : meant.join(',')));
  }
  if (candidates) return [nearest(text, candidates())];
  if (polygon) return [polygonOfWkt(text)];
  if (type === 'boolean') return [nearestBoolean(text)];
  if (type === 'integer' || type === 'number') return [nearestNumber(text)];
  if (schema.enum) return [nearestValue(text, wordsOf(schema))];
  return [...momentsOf(text), ...periodsOf(text), text.toLowerCase(), text.toUpperCase()];
}

/** Enumerated values of a schema or of its items. */
function wordsOf(schema: JsonSchema): string[] {
  const { enum: values = [] } = (schema.items ?? schema) as { enum?: readonly unknown[] };
  return values.filter((value) => typeof value === 'string');
}

/**
 * Returns a parameter with its value, as in a query string. Free text is not repeated, because values of unknown
 * parameters can be secrets.
 */
export function assignment(name: string, text: string, parameters: AcceptedValues): string | null {
  const range = rangeBounds(text, name.replace(/_(min|max)$/, ''), parameters);
  const accepted = parameters.get(name);
  if (range !== null || !accepted) return range;
  const { type, enum: values, format, pattern, maxLength } = (accepted.schema.items ?? accepted.schema) as JsonSchema;
  const isLimited = type !== 'string' || accepted.candidates || values || format || (pattern && !maxLength);
  const meant = isLimited ? meaningOf(text, accepted) : null;
  return meant === null ? null : `${name}=${meant}`;
}

/** Returns a parameter with a value of this name, unless `own` has one. */
export function parameterNaming(text: string, parameters: AcceptedValues = new Map(), own?: string): string | null {
  const naming = [...parameters].flatMap(([name, { schema, candidates }]) => {
    const flag = schema.type === 'boolean' && text === name ? 'true' : null;
    const value = flag ?? nearest(text, candidates?.() ?? candidatesOf(wordsOf(schema)), true);
    return value === null ? [] : [{ name, value }];
  });
  // An order is no filter.
  const meant = naming.find(({ name }) => name !== 'sort');
  return meant && naming.every(({ name }) => name !== own) ? `${meant.name}=${meant.value}` : null;
}

const partsOf = (text: string): string[] =>
  text
    .split(/[,;|،؛]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `beds=3+`, `beds=>=3` and `beds=2-4` become range parameters, if the endpoint has them. */
function rangeBounds(text: string, name: string, parameters?: AcceptedValues): string | null {
  const [, from, to] = /^(\d{1,12}) ?(?:[-–:]|\.{2,3}|to) ?(\d{1,12})$/.exec(text) ?? [];
  const [, least] = /^(?:>=? ?(\d{1,12})|(\d{1,12}) ?\+)$/.exec(text)?.filter(Boolean) ?? [];
  const [, most] = /^<=? ?(\d{1,12})$/.exec(text) ?? [];
  const bounds = [
    [`${name}_min`, from ?? least],
    [`${name}_max`, to ?? most],
  ].filter(([, value]) => value !== undefined);
  if (bounds.length === 0 || bounds.some(([bound]) => !parameters?.has(String(bound)))) return null;
  return bounds.map((bound) => bound.join('=')).join('&');
}
