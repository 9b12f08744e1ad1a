import { canonicalJson } from '#domain/canonical-json.ts';
import { isObject, type Json } from './contract.ts';

/** What breaks clients within a version, by rule. */
export const RULES = {
  'operation-removed': 'an operation was removed',
  'operation-renamed': 'an operation has another operationId, which names the methods of generated clients',
  'audience-changed': 'an operation requires another kind of key, or now requires a key',
  'scope-changed': 'an operation belongs to another scope, which keys may lack',
  'price-raised': 'an operation costs more',
  'parameter-removed': 'a parameter was removed and is refused as unknown',
  'parameter-required': 'a parameter became required, or is new and required',
  'parameter-rewritten': 'a parameter has another serialization',
  'body-required': 'a request body became required',
  'default-changed': 'a default changed',
  'request-narrowed': 'a value that was accepted is refused',
  'request-property-removed': 'a property of a request body was removed and is refused as unknown',
  'request-property-required': 'a property of a request body became required, or is new and required',
  'status-removed': 'a successful response has another status',
  'response-property-removed': 'a response property was removed',
  'response-property-optional': 'a response property became optional',
  'response-nullability-changed': 'a response property became nullable or is no longer nullable',
  'response-type-changed': 'a response value has another type',
  'response-value-removed': 'a value of a response enumeration was removed',
  'header-removed': 'a response header was removed',
  'error-code-removed': 'an error code was removed, or has another status',
} as const;
export type Rule = keyof typeof RULES;

export interface Break {
  rule: Rule;
  at: string;
  detail: string;
}

type Report = (rule: Rule, at: string, detail: string) => void;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Intentional breaking changes, each with a reason. */
const EXCEPTIONS: readonly (Break & { reason: string })[] = ['200', '503'].flatMap((status) =>
  ['opensearch', 'postgres'].map((store) => ({
    rule: 'response-value-removed' as const,
    at: `GET /readyz: ${status}.data.${store}`,
    detail: 'away removed',
    reason: 'Renamed to `unavailable`. Load balancers and monitors read the HTTP status, which is unchanged.',
  })),
);

/** Returns the changes that may break clients, without `EXCEPTIONS`. */
export function findUnintendedBreaks(before: Json, after: Json): Break[] {
  const isException = ({ rule, at, detail }: Break): boolean =>
    EXCEPTIONS.some((each) => each.rule === rule && each.at === at && each.detail === detail);
  return findBreaks(before, after).filter((each) => !isException(each));
}

/** Returns the changes between documents of the same version that may break clients. */
export function findBreaks(before: Json, after: Json): Break[] {
  const breaks: Break[] = [];
  const report: Report = (rule, at, detail) => breaks.push({ rule, at, detail });
  const old = operationsOf(before);
  const now = operationsOf(after);
  for (const [name, operation] of old) {
    const current = now.get(name);
    if (current) compareOperations(new Comparison(before, after, report), name, operation, current);
    else report('operation-removed', name, String(operation.operationId));
  }
  const codes = errorCodes(now);
  for (const code of errorCodes(old))
    if (!codes.has(code)) report('error-code-removed', code, 'no operation returns it with this status');
  return breaks;
}

