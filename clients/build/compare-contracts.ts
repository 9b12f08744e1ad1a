import { isObject, type Json } from '#src/openapi/schemas.ts';

export interface BreakingChange {
  /** Such as `GET /listings query beds[]`. */
  at: string;
  change: string;
}

interface Part {
  parent: string;
  /** What clients rely on. */
  promises: Set<string>;
  /** What clients must send, or be able to read. */
  demands: Set<string>;
  /** Prices, lower bounds, and negative upper bounds: they must not grow. */
  limits: Map<string, number>;
  /** The only values of a request. */
  accepted?: ReadonlySet<string>;
}

/** Within a version, requests may only be accepted more widely, and responses only be extended. */
export function findBreaks(before: Json, after: Json): BreakingChange[] {
  const now = partsOf(after);
  return [...partsOf(before)].flatMap(([at, old]) => {
    const current = now.get(at);
    // Parts of a removed part are not reported.
    if (!current) return now.has(old.parent) ? [{ at, change: 'removed' }] : [];
    return changesOf(old, current).map((change) => ({ at, change }));
  });
}

function changesOf(old: Part, now: Part): string[] {
  const { accepted } = now;
  const grown = [...now.limits].filter(([name, limit]) => limit > (old.limits.get(name) ?? Number.NEGATIVE_INFINITY));
  return [
    ...without(old.promises, now.promises).map((promise) => `no longer: ${promise}`),
    ...without(now.demands, old.demands).map((demand) => `new: ${demand}`),
    ...grown.map(([name, limit]) => `${name} is ${Math.abs(limit)}`),
    ...(accepted && !old.accepted ? ['only some values are accepted'] : []),
    ...(accepted && old.accepted ? without(old.accepted, accepted).map((value) => `${value} is refused`) : []),
  ];
}

const without = (all: ReadonlySet<string>, excluded: ReadonlySet<string>): string[] =>
  [...all].filter((each) => !excluded.has(each));

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const entriesOf = (value: unknown): [string, Json][] => Object.entries(objectOf(value)) as [string, Json][];
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that narrow a schema when they are added or changed. */
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'allOf', 'not', 'if', 'then', 'else'];

/** Types of a schema without `type`. */
const ANY = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null', 'anything'];

function partsOf(document: Json): Map<string, Part> {
  const parts = new Map<string, Part>();
  const enter = (name: string, parent: string): Part => {
    const known = parts.get(name);
    const part = known ?? { parent, promises: new Set(), demands: new Set(), limits: new Map() };
    parts.set(name, part);
    return part;
  };
  const resolve = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => objectOf(at)[key], document);

  /** @param references that lead to the schema. A schema that contains itself is entered once */
  const addSchema = (
    name: string,
    parent: string,
    schema: unknown,
    isRequest: boolean,
    references: readonly unknown[] = [],
  ): void => {
    const { isNullable, $ref, ...beside } = mergeNull(objectOf(schema));
    if (references.includes($ref)) return;
    // Keywords beside a reference, such as the default of an enumeration, also apply.
    const stated: Json = typeof $ref === 'string' ? { ...objectOf(resolve($ref)), ...beside } : beside;
    const all = isNullable ? withNull(stated) : stated;
    const part = enter(name, parent);
    const addInner = (at: string, inner: unknown): void =>
      addSchema(`${name}${at}`, name, inner, isRequest, $ref === undefined ? references : [...references, $ref]);
    (isRequest ? addRequest : addResponse)(part, all);
    for (const [property, inner] of entriesOf(all.properties)) addInner(`.${property}`, inner);
    if (isObject(all.items)) addInner('[]', all.items);
    if (isObject(all.additionalProperties)) addInner('.*', all.additionalProperties);
    for (const alternative of [...listOf(all.oneOf), ...listOf(all.anyOf)]) {
      const { $ref: own, type } = objectOf(alternative);
      const variant = String(own ?? type).replace(/^.*\//, '');
      if (!isRequest) part.demands.add(`may be ${variant}`);
      addInner(`(${variant})`, alternative);
    }
  };

  enter('', '');
  for (const [path, item] of entriesOf(document.paths))
    for (const [method, operation] of entriesOf(item)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { promises, demands, limits } = enter(name, '');
      for (const keyword of ['operationId', 'x-audience', 'x-scope', 'security'])
        promises.add(`${keyword} ${JSON.stringify(operation[keyword])}`);
      const { units, per = 1, parameter: counted } = objectOf(operation['x-units']);
      promises.add(`units for each ${String(counted)}`);
      limits.set('units', Number(units)).set('units are for', -Number(per));
      for (const parameter of listOf(operation.parameters).map(objectOf)) {
        const own = `${name} ${parameter.in} ${parameter.name}`;
        if (parameter.required) demands.add(`requires ${parameter.name}`);
        enter(own, name).promises.add(`style ${parameter.style}, explode ${parameter.explode}`);
        addSchema(own, name, parameter.schema, true);
      }
      const body = objectOf(operation.requestBody);
      if (body.required) demands.add('requires a body');
      for (const [type, { schema }] of entriesOf(body.content)) addSchema(`${name} ${type}`, name, schema, true);
      for (const [status, response] of entriesOf(operation.responses)) {
        // Clients handle the errors of all operations alike, and an operation may lose one.
        const [own, parent] = status.startsWith('2') ? [`${name} ${status}`, name] : [status, ''];
        const part = enter(own, parent);
        for (const [header] of entriesOf(response.headers)) part.promises.add(`header ${header}`);
        for (const code of listOf(response['x-codes'])) part.promises.add(`code ${code}`);
        for (const [type, { schema }] of entriesOf(response.content)) addSchema(`${own} ${type}`, own, schema, false);
      }
    }
  for (const [type, { post }] of entriesOf(document.webhooks)) {
    enter(type, '');
    for (const [, { schema }] of entriesOf(objectOf(objectOf(post).requestBody).content))
      addSchema(`${type} body`, type, schema, false);
  }
  return parts;
}

