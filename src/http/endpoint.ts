import type { Actor } from '#accounts/audit.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { PlaceCheck } from '#domain/geography/places.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Charge } from '#metering/charge.ts';
import type { Transaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { CursorState } from './cursor.ts';

/** A parameter of the query or the path: documented, decoded and validated from this one description. */
export interface Parameter {
  name: string;
  schema: JsonSchema;
  description: string;
  required?: boolean;
  example?: string;
  /** Holds a valid value against what exists; an error code when it names something that does not. */
  check?(value: unknown, places: PlaceCheck): ErrorCode | null;
}

/** Decoded, validated values by parameter name. */
export type Values = Readonly<Record<string, unknown>>;

/** What a handler gets: a request that is authenticated, valid and charged. */
export interface Call<Path = Values, Query = Values, Body = unknown> {
  path: Path;
  query: Query;
  body: Body;
  /** Where the page starts, on paged endpoints; its fingerprint is still to be held against the query. */
  cursor: CursorState | null;
  /** The key, its organization and plan; null on public endpoints only. */
  caller: Charge;
  services: Services;
  /** Epoch milliseconds, one moment for the whole request. */
  now: number;
  requestId: string;
  /** The transaction that a POST's effect and its stored answer share; null on GET. */
  db: Transaction | null;
}

/** What is known of a call before it is known who calls. */
export type UnchargedCall<Path = Values, Query = Values> = Pick<
  Call<Path, Query>,
  'path' | 'query' | 'cursor' | 'services' | 'now'
>;

/** What endpoints without a prefetch are handed. */
export const NO_PREFETCH: Promise<unknown> = Promise.resolve();

/** The transaction of a POST. */
export function transactionOf(call: Pick<Call, 'db'>): Transaction {
  if (!call.db) throw new Error('only a POST has a transaction');
  return call.db;
}

/** The caller, as the audit names it. */
export function actorOf(call: Pick<Call, 'caller' | 'requestId'>): Actor {
  return { type: 'key', id: call.caller.key, requestId: call.requestId };
}

/** A body as a value, or as JSON bytes that are ready. */
export interface Answer {
  /** The endpoint's own success status when not said. */
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
  bytes?: readonly Uint8Array[];
  /** Called when the answer is out: its bytes lie in memory that is used again. */
  free?: () => void;
}

/**
 * One definition of an endpoint. Routing, 405 and `Allow`, unknown parameters, validation, metering, OpenAPI and the
 * tests that walk every endpoint derive from it.
 */
export interface Endpoint<Path = Values, Query = Values, Body = unknown, Prefetched = unknown> {
  method: 'GET' | 'POST';
  /** With the version segment where it has one: `/v1/listings/{id}`. */
  path: string;
  operationId: string;
  area: string;
  summary: string;
  description: string;
  /** `public` needs no key; `admin` only an admin key; `data` a live or test key. */
  audience: 'public' | 'data' | 'admin';
  /** Null: any key of the audience. */
  scope: Scope | null;
  /** Units of a valid request. */
  units(query: Query): number;
  /** Takes `limit` and `cursor`, held against the plan's page size and paging depth. */
  paged?: boolean;
  pathParameters: readonly Parameter[];
  parameters: readonly Parameter[];
  /** Schema of the JSON body of a POST. */
  bodySchema?: JsonSchema;
  /** Status of a success; 200 when not said. */
  successStatus?: 200 | 201;
  /** Schema of the 2xx body. */
  response: JsonSchema;
  /** Statuses beyond 2xx whose body is the response too, not an error. */
  alsoAnswers?: Readonly<Record<number, string>>;
  /** Codes it can answer with beyond those that every endpoint can. */
  errors: readonly ErrorCode[];
  /**
   * What `handle` needs of the engine whoever calls. For a key that was admitted a moment ago it starts while the call is being
   * charged, so that neither waits for the other; for any other key, once the call is charged. An answer with a `free` is freed when nobody
   * reads it.
   */
  prefetch?(request: UnchargedCall<Path, Query>): Promise<Prefetched>;
  handle(call: Call<Path, Query, Body>, prefetch: Promise<Prefetched>): Promise<Answer>;
}

/** Keeps the types of an endpoint's own values inside its definition; the outside sees plain values, already validated. */
export function defineEndpoint<Path, Query, Body = unknown, Prefetched = unknown>(
  endpoint: Endpoint<Path, Query, Body, Prefetched>,
): Endpoint {
  return endpoint as unknown as Endpoint;
}
