import { foldDigits } from '#domain/fold.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import { isAbove, type JsonSchema } from '#domain/json-schema.ts';
import { quote } from '#domain/text/visible.ts';
import { decodeValue } from './decode-value.ts';
import type { Parameter, Values } from './endpoint.ts';
import type { Fault } from './errors/api-error.ts';
import { type AcceptedValues, explainRefused } from './errors/refused-value.ts';
import { explainMissing, OR, suggestParameters } from './errors/unknown-name.ts';
import { createValidator, type ErrorObject } from './schema.ts';

interface CompiledParameter {
  parameter: Parameter;
  faultsOf: ReturnType<typeof createValidator>;
}

/** Faults are sorted by check, then by parameter; the first unknown parameter is last. */
export function compileParameters(parameters: readonly Parameter[]) {
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const compiled = parameters.map((parameter) => ({ parameter, faultsOf: createValidator(parameter.schema) }));
  return (raw: URLSearchParams | Readonly<Record<string, string>>, places: PlaceCheck) => {
    const texts = readTexts(raw, schemas);
    const values: Record<string, unknown> = {};
    const accepted = (assumed: Values = {}) => acceptedValues(compiled, { ...values, ...assumed }, places);
    const explain = (name: string, refused: unknown, item?: string): string => {
      const parameters = accepted();
      const own = parameters.get(name) ?? { schema: {}, accepts: () => false };
      return explainRefused({ name, given: refused, notation: 'url', item, parameters, ...own });
    };
    const faults: Fault[] = [];
    for (const each of compiled) {
      const decoded = decodeParameter(each, texts, schemas, explain);
      if (decoded === undefined) continue;
      if ('fault' in decoded) faults.push(decoded.fault);
      else values[each.parameter.name] = decoded.value;
    }
    for (const { name, check } of parameters) {
      const value = values[name];
      if (!check || value === undefined) continue;
      const message = check.refuse(value, {
        name,
        notation: 'url',
        values,
        places,
        explain: (part) => explain(name, part ?? value),
      });
      if (message) faults.push({ code: check.code, param: name, message });
    }
    for (const { name, schema, notBelow } of parameters) {
      // An empty response would hide a range that ends before it begins.
      if (notBelow === undefined || !isAbove(values[notBelow], values[name], schema)) continue;
      const message = () => explainContradiction(notBelow, name, values);
      faults.push({ code: 'invalid_value', param: notBelow, message });
    }
    const names = [...texts.unknown.keys()];
    if (names.length > 0) {
      const message = () => suggestParameters(texts.unknown, accepted);
      const cut = names.slice(0, MAX_UNKNOWN).map((name) => name.slice(0, MAX_UNKNOWN_LENGTH).toWellFormed());
      faults.push({ code: 'unknown_parameter', param: names[0] ?? null, message, unknown: cut });
    }
    return { values, faults };
  };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Undecoded values by name. `repeated` has the second value of parameters that accept one. */
interface Texts {
  given: ReadonlyMap<string, string>;
  repeated: ReadonlyMap<string, string>;
  unknown: ReadonlyMap<string, string>;
}

function readTexts(raw: URLSearchParams | Readonly<Record<string, string>>, schemas: Schemas): Texts {
  const given = new Map<string, string>();
  const repeated = new Map<string, string>();
  const unknown = new Map<string, string>();
  for (const [name, text] of raw instanceof URLSearchParams ? raw : Object.entries(raw)) {
    const first = given.get(name);
    if (!Object.hasOwn(schemas, name)) unknown.set(name, unknown.get(name) ?? text);
    else if (first === undefined) given.set(name, text);
    // Some client generators repeat the parameter for each value of a list.
    else if (schemas[name]?.type === 'array') given.set(name, `${first},${text}`);
    else repeated.set(name, text);
  }
  return { given, repeated, unknown };
}

/** Returns the values that each parameter accepts together with those of others. */
const acceptedValues = (compiled: readonly CompiledParameter[], values: Values, places: PlaceCheck): AcceptedValues =>
  new Map(
    compiled.map(({ parameter: { name, schema, check }, faultsOf }) => {
      const context = { name, notation: 'url', values, places, explain: () => '' } as const;
      const accepts = (value: unknown): boolean => faultsOf(value) === null && !check?.refuse(value, context);
      return [name, { schema, accepts, candidates: check?.candidates?.bind(check, context) }];
    }),
  );

/** @returns undefined if an optional parameter without a default is omitted */
function decodeParameter(
  { parameter, faultsOf }: CompiledParameter,
  { given, repeated, unknown }: Texts,
  schemas: Schemas,
  explain: (name: string, refused: unknown, item?: string) => string,
): { value: unknown } | { fault: Fault } | undefined {
  const { name, schema, nonCanonicalError } = parameter;
  const text = given.get(name);
  if (text === undefined) {
    const { requiredWithout: others = [] } = parameter;
    const isRequired = parameter.required || (others.length > 0 && !others.some((other) => given.has(other)));
    if (!isRequired) return schema.default === undefined ? undefined : { value: schema.default };
    const or = others.length > 0 ? ` Or send ${OR.format(others.map((other) => `\`${other}\``))}.` : '';
    const message = () => explainMissing(name, schemas, [...unknown.keys()], 'url') + or;
    return { fault: { code: 'missing_parameter', param: name, message } };
  }
  const second = repeated.get(name);
  if (second !== undefined) {
    const message = () => `\`${name}\` is repeated: ${quote(text)} and ${quote(second)}. Send it once.`;
    return { fault: { code: 'invalid_value', param: name, message } };
  }
  const value = decodeValue(text, schema);
  const errors = value === undefined ? [] : faultsOf(value);
  if (errors) {
    const message = () => explain(name, text, itemAtFault(text, errors));
    return { fault: { code: 'invalid_value', param: name, schemaMismatch: true, given: text, message } };
  }
  if (nonCanonicalError === undefined || isCanonical(text, value)) return { value };
  const message = () => `\`${name}\` must have no leading zeros or decimals. Did you mean ${quote(String(value))}?`;
  return { fault: { code: nonCanonicalError, param: name, message } };
}

/** Whether integers are written as the service writes them. */
const isCanonical = (text: string, value: unknown): boolean =>
  foldDigits(text)
    .split(',')
    .map((part) => part.trim())
    .join() === String(value);

export function explainContradiction(least: string, most: string, values: Values, within = ''): string {
  const shown = (name: string): string => `\`${within}${name}\` (${quote(String(values[name]))})`;
  return `${shown(least)} must not be greater than ${shown(most)}.`;
}

/** Undefined if the list as a whole is invalid. */
function itemAtFault(text: string, errors: readonly ErrorObject[]): string | undefined {
  const index = /^\/(\d+)$/.exec(errors[0]?.instancePath ?? '')?.[1];
  // Brackets are part of the first and last items.
  return index === undefined || /^[[({"]/.test(text) ? undefined : text.split(',')[Number(index)]?.trim();
}

/** Maximum number and length of the unknown names in an error. */
const MAX_UNKNOWN = 20;
const MAX_UNKNOWN_LENGTH = 60;
