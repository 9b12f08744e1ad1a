import type { Actor } from '#accounts/audit.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { JsonSchema, ValueOf } from '#domain/json-schema.ts';
import type { Lane, Requester } from '#domain/turns.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import type { Admitted } from '#metering/charge.ts';
import type { Price } from '#metering/prices.ts';
import type { Transaction } from '#postgres/transaction.ts';
import type { CallServices } from '#src/services.ts';
import type { CursorState } from './cursor.ts';

/** Something that callers should leave: the changelog says so, and answers do. */
export interface Deprecation {
  /** Id of the entry in the changelog. */
  entry: string;
  /** Epoch milliseconds since when. */
  since: number;
  /** Epoch milliseconds until when it works at least; null while that is not set. */
  sunset: number | null;
}

/** A parameter of the query or the path: documented, decoded and validated from this one description. */
export interface Parameter {
  name: string;
  schema: JsonSchema;
  description: string;
  required?: boolean;
  example?: string;
  check?: ValueCheck;
  /** The parameter whose value may not be above this one's: `price_min` of `price_max`. */
  notBelow?: string;
  /**
   * For an integer in a path: the code for another way to write one, such as `1.0`. A resource has one address, so that
   * caches and logs know it by one name.
   */
  otherwiseWritten?: ErrorCode;
  /** Set by the changelog. */
  deprecated?: Deprecation;
}

/** Decoded, validated values by parameter name. */
export type Values = Readonly<Record<string, unknown>>;

/** The values of parameters (a union), typed by their schemas: always there when required or with a default. */
export type ValuesOf<Parameters extends Parameter> = {
  readonly [Each in Parameters as Each extends Present ? Each['name'] : never]: ValueOf<Each['schema']>;
} & {
  readonly [Each in Parameters as Each extends Present ? never : Each['name']]?: ValueOf<Each['schema']>;
};
type Present = { readonly required: true } | { readonly schema: { readonly default: unknown } };

/** What the handler of a public endpoint gets: a valid request from anyone. */
interface PublicCall<Path = Values, Query = Values> {
  path: Path;
  query: Query;
  services: CallServices;
  /** Epoch milliseconds, one moment for the whole request. */
  now: number;
  /** Of `performance.now()`: when its searches are given up. */
  deadline: number;
  requestId: string;
}

/** What is known of a call before it is known who calls. */
export interface UnchargedCall<Path = Values, Query = Values> extends PublicCall<Path, Query> {
  /** Where the page starts, on paged endpoints; the endpoint checks that its fingerprint belongs to the query. */
  cursor: CursorState | null;
  /** Whose turns it takes for what is expensive. */
  requester: Requester;
}

/** What the handler of a GET gets: a call that is valid, authenticated and charged. */
export interface Call<Path = Values, Query = Values> extends UnchargedCall<Path, Query> {
  /** The key, its organization and plan. */
  caller: Admitted;
}

/** What the handler of a POST gets. */
export interface PostCall<Path = Values, Query = Values, Body = unknown> extends Call<Path, Query> {
  body: Body;
  /** The transaction that the effect and its stored answer share. */
  db: Transaction;
}

/** The caller, as the audit names it. */
export function actorOf(call: Pick<Call, 'caller' | 'requestId'>): Actor {
  return { type: 'key', id: call.caller.key, requestId: call.requestId };
}

/** A response: its body as a value of the endpoint's schema, or as JSON bytes, which tests check against the schema. */
export type Answer<Body = unknown> = {
  /** Defaults to the endpoint's success status. */
  status?: number;
  headers?: Record<string, string>;
} & (
  | { body: Body; bytes?: undefined; free?: undefined }
  | {
      body?: undefined;
      bytes: readonly Uint8Array[];
      /** Called when the response was sent: its bytes lie in pooled memory. */
      free?: () => void;
    }
);

/** A response whose bytes are not typed; tests check them against the schema. */
export type BytesAnswer = Answer<never>;

