import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { OfficialRules } from '#domain/official/rules.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { Terms } from './files.ts';

export type Filters = Readonly<Record<string, unknown>>;

/** Row as JSON bytes, in one or more parts. */
export type RowBytes = readonly Uint8Array[];

/** Names of two filters that select a time range. */
export interface FilterRange {
  from: string;
  to: string;
}

/** Dataset that can be exported. The export worker depends only on this interface. */
export interface Dataset {
  name: string;
  /** Describes the rows that `filters` selects, for the documentation. */
  description: string;
  /** Scope that the key needs; null for any data key. */
  scope: Scope | null;
  /** Whether exports cost no units, as for open data. */
  free: boolean;
  /** Accepted and required filters. If there are `ranges`, exactly one is required, with its `from`. */
  filters: {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    ranges?: readonly FilterRange[];
  };
  /**
   * Checks the filters beyond their schema, and sets defaults. Called when the export is created.
   * @throws RequestError naming the invalid filter
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
  /**
   * Checks that the source has data for the periods and cities of the filters. Called when the export is created.
   * @throws RequestError period_not_found
   */
  requirePeriods?(filters: Filters, source: { db: Queryable; rules: OfficialRules }): Promise<void>;
  /** Schema of a row, which determines the columns. */
  row: JsonSchema;
  terms(services: Pick<Services, 'config'>): Terms;
  /** Opens a snapshot of the current data. */
  open(source: DatasetSource): Promise<Snapshot>;
}

export interface DatasetSource {
  filters: Filters;
  /** Current time for filters and rows, in epoch milliseconds. */
  asOf: number;
  services: Pick<Services, 'config' | 'pool' | 'opensearch' | 'search' | 'sourceClock' | 'indexGuard' | 'places'>;
  signal: AbortSignal;
}

/** Data of a dataset at one point in time. */
export interface Snapshot {
  /** Exact number of rows. */
  count: number;
  /** Time up to which the dataset is complete, for datasets whose next export can continue from that time. */
  watermark?: string | null;
  /**
   * Returns all rows in batches. The bytes of a batch are valid until the next batch is requested.
   * @param sourceLinks whether the plan includes links to sources
   */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
