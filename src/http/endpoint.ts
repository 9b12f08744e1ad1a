import type { Actor } from '#accounts/audit.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { JsonSchema, ValueOf } from '#domain/json-schema.ts';
import type { Load, Requester } from '#domain/search-queues.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import type { Admitted } from '#metering/charge.ts';
import type { Price } from '#metering/prices.ts';
import type { Transaction } from '#postgres/transaction.ts';
import type { CallServices } from '#src/services.ts';
import type { CursorState } from './cursor.ts';

/** Deprecation announced in the changelog and in response headers. */
export interface Deprecation {
  /** Id of the entry in the changelog. */
  entry: string;
  /** Start of the deprecation in epoch milliseconds. */
  since: number;
  /** Earliest removal in epoch milliseconds; null if not set. */
  sunset: number | null;
}

/** Query or path parameter. Documentation, decoding and validation derive from it. */
export interface Parameter {
  name: string;
  schema: JsonSchema;
  description: string;
  required?: boolean;
  example?: string;
  check?: ValueCheck;
  /** Parameter whose value must not exceed the value of this one: `price_min` for `price_max`. */
  notBelow?: string;
  /**
   * Error code for other spellings of an integer in a path, such as `1.0`. They are refused, so that each resource has a
   * single URL for caches and logs.
   */
  nonCanonicalError?: ErrorCode;
  /** Set by the changelog. */
  deprecated?: Deprecation;
}

/** Decoded, validated values by parameter name. */
export type Values = Readonly<Record<string, unknown>>;

/** Values of parameters (a union), typed by their schemas. Required parameters and parameters with a default are always set. */
export type ValuesOf<Parameters extends Parameter> = {
  readonly [Each in Parameters as Each extends Present ? Each['name'] : never]: ValueOf<Each['schema']>;
} & {
  readonly [Each in Parameters as Each extends Present ? never : Each['name']]?: ValueOf<Each['schema']>;
};
type Present = { readonly required: true } | { readonly schema: { readonly default: unknown } };

/** Input of the handler of a public endpoint: a valid request without a key. */
interface PublicCall<Path = Values, Query = Values> {
  path: Path;
  query: Query;
  services: CallServices;
  /** Time of the request in epoch milliseconds. */
  now: number;
  /** Deadline of its searches, as a time of `performance.now()`. */
  deadline: number;
  requestId: string;
}

/** Call before authentication and charge. */
export interface UnchargedCall<Path = Values, Query = Values> extends PublicCall<Path, Query> {
  /** Start of the page on paged endpoints. The endpoint checks that its fingerprint matches the query. */
  cursor: CursorState | null;
  /** Identity of the call in the queues for expensive work. */
  requester: Requester;
}

/** Input of the handler of a GET: a valid, authenticated and charged call. */
export interface Call<Path = Values, Query = Values> extends UnchargedCall<Path, Query> {
  /** The key, its organization and plan. */
  caller: Admitted;
}

/** Input of the handler of a POST. */
export interface PostCall<Path = Values, Query = Values, Body = unknown> extends Call<Path, Query> {
  body: Body;
  /** Transaction of the effect and its stored response. */
  db: Transaction;
}

/** Returns the caller as the actor of audit events. */
export function actorOf(call: Pick<Call, 'caller' | 'requestId'>): Actor {
  return { type: 'key', id: call.caller.key, requestId: call.requestId };
}

/** Response with a body as a value of the schema, or as JSON bytes, which tests validate against the schema. */
export type EndpointResponse<Body = unknown> = {
  /** Defaults to the success status of the endpoint. */
  status?: number;
  headers?: Record<string, string>;
} & (
  | { body: Body; bytes?: undefined; free?: undefined }
  | {
      body?: undefined;
      bytes: readonly Uint8Array[];
      /** Called after the response was sent, to free its pooled memory. */
      free?: () => void;
    }
);

/** Response as untyped bytes; tests validate them against the schema. */
export type BytesResponse = EndpointResponse<never>;

/** Common properties of all endpoints. */
interface Definition {
  /** Includes the version segment, if any: `/v1/listings/{id}`. */
  path: string;
  operationId: string;
  area: string;
  summary: string;
  description: string;
  /** Null allows any key of the audience. */
  scope: Scope | null;
  /** Price of a valid request, from `PRICES`. */
  price: Price;
  /**
   * Queue for endpoints that are expensive for OpenSearch: calls wait for a slot. With `shared`, `prefetch` takes one slot for
   * all calls with an equal result, and none if the result is cached.
   */
  load?: Load | 'shared';
  /** Whether the endpoint has a `cursor`, with the page size and paging depth of the plan. Set by `defineEndpoint`. */
  paged?: boolean;
  /** Success status. Defaults to 200. */
  successStatus?: 200 | 201;
  /** Schema of the 2xx body. */
  response: JsonSchema;
  /** Other statuses whose body is the response and not an error. */
  otherResponses?: Readonly<Record<number, string>>;
  /** Set by the changelog. */
  deprecated?: Deprecation;
}

