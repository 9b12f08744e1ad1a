import type { JsonSchema } from '#domain/json-schema.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import type { Services } from '#src/services.ts';
import type { IndexGuard } from '#stores/opensearch/index-guard.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import type { Terms } from './files.ts';

export type Filters = Readonly<Record<string, unknown>>;

/** A row as JSON bytes, in one or more parts. */
export type RowBytes = readonly Uint8Array[];

export interface FilterRange {
  from: string;
  to: string;
}

export interface Dataset {
  name: string;
  /** Used in the documentation. */
  description: string;
  /** Null accepts any data key. */
  scope: Scope | null;
  /** Whether exports cost no units, as for open data. */
  free: boolean;
  /** Exactly one of the `ranges` is required, with its `from` filter. */
  filters: {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    ranges?: readonly FilterRange[];
  };
  /**
   * Checks filters beyond their schema, and sets defaults.
   * @throws RequestError naming the invalid filter
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
  /** @throws RequestError period_not_found if the periods and cities have no data */
  requirePeriods?(filters: Filters, db: Queryable): Promise<void>;
  row: JsonSchema;
  terms(services: Pick<Services, 'config'>): Terms;
  open(source: DatasetSource): Promise<Snapshot>;
}

export interface DatasetSource {
  filters: Filters;
  /** Epoch milliseconds that filters and rows use as the current time. */
  asOf: number;
  services: Pick<Services, 'config' | 'pool' | 'opensearch' | 'search' | 'sourceClock' | 'indexGuard' | 'places'>;
  signal: AbortSignal;
}

export interface Snapshot {
  /** Exact number of rows. */
  count: number;
  /** Time from which the next export continues. */
  watermark?: string | null;
  /** Position and stream from which `GET /listings/changes` continues. */
  position?: ReturnType<IndexGuard['position']>;
  /** @param presentation.sourceLinks whether the plan includes source links */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
