import { foldDigits } from '#domain/fold.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { lostPlus, momentsOf, periodsOf } from '#domain/suggestions/dates.ts';
import { type Candidate, nearest } from '#domain/suggestions/nearest.ts';
import { nearestBoolean, nearestNumber, nearestValue } from '#domain/suggestions/values.ts';
import { quote } from '#domain/text/quote.ts';
import type { Notation } from '#domain/value-check.ts';
import { decodeValue } from '../decode-value.ts';
import { describeValue } from './describe-schema.ts';

/** A value of a known parameter, or of a field of a body, that is not accepted. */
export interface RefusedValue {
  /** The parameter, or the path of the field. */
  name: string;
  /** A text where it comes from a URL. */
  given: unknown;
  schema: JsonSchema;
  notation: Notation;
  /** Whether a value would be accepted in place of the given one. */
  accepts(value: unknown): boolean;
  /** The values that exist, where the schema does not list them. */
  candidates?: readonly Candidate[] | undefined;
  /** The part of a list that is at fault. */
  item?: string | undefined;
  /** Whether it is one value of a list in JSON. */
  inList?: boolean;
  /** All parameters of the endpoint. */
  parameters?: ReadonlySet<string>;
}

/** Says what the value must be, what it is, and the accepted value that was most likely meant. */
export function explainRefused(refused: RefusedValue): string {
  const { name, given, schema, notation, item } = refused;
  const shown = item === undefined ? describeGiven(given, schema, notation) : describeText(item);
  const subject = name === '' ? 'The body' : `\`${name.slice(0, MAX_NAME)}\``;
  return `${subject} must be ${describeValue(schema, notation)}, not ${shown}.${hint(refused)}`;
}

/** Values of a list that is shown. */
const MAX_ITEMS = 10;
/** Characters of a path into a body that are shown. */
const MAX_NAME = 100;

function describeGiven(given: unknown, schema: JsonSchema, notation: Notation): string {
  if (Array.isArray(given) && (plainType(schema).type !== 'array' || given.length > MAX_ITEMS))
    return `a list of ${given.length} values`;
  if (Array.isArray(given)) return quote(JSON.stringify(given));
  if (typeof given === 'object' && given !== null) return 'an object';
  if (typeof given !== 'string') return `\`${String(given)}\``;
  // A webhook's address may have a password or a token in it.
  if (schema.sensitive && given !== '') return `a text of ${given.length} characters`;
  const isTooLong = typeof schema.maxLength === 'number' && [...given].length > schema.maxLength;
  if (isTooLong) return `a text of ${[...given].length} characters`;
  const isCounted = schema.type === 'array' && typeof schema.maxItems === 'number';
  const count = given.split(',').length;
  if (isCounted && count > Number(schema.maxItems)) return `${count} values`;
  // In JSON, `"3"` and `3` are different values.
  const isText = [schema.type].flat().includes('string');
  return notation === 'json' && !isText ? quote(JSON.stringify(given)) : describeText(given);
}

const describeText = (text: string): string => (text.trim() === '' ? 'an empty value' : quote(text));

function hint({ given, schema, notation, accepts, candidates, name, parameters, inList }: RefusedValue): string {
  const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  if (typeof text !== 'string' || text.length > MAX_REPAIRED || schema.sensitive) return '';
  const plain = plainType(schema);
  const takes = (each: string): boolean => {
    const value = decodeValue(each, plain);
    return value !== undefined && accepts(value);
  };
  const bounds = parameters && rangeBounds(text, name, parameters);
  if (bounds) return ` Did you mean \`${bounds}\`?`;
  const parts = plain.type === 'string' && (candidates || plain.enum) ? partsOf(text) : [];
  const meant = parts.map((part) => (takes(part) ? part : repair(part, { schema: plain, takes, candidates })));
  if (meant.length > 1 && !meant.includes(null)) {
    if (inList) return ` Did you mean \`${meant.map((each) => JSON.stringify(each)).join(', ')}\`?`;
    return ` It takes one value, such as \`${meant[0]}\`.`;
  }
  // In JSON a number or a boolean may have been sent as a text.
  const isQuoted = notation === 'json' && typeof given === 'string' && plain.type !== 'string';
  const found = isQuoted && takes(text) ? text : repair(text, { schema: plain, takes, candidates });
  if (found === null) return '';
  const value = plain.type === 'string' ? found : decodeValue(found, plain);
  if (notation === 'json') return ` Did you mean \`${JSON.stringify(value)}\`?`;
  if (!lostPlus(text)) return ` Did you mean ${quote(found)}?`;
  return ` Encode \`+\` as \`%2B\`: ${quote(found.replace('+', '%2B'))}.`;
}

