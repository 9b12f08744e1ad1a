import { foldDigits } from '#domain/fold.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { utcMicros } from '#domain/timestamps.ts';
import { isTimestamp } from './schema.ts';

/** Returns undefined if the text is no value of the type. */
export function decodeValue(text: string, schema: JsonSchema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const digits = foldDigits(text);
      const pattern = schema.type === 'number' ? /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i : /^-?\d+(\.\d+)?$/;
      const value = pattern.test(digits) ? Number(digits) : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'array': {
      const prefix = (schema.prefixItems ?? []) as readonly JsonSchema[];
      return text.split(',').map((part, index) => {
        const items = prefix[index] ?? (schema.items || {});
        return decodeValue(part.trim(), items as JsonSchema) ?? part;
      });
    }
    default:
      // OpenSearch and Postgres do not support every UTC offset.
      if (schema.format === 'timestamp-micros' && isTimestamp(text)) return utcMicros(text);
      return schema.format === 'timestamp' && isTimestamp(text) ? new Date(text).toISOString() : text;
  }
}
