import type { JsonSchema } from '#domain/json-schema.ts';

/** A response that generated clients must decode. */
export interface Case {
  operation: string;
  area: string;
  status: number;
  body: unknown;
  /** `added` has values of enumerations and fields that later releases may add. */
  kind: 'live' | 'nulls' | 'added';
}

interface Operation {
  operationId: string;
  tags: readonly [string];
  parameters: readonly { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
  responses: Readonly<Record<string, { content?: { 'application/json': { schema: JsonSchema } } }>>;
  'x-audience': string;
}

export interface Document {
  paths: Readonly<Record<string, { get?: Operation; post?: Operation }>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

type Send = (path: string, json?: unknown) => Promise<{ status: number; body: unknown }>;

const ADDED = 'added_later';
/** More than 32 bits. */
const LARGE = 5_000_000_001;
/** More than the digits of 32 bits. */
const PRECISE = 16_777_217.5;

/** Composes a body of a schema with null wherever it is possible, and without optional fields. */
function compose(schema: JsonSchema, { components }: Document, kind: 'nulls' | 'added'): unknown {
  const inner = (each: unknown): unknown => compose(each as JsonSchema, { components } as Document, kind);
  const { $ref, anyOf, oneOf, enum: values, const: only, properties = {}, required = [], items, format, type } = schema;
  const types = [type].flat();
  const alternatives = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (types.includes('null') || alternatives?.some((each) => each.type === 'null')) {
    if (kind === 'nulls') return null;
  }
  if ($ref !== undefined) return inner(components.schemas[String($ref).split('/').at(-1) as string]);
  if (alternatives) return inner(alternatives[0]);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return kind === 'added' && types.includes('string') ? ADDED : values[0];
  if (types.includes('object')) {
    const fields = (required as readonly string[]).map((name) => [name, inner((properties as JsonSchema)[name])]);
    return { ...Object.fromEntries(fields), ...(kind === 'added' && fields.length > 0 && { [ADDED]: 1 }) };
  }
  if (types.includes('array'))
    return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () => inner(items));
  if (types.includes('boolean')) return true;
  if (types.includes('integer')) return LARGE;
  if (types.includes('number')) return PRECISE;
  return format === 'date-time' ? '2026-11-25T06:00:00Z' : format === 'date' ? '2026-11-25' : 'text';
}

/** Values for parameters whose responses differ most. */
async function variantsOf(send: Send): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const idsOf = async (path: string): Promise<number[]> => {
    const { body } = await send(path);
    return (body as { data: { id: number }[] }).data.map(({ id }) => id);
  };
  const exported = await send('/exports', { dataset: 'registered_rents', format: 'csv' });
  const [homes, land, projects] = await Promise.all([
    idsOf('/listings?city=riyadh&listing_type=rent&limit=6'),
    idsOf('/listings?city=riyadh&listing_type=sale&property_type=land&limit=4'),
    idsOf('/projects?limit=4'),
  ]);
  return {
    '/listings id': [...homes, ...land],
    '/projects id': projects,
    '/exports export_id': [(exported.body as { data: { id?: string } }).data.id],
    ' city': ['riyadh', 'jeddah', 'abha'],
    ' listing_type': ['rent', 'sale'],
  };
}

/** Requests every data operation with its example and with other places and listings, and composes rare responses. */
export async function readCases(document: Document, send: Send): Promise<Case[]> {
  const variants = await variantsOf(send);
  const cases: Case[] = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of [item.get, item.post]) {
      if (operation?.['x-audience'] !== 'data') continue;
      const { operationId, tags, parameters, responses, requestBody } = operation;
      const status = responses['201'] ? 201 : 200;
      const add = (kind: Case['kind'], body: unknown) =>
        cases.push({ operation: operationId, area: tags[0], status, body, kind });
      const own = parameters.filter(({ required, example }) => required || example !== undefined);
      let calls: Record<string, unknown>[] = [{}];
      for (const { name, example } of own) {
        const values = variants[`/${path.split('/')[1]} ${name}`] ?? variants[` ${name}`] ?? [example];
        calls = calls.flatMap((call) => values.map((value) => ({ ...call, [name]: value })));
      }
      for (const call of calls) {
        let filled = path;
        const query = new URLSearchParams();
        for (const { name, in: place } of own)
          if (place === 'path') filled = filled.replace(`{${name}}`, String(call[name]));
          else query.set(name, String(call[name]));
        const body = requestBody?.content['application/json'].example;
        const response = await send(`${filled}?${query}`, body);
        if (response.status === status) add('live', response.body);
      }
      const schema = responses[status]?.content?.['application/json'].schema ?? {};
      add('nulls', compose(schema, document, 'nulls'));
      add('added', compose(schema, document, 'added'));
    }
  return cases;
}

/** Returns what a client must preserve of a body: times to the second, decimals also as text, without null, in one order. */
export function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?(E[+-]?\d+)?$/.test(value)) return Number(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value))
    return Math.floor(Date.parse(value) / 1_000);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, normalize(each)]),
  );
}