/** GET without a key. */
export interface PublicEndpoint<Path = Values, Query = Values, Response = unknown> extends Definition {
  method: 'GET';
  audience: 'public';
  bodySchema?: undefined;
  bodyDocument?: undefined;
  prefetch?: undefined;
  handle(call: PublicCall<Path, Query>): Promise<EndpointResponse<Response>>;
}

/** GET with a key: `data` accepts live and test keys, `admin` only admin keys. */
export interface GetEndpoint<Path = Values, Query = Values, Prefetched = unknown, Response = unknown>
  extends Definition {
  method: 'GET';
  audience: 'data' | 'admin';
  bodySchema?: undefined;
  bodyDocument?: undefined;
  /**
   * Fetches data for `handle` from OpenSearch that does not depend on the caller. For recently admitted keys it runs during
   * the charge, for other keys after it. If the call fails, `free` of the result is called.
   */
  prefetch?(call: UnchargedCall<Path, Query>): Promise<Prefetched>;
  handle(call: Call<Path, Query>, prefetch: Promise<Prefetched>): Promise<EndpointResponse<Response>>;
}

/** POST with a key. Its effect, audit event and stored response are one transaction. */
export interface PostEndpoint<Path = Values, Query = Values, Body = unknown, Prepared = unknown, Response = unknown>
  extends Definition {
  method: 'POST';
  audience: 'data' | 'admin';
  /** Schema of the JSON body; without a schema the body is ignored. */
  bodySchema?: JsonSchema;
  /** Documented schema of the body, if `handle` validates more than `bodySchema`. */
  bodyDocument?: JsonSchema;
  prefetch?: undefined;
  /**
   * Calls external services without side effects. It ends before the transaction begins, so that it holds no database
   * connection. Its errors are thrown where `handle` awaits it, so that a repeated call still receives its stored response.
   */
  prepare?(call: Omit<PostCall<Path, Query, Body>, 'db'>): Promise<Prepared>;
  handle(call: PostCall<Path, Query, Body>, prepared: Promise<Prepared>): Promise<EndpointResponse<Response>>;
}

/**
 * Definition of an endpoint. Routing, 405 and `Allow`, unknown parameters, validation, metering, OpenAPI and the tests of
 * all endpoints derive from it.
 */
export type Endpoint = (PublicEndpoint & Lists) | KeyedEndpoint;
export type KeyedEndpoint = (GetEndpoint | PostEndpoint) & Lists;

/** Lists of an endpoint. `defineEndpoint` sets those that a definition omits to empty lists. */
interface Lists {
  pathParameters: readonly Parameter[];
  parameters: readonly Parameter[];
  /** Error codes in addition to the common error codes of all endpoints. */
  errors: readonly ErrorCode[];
}

/**
 * Defines an endpoint. The schemas of its parameters, body and response determine the types of the handler. Other code uses
 * untyped values.
 */
export function defineEndpoint<
  const PathParameters extends Parameter = never,
  const Parameters extends Parameter = never,
  const BodySchema extends JsonSchema = JsonSchema,
  const Response extends JsonSchema = JsonSchema,
  Prefetched = unknown,
  Prepared = unknown,
>(
  endpoint: (
    | PublicEndpoint<ValuesOf<PathParameters>, ValuesOf<Parameters>, ValueOf<Response>>
    | GetEndpoint<ValuesOf<PathParameters>, ValuesOf<Parameters>, Prefetched, ValueOf<Response>>
    | (PostEndpoint<
        ValuesOf<PathParameters>,
        ValuesOf<Parameters>,
        ValueOf<BodySchema>,
        Prepared,
        ValueOf<Response>
      > & {
        bodySchema?: BodySchema;
      })
  ) & {
    pathParameters?: readonly PathParameters[];
    parameters?: readonly Parameters[];
    errors?: readonly ErrorCode[];
    response: Response;
  },
): Endpoint {
  const lists = { pathParameters: [], parameters: [], errors: [] };
  const paged = endpoint.parameters?.some(({ name }) => name === 'cursor') ?? false;
  return { ...lists, ...endpoint, paged } as unknown as Endpoint;
}
