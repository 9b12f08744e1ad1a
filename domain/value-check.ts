import type { ErrorCode } from './errors.ts';
import type { PlaceCheck } from './geography/places.ts';
import type { Candidate } from './named.ts';

/** Text in a URL, or a JSON body. */
export type Notation = 'url' | 'json';

export interface CheckContext {
  name: string;
  notation: Notation;
  values: Readonly<Record<string, unknown>>;
  places: PlaceCheck;
  /** @param part the refused part of the value; all of it if omitted */
  explain(part?: string): string;
}

export interface ValueCheck<Value = unknown> {
  code: ErrorCode;
  /** Returns null if the value is accepted. Only one error is reported, so the message is built on demand. */
  refuse(value: Value, context: CheckContext): (() => string) | null;
  candidates?(context: Pick<CheckContext, 'values' | 'places'>): readonly Candidate[];
}
