import type { ErrorCode } from './errors.ts';
import type { PlaceCheck } from './geography/places.ts';
import type { Candidate } from './suggestions/nearest.ts';

/** How a value is notated: as text in a URL or in a JSON body. */
export type Notation = 'url' | 'json';

/** Context in which a value is checked. */
export interface CheckContext {
  /** Name of the parameter or property in the request. */
  name: string;
  notation: Notation;
  /** The other values in the request. */
  values: Readonly<Record<string, unknown>>;
  places: PlaceCheck;
  /** Explains that the value does not exist, and suggests the most similar existing values. */
  explain(candidates: readonly Candidate[], accepts: (value: unknown) => boolean): string;
}

/** A check of a schema-valid value against existing data. Pure. */
export interface ValueCheck<Value = unknown> {
  /** Error code for a rejected value. */
  code: ErrorCode;
  /**
   * Returns null if the value is accepted, otherwise a function that builds the error message. Messages are built
   * lazily, because only one error is reported.
   */
  refuse(value: Value, context: CheckContext): (() => string) | null;
  /** Returns accepted values with their names, for values that do not match the schema. */
  candidates?(context: Pick<CheckContext, 'values' | 'places'>): readonly Candidate[];
}
