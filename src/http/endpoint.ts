import type { ErrorCode } from '#domain/errors.ts';
import type { JsonSchema, ValueOf } from '#domain/json-schema.ts';
import type { Load, Requester } from '#domain/read-queues.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import type { Wait } from '#domain/waits.ts';
import type { LockedChange, LockedTransaction } from '#src/accounts/audit.ts';
import type { Permission } from '#src/accounts/roles.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import type { Admitted, Viewer } from '#src/metering/charge-statement.ts';
import type { Price } from '#src/metering/prices.ts';
import type { CallServices } from '#src/services.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { COST_PARAMETERS, type Quote } from './cost-parameters.ts';
import type { CursorState, List, Page } from './cursor.ts';

export interface Deprecation {
  entry: string;
  /** Times in epoch milliseconds; `sunset` is the earliest date of removal, or null if not determined. */
  since: number;
  sunset: number | null;
}

/** `fresh` for a few minutes, or `validate` only with `If-None-Match`. */
export type Caching = 'fresh' | 'validate';

/** Documentation, decoding and validation are generated from it. */
export interface Parameter {
  name: string;
  schema: JsonSchema;
  description: string;
  required?: boolean;
  example?: string;
  /** Parameters of which one must be given if this one is not. */
  requiredWithout?: readonly string[];
  /** Samples have it although it is optional, because one of several is required. */
  sampled?: boolean;
  check?: ValueCheck;
  /** Parameter whose value must not exceed this one, as `price_min` for `price_max`. */
  notBelow?: string;
  /** For integers such as `1.0`, which are refused, so that a resource has a single URL. */
  nonCanonicalError?: ErrorCode;
  /** Set from the changelog. */
  deprecated?: Deprecation;
}

export type Values = Readonly<Record<string, unknown>>;

/** Required parameters and those with a default are always present. */
export type ValuesOf<Parameters extends Parameter> = {
  readonly [Each in Parameters as Each extends Present ? Each['name'] : never]: ValueOf<Each['schema']>;
} & {
  readonly [Each in Parameters as Each extends Present ? never : Each['name']]?: ValueOf<Each['schema']>;
};
type Present = { readonly required: true } | { readonly schema: { readonly default: unknown } };

interface PublicCall<Path = Values, Query = Values> {
  path: Path;
  query: Query;
  services: CallServices;
  /** Epoch milliseconds, truncated to the minute. */
  now: number;
  /** For searches, as a `performance.now()` timestamp. */
  deadline: number;
  requestId: string;
}

/** A valid call that is not charged yet. */
export interface LoadCall<Path = Values, Query = Values> extends PublicCall<Path, Query> {
  cursor: CursorState | null;
  requester: Requester;
}

export interface PresentCall<Path = Values, Query = Values> extends LoadCall<Path, Query> {
  caller: Viewer;
}

/** A valid, authenticated call that costs no units. */
export interface Call<Path = Values, Query = Values> extends LoadCall<Path, Query> {
  caller: Admitted;
}

export interface PostCall<Path = Values, Query = Values, Body = unknown> extends Call<Path, Query> {
  body: Body;
  /** Address of the caller; null if the connection has ended. */
  ip: string | null;
  /** When the person of a console key signed in, in epoch milliseconds. */
  signedInAt?: number | undefined;
  db: LockedTransaction;
}

export function changeOf({ db, services, caller, requestId }: PostCall): LockedChange {
  return { db, random: services.random, actor: { type: 'key', id: caller.key, requestId } };
}

/** Tests validate JSON bytes against the schema. */
export type EndpointResponse<Body = unknown> = {
  /** Defaults to 200, regardless of the `successStatus` of the endpoint. */
  status?: number;
  headers?: Record<string, string>;
  /** Media type of `bytes` that are not JSON, one of the `otherTypes` of the endpoint. */
  type?: string;
  /** The charge of a call that charges its units itself. */
  charged?: Admitted;
} & ({ body: Body; bytes?: undefined } | { body?: undefined; bytes: readonly Uint8Array[] });

export const dataResponse = <const Data>(data: Data) => ({ body: { data } });
export const createdResponse = <const Data>(data: Data) => ({ status: 201, body: { data } });

interface Definition {
  path: string;
  operationId: string;
  area: string;
  summary: string;
  description: string;
  /** Null accepts any key of the audience. */
  scope: Scope | null;
  price: Price;
  /** Units of the rows that the background work of the call returns. */
  rowPrice?: { units: number; per: number };
  /** Queue in which the reads of a call wait, unless they are cached or need no search engine. */
  queue?: Load;
  /** Whether there is a `cursor` parameter: the paging depth of the plan applies. */
  paged?: boolean;
  /** Whether `limit` is at most the page size of the plan. Set by `defineEndpoint`. */
  sized?: boolean;
  caching?: Caching | undefined;
  /** Documented status. Defaults to 200. */
  successStatus?: 200 | 201;
  response: JsonSchema;
  /** Media types of the response in addition to JSON, with an example. */
  otherTypes?: Readonly<Record<string, string>>;
  /** Descriptions of other statuses with the `response` schema. */
  otherResponses?: Readonly<Record<number, string>>;
  /** Set from the changelog. */
  deprecated?: Deprecation;
}

interface GetDefinition extends Definition {
  /** Set by `defineEndpoint`. */
  method?: 'GET';
  bodySchema?: undefined;
  bodyDocument?: undefined;
}

