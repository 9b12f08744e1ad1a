import type { ErrorCode } from './errors.ts';
import type { PlaceCheck } from './geography/places.ts';
import type { Candidate } from './suggestions/nearest.ts';

/** How a value is written: in the text of a URL, or in a JSON body. */
export type Notation = 'url' | 'json';

/** The context of a check. */
export interface CheckContext {
  /** The name of the parameter or property, as the caller writes it. */
  name: string;
  notation: Notation;
  /** The other values of the request. */
  values: Readonly<Record<string, unknown>>;
  places: PlaceCheck;
  /** Explains that the value does not exist, with the most likely intended ones. */
  explain(candidates: readonly Candidate[], accepts: (value: unknown) => boolean): string;
}

/** A check of a value that its schema accepts, against what exists. Pure. */
export interface ValueCheck<Value = unknown> {
  /** The error code of a refused value. */
  code: ErrorCode;
  /** Null where the value is accepted, otherwise the error message. It is built only for the error that is reported. */
  refuse(value: Value, context: CheckContext): (() => string) | null;
}
