/** A JSON value that is an object. */
export type Json = { readonly [name: string]: unknown };

/** What explains and does not bind. */
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'title', 'externalDocs', 'deprecated']);
/** Objects whose keys are names that somebody chose, so that a property called `title` is not taken for a title. */
const NAMED = new Set([
  'properties',
  'paths',
  'responses',
  'headers',
  'schemas',
  'content',
  'securitySchemes',
  '$defs',
]);
/** Parts of the whole document that are another with every installation, or say nothing of what is promised. */
const OUTSIDE = new Set(['info', 'servers', 'tags']);

/** What an OpenAPI document promises to those who call: without prose, examples and addresses. Pure. */
export function contractOf(document: Json): Json {
  return strip(document, OUTSIDE) as Json;
}

function strip(value: unknown, also: ReadonlySet<string> = new Set(['servers', 'tags'])): unknown {
  if (Array.isArray(value)) return value.map((each) => strip(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !PROSE.has(name) && !also.has(name) && !isNote(name));
  return Object.fromEntries(
    entries.map(([name, each]) => [name, NAMED.has(name) && isObject(each) ? stripEach(each) : strip(each)]),
  );
}

const stripEach = (named: Json): Json =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, strip(value)]));

/** What the changelog adds to a document. */
const isNote = (name: string): boolean => name === 'x-changelog' || name === 'x-sunset';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Levels of the document that get lines of their own: down to each parameter and each answer of an operation. */
const LINES = 5;

/** A contract as it is kept: a line for each thing that may change, so that a change is a line of the diff. Pure. */
export const printContract = (contract: Json): string => `${print(contract, 0)}\n`;

function print(value: unknown, depth: number): string {
  if (depth >= LINES || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, depth + 1))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${print(each, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const indent = ' '.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${indent}${part}`).join(',\n')}\n${' '.repeat(depth)}${close}`;
}

/** What was released last of this version. `npm run cli -- openapi release` writes it. */
export const RELEASED = new URL('../../openapi/v1.json', import.meta.url);
