import type { Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { JsonSchema } from '#domain/json-schema.ts';
import { quote } from '#domain/text/quote.ts';
import { containsKey } from '#observability/redact.ts';
import type { HttpContext } from '../context.ts';
import type { Fault } from '../errors/fault.ts';
import { MAX_BODY_BYTES } from '../limits/request-size.ts';
import { compileBodyCheck } from './check.ts';

/** Maximum nesting depth of a body: deeper than any request needs, and shallow enough for recursive code. */
const MAX_DEPTH = 32;
/** Maximum number of values in a body, because each value is validated. */
const MAX_VALUES = 10_000;

interface ReadBody {
  /** Decoded body; valid if there are no faults. */
  value: unknown;
  faults: readonly Fault[];
}

export type BodyReader = (context: HttpContext) => Promise<ReadBody>;

/** Returns whether a body is optional, which means that it has no required property. */
export const isOptional = ({ required = [] }: JsonSchema): boolean => (required as readonly string[]).length === 0;

/**
 * Compiles the reader of a JSON body. The reader limits, parses and validates the body, and reports its first fault. An
 * absent optional body is read as an empty object.
 */
export function compileBody(schema: JsonSchema): BodyReader {
  const check = compileBodyCheck(schema);
  const optional = isOptional(schema);
  return async (context) => {
    const type = context.is('application/json');
    if (optional && (type === null || context.get('Content-Length') === '0')) return { value: {}, faults: [] };
    if (type === null) return unread('This endpoint requires a JSON body.');
    if (type === false) return unread(explainType(context.get('Content-Type')));
    let value: unknown;
    try {
      const text = await readText(context);
      if (text === null) return unread(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
      if (!/^[ \t\r\n]*([[{]|$)/.test(text)) return unread('The body must be a JSON object.');
      value = text === '' ? {} : JSON.parse(text);
    } catch (error) {
      return unread(explainSyntax(error));
    }
    const refused = refuse(value);
    if (refused) return unread(refused);
    const fault = check(value);
    return { value, faults: fault ? [fault] : [] };
  };
}

/**
 * Reads the body, decompressed. Null if it is larger than the limit.
 * @throws Error if the body is incomplete, or its encoding is not supported
 */
async function readText(context: HttpContext): Promise<string | null> {
  const { req } = context;
  const encoding = context.get('Content-Encoding') || 'identity';
  if (encoding === 'identity' && Number(context.get('Content-Length')) > MAX_BODY_BYTES) return null;
  const body = decompressed(req, encoding);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const receive = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > MAX_BODY_BYTES) resolve(null);
  };
  body.on('data', receive);
  body.once('end', () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
  body.on('error', reject);
  req.on('error', reject);
  req.once('close', () => reject(new Error('The connection was closed')));
  return promise.finally(() => {
    // The request is not destroyed, because its connection must still carry the response.
    body.off('data', receive);
    if (body !== req) req.unpipe();
    req.pause();
  });
}

function decompressed(received: Readable, encoding: string): Readable {
  if (encoding === 'identity') return received;
  if (!['gzip', 'deflate', 'br'].includes(encoding)) throw new Error(`Unsupported content encoding ${encoding}`);
  return received.pipe(encoding === 'br' ? createBrotliDecompress() : createUnzip());
}

/** Returns the message for a `Content-Type` that is missing or not JSON. */
const explainType = (type: string): string =>
  `Send the body as JSON, with \`Content-Type: application/json\`${type === '' ? '' : `, not ${quote(type)}`}.`;

/** Returns the message for invalid JSON. The message of the parser would repeat parts of the body. */
function explainSyntax(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  return `The body is not valid JSON${position === undefined ? '' : `: the error is at character ${Number(position) + 1}`}.`;
}

const unread = (message: string): ReadBody => ({
  value: undefined,
  faults: [{ code: 'invalid_body', param: null, message: () => message }],
});

/**
 * Returns the reason for refusing a body regardless of its schema, or null. Not recursive, so that a malicious body cannot
 * exhaust the stack.
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
        // Copying such an object could replace a prototype.
        if (name === '__proto__' || (name === 'constructor' && Object.hasOwn(Object(inner), 'prototype')))
          return explainSyntax(null);
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

/**
 * Returns the reason for refusing a string, or null. Strings of a body are stored and displayed, so characters that Postgres
 * cannot store, and API keys, are refused.
 */
function refuseText(text: string): string | null {
  if (text.includes('\0') || !text.isWellFormed()) return 'The body has a string that is not valid Unicode.';
  if (containsKey(text)) return 'The body contains an API key. Send keys only in the Authorization header.';
  return null;
}
