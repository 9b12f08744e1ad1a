import type { Scope } from '#accounts/scopes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Services } from '#src/services.ts';
import type { Terms } from './files.ts';

export type Filters = Readonly<Record<string, unknown>>;

/** A row as JSON bytes, in one or more parts. */
export type RowBytes = readonly Uint8Array[];

/** What can be exported. The worker knows nothing else of a dataset. */
export interface Dataset {
  name: string;
  /** What `filters` selects, for the documentation. */
  description: string;
  /** The scope that a key needs; null: any data key. */
  scope: Scope | null;
  /** Open data costs nothing. */
  free: boolean;
  /** Filters that it takes, and those that must be given. */
  filters: { properties: Readonly<Record<string, JsonSchema>>; required: readonly string[] };
  /**
   * Checks what a schema cannot, and fills in what was left out, when the export is asked for.
   * @throws ApiError naming the filter at fault
   */
  resolve?(filters: Filters, context: { now: number; historyStart: string }): Filters;
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
  /** What the manifest states of it beside what it states of every export. */
  described?: Readonly<Record<string, unknown>>;
  /**
   * All rows, in batches. The bytes of a batch are only there until the next one is asked for.
   * @param sourceLinks whether the plan shows where an ad was found
   */
  rows(presentation: { sourceLinks: boolean }): AsyncGenerator<readonly RowBytes[]>;
  close(): Promise<void>;
}
