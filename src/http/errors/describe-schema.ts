import { MAX_NEAR_POINTS, POLYGON_POINTS } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Notation } from '#domain/value-check.ts';
import { MAX_WORDS } from '#queries/text/search-text.ts';

/**
 * Completes a sentence such as "`beds` must be ...".
 * @throws Error for a schema that words cannot describe
 */
export function describeValue(schema: JsonSchema, notation: Notation): string {
  const types = [schema.type].flat();
  const words = describeType(schema, types.find((type) => type !== 'null') as string | undefined, notation);
  return types.includes('null') ? `${words}${words.includes(',') ? ',' : ''} or null` : words;
}

function describeType(schema: JsonSchema, type: string | undefined, notation: Notation): string {
  const { enum: values, const: only, maxLength } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (schema.orderedBox) return describeBox(notation);
  if (schema.point) return `${notation === 'url' ? 'lat,lng' : 'the list [lat, lng]'} in degrees`;
  if (schema.points) return `1 to ${MAX_NEAR_POINTS} points lat,lng in degrees, separated by semicolons`;
  if (schema.polygon)
    return `${POLYGON_POINTS.min} to ${POLYGON_POINTS.max} points lat,lng in degrees, separated by semicolons`;
  if (schema.searchText) {
    const length = `at most ${String(maxLength)} characters and ${MAX_WORDS} words`;
    return `words to search for (${length}), other than stop words such as the, of and في`;
  }
  if (Array.isArray(values)) {
    const named = values.filter((value) => value !== null);
    return named.length === 1 ? String(named[0]) : `one of ${named.join(', ')}`;
  }
  switch (type) {
    case 'array':
      return describeList(schema, notation);
    case 'object':
      return 'a JSON object';
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return describeNumber(schema, type);
    case 'string':
      return describeText(schema);
  }
  throw new Error(`the schema cannot be described in words: ${JSON.stringify(schema)}`);
}

function describeBox(notation: Notation): string {
  const corners = 'min_lng,min_lat,max_lng,max_lat';
  const form = notation === 'url' ? corners : `the list [${corners.replaceAll(',', ', ')}]`;
  return `${form} in degrees, each minimum no greater than its maximum`;
}

function describeList(schema: JsonSchema, notation: Notation): string {
  const count = describeRange(schema.minItems, schema.maxItems);
  const values = `${count === '' ? '' : `${count} `}${schema.uniqueItems ? 'different ' : ''}values`;
  const each = `each ${describeValue((schema.items ?? {}) as JsonSchema, notation)}`;
  return notation === 'url' ? `${values}, separated by commas, ${each}` : `a list of ${values}, ${each}`;
}

function describeNumber({ minimum, maximum }: JsonSchema, type: 'integer' | 'number'): string {
  const noun = type === 'integer' ? 'an integer' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `${noun}, ${String(minimum)} or more`;
  return maximum === undefined ? noun : `${noun}, ${String(maximum)} or less`;
}

function describeText(schema: JsonSchema): string {
  const { format, pattern, accepts, visibleText, minLength, maxLength = schema.maxCharacters } = schema;
  if (format !== undefined) {
    const words = FORMATS[String(format)];
    if (words === undefined) throw new Error(`the format ${String(format)} cannot be described in words`);
    return words;
  }
  if (pattern !== undefined && typeof accepts !== 'string')
    throw new Error(`the pattern ${String(pattern)} needs \`accepts\`, which describes the accepted values in words`);
  const length = describeRange(minLength, maxLength);
  if (typeof accepts === 'string' && maxLength === undefined) return accepts;
  const text = `a string${length === '' ? '' : ` of ${length} characters`}`;
  if (visibleText) return `${text}, with a visible character, without control characters`;
  return pattern === undefined ? text : `${text}, ${accepts}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  timestamp: 'an ISO 8601 date-time with seconds, such as 2026-01-31T00:00:00Z',
  'timestamp-micros':
    'an ISO 8601 date-time with seconds and up to six digits of fraction, such as 2026-01-31T00:00:00.000000Z',
  date: 'a date, such as 2026-01-31',
};

function describeRange(min: unknown, max: unknown): string {
  if (max === undefined) return min === undefined ? '' : `${String(min)} or more`;
  if (min === max) return `exactly ${String(max)}`;
  return min === undefined ? `at most ${String(max)}` : `${String(min)} to ${String(max)}`;
}