/** Characters of a value that a better one is looked for. */
const MAX_REPAIRED = 300;

/** A schema with the type of its values other than null. */
function plainType(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.find((type) => type !== 'null') };
}

interface Repair {
  schema: JsonSchema;
  takes(text: string): boolean;
  candidates: readonly Candidate[] | undefined;
}

/** An accepted text that the given one may stand for; null without one. */
function repair(text: string, { schema, takes, candidates }: Repair): string | null {
  const plain = foldDigits(text)
    .trim()
    .replace(/^[[({"'“”‘’`<]+|[\])}"'“”‘’`>]+$/g, '')
    .trim();
  if (plain === '') return null;
  const isNew = (each: string | null): each is string => each !== null && each !== text && takes(each);
  return [plain, ...rewrites(plain, { schema, takes, candidates })].find(isNew) ?? null;
}

function rewrites(text: string, { schema, takes, candidates }: Repair): (string | null)[] {
  if (candidates) return [nearest(text, candidates)];
  const { type, enum: values } = schema;
  if (type === 'array') return [joinParts(text, { schema, takes, candidates })];
  if (type === 'boolean') return [nearestBoolean(text)];
  if (type === 'integer' || type === 'number') return [nearestNumber(text)];
  if (Array.isArray(values))
    return [
      nearestValue(
        text,
        values.filter((value) => typeof value === 'string'),
      ),
    ];
  return [...momentsOf(text), ...periodsOf(text), text.toLowerCase(), text.toUpperCase()];
}

/** The list whose values are separated by other signs than commas, or are each written in another way. */
function joinParts(text: string, { schema, takes, candidates }: Repair): string | null {
  if (schema.prefixItems !== undefined) return text.split(/[,;|،\s]+/).join(',');
  const items = schema.items as JsonSchema;
  const repairAll = (parts: readonly string[]): string | null => {
    const meant = parts.map((part) => (takes(part) ? part : repair(part, { schema: items, takes, candidates })));
    return meant.some((each) => each === null) ? null : meant.join(',');
  };
  return repairAll(partsOf(text)) ?? repairAll(text.split(/\s+/));
}

const partsOf = (text: string): string[] =>
  text
    .split(/[,;|،؛]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `beds=3+`, `beds=>=3` and `beds=2-4` as the parameters of a range, where there are such. */
function rangeBounds(text: string, name: string, parameters: ReadonlySet<string>): string | null {
  const [, from, to] = /^(\d{1,12}) ?[-–:] ?(\d{1,12})$/.exec(text) ?? [];
  const [, least] = /^(?:>=? ?(\d{1,12})|(\d{1,12}) ?\+)$/.exec(text)?.filter(Boolean) ?? [];
  const [, most] = /^<=? ?(\d{1,12})$/.exec(text) ?? [];
  const bounds = [
    [`${name}_min`, from ?? least],
    [`${name}_max`, to ?? most],
  ].filter(([, value]) => value !== undefined);
  if (bounds.length === 0 || bounds.some(([bound]) => !parameters.has(String(bound)))) return null;
  return bounds.map((bound) => bound.join('=')).join('&');
}
