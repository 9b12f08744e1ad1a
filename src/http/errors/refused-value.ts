import { foldDigits } from '#domain/fold.ts';
import { POLYGON_POINTS } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { lostPlus, momentsOf, periodsOf } from '#domain/suggestions/dates.ts';
import { type Candidate, nearest } from '#domain/suggestions/nearest.ts';
import { otherParameter, polygonOfWkt } from '#domain/suggestions/rewrites.ts';
import { nearestBoolean, nearestNumber, nearestValue } from '#domain/suggestions/values.ts';
import { quote } from '#domain/text/quote.ts';
import type { Notation } from '#domain/value-check.ts';
import { decodeValue } from '../decode-value.ts';
import { describeValue } from './describe-schema.ts';

export interface RefusedValue {
  name: string;
  /** A string if it comes from a URL. */
  given: unknown;
  schema: JsonSchema;
  notation: Notation;
  accepts(value: unknown): boolean;
  /** Accepted values, if the schema does not list them. */
  candidates?: readonly Candidate[] | undefined;
  /** The invalid item, if the value is a list. */
  item?: string | undefined;
  inList?: boolean;
  parameters?: ReadonlySet<string>;
}

/** The message contains the accepted values, the given value, and the value that was most likely intended. */
export function explainRefused(refused: RefusedValue): string {
  const { name, given, schema, notation, item } = refused;
  const shown = item === undefined ? describeGiven(given, schema, notation) : describeText(item);
  const subject = name === '' ? 'The body' : `\`${name.slice(0, MAX_NAME)}\``;
  return `${subject} must be ${describeValue(schema, notation)}, not ${shown}.${hint(refused)}`;
}

/** Maximum number of list items shown in a message. */
const MAX_ITEMS = 10;
/** Maximum number of characters of a field path in a message. */
const MAX_NAME = 100;

function describeGiven(given: unknown, schema: JsonSchema, notation: Notation): string {
  if (Array.isArray(given) && (plainType(schema).type !== 'array' || given.length > MAX_ITEMS))
    return `a list of ${given.length} values`;
  if (Array.isArray(given)) return quote(JSON.stringify(given));
  if (typeof given === 'object' && given !== null) return 'an object';
  if (typeof given !== 'string') return `\`${String(given)}\``;
  // The value may be a secret: the URL of a webhook can contain a password or token.
  if (schema.sensitive && given !== '') return `a string of ${given.length} characters`;
  const points = schema.polygon ? given.split(';').length : 0;
  if (points > POLYGON_POINTS.max) return `${points} points`;
  const isTooLong = typeof schema.maxLength === 'number' && [...given].length > schema.maxLength;
  if (isTooLong) return `a string of ${[...given].length} characters`;
  const isCounted = schema.type === 'array' && typeof schema.maxItems === 'number';
  const count = given.split(',').length;
  if (isCounted && count > Number(schema.maxItems)) return `${count} values`;
  // In JSON, `"3"` and `3` are different values, so the quotation marks are shown.
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
  const bounds = parameters && (rangeBounds(text, name, parameters) ?? otherParameter(name, text, parameters));
  if (bounds) return ` Did you mean \`${bounds}\`?`;
  const parts = plain.type === 'string' && (candidates || plain.enum) ? partsOf(text) : [];
  const meant = parts.map((part) => (takes(part) ? part : repair(part, { schema: plain, takes, candidates })));
  if (meant.length > 1 && !meant.includes(null)) {
    if (inList) return ` Did you mean \`${meant.map((each) => JSON.stringify(each)).join(', ')}\`?`;
    return ` It accepts one value, such as \`${meant[0]}\`.`;
  }
  // In JSON, a number or boolean may have been sent as a string by mistake.
  const isQuoted = notation === 'json' && typeof given === 'string' && plain.type !== 'string';
  const found = isQuoted && takes(text) ? text : repair(text, { schema: plain, takes, candidates });
  if (found === null) return '';
  const value = plain.type === 'string' ? found : decodeValue(found, plain);
  if (notation === 'json') return ` Did you mean \`${JSON.stringify(value)}\`?`;
  // Coordinates are shown completely, so that they can be copied.
  if (schema.polygon) return ` Did you mean \`${found}\`?`;
  if (!lostPlus(text)) return ` Did you mean ${quote(found)}?`;
  return ` Encode \`+\` as \`%2B\`: ${quote(found.replace('+', '%2B'))}.`;
}

/** Maximum length in characters of a value for which a correction is suggested. */
const MAX_REPAIRED = 300;

function plainType(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.find((type) => type !== 'null') };
}

interface Repair {
  schema: JsonSchema;
  takes(text: string): boolean;
  candidates: readonly Candidate[] | undefined;
}

/** Returns the accepted value that a string most likely means, or null. */
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
  const { type, enum: values, polygon } = schema;
  if (type === 'array') return [joinParts(text, { schema, takes, candidates })];
  if (candidates) return [nearest(text, candidates)];
  if (polygon) return [polygonOfWkt(text)];
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

/** Corrects a list that uses separators other than commas or contains items that need correction. */
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

/**
 * Converts range notation such as `beds=3+`, `beds=>=3` and `beds=2-4` to range parameters, if the endpoint has them.
 */
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
