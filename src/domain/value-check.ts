import type { ErrorCode } from './errors.ts';
import type { PlaceCheck } from './geography/places.ts';
import type { Candidate } from './suggestions/nearest.ts';

/** Notation of a value: the text of a URL, or a JSON body. */
export type Notation = 'url' | 'json';

/** The context of a check. */
export interface CheckContext {
  /** Name of the parameter or property in the request. */
  name: string;
  notation: Notation;
  /** The other values of the request. */
  values: Readonly<Record<string, unknown>>;
  places: PlaceCheck;
  /** Explains that the value does not exist, and suggests the most similar ones. */
  explain(candidates: readonly Candidate[], accepts: (value: unknown) => boolean): string;
}

/** A check of a schema-valid value against existing data. Pure. */
export interface ValueCheck<Value = unknown> {
  /** Error code of a refused value. */
  code: ErrorCode;
  /**
   * Returns null if the value is accepted, otherwise a function that builds the error message. Only the reported error is
   * built.
   */
  refuse(value: Value, context: CheckContext): (() => string) | null;
}
