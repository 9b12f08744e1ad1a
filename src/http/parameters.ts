import { foldDigits } from '#domain/fold.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import { isAbove } from '#domain/json-schema.ts';
import { quote } from '#domain/text/visible.ts';
import { decodeValue } from './decode-value.ts';
import type { Parameter, Values } from './endpoint.ts';
import type { Fault } from './errors/api-error.ts';
import { type AcceptedValues, explainRefused } from './errors/refused-value.ts';
import { explainMissing, OR, suggestParameters } from './errors/unknown-name.ts';
import { createValidator, type ErrorObject } from './schema.ts';

/** Faults are sorted by check, then by parameter; the first unknown parameter is last. */
export function compileParameters(parameters: readonly Parameter[]) {
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const compiled = parameters.map((parameter) => ({
    parameter,
    faultsOf: createValidator(parameter.schema),
  }));
  return (raw: URLSearchParams | Readonly<Record<string, string>>, places: PlaceCheck) => {
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
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    const accepted = (assumed: Values = {}): AcceptedValues =>
      new Map(
        compiled.map(({ parameter: { name, schema, check }, faultsOf }) => {
          const context = {
            name,
            notation: 'url',
            values: { ...values, ...assumed },
            places,
            explain: () => '',
          } as const;
          const accepts = (value: unknown): boolean => faultsOf(value) === null && !check?.refuse(value, context);
          return [name, { schema, accepts, candidates: check?.candidates?.bind(check, context) }];
        }),
      );
    const explain = (name: string, refused: unknown, item?: string): string => {
      const parameters = accepted();
      const own = parameters.get(name) ?? { schema: {}, accepts: () => false };
      return explainRefused({ name, given: refused, notation: 'url', item, parameters, ...own });
    };
    for (const { parameter, faultsOf } of compiled) {
      const { name, schema } = parameter;
      const text = given.get(name);
      if (text === undefined) {
        const { requiredWithout: others = [] } = parameter;
        if (parameter.required || (others.length > 0 && !others.some((other) => given.has(other)))) {
          const or = others.length > 0 ? ` Or send ${OR.format(others.map((other) => `\`${other}\``))}.` : '';
          const message = () => explainMissing(name, schemas, [...unknown.keys()], 'url') + or;
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
      if (errors) {
        const message = () => explain(name, text, itemAtFault(text, errors));
        faults.push({ code: 'invalid_value', param: name, schemaMismatch: true, given: text, message });
        continue;
      }
      const { nonCanonicalError } = parameter;
      if (nonCanonicalError && !isCanonical(text, value)) {
        const message = () =>
          `\`${name}\` must have no leading zeros or decimals. Did you mean ${quote(String(value))}?`;
        faults.push({ code: nonCanonicalError, param: name, message });
      } else values[name] = value;
    }
    for (const { parameter } of compiled) {
      const { name, check } = parameter;
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
    for (const { parameter } of compiled) {
      const { name, schema, notBelow } = parameter;
      // An empty response would hide a range that ends before it begins.
      if (notBelow === undefined || !isAbove(values[notBelow], values[name], schema)) continue;
      const message = () => explainContradiction(notBelow, name, values);
      faults.push({ code: 'invalid_value', param: notBelow, message });
    }
    const names = [...unknown.keys()];
    if (names.length > 0) {
      const message = () => suggestParameters(unknown, accepted);
      const cut = names.slice(0, MAX_UNKNOWN).map((name) => name.slice(0, MAX_UNKNOWN_LENGTH).toWellFormed());
      faults.push({ code: 'unknown_parameter', param: names[0] ?? null, message, unknown: cut });
    }
    return { values, faults };
  };
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

/** Of the unknown names that an error states. */
const MAX_UNKNOWN = 20;
const MAX_UNKNOWN_LENGTH = 60;
