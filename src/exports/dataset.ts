import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { OfficialRules } from '#domain/official/rules.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { Terms } from './files.ts';

export type Filters = Readonly<Record<string, unknown>>;

/** A row as JSON bytes, in one or more parts. */
export type RowBytes = readonly Uint8Array[];

/** Names of the two filters that select a time range. */
export interface FilterRange {
  from: string;
  to: string;
}

/** A dataset that can be exported. The export worker depends only on this interface. */
export interface Dataset {
  name: string;
  /** Describes the rows that `filters` selects. Used in the documentation. */
  description: string;
  /** Required scope of the key; null accepts any data key. */
  scope: Scope | null;
  /** Whether exports cost no units, as for open data. */
  free: boolean;
  /** Accepted and required filters. If there are `ranges`, exactly one is required, with its `from` filter. */
  filters: {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    ranges?: readonly FilterRange[];
  };
  /**
   * Checks the filters beyond their schema, and sets defaults. Called when an export is created.
   * @throws RequestError naming the invalid filter
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
  /**
   * Checks that data is available for the periods and cities in the filters. Called when an export is created.
   * @throws RequestError period_not_found
   */
  requirePeriods?(filters: Filters, source: { db: Queryable; rules: OfficialRules }): Promise<void>;
  /** Schema for a row, which determines the columns. */
  row: JsonSchema;
  terms(services: Pick<Services, 'config'>): Terms;
  /** Opens a point-in-time view of the current data. */
  open(source: DatasetSource): Promise<Snapshot>;
}

export interface DatasetSource {
  filters: Filters;
  /** Time in epoch milliseconds that filters and rows use as the current time. */
  asOf: number;
  services: Pick<Services, 'config' | 'pool' | 'opensearch' | 'search' | 'sourceClock' | 'indexGuard' | 'places'>;
  signal: AbortSignal;
}

/** A point-in-time view of a dataset. */
export interface Snapshot {
  /** Exact number of rows in the view. */
  count: number;
  /** Time up to which the view is complete, for datasets whose next export can continue from that time. */
  watermark?: string | null;
  /**
   * Yields all rows in batches. The bytes of a batch are valid until the next batch is requested.
   * @param presentation.sourceLinks whether the plan includes source links
   */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
