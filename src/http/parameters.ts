import type { Ajv2020 } from 'ajv/dist/2020.js';
import { ApiError, type ErrorCode } from '#domain/errors.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { foldDigits } from '#domain/text/fold.ts';
import type { Parameter, Values } from './endpoint.ts';
import { describeSchema } from './schema.ts';

/** What is wrong with one parameter, or with the body. */
export interface Fault {
  code: ErrorCode;
  /** Null when it is the body as a whole. */
  param: string | null;
  message?: string;
}

export interface Decoded {
  values: Values;
  /** In parameter order, unknown parameters last. */
  faults: readonly Fault[];
}

export type Decoder = (raw: URLSearchParams | Readonly<Record<string, string>>, places: PlaceCheck) => Decoded;

/** Compiles the decoder of a list of parameters: text in, typed and validated values or faults out. Pure. */
export function compileParameters(parameters: readonly Parameter[], ajv: Ajv2020): Decoder {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const compiled = parameters.map((parameter) => ({ parameter, validate: ajv.compile(parameter.schema) }));
  return (raw, places) => {
    const given = new Map<string, string>();
    const repeated = new Set<string>();
    const unknown: Fault[] = [];
    for (const [name, text] of raw instanceof URLSearchParams ? raw : Object.entries(raw)) {
      if (!known.has(name))
        unknown.push({ code: 'unknown_parameter', param: name, message: unknownMessage(name, known) });
      else if (given.has(name)) repeated.add(name);
      else given.set(name, text);
    }
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const { parameter, validate } of compiled) {
      const { name, schema } = parameter;
      const text = given.get(name);
      if (text === undefined) {
        if (parameter.required)
          faults.push({ code: 'missing_parameter', param: name, message: `\`${name}\` is required.` });
        else if (schema.default !== undefined) values[name] = schema.default;
        continue;
      }
      if (repeated.has(name)) {
        const hint = schema.type === 'array' ? ' Separate several values with commas.' : '';
        faults.push({ code: 'invalid_value', param: name, message: `\`${name}\` is given more than once.${hint}` });
        continue;
      }
      const value = decode(text, schema);
      if (value === undefined || !validate(value)) {
        faults.push({ code: 'invalid_value', param: name, message: `\`${name}\` must be ${describeSchema(schema)}.` });
        continue;
      }
      const missing = parameter.check?.(value, places);
      if (missing) faults.push({ code: missing, param: name });
      else values[name] = value;
    }
    return { values, faults: [...faults, ...unknown] };
  };
}

/** Reads a text as its schema's type; undefined when it cannot be read so. */
function decode(text: string, schema: JsonSchema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const digits = foldDigits(text);
      if (!/^-?\d+(\.\d+)?$/.test(digits)) return undefined;
      return Number(digits);
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
      return text;
  }
}

function unknownMessage(name: string, known: ReadonlyMap<string, Parameter>): string {
  const shown = name.slice(0, 60);
  const near = [...known.keys()].find((candidate) => distanceAtMostTwo(candidate, name));
  return `This endpoint has no parameter \`${shown}\`.${near ? ` Did you mean \`${near}\`?` : ''}`;
}

/** Whether two names are within two edits, for the "did you mean". */
function distanceAtMostTwo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2 || b.length < 3) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[b.length] ?? 9) <= 2;
}

/** The error that the first fault is answered with. */
export function faultError(fault: Fault): ApiError {
  return new ApiError(fault.code, { param: fault.param, ...(fault.message ? { message: fault.message } : {}) });
}