/** What every endpoint declares. */
interface Definition {
  /** Including the version segment, where there is one: `/v1/listings/{id}`. */
  path: string;
  operationId: string;
  area: string;
  summary: string;
  description: string;
  /** Null: any key of the audience. */
  scope: Scope | null;
  /** What a valid request costs: a row of the table of prices. */
  price: Price;
  /**
   * What the endpoint requires of the search engine, where that is much: its calls wait for a turn of this lane. `shared`: its
   * `prefetch` takes turns, one for all calls with an equal result, and none when the result is cached.
   */
  load?: Lane | 'shared';
  /** Takes a `cursor`: its pages are held to the plan's page size and paging depth. `defineEndpoint` sets it. */
  paged?: boolean;
  pathParameters: readonly Parameter[];
  parameters: readonly Parameter[];
  /** Status of a success; 200 when not said. */
  successStatus?: 200 | 201;
  /** Schema of the 2xx body. */
  response: JsonSchema;
  /** Statuses beyond 2xx whose body is the response too, not an error. */
  alsoAnswers?: Readonly<Record<number, string>>;
  /** Codes it can answer with beyond those that every endpoint can. */
  errors: readonly ErrorCode[];
  /** Set by the changelog. */
  deprecated?: Deprecation;
}

/** A GET that needs no key. */
export interface PublicEndpoint<Path = Values, Query = Values, Response = unknown> extends Definition {
  method: 'GET';
  audience: 'public';
  bodySchema?: undefined;
  bodyDocument?: undefined;
  prefetch?: undefined;
  handle(call: PublicCall<Path, Query>): Promise<Answer<Response>>;
}

/** A GET for holders of a key: `data` takes live and test keys, `admin` only admin keys. */
export interface GetEndpoint<Path = Values, Query = Values, Prefetched = unknown, Response = unknown>
  extends Definition {
  method: 'GET';
  audience: 'data' | 'admin';
  bodySchema?: undefined;
  bodyDocument?: undefined;
  /**
   * Fetches what `handle` needs from OpenSearch and what does not depend on the caller. For a key that was admitted a
   * moment ago it runs while the call is being charged; for any other key it runs after the charge. If the call fails,
   * a fetched answer that has a `free` function is freed.
   */
  prefetch?(call: UnchargedCall<Path, Query>): Promise<Prefetched>;
  handle(call: Call<Path, Query>, prefetch: Promise<Prefetched>): Promise<Answer<Response>>;
}

/** A POST for holders of a key. Its effect, the audit of it and the stored answer are one transaction. */
export interface PostEndpoint<Path = Values, Query = Values, Body = unknown, Prepared = unknown, Response = unknown>
  extends Definition {
  method: 'POST';
  audience: 'data' | 'admin';
  /** Schema of the JSON body; a POST without one ignores what is sent. */
  bodySchema?: JsonSchema;
  /** Schema of the body as documented, where `handle` checks more of it than `bodySchema` does. */
  bodyDocument?: JsonSchema;
  prefetch?: undefined;
  /**
   * What asks the outside and changes nothing. It has ended before the transaction begins, so that nobody's connection waits
   * for it. What it throws is thrown where `handle` awaits it: a call that is repeated gets its stored answer all the same.
   */
  prepare?(call: Omit<PostCall<Path, Query, Body>, 'db'>): Promise<Prepared>;
  handle(call: PostCall<Path, Query, Body>, prepared: Promise<Prepared>): Promise<Answer<Response>>;
}

/**
 * One definition of an endpoint. Routing, 405 and `Allow`, unknown parameters, validation, metering, OpenAPI and the
 * tests that walk every endpoint derive from it.
 */
export type Endpoint = PublicEndpoint | KeyedEndpoint;
export type KeyedEndpoint = GetEndpoint | PostEndpoint;

/**
 * Defines an endpoint. The schemas of its parameters, its body and its response type the handler: what it takes and what it
 * must return. To all other code the values are plain.
 */
export function defineEndpoint<
  const PathParameters extends Parameter,
  const Parameters extends Parameter,
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
  ) & { pathParameters: readonly PathParameters[]; parameters: readonly Parameters[]; response: Response },
): Endpoint {
  const paged = endpoint.parameters.some(({ name }) => name === 'cursor');
  return { ...endpoint, paged } as unknown as Endpoint;
}
