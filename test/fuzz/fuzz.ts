import { randomInt } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { codePoint } from '#test/code-points.ts';

/** Seconds for which a parser is fuzzed. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 1);

/** Inputs between two checks of the time limit. */
const BATCH = 25;
/** Maximum processor milliseconds of one input. */
const MAX_MS = 1_500;
/** Maximum heap growth in bytes while an input is parsed, garbage included. */
const MAX_GROWTH = 128 * 2 ** 20;
/** Maximum characters of an input. */
const MAX_INPUT = 128 * 1024;

const heapUsed = (): number => getHeapStatistics().used_heap_size;

/**
 * Passes generated inputs to `parse` for `FUZZ_SECONDS`, and fails on an exception, a slow input, or one that needs much
 * memory. The failure contains the seed and the shrunk input. `parse` catches the errors that it documents
 * (`isDocumented`).
 */
export async function fuzz<Input>(
  t: ExecutionContext,
  inputs: fc.Arbitrary<Input>,
  parse: (input: Input) => Promise<void>,
): Promise<void> {
  t.timeout(SECONDS * 1_000 + 10 * 60_000);
  const property = fc.asyncProperty(inputs, async (input) => {
    const [started, heap] = [process.threadCpuUsage(), heapUsed()];
    await parse(input);
    const { user, system } = process.threadCpuUsage(started);
    const [ms, growth] = [(user + system) / 1_000, heapUsed() - heap];
    if (ms > MAX_MS) throw new Error(`${ms} ms for one input`);
    if (growth > MAX_GROWTH) throw new Error(`${growth} bytes for one input`);
  });
  const seed = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);
  const end = performance.now() + SECONDS * 1_000;
  // A failure states the seed of its batch. At least one batch runs on a busy machine.
  let batch = 0;
  do await fc.assert(property, { numRuns: BATCH, seed: (seed + batch) | 0, includeErrorInReport: true });
  while (++batch && performance.now() < end);
  t.pass(`seed ${seed}`);
}

const CRASHES = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError];

/** Returns whether an error is intended for operators or clients, and not the result of a defect in the parser. */
export function isDocumented(error: unknown): boolean {
  return error instanceof Error && !CRASHES.some((crash) => error instanceof crash);
}

/** Tokens that are special to at least one parser. */
const TOKENS = [
  ...['"', '""', "'", ',', ';', '\t', '\n', '\r\n', '\r', '\0', '\ufeff', '\\', '\\u0000', '\\ud800', '|', '{', '}'],
  ...['[', ']', ':', 'null', 'true', '-', '-0', '1e999', '1e-999', '99999999999999999999', 'NaN', '0x10', '٣٫٥', '½'],
  ...['<', '>', '&', '&amp;', '&#0;', '/../', '%', '%00', '%ff'],
  ...['{"__proto__":1}', '"constructor"', '__proto__', 'hasOwnProperty', '2026-02-30', '0000-01-01T00:00:00+23:59'],
  ...['😀', '\ud83d', '\u200d', 'ـ', 'شقّة', 'ﷺ', 'a\u0301', '(', ')', '*', '?', '$', '^', '.'],
];

interface Mutation {
  kind: 'delete' | 'insert' | 'repeat' | 'replace' | 'truncate' | 'move' | 'flip';
  at: number;
  length: number;
  times: number;
  token: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('delete', 'insert', 'repeat', 'replace', 'truncate', 'move', 'flip'),
  // Fractions of the text.
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(2_000) }),
  times: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) }, { weight: 1, arbitrary: fc.nat(20_000) }),
  token: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TOKENS) },
    { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 4 }) },
  ),
});

/** Generates byte strings that are one of `seeds` with up to eight changes. */
export function mutatedBytes(seeds: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(mutation, { minLength: 1, maxLength: 8 }))
    .map(([seed, mutations]) => Buffer.from(mutations.reduce(mutate, seed.toString('latin1')), 'latin1'));
}

function mutate(text: string, { kind, at: share, length, times, token }: Mutation): string {
  const at = Math.floor(share * text.length);
  const [before, part, rest] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  switch (kind) {
    case 'delete':
      return before + rest;
    case 'insert':
      return before + repeated(token, times, text) + part + rest;
    case 'replace':
      return before + token + rest;
    case 'repeat':
      return before + repeated(part, times, text) + rest;
    case 'truncate':
      return before;
    case 'move':
      return rest + part + before;
    case 'flip':
      return before + String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << (length % 8))) + text.slice(at + 1);
  }
}

function repeated(part: string, times: number, text: string): string {
  const most = Math.max(0, MAX_INPUT - text.length) / Math.max(1, part.length);
  return part.repeat(Math.min(times, Math.floor(most)));
}
