import { closest, distance } from 'fastest-levenshtein';
import type { PlaceCheck } from '#domain/geography/places.ts';
import { isAbove, type JsonSchema } from '#domain/json-schema.ts';
import { foldDigits } from '#domain/text/fold.ts';
import { isoMicros, parseMicros } from '#domain/timestamps.ts';
import { describeValue } from './describe-schema.ts';
import type { Parameter, Values } from './endpoint.ts';
import type { Fault } from './fault.ts';
import { createValidator, isTimestamp } from './schema.ts';

export interface Decoded {
  values: Values;
  /** In parameter order; of the unknown parameters the first, at the end. */
  faults: readonly Fault[];
}

export type Decoder = (raw: URLSearchParams | Readonly<Record<string, string>>, places: PlaceCheck) => Decoded;

/** The decoder of a list of parameters: text in, typed and validated values or faults out. Pure. */
export function compileParameters(parameters: readonly Parameter[]): Decoder {
  const known = new Set(parameters.map(({ name }) => name));
  const compiled = parameters.map((parameter) => ({
    parameter,
    faultsOf: createValidator(parameter.schema),
    accepted: describeValue(parameter.schema, 'url'),
  }));
  return (raw, places) => {
    const given = new Map<string, string>();
    const repeated = new Set<string>();
    let unknown: string | undefined;
    for (const [name, text] of raw instanceof URLSearchParams ? raw : Object.entries(raw)) {
      if (!known.has(name)) unknown ??= name;
      else if (given.has(name)) repeated.add(name);
      else given.set(name, text);
    }
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const { parameter, faultsOf, accepted } of compiled) {
      const { name, schema } = parameter;
      const text = given.get(name);
      if (text === undefined) {
        if (parameter.required)
          faults.push({ code: 'missing_parameter', param: name, message: () => `\`${name}\` is required.` });
        else if (schema.default !== undefined) values[name] = schema.default;
        continue;
      }
      if (repeated.has(name)) {
        const hint = schema.type === 'array' ? ' Separate several values with commas.' : '';
        const message = () => `\`${name}\` is given more than once.${hint}`;
        faults.push({ code: 'invalid_value', param: name, message });
        continue;
      }
      const value = decode(text, schema);
      if (value === undefined || faultsOf(value)) {
        faults.push({
          code: 'invalid_value',
          param: name,
          unfit: true,
          message: () => `\`${name}\` must be ${accepted}.`,
        });
        continue;
      }
      const elsewhere = parameter.otherwiseWritten !== undefined && foldDigits(text) !== String(value);
      const code = elsewhere ? parameter.otherwiseWritten : parameter.check?.(value, places);
      if (code) faults.push({ code, param: name });
      else values[name] = value;
    }
    for (const { parameter } of compiled) faults.push(...contradiction(parameter, values));
    if (unknown !== undefined) faults.push(unknownParameter(unknown, known));
    return { values, faults };
  };
}

/** A range that ends before it begins holds nothing: an empty answer would hide the slip. */
function contradiction({ name, schema, notBelow }: Parameter, values: Values): Fault[] {
  if (notBelow === undefined || !isAbove(values[notBelow], values[name], schema)) return [];
  return [{ code: 'invalid_value', param: notBelow, message: () => `\`${notBelow}\` must not be above \`${name}\`.` }];
}

/** Reads a text as its schema's type; undefined when it cannot be read so. */
function decode(text: string, schema: JsonSchema): unknown {
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
        return decode(part.trim(), items as JsonSchema) ?? part;
      });
    }
    default:
      // Stores do not know every zone, so they are given UTC.
      if (schema.format === 'timestamp-micros' && isTimestamp(text)) return isoMicros(parseMicros(text));
      return schema.format === 'timestamp' && isTimestamp(text) ? new Date(text).toISOString() : text;
  }
}

const MAX_SHOWN = 60;
/** Edits by which a name may differ from the one that was meant. */
const MAX_EDITS = 2;

function unknownParameter(name: string, known: ReadonlySet<string>): Fault {
  const message = (): string => {
    const near = name.length >= 3 && name.length <= MAX_SHOWN ? closest(name, [...known]) : '';
    const hint = near && distance(name, near) <= MAX_EDITS ? ` Did you mean \`${near}\`?` : '';
    return `This endpoint has no parameter \`${name.slice(0, MAX_SHOWN)}\`.${hint}`;
  };
  return { code: 'unknown_parameter', param: name, message };
}
