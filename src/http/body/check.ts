import type { JsonSchema } from '#domain/json-schema.ts';
import { quote } from '#domain/text/visible.ts';
import type { Fault } from '../errors/api-error.ts';
import { explainRefused } from '../errors/refused-value.ts';
import { explainMissing, suggestNames } from '../errors/unknown-name.ts';
import { createCheck, createValidator, type ErrorObject } from '../schema.ts';

/** Unknown fields of an object, and items of a list without a maximum, in which the first fault is searched. */
const MAX_SEARCHED = 100;

/**
 * Returns the first fault in the property order of the schema, or null. A body of ten thousand errors costs no more
 * than one of a few.
 */
export function compileBodyCheck(schema: JsonSchema): (value: unknown) => Fault | null {
  const firstOf = createCheck(schema);
  const faultsOf = createValidator(schema);
  return (value) => {
    const found = firstOf(value);
    if (found === null) return null;
    const errors = (faultsOf(shortened(value, schema)) ?? found).map((error) => ({
      ...error,
      data: valueAt(value, error.instancePath),
    }));
    const located = errors.map((error) => ({ error, path: pathOf(error), rank: rankOf(pathOf(error), schema) }));
    const [first] = located.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
    return first ? faultOf(first.error, first.path) : null;
  };
}

/** Returns a value with the known and few unknown fields of each object, and at most one item over the maximum of each list. */
function shortened(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const most = Number(schema?.maxItems ?? MAX_SEARCHED);
    return value.slice(0, most + 1).map((item) => shortened(item, schema?.items as JsonSchema | undefined));
  }
  const properties = (schema?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const fields = value as Readonly<Record<string, unknown>>;
  const known = Object.keys(properties).filter((name) => Object.hasOwn(fields, name));
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  return Object.fromEntries(
    [...known, ...unknown.slice(0, MAX_SEARCHED)].map((name) => [name, shortened(fields[name], properties[name])]),
  );
}

const segmentsOf = (instancePath: string): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (value: unknown, instancePath: string): unknown =>
  segmentsOf(instancePath).reduce((at, segment) => (at as Readonly<Record<string, unknown>>)[segment], value);

function pathOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = segmentsOf(instancePath);
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return path;
}

function faultOf(error: ErrorObject, path: readonly string[]): Fault {
  const param = path.length === 0 ? null : path.join('.');
  const code = error.keyword === 'searchText' ? 'invalid_value' : 'invalid_body';
  return { code, param, message: () => explain(error, path) };
}

function explain({ keyword, parentSchema, data }: ErrorObject, path: readonly string[]): string {
  const name = path.join('.');
  const schema = parentSchema as JsonSchema;
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const known = Object.keys(properties);
  const own = path.at(-1) ?? '';
  if (keyword === 'additionalProperties') {
    const within = path.slice(0, -1).map((each) => `${each}.`);
    const open = known.find((each) => properties[each]?.type === 'object' && !properties[each]?.properties);
    const nested = open === undefined ? '' : ` Fields of \`${open}\` belong in it, as in \`${open}.${own}\`.`;
    return `${quote(name)} is not a field of this request body.${suggestNames(own, known, within.join(''), nested)}`;
  }
  if (keyword === 'required') {
    const unknown = Object.keys(data as object).filter((each) => !known.includes(each));
    return explainMissing(name, properties, unknown, 'json');
  }
  const accepts = (value: unknown): boolean => createValidator(schema)(value) === null;
  return explainRefused({ name, given: data, schema, notation: 'json', accepts, inList: /^\d+$/.test(own) });
}

/** Orders paths by the properties of the schema, unknown properties last. */
function rankOf(path: readonly string[], schema: JsonSchema): string {
  let at: JsonSchema | undefined = schema;
  const ranks = path.map((segment) => {
    const properties = at?.properties as Readonly<Record<string, JsonSchema>> | undefined;
    const index = properties ? Object.keys(properties).indexOf(segment) : Number(segment);
    at = properties ? properties[segment] : (at?.items as JsonSchema | undefined);
    return String(index >= 0 ? index : Number.MAX_SAFE_INTEGER).padStart(16, '0');
  });
  return ranks.join();
}
