import { foldDigits } from '#domain/fold.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import { isAbove } from '#domain/json-schema.ts';
import { rewriteParameters } from '#domain/suggestions/rewrites.ts';
import { quote } from '#domain/text/quote.ts';
import type { CheckContext } from '#domain/value-check.ts';
import { decodeValue } from './decode-value.ts';
import type { Parameter, Values } from './endpoint.ts';
import { describeValue } from './errors/describe-schema.ts';
import type { Fault } from './errors/fault.ts';
import { explainRefused } from './errors/refused-value.ts';
import { explainMissing, suggestNames } from './errors/unknown-name.ts';
import { createValidator, type ErrorObject } from './schema.ts';

/** Faults are sorted by check, and within a check by parameter; the first unknown parameter comes last. */
export function compileParameters(parameters: readonly Parameter[]) {
  const known = new Set(parameters.map(({ name }) => name));
  const lists = new Set(parameters.flatMap(({ name, schema }) => (schema.type === 'array' ? name : [])));
  const compiled = parameters.map((parameter) => ({
    parameter,
    faultsOf: createValidator(parameter.schema),
  }));
  // Throws at startup if a schema cannot be described.
  for (const { schema } of parameters) describeValue(schema, 'url');
  return (raw: URLSearchParams | Readonly<Record<string, string>>, places: PlaceCheck) => {
    const given = new Map<string, string>();
    const repeated = new Map<string, string>();
    const unknown = new Map<string, string>();
    for (const [name, text] of raw instanceof URLSearchParams ? raw : Object.entries(raw)) {
      const first = given.get(name);
      if (!known.has(name)) unknown.set(name, unknown.get(name) ?? text);
      else if (first === undefined) given.set(name, text);
      // Some client generators repeat the parameter for each value of a list.
      else if (lists.has(name)) given.set(name, `${first},${text}`);
      else repeated.set(name, text);
    }
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const { parameter, faultsOf } of compiled) {
      const { name, schema, check } = parameter;
      const text = given.get(name);
      if (text === undefined) {
        if (parameter.required) {
          const message = () =>
            `\`${name}\` is required: ${describeValue(schema, 'url')}.${explainMissing(name, [...unknown.keys()], [...known])}`;
          faults.push({ code: 'missing_parameter', param: name, message });
        } else if (schema.default !== undefined) values[name] = schema.default;
        continue;
      }
      const second = repeated.get(name);
      if (second !== undefined) {
        const message = () => `\`${name}\` is repeated: ${quote(text)} and ${quote(second)}. Send it once.`;
        faults.push({ code: 'invalid_value', param: name, message });
        continue;
      }
      const value = decodeValue(text, schema);
      const errors = value === undefined ? [] : faultsOf(value);
      const refused = { name, given: text, schema, notation: 'url', parameters: known } as const;
      if (errors) {
        const item = itemAtFault(text, errors);
        const context = { name, notation: 'url', values, places, explain: () => '' } as const;
        const accepts = (each: unknown): boolean =>
          faultsOf(each) === null && !(check?.code === 'invalid_value' && check.refuse(each, context));
        const message = () =>
          explainRefused({ ...refused, item, accepts, candidates: check?.candidates?.({ values, places }) });
        faults.push({ code: 'invalid_value', param: name, schemaMismatch: true, given: text, message });
        continue;
      }
      const { nonCanonicalError } = parameter;
      if (nonCanonicalError && !isCanonical(text, value)) {
        const message = () =>
          `\`${name}\` must have no leading zeros or decimals. Did you mean ${quote(String(value))}?`;
        faults.push({
          code: nonCanonicalError,
          param: name,
          ...(nonCanonicalError === 'invalid_value' && { message }),
        });
      } else values[name] = value;
    }
    for (const { parameter } of compiled) faults.push(...checkedAgainst(parameter, { values, places, known }));
    for (const { parameter } of compiled) faults.push(...contradiction(parameter, values));
    if (unknown.size > 0) faults.push(unknownParameters(unknown, known));
    return { values, faults };
  };
}

/** Whether an integer, or each item in a list of integers, is written as the service writes it. */
const isCanonical = (text: string, value: unknown): boolean =>
  foldDigits(text)
    .split(',')
    .map((part) => part.trim())
    .join() === String(value);

function checkedAgainst(
  { name, schema, check }: Parameter,
  { values, places, known }: { values: Values; places: PlaceCheck; known: ReadonlySet<string> },
): Fault[] {
  const given = values[name];
  if (!check || given === undefined) return [];
  const explain: CheckContext['explain'] = (candidates, accepts) =>
    explainRefused({ name, given, schema, notation: 'url', parameters: known, candidates, accepts });
  const message = check.refuse(given, { name, notation: 'url', values, places, explain });
  return message ? [{ code: check.code, param: name, message }] : [];
}

/** An empty response would hide a range that ends before it begins. */
function contradiction({ name, schema, notBelow }: Parameter, values: Values): Fault[] {
  if (notBelow === undefined || !isAbove(values[notBelow], values[name], schema)) return [];
  return [{ code: 'invalid_value', param: notBelow, message: () => explainContradiction(notBelow, name, values) }];
}

export function explainContradiction(least: string, most: string, values: Values, within = ''): string {
  const shown = (name: string): string => `\`${within}${name}\` (${quote(String(values[name]))})`;
  return `${shown(least)} must not be greater than ${shown(most)}.`;
}

/** Undefined if the list as a whole is invalid. */
function itemAtFault(text: string, errors: readonly ErrorObject[]): string | undefined {
  const index = /^\/(\d+)$/.exec(errors[0]?.instancePath ?? '')?.[1];
  // If a list is in brackets, its first and last items include a bracket.
  return index === undefined || /^[[({"]/.test(text) ? undefined : text.split(',')[Number(index)]?.trim();
}

/** Of the unknown names that an error states. */
const MAX_UNKNOWN = 20;
const MAX_UNKNOWN_LENGTH = 60;

/** The first unknown parameter is the parameter of the error. */
function unknownParameters(unknown: ReadonlyMap<string, string>, known: ReadonlySet<string>): Fault {
  const [param = ''] = unknown.keys();
  const names = [...unknown.keys()]
    .slice(0, MAX_UNKNOWN)
    .map((name) => name.slice(0, MAX_UNKNOWN_LENGTH).toWellFormed());
  const message = (): string => {
    const meant = rewriteParameters(param, unknown, known);
    const hint = meant === null ? suggestNames(param, [...known]) : ` Did you mean \`${meant}\`?`;
    return `This endpoint has no parameter ${quote(param)}.${hint}`;
  };
  return { code: 'unknown_parameter', param, message, unknown: names };
}