/**
 * Alternatives with null and a list of types with null are notations of the same contract. The first replaced the second
 * because generators for Kotlin and Swift ignore null in a list: the change of notation is no change.
 */
function mergeNull({ anyOf, ...beside }: Json): Json {
  const [other, ...more] = listOf(anyOf).filter((each) => objectOf(each).type !== 'null');
  const isNullable = listOf(anyOf).length === 2 && more.length === 0;
  return isNullable
    ? { ...objectOf(other), ...beside, isNullable }
    : { ...(anyOf !== undefined && { anyOf }), ...beside };
}

const withNull = ({ enum: values, ...schema }: Json): Json => ({
  ...schema,
  type: [schema.type, 'null'].flat(),
  ...(values !== undefined && { enum: [...listOf(values), null] }),
});

const typesOf = ({ type }: Json): string[] =>
  type === undefined
    ? ANY
    : [type].flat().flatMap((each) => (each === 'number' ? ['integer', 'number'] : String(each)));

function valuesOf({ enum: values, const: only }: Json): string[] | null {
  const listed = only === undefined ? values : [only];
  return Array.isArray(listed) ? listed.map((value) => JSON.stringify(value)) : null;
}

function addRequest(part: Part, schema: Json): void {
  const { promises, demands, limits } = part;
  const values = valuesOf(schema);
  if (values) part.accepted = new Set(values);
  for (const type of typesOf(schema)) promises.add(`accepts ${type}`);
  if (schema.default !== undefined) promises.add(`default ${JSON.stringify(schema.default)}`);
  for (const name of LOWER) if (schema[name] !== undefined) limits.set(name, Number(schema[name]));
  for (const name of UPPER) if (schema[name] !== undefined) limits.set(name, -Number(schema[name]));
  for (const name of EXACT) if (schema[name]) demands.add(`${name} ${JSON.stringify(schema[name])}`);
  for (const name of listOf(schema.required)) demands.add(`requires ${name}`);
  if (schema.additionalProperties === false) demands.add('other properties are refused');
}

function addResponse({ promises, demands }: Part, schema: Json): void {
  for (const type of typesOf(schema)) demands.add(`may be ${type}`);
  // Generated clients may have a type for null.
  if ([schema.type].flat().includes('null')) promises.add('may be null');
  for (const name of listOf(schema.required)) promises.add(`always has ${name}`);
  for (const value of valuesOf(schema) ?? []) promises.add(`value ${value}`);
  for (const each of [promises, demands]) each.add(`format ${String(schema.format)}`);
}