function operationsOf(document: Json): Map<string, Json> {
  const operations = new Map<string, Json>();
  for (const [path, item] of entriesOf(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (isObject(operation)) operations.set(`${method.toUpperCase()} ${path}`, operation);
    }
  return operations;
}

/** Returns the error codes with their statuses. */
function errorCodes(operations: ReadonlyMap<string, Json>): Set<string> {
  return new Set(
    [...operations.values()].flatMap(({ responses }) =>
      entriesOf(responses).flatMap(([status, response]) =>
        listOf(response['x-codes']).map((code) => `${status} ${String(code)}`),
      ),
    ),
  );
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const entriesOf = (value: unknown): [string, Json][] => Object.entries(objectOf(value)) as [string, Json][];
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

function compareOperations(comparison: Comparison, at: string, old: Json, now: Json): void {
  const { report } = comparison;
  const changed = (keyword: string): string => `${String(old[keyword])} is ${String(now[keyword])}`;
  if (old.operationId !== now.operationId) report('operation-renamed', at, changed('operationId'));
  if (old['x-audience'] !== now['x-audience'] || !same(old.security, now.security))
    report('audience-changed', at, changed('x-audience'));
  if (old['x-scope'] !== now['x-scope']) report('scope-changed', at, changed('x-scope'));
  if (isMoreExpensive(old['x-units'], now['x-units'])) report('price-raised', at, JSON.stringify(now['x-units']));
  compareParameters(comparison, at, old, now);
  compareBodies(comparison, at, old, now);
  compareResponses(comparison, at, old, now);
}

/** Prices are `{ units, per?, parameter? }`. */
function isMoreExpensive(old: unknown, now: unknown): boolean {
  if (!isObject(old) || !isObject(now) || same(old, now)) return false;
  if (old.parameter !== now.parameter) return true;
  return Number(now.units) > Number(old.units) || Number(now.per ?? 1) < Number(old.per ?? 1);
}

function compareParameters(comparison: Comparison, at: string, old: Json, now: Json): void {
  const { report } = comparison;
  const byName = (operation: Json): Map<string, Json> =>
    new Map(listOf(operation.parameters).map((each) => [`${(each as Json).in} ${(each as Json).name}`, each as Json]));
  const before = byName(old);
  const after = byName(now);
  for (const [name, parameter] of before) {
    const where = `${at}: ${name}`;
    const current = after.get(name);
    if (!current) {
      report('parameter-removed', where, 'removed');
      continue;
    }
    if (current.required === true && parameter.required !== true)
      report('parameter-required', where, 'it was optional');
    if (parameter.style !== current.style || parameter.explode !== current.explode)
      report('parameter-rewritten', where, `${String(current.style)}, explode ${String(current.explode)}`);
    comparison.request(where, parameter.schema, current.schema);
  }
  for (const [name, { required }] of after)
    if (required === true && !before.has(name)) report('parameter-required', `${at}: ${name}`, 'it is new');
}

function compareBodies(comparison: Comparison, at: string, old: Json, now: Json): void {
  const before = isObject(old.requestBody) ? old.requestBody : undefined;
  const after = isObject(now.requestBody) ? now.requestBody : undefined;
  if (after?.required === true && before?.required !== true)
    comparison.report('body-required', at, before ? 'it was optional' : 'it is new');
  for (const [type, { schema }] of entriesOf(before?.content)) {
    const current = objectOf(after?.content)[type];
    if (isObject(current)) comparison.request(`${at}: body`, schema, current.schema);
    else comparison.report('request-narrowed', `${at}: body`, `${type} is refused`);
  }
}

function compareResponses(comparison: Comparison, at: string, old: Json, now: Json): void {
  for (const [status, response] of entriesOf(old.responses)) {
    const current = objectOf(now.responses)[status];
    const where = `${at}: ${status}`;
    if (!isObject(current)) {
      // Only a removed success breaks clients.
      if (status.startsWith('2')) comparison.report('status-removed', where, 'removed');
      continue;
    }
    for (const [name] of entriesOf(response.headers))
      if (!(name in objectOf(current.headers))) comparison.report('header-removed', where, `${name} removed`);
    for (const [type, { schema }] of entriesOf(response.content)) {
      const content = objectOf(current.content)[type];
      if (isObject(content)) comparison.response(where, schema, content.schema);
      else comparison.report('response-type-changed', where, `${type} removed`);
    }
  }
}

/** A schema narrows when a lower bound rises or an upper one falls. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that narrow a schema when they are added or changed. */
const EXACT = ['pattern', 'format', 'multipleOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'propertyNames'];

/** Request schemas may only be widened, response schemas only extended. */
class Comparison {
  readonly report: Report;
  readonly #before: Json;
  readonly #after: Json;
  /** Visited pairs of references, because a schema can reference itself. */
  readonly #entered = new Set<string>();

  constructor(before: Json, after: Json, report: Report) {
    this.#before = before;
    this.#after = after;
    this.report = report;
  }

  request(at: string, oldSchema: unknown, newSchema: unknown): void {
    const [old, now] = this.#resolve(oldSchema, newSchema);
    if (!old || !now) return;
    const narrowed = (detail: string): void => this.report('request-narrowed', at, detail);
    const variants = variantsOf(now);
    if (variants) {
      for (const [value, before] of variantsOf(old)?.byValue ?? valuesAsVariants(old, variants.property)) {
        const variant = variants.byValue.get(value);
        if (variant) this.request(`${at}(${value})`, before, variant);
        else narrowed(`${value} is refused`);
      }
      return;
    }
    const types = typesOf(now);
    const refused = types && (typesOf(old) ?? ['anything']).filter((type) => !types.some((each) => takes(each, type)));
    if (refused?.length) narrowed(`${refused.join(', ')} is refused`);
    const values = valuesOf(now);
    if (values) {
      const before = valuesOf(old);
      const gone = before?.filter((value) => !values.some((each) => same(each, value)));
      if (!before) narrowed('only some values are accepted');
      else if (gone?.length) narrowed(`${gone.map(String).join(', ')} is refused`);
    }
    for (const name of LOWER)
      if (isNumber(now[name]) && !(isNumber(old[name]) && old[name] >= now[name])) narrowed(`${name} ${now[name]}`);
    for (const name of UPPER)
      if (isNumber(now[name]) && !(isNumber(old[name]) && old[name] <= now[name])) narrowed(`${name} ${now[name]}`);
    for (const name of EXACT) if (now[name] !== undefined && !same(old[name], now[name])) narrowed(`${name} changed`);
    if (now.uniqueItems === true && old.uniqueItems !== true) narrowed('repeated items are refused');
    // An opaque schema is not part of the contract: describing its properties later rejects nothing that was accepted.
    if (isOpaque(old)) return;
    if (old.default !== undefined && !same(old.default, now.default))
      this.report('default-changed', at, `${JSON.stringify(old.default)} is ${JSON.stringify(now.default)}`);
    this.#alternatives(old, now, (name, gone) => narrowed(`${name}: ${gone}`));
    this.#requestProperties(at, old, now, narrowed);
    this.#inside(old, now, (where, a, b) => this.request(`${at}${where}`, a, b));
  }

  #requestProperties(at: string, old: Json, now: Json, narrowed: (detail: string) => void): void {
    const before = objectOf(old.properties);
    const after = objectOf(now.properties);
    if (now.additionalProperties === false && old.additionalProperties !== false && isObjectSchema(old))
      narrowed('other properties are refused');
    for (const name of Object.keys(before))
      if (!(name in after)) this.report('request-property-removed', `${at}.${name}`, 'removed');
    const required = new Set(listOf(old.required));
    for (const name of listOf(now.required))
      if (!required.has(name) && !isOpaque(before[String(name)]))
        this.report(
          'request-property-required',
          `${at}.${name}`,
          String(name) in before ? 'it was optional' : 'it is new',
        );
  }

  response(at: string, oldSchema: unknown, newSchema: unknown): void {
    const [old, now] = this.#resolve(oldSchema, newSchema);
    if (old && !now) this.report('response-type-changed', at, 'it is no longer described');
    if (!old || !now) return;
    const before = typesOf(old);
    const after = typesOf(now);
    if (before) {
      const added = (after ?? ['anything']).filter(
        (type) => type !== 'null' && !before.some((each) => takes(each, type)),
      );
      if (added.length > 0) this.report('response-type-changed', at, `it may be ${added.join(', ')}`);
      if (after && before.includes('null') !== after.includes('null'))
        this.report('response-nullability-changed', at, after.includes('null') ? 'it may be null' : 'it is never null');
    }
    if (old.format !== now.format) this.report('response-type-changed', at, `its format is ${String(now.format)}`);
    const values = valuesOf(now);
    const gone = values && valuesOf(old)?.filter((value) => !values.some((each) => same(each, value)));
    if (gone?.length) this.report('response-value-removed', at, `${gone.map(String).join(', ')} removed`);
    this.#alternatives(now, old, (name, added) => this.report('response-type-changed', at, `${name}: ${added}`));
    const properties = objectOf(now.properties);
    const required = new Set(listOf(now.required));
    const wasRequired = new Set(listOf(old.required));
    for (const [name] of entriesOf(old.properties)) {
      const where = `${at}.${name}`;
      if (!(name in properties)) this.report('response-property-removed', where, 'removed');
      else if (wasRequired.has(name) && !required.has(name))
        this.report('response-property-optional', where, 'it may be absent');
    }
    this.#inside(old, now, (where, a, b) => this.response(`${at}${where}`, a, b));
  }

  /** Reports alternatives that `other` lacks, compared as a whole, and any change of `allOf`. */
  #alternatives(one: Json, other: Json, missing: (name: string, alternative: string) => void): void {
    for (const name of ['oneOf', 'anyOf']) {
      const others = listOf(other[name]);
      if (others.length === 0 && listOf(one[name]).length === 0) continue;
      for (const alternative of listOf(one[name]))
        if (!others.some((each) => same(each, alternative))) missing(name, canonicalJson(alternative).slice(0, 80));
    }
    if (!same(one.allOf, other.allOf)) missing('allOf', 'changed');
  }

  #inside(old: Json, now: Json, visit: (where: string, old: unknown, now: unknown) => void): void {
    const properties = objectOf(now.properties);
    for (const [name, schema] of entriesOf(old.properties))
      if (name in properties) visit(`.${name}`, schema, properties[name]);
    // Named components are compared one by one.
    for (const name of ['oneOf', 'anyOf'])
      for (const alternative of listOf(old[name])) {
        const reference = referenceOf(alternative);
        const current = listOf(now[name]).find((each) => reference !== undefined && referenceOf(each) === reference);
        if (current !== undefined) visit('', alternative, current);
      }
    if (isObject(old.items) && isObject(now.items)) visit('[]', old.items, now.items);
    if (isObject(old.additionalProperties) && isObject(now.additionalProperties))
      visit('.*', old.additionalProperties, now.additionalProperties);
  }

  #resolve(old: unknown, now: unknown): [Json | undefined, Json | undefined] {
    const references = [referenceOf(old), referenceOf(now)];
    if (references[0] !== undefined && references[1] !== undefined) {
      // Each pair is compared once per operation, which also ends recursion.
      const pair = references.join(' ');
      if (this.#entered.has(pair)) return [undefined, undefined];
      this.#entered.add(pair);
    }
    return [follow(old, this.#before), follow(now, this.#after)];
  }
}

const referenceOf = (schema: unknown): string | undefined =>
  isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : undefined;

function follow(schema: unknown, document: Json): Json | undefined {
  const reference = referenceOf(schema);
  if (!isObject(schema) || reference === undefined) return isObject(schema) ? schema : undefined;
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document);
  // Keywords beside a reference, such as the default of an enumeration, also apply.
  return isObject(found) ? { ...found, ...schema } : undefined;
}

interface Variants {
  property: string;
  byValue: ReadonlyMap<string, unknown>;
}

/** Returns the variants by the discriminating value. */
function variantsOf({ discriminator }: Json): Variants | undefined {
  if (!isObject(discriminator)) return undefined;
  const byValue = new Map(entriesOf(discriminator.mapping).map(([value, reference]) => [value, { $ref: reference }]));
  return { property: String(discriminator.propertyName), byValue };
}

/** Returns copies without discriminator, one per value of the property that discriminates in the other document. */
function valuesAsVariants(schema: Json, property: string): ReadonlyMap<string, unknown> {
  const properties = objectOf(schema.properties);
  const values = valuesOf(objectOf(properties[property])) ?? [];
  return new Map(
    values.map((value) => [
      String(value),
      { ...schema, properties: { ...properties, [property]: { type: 'string', enum: [value] } } },
    ]),
  );
}

/** Returns whether a schema only states that the value is an object. */
const isOpaque = (schema: unknown): boolean =>
  isObject(schema) &&
  schema.type === 'object' &&
  !['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in schema);

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isObjectSchema = (schema: Json): boolean => typesOf(schema)?.includes('object') ?? 'properties' in schema;

/** Returns undefined for any type. */
function typesOf({ type }: Json): readonly string[] | undefined {
  return type === undefined ? undefined : ([type].flat() as string[]);
}

function valuesOf({ enum: values, const: only }: Json): readonly unknown[] | undefined {
  return only !== undefined ? [only] : Array.isArray(values) ? values : undefined;
}

/** Every integer is a number. */
const takes = (type: string, given: string): boolean => type === given || (type === 'number' && given === 'integer');
