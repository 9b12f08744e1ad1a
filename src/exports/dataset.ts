import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { OfficialRules } from '#domain/official/rules.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { Terms } from './files.ts';

export type Filters = Readonly<Record<string, unknown>>;

/** A row as JSON bytes, in one or more parts. */
export type RowBytes = readonly Uint8Array[];

/** The names of two filters that select a range of time. */
export interface FilterRange {
  from: string;
  to: string;
}

/** A dataset that can be exported. The worker knows nothing else of it. */
export interface Dataset {
  name: string;
  /** Describes the rows that `filters` selects, for the documentation. */
  description: string;
  /** The scope that a key needs; null: any data key. */
  scope: Scope | null;
  /** Open data costs nothing. */
  free: boolean;
  /** Accepted and required filters. If there are `ranges`, exactly one is required, with its `from`. */
  filters: {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    ranges?: readonly FilterRange[];
  };
  /**
   * Checks the filters beyond their schema, and sets defaults, when the export is created.
   * @throws RequestError naming the invalid filter
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
  /**
   * Checks that the source has data for the periods and cities of the filters, when the export is created.
   * @throws RequestError period_not_found
   */
  requirePeriods?(filters: Filters, source: { db: Queryable; rules: OfficialRules }): Promise<void>;
  /** Schema of a row: the columns are read off it. */
  row: JsonSchema;
  terms(services: Pick<Services, 'config'>): Terms;
  /** Takes hold of one moment's state. */
  open(source: DatasetSource): Promise<Snapshot>;
}

export interface DatasetSource {
  filters: Filters;
  /** Epoch milliseconds: the moment that filters and rows see as now. */
  asOf: number;
  services: Pick<Services, 'config' | 'pool' | 'opensearch' | 'search' | 'sourceClock' | 'indexGuard' | 'places'>;
  signal: AbortSignal;
}

/** One moment's state of a dataset. */
export interface Snapshot {
  /** Rows there are, exactly. */
  count: number;
  /** Up to which time the dataset is complete, for datasets that a consumer reads again from there. */
  watermark?: string | null;
  /**
   * Returns all rows in batches. The bytes of a batch are valid until the next batch is requested.
   * @param sourceLinks whether the plan includes the links of sources
   */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
