import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { JsonSchema } from '#domain/json-schema.ts';
import { containsKey } from '#observability/redact.ts';
import { MAX_BODY_BYTES } from './limit-request.ts';
import type { Fault } from './parameters.ts';
import { describeSchema, type ErrorObject } from './schema.ts';

/** Levels of nesting taken; more than any body of this service has, and few enough to recurse over. */
const MAX_DEPTH = 32;
/** Values taken in all: what is at fault with each is worked out, so there must not be a hundred thousand. */
const MAX_VALUES = 10_000;

export interface ReadBody {
  /** The decoded body; validated when there are no faults. */
  value: unknown;
  /** In the order of the schema's properties. */
  faults: readonly Fault[];
}

export type BodyReader = (context: Context) => Promise<ReadBody>;

const parse = koaBody({
  json: true,
  jsonLimit: MAX_BODY_BYTES,
  multipart: false,
  urlencoded: false,
  text: false,
});

/** Compiles the reader of a JSON body: bounded, parsed and held against its schema. What is wrong with it are faults. */
export function compileBody(schema: JsonSchema, ajv: Ajv2020): BodyReader {
  const validate = ajv.compile(schema);
  return async (context) => {
    const type = context.is('application/json');
    if (type === null) return unread('This endpoint takes a JSON body.');
    if (type === false) return unread('Send the body as JSON, with `Content-Type: application/json`.');
    try {
      await parse(context, async () => {});
    } catch (error) {
      if (isTooLarge(error)) return unread(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
      return unread('The body is not valid JSON.');
    }
    const { body: value } = context.request as unknown as { body: unknown };
    const refused = refuse(value);
    if (refused) return unread(refused);
    if (validate(value)) return { value, faults: [] };
    return { value, faults: bodyFaults(validate.errors ?? [], schema) };
  };
}

const unread = (message: string): ReadBody => ({
  value: undefined,
  faults: [{ code: 'invalid_body', param: null, message }],
});

const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.too.large';

/**
 * Why a body is not looked at, whatever its schema; null when it is. Walks with a list of its own: a hostile body must
 * not exhaust the stack.
 */
function refuse(value: unknown): string | null {
  let level: unknown[] = [value];
  let values = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each === 'string') {
        const refused = refuseText(each);
        if (refused) return refused;
      }
      if (typeof each !== 'object' || each === null) continue;
      for (const [name, inner] of Object.entries(each)) {
        if (++values > MAX_VALUES) return TOO_COMPLEX;
        next.push(inner);
        if (!Array.isArray(each)) next.push(name);
      }
    }
    if (next.length === 0) return null;
    level = next;
  }
  return TOO_COMPLEX;
}

const TOO_COMPLEX = `The body has more than ${MAX_DEPTH} levels of nesting or more than ${MAX_VALUES} values.`;

/** Texts of a body are stored and shown: what no store takes, and keys, are refused. */
function refuseText(text: string): string | null {
  if (text.includes('\0') || !text.isWellFormed())
    return 'The body has a text with characters that are not Unicode text.';
  if (containsKey(text)) return 'The body has an API key in it. Send keys in the Authorization header only.';
  return null;
}

function bodyFaults(errors: readonly ErrorObject[], schema: JsonSchema): Fault[] {
  return errors
    .map((error) => {
      const path = segments(error);
      return { path, rank: rankOf(path, schema), fault: fault(error, path) };
    })
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map((found) => found.fault);
}

/** Where in the body an error lies, down to the property that is missing or not known. */
function segments({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return path;
}

function fault({ keyword, message, parentSchema }: ErrorObject, path: readonly string[]): Fault {
  const param = path.length === 0 ? null : path.join('.');
  const subject = param === null ? 'The body' : `\`${param.slice(0, 100)}\``;
  return {
    code: 'invalid_body',
    param,
    message: `${subject} ${wording(keyword, message, parentSchema as JsonSchema)}.`,
  };
}

function wording(keyword: string, message: string | undefined, schema: JsonSchema): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field that this endpoint takes';
  // What ajv says of lists and objects reads well; of single values, what is accepted helps more.
  const single = schema.type !== 'array' && schema.type !== 'object' && !Array.isArray(schema.type);
  return single && (schema.type !== undefined || schema.enum !== undefined || schema.const !== undefined)
    ? `must be ${describeSchema(schema)}`
    : (message ?? 'is not accepted');
}

/** Position of a path in the schema, property by property; what the schema does not name comes last. */
function rankOf(path: readonly string[], schema: JsonSchema): number[] {
  let at: JsonSchema | undefined = schema;
  return path.map((segment) => {
    const properties = at?.properties as Readonly<Record<string, JsonSchema>> | undefined;
    const index = properties ? Object.keys(properties).indexOf(segment) : Number(segment);
    at = properties ? properties[segment] : (at?.items as JsonSchema | undefined);
    return index >= 0 ? index : Number.MAX_SAFE_INTEGER;
  });
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
