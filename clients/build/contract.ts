import { isObject, type Json } from '#src/openapi/schemas.ts';

const PROSE = new Set(['description', 'summary', 'example', 'examples', 'title', 'externalDocs', 'deprecated']);
/** Keywords whose keys are names, so that a property called `title` is not mistaken for the keyword. */
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
const OUTSIDE = new Set(['info', 'servers', 'tags']);

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

/** Derived from other parts. */
const isNote = (name: string): boolean => ['x-changelog', 'x-sunset', 'x-codeSamples'].includes(name);

/** Depth of entries on separate lines: parameters and responses. */
const LINES = 5;

/** Each change is one line in a diff. */
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

/** `release-contract.ts` writes it. */
export const RELEASED = new URL('../../openapi/v1.json', import.meta.url);
