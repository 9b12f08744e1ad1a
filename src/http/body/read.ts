import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { JsonSchema } from '#domain/json-schema.ts';
import { quote } from '#domain/text/visible.ts';
import { containsKey } from '#src/observability/redact.ts';
import type { HttpContext } from '../context.ts';
import type { Fault } from '../errors/api-error.ts';
import { MAX_BODY_BYTES } from '../limits/request-size.ts';
import { compileBodyCheck } from './check.ts';

/** Maximum nesting depth of a body, safe for recursive code. */
const MAX_DEPTH = 32;
/** Limits the cost of validation. */
const MAX_VALUES = 3_000;

interface ReadBody {
  /** `value` is valid only if `faults` is empty. */
  value: unknown;
  faults: readonly Fault[];
}

const parse = koaBody({
  json: true,
  jsonLimit: MAX_BODY_BYTES,
  multipart: false,
  urlencoded: false,
  text: false,
});

export const isOptional = ({ required = [] }: JsonSchema): boolean => (required as readonly string[]).length === 0;

/** The reader reports the first fault. An optional body that is omitted is read as an empty object. */
export function compileBody(schema: JsonSchema) {
  const check = compileBodyCheck(schema);
  const optional = isOptional(schema);
  return async (context: HttpContext): Promise<ReadBody> => {
    const type = context.is('application/json');
    if (optional && (type === null || context.get('Content-Length') === '0')) return { value: {}, faults: [] };
    if (type === null) return unread('This endpoint requires a JSON body.');
    if (type === false) return unread(explainType(context.get('Content-Type')));
    const coding = codingOf(context.get('Content-Encoding'));
    if (!CODINGS.includes(coding))
      return unread(`\`Content-Encoding\` must be gzip, deflate, br or identity, not ${quote(coding)}.`);
    // The parser compares the header with lowercase names.
    context.req.headers['content-encoding'] = coding;
    try {
      await parse(context as Context, async () => {});
    } catch (error) {
      if ((error as { type?: unknown } | null)?.type === 'entity.too.large')
        return unread(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
      if (coding !== 'identity' && !(error instanceof SyntaxError))
        return unread(`The body does not match its \`Content-Encoding\`: it is not valid ${coding}.`);
      return unread(explainSyntax(error));
    }
    const { body: value } = context.request as unknown as { body: unknown };
    const refused = refuse(value);
    if (refused) return unread(refused);
    const fault = check(value);
    return { value, faults: fault ? [fault] : [] };
  };
}

const CODINGS = ['gzip', 'deflate', 'br', 'identity'];

/** Names are case-insensitive (RFC 9110, section 8.4.1). */
function codingOf(header: string): string {
  const name = header.trim().toLowerCase();
  return name === 'x-gzip' ? 'gzip' : name || 'identity';
}

const explainType = (type: string): string =>
  `Send the body as JSON, with \`Content-Type: application/json\`${type === '' ? '' : `, not ${quote(type)}`}.`;

/** The parser's own message would repeat parts of the body. */
function explainSyntax(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('only supports object and array')) return 'The body must be a JSON object.';
  const position = /at position (\d+)/.exec(message)?.[1];
  const expected = message.includes('property name') ? ', where a name in double quotes is expected' : '';
  return `The body is not valid JSON${position === undefined ? '' : `: the error is at character ${Number(position) + 1}${expected}`}.`;
}

const unread = (message: string): ReadBody => ({
  value: undefined,
  faults: [{ code: 'invalid_body', param: null, message: () => message }],
});

/** Returns why a body is refused by any schema, or null. Iterative, so that a body cannot exhaust the stack. */
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

/** Strings of bodies are stored and displayed. */
function refuseText(text: string): string | null {
  if (text.includes('\0') || !text.isWellFormed()) return 'The body has a string that is not valid Unicode.';
  // The parser reads bytes that are not UTF-8 as this character.
  if (text.includes('\ufffd'))
    return 'The body has bytes that are not UTF-8, or the replacement character U+FFFD. Send it as UTF-8.';
  if (containsKey(text)) return 'The body contains an API key. Send keys only in the Authorization header.';
  return null;
}
