import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { OfficialRules } from '#domain/official/rules.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
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
  /** As for open data. */
  free: boolean;
  /** If there are `ranges`, exactly one is required, with its `from`. */
  filters: {
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    ranges?: readonly FilterRange[];
  };
  /**
   * Beyond the schema; sets defaults.
   * @throws RequestError naming the invalid filter
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
  /** @throws RequestError period_not_found if the periods and cities have no data */
  requirePeriods?(filters: Filters, source: { db: Queryable; rules: OfficialRules }): Promise<void>;
  row: JsonSchema;
  terms(services: Pick<Services, 'config'>): Terms;
  open(source: DatasetSource): Promise<Snapshot>;
}

export interface DatasetSource {
  filters: Filters;
  /** Epoch milliseconds, as the current time. */
  asOf: number;
  services: Pick<Services, 'config' | 'pool' | 'opensearch' | 'search' | 'sourceClock' | 'indexGuard' | 'places'>;
  signal: AbortSignal;
}

/** A point-in-time view. */
export interface Snapshot {
  /** Exact. */
  count: number;
  /** Up to which the view is complete: the next export continues here. */
  watermark?: string | null;
  /**
   * The bytes of a batch are valid until the next batch is requested.
   * @param presentation.sourceLinks whether the plan includes source links
   */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
