import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#domain/json-schema.ts';
import { MONTH_PATTERN, QUARTER_PATTERN } from '#domain/official/quarters.ts';
import { MAX_TERMS, parseSearchText } from '#queries/text/search-text.ts';

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** An ISO 8601 date-time with seconds and a zone, naming a day that exists. */
export function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && !Number.isNaN(Date.parse(text));
}

/** The one ajv of the service: formats and keywords that its schemas use. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  ajv.addFormat('timestamp', isTimestamp);
  ajv.addFormat('date-time', isTimestamp);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('month', new RegExp(MONTH_PATTERN));
  ajv.addFormat('quarter', new RegExp(QUARTER_PATTERN));
  ajv.addKeyword({
    keyword: 'orderedBox',
    validate: (_: unknown, [minLng, minLat, maxLng, maxLat]: number[]) =>
      Number(minLng) <= Number(maxLng) && Number(minLat) <= Number(maxLat),
  });
  ajv.addKeyword({
    keyword: 'searchText',
    validate: (_: unknown, text: string) => {
      const groups = parseSearchText(text);
      return groups.length > 0 && groups.flat().length <= MAX_TERMS;
    },
  });
  return ajv;
}

export type { ErrorObject, ValidateFunction };

/** What a value must be, in words, from its schema: the end of "`beds` must be ...". */
export function describeSchema(schema: JsonSchema): string {
  const { type, enum: values, items, minimum, maximum, format, minLength, maxLength, minItems, maxItems } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.orderedBox) return 'min_lng,min_lat,max_lng,max_lat in degrees, each minimum no greater than its maximum';
  if (schema.searchText) return `words to search for, at most ${String(maxLength)} characters and ${MAX_TERMS} words`;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (type === 'array') {
    const each = describeSchema((items ?? {}) as JsonSchema);
    const count =
      minItems === maxItems ? `exactly ${String(maxItems)}` : `${String(minItems ?? 1)} to ${String(maxItems)}`;
    return `${maxItems === undefined ? '' : `${count} values, `}separated by commas, each ${each}`;
  }
  if (type === 'boolean') return 'true or false';
  if (type === 'integer' || type === 'number') {
    const noun = type === 'integer' ? 'an integer' : 'a number';
    if (minimum !== undefined && maximum !== undefined) return `${noun} from ${String(minimum)} to ${String(maximum)}`;
    if (minimum !== undefined) return `${noun}, ${String(minimum)} or more`;
    return noun;
  }
  if (format === 'timestamp') return 'an ISO 8601 date-time with seconds, such as 2026-01-31T00:00:00Z';
  if (format === 'month') return 'a month, such as 2026-01';
  if (format === 'quarter') return 'a quarter, such as 2025-Q3';
  if (type === 'object') return 'an object';
  if (schema.pattern !== undefined && maxLength !== undefined) return `a text like ${String(schema.pattern)}`;
  if (maxLength !== undefined) return `a text of ${String(minLength ?? 0)} to ${String(maxLength)} characters`;
  return 'a text';
}