export interface PublicEndpoint<Response = unknown> extends GetDefinition {
  method: 'GET';
  audience: 'public';
  load?: undefined;
  handle(call: PublicCall): Promise<EndpointResponse<Response>>;
}

/** GET endpoint that costs no units. The audience `data` accepts live and test keys. */
export interface GetEndpoint<Path = Values, Query = Values, Response = unknown> extends GetDefinition {
  audience: 'data' | 'admin';
  load?: undefined;
  handle(call: Call<Path, Query>): Promise<EndpointResponse<Response>>;
}

/** GET endpoint that costs units. Its call is charged when the response is ready to be sent. */
export interface MeteredEndpoint<Path = Values, Query = Values, Loaded = unknown, Response = unknown>
  extends GetDefinition {
  audience: 'data';
  /** Returns the list and filters of a paged endpoint. A cursor of another list is refused before the load. */
  list?(call: { path: Path; query: Query }): List;
  /** Waits before the call is admitted, unless null. */
  wait?(call: Omit<LoadCall<Path, Query>, 'requester'>): Promise<Wait | null>;
  /** Reads data that does not depend on the caller. */
  load(call: LoadCall<Path, Query>): Promise<Loaded>;
  /** Whether there is the result that a price with `without` is for. */
  hasResult?(loaded: Loaded): boolean;
  /** Number of rows that a price counts which is for returned rows. */
  rows?(loaded: Loaded): number;
  /** Returns the response for the plan of the caller. Pure. */
  present(call: PresentCall<Path, Query>, loaded: Loaded, page: Page): EndpointResponse<Response>;
  handle?: undefined;
}

/** Effect, audit event and stored response are written in one transaction. */
export interface PostEndpoint<Path = Values, Query = Values, Body = unknown, Prepared = unknown, Response = unknown>
  extends Definition {
  method: 'POST';
  audience: 'data' | 'admin';
  /** Change for which the member of an admin key needs a role. */
  permission?: Permission;
  /**
   * Permissions that depend on the resource or the body. They are decided before a stored response is returned.
   * @throws RequestError
   */
  authorize?(call: Omit<PostCall<Path, Query, Body>, 'db'> & { db: Queryable }): Promise<void>;
  /**
   * Returns the most that a call with `max_units` or `dry_run` in its body can cost.
   * @throws RequestError for an invalid body
   */
  quote?(call: Omit<PostCall<Path, Query, Body>, 'db'>): Promise<Quote>;
  /** If omitted, the body is ignored. */
  bodySchema?: JsonSchema;
  /** For the documentation, if `handle` validates more than `bodySchema`. */
  bodyDocument?: JsonSchema;
  load?: undefined;
  /**
   * Calls external services without side effects, before the transaction begins. Errors are thrown where `handle`
   * awaits the result, so that a repeated call still receives its stored response.
   */
  prepare?(call: Omit<PostCall<Path, Query, Body>, 'db'>): Promise<Prepared>;
  handle(call: PostCall<Path, Query, Body>, prepared: Promise<Prepared>): Promise<EndpointResponse<Response>>;
}

/** Routing, validation, metering, OpenAPI and tests that cover all endpoints are generated from a definition. */
export type Endpoint = (PublicEndpoint & Lists) | KeyedEndpoint;
export type KeyedEndpoint = (((GetEndpoint | MeteredEndpoint) & { method: 'GET' }) | PostEndpoint) & Lists;

/** Empty if a definition omits them. */
interface Lists {
  pathParameters: readonly Parameter[];
  parameters: readonly Parameter[];
  /** Error codes in addition to those that all endpoints share. */
  errors: readonly ErrorCode[];
}

/** By default a GET. The types of the handler are inferred from the schemas; other code uses untyped values. */
export function defineEndpoint<
  const PathParameters extends Parameter = never,
  const Parameters extends Parameter = never,
  const BodySchema extends JsonSchema = JsonSchema,
  const Response extends JsonSchema = JsonSchema,
  Loaded = unknown,
  Prepared = unknown,
>(
  endpoint: (
    | GetEndpoint<ValuesOf<PathParameters>, ValuesOf<Parameters>, ValueOf<Response>>
    | MeteredEndpoint<ValuesOf<PathParameters>, ValuesOf<Parameters>, Loaded, ValueOf<Response>>
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
): Endpoint & { response: Response } {
  const has = (parameter: string): boolean => endpoint.parameters?.some(({ name }) => name === parameter) ?? false;
  const paged = has('cursor');
  const parameters = [...(endpoint.parameters ?? []), ...(endpoint.price.units > 0 ? COST_PARAMETERS : [])];
  const derived = { parameters, paged, sized: paged || has('after') };
  return { method: 'GET', ...EMPTY_LISTS, ...endpoint, ...derived } as unknown as Endpoint & { response: Response };
}

export const definePublicEndpoint = <const Response extends JsonSchema>(
  endpoint: Omit<PublicEndpoint<ValueOf<Response>>, 'method' | 'audience'> & Partial<Lists> & { response: Response },
): Endpoint => ({ method: 'GET', audience: 'public', ...EMPTY_LISTS, ...endpoint, paged: false }) as Endpoint;

const EMPTY_LISTS: Lists = { pathParameters: [], parameters: [], errors: [] };
