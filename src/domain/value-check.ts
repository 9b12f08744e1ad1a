import type { ErrorCode } from './errors.ts';
import type { PlaceCheck } from './geography/places.ts';
import type { Candidate } from './suggestions/nearest.ts';

/** Text in a URL, or a JSON body. */
export type Notation = 'url' | 'json';

export interface CheckContext {
  /** In the request. */
  name: string;
  notation: Notation;
  values: Readonly<Record<string, unknown>>;
  places: PlaceCheck;
  /** The value does not exist; suggests the most similar existing ones. */
  explain(candidates: readonly Candidate[], accepts: (value: unknown) => boolean): string;
}

/** Of a schema-valid value against existing data. Pure. */
export interface ValueCheck<Value = unknown> {
  code: ErrorCode;
  /** Null if accepted, otherwise a function that builds the message: only one error is reported. */
  refuse(value: Value, context: CheckContext): (() => string) | null;
  /** Returns accepted values with their names, for values that do not match the schema. */
  candidates?(context: Pick<CheckContext, 'values' | 'places'>): readonly Candidate[];
}
