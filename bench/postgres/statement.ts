import type { Statement } from '../load/protocol.ts';

/** Adds a parameter value to a statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

const names = new Map<string, string>();

/** Creates a prepared statement. Statements with the same text share a name, and therefore a plan. */
export function prepare(write: (bind: Bind) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  const name = names.get(text) ?? `bench_${names.size}`;
  names.set(text, name);
  return { name, text, values };
}
