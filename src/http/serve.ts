import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { hashKey } from '#accounts/keys.ts';
import { ApiError } from '#domain/errors.ts';
import { type Charge, type ChargeOutcome, charge, refund } from '#metering/charge.ts';
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import { type BodyReader, compileBody } from './body.ts';
import { createClientAddress } from './client-address.ts';
import { findKeysInQuery, readKey, refuseKeyInQuery } from './credentials.ts';
import { type CursorState, decodeCursor } from './cursor.ts';
import { type Call, type Endpoint, NO_PREFETCH, type Values } from './endpoint.ts';
import { MAX_IDEMPOTENCY_KEY } from './idempotency.ts';
import { compileParameters, type Decoder, type Fault, faultError } from './parameters.ts';
import { createPostHandler } from './post.ts';
import { RecentCallers } from './recent-callers.ts';
import { meteringHeaders, respond } from './respond.ts';
import { createRouter } from './router.ts';
import { createAjv } from './schema.ts';

interface Compiled {
  path: Decoder;
  query: Decoder;
  /** Null where no body is taken. */
  body: BodyReader | null;
}

/** Requests of the same minute compile to the same query bodies, so that the engine's request cache can answer. */
const NOW_ROUNDING = 60_000;

/**
 * Serves endpoints: finds the one asked for, authenticates, validates, charges, handles, and gives the charge back
 * when handling fails. Who may call is decided before what was asked is judged; both in one round trip.
 */
export function serveEndpoints(endpoints: readonly Endpoint[], services: Services): Middleware {
  const route = createRouter(endpoints);
  const ajv = createAjv();
  const compiled = new Map<Endpoint, Compiled>(
    endpoints.map((endpoint) => [
      endpoint,
      {
        path: compileParameters(endpoint.pathParameters, ajv),
        query: compileParameters(endpoint.parameters, ajv),
        body: endpoint.bodySchema ? compileBody(endpoint.bodySchema, ajv) : null,
      },
    ]),
  );
  const clientAddress = createClientAddress(services.config.trustedProxies);
  const handlePost = createPostHandler(services);
  const recent = new RecentCallers();

  return async (context) => {
    const found = route(context.method, context.path);
    if (context.method === 'OPTIONS') {
      context.status = 204;
      context.set('Access-Control-Allow-Methods', (found?.allow ?? ['GET', 'POST', 'OPTIONS']).join(', '));
      context.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key');
      context.set('Access-Control-Max-Age', '86400');
      return;
    }
    const raw = new URLSearchParams(context.querystring);
    // First of all, and on paths that do not exist too: it has been seen by whoever keeps URLs.
    const exposed = findKeysInQuery(raw);
    if (exposed) await refuseKeyInQuery(exposed, services, context.state.requestId);
    if (!found) throw new ApiError('route_not_found');
    const { endpoint } = found;
    if (!endpoint) throw new ApiError('method_not_allowed', { headers: { Allow: found.allow.join(', ') } });
    const decoders = compiled.get(endpoint);
    if (!decoders) throw new Error(`${endpoint.operationId} was not compiled`);

    context.state.endpoint = endpoint;

    const key = endpoint.audience === 'public' ? null : readKey(context.get('Authorization'));
    const path = decoders.path(decodeSegments(found.path), services.places);
    const query = decoders.query(raw, services.places);
    // Only a caller whose key may exist has a body read, and a bounded one: who it is, is known with the charge.
    const body = decoders.body ? await decoders.body(context) : NO_BODY;
    const faults: Fault[] = [...path.faults, ...query.faults, ...body.faults];
    const idempotencyKey = endpoint.method === 'POST' ? readIdempotencyKey(context, faults) : null;
    const now = Math.floor(services.clock.now() / NOW_ROUNDING) * NOW_ROUNDING;
    const cursor = readCursor(endpoint, query.values, faults, services);
    const call: Call = {
      path: path.values,
      query: query.values,
      body: body.value,
      cursor,
      requestId: context.state.requestId,
      db: null,
      caller: PUBLIC_CALLER,
      services,
      now,
    };

    if (key === null || endpoint.audience === 'public') {
      const [fault] = faults;
      if (fault) throw faultError(fault);
      respond(context, await endpoint.handle(call, prefetch(endpoint, call)));
      return;
    }

    const valid = faults.length === 0;
    const ip = clientAddress(context.req);
    context.state.ip = ip;
    const keyHash = hashKey(key, services.config.keyPepper);
    const early =
      valid && endpoint.prefetch && recent.has(keyHash, endpoint.operationId) ? prefetch(endpoint, call) : null;
    // The engine is written to in this turn of the loop, and takes longer. Postgres is written to in the next: it is quick
    // to take the processor that wrote to it, and the search would leave only once the charge is done.
    if (early) await nextTurn();
    const charged = await charge(services.chargePool, {
      keyHash,
      audience: endpoint.audience,
      scope: endpoint.scope,
      units: valid ? endpoint.units(query.values) : 0,
      valid,
      limit: endpoint.paged ? Number(query.values.limit ?? 0) : 0,
      offset: cursor?.offset ?? 0,
      ip,
      now: services.clock.chargeTime(),
    }).catch((error: unknown) => {
      early?.then(discard, discard);
      throw postgresFailure(error);
    });
    context.state.caller = charged;
    if (charged.outcome) {
      early?.then(discard, discard);
      recent.refuse(keyHash, endpoint.operationId);
      throw refusal(charged.outcome, charged, faults, endpoint);
    }
    if (endpoint.prefetch) recent.admit(keyHash, endpoint.operationId);

    call.caller = charged;
    const prefetched = early ?? prefetch(endpoint, call);
    try {
      if (endpoint.method === 'POST') {
        const { answer, replayed } = await handlePost(endpoint, call, context.path, idempotencyKey);
        // What ran before was charged then.
        if (replayed) await giveBack(services, charged);
        meteringHeaders(context, replayed ? { ...charged, units: 0 } : charged);
        respond(context, answer);
        return;
      }
      const answer = await endpoint.handle(call, prefetched);
      meteringHeaders(context, charged);
      respond(context, answer);
    } catch (error) {
      prefetched.then(discard, discard);
      await giveBack(services, charged);
      throw error;
    }
  };
}

/** Starts what the endpoint prefetches. A failure is seen by whoever awaits it; nobody may. */
function prefetch(endpoint: Endpoint, call: Call): Promise<unknown> {
  if (!endpoint.prefetch) return NO_PREFETCH;
  const prefetched = begin(endpoint, call);
  prefetched.catch(() => {});
  return prefetched;
}

/** Asynchronous, so that whatever goes wrong goes the same way. */
async function begin(endpoint: Endpoint, call: Call): Promise<unknown> {
  return endpoint.prefetch?.(call);
}

/** Frees a prefetched answer that nobody reads. */
function discard(prefetched: unknown): void {
  if (typeof prefetched !== 'object' || prefetched === null || !('free' in prefetched)) return;
  if (typeof prefetched.free === 'function') prefetched.free();
}

/** Gives a charge back. When that fails it must not hide the answer; the log has what is owed. */
async function giveBack(services: Services, charged: Charge): Promise<void> {
  await refund(services.pool, charged).catch((failure: unknown) =>
    services.logger.error({ err: failure, organization: charged.organization, units: charged.units }, 'refund failed'),
  );
}

/** The `Idempotency-Key` of a POST; null without one. A bad one is a fault. */
function readIdempotencyKey(context: Context, faults: Fault[]): string | null {
  const key = context.headers['idempotency-key'];
  if (key === undefined) return null;
  const text = String(key);
  if (text.length >= 1 && text.length <= MAX_IDEMPOTENCY_KEY) return text;
  const message = `\`Idempotency-Key\` must be a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters.`;
  faults.push({ code: 'invalid_value', param: 'Idempotency-Key', message });
  return null;
}

const NO_BODY = { value: undefined, faults: [] } as const;

/** Public endpoints have no caller; touching one there is a mistake of the endpoint. */
const PUBLIC_CALLER = new Proxy({} as Charge, {
  get(_, property) {
    throw new Error(`a public endpoint asked for caller.${String(property)}`);
  },
});

function decodeSegments(path: Readonly<Record<string, string>>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, segment] of Object.entries(path)) {
    try {
      decoded[name] = decodeURIComponent(segment);
    } catch {
      throw new ApiError('route_not_found');
    }
  }
  return decoded;
}

/** The position a paged request starts at; a cursor that is not ours is a fault. */
function readCursor(endpoint: Endpoint, query: Values, faults: Fault[], services: Services): CursorState | null {
  if (!endpoint.paged || typeof query.cursor !== 'string') return null;
  const cursor = decodeCursor(query.cursor, services.config.cursorSecrets);
  if (!cursor) faults.push({ code: 'invalid_cursor', param: 'cursor' });
  return cursor;
}

/** The error of a refusal, worded with what the plan allows. */
function refusal(
  outcome: ChargeOutcome,
  charged: Charge,
  faults: readonly Fault[],
  { pathParameters, parameters }: Endpoint,
): ApiError {
  switch (outcome) {
    case 'invalid_request':
    case 'page_size_exceeded': {
      const all = [...faults];
      if (outcome === 'page_size_exceeded') {
        const message = `\`limit\` must be at most ${charged.page_size} on the ${charged.plan} plan.`;
        all.push({ code: 'invalid_value', param: 'limit', message });
      }
      // Unknown parameters and the body come behind what the endpoint names.
      const order = new Map([...pathParameters, ...parameters].map(({ name }, index) => [name, index]));
      const position = ({ code, param }: Fault): number =>
        (code === 'invalid_body' ? undefined : order.get(param ?? '')) ?? order.size;
      all.sort((a, b) => position(a) - position(b));
      const [first] = all;
      return first ? faultError(first) : new ApiError('invalid_value');
    }
    case 'result_window_exceeded':
      return new ApiError(outcome, { param: 'cursor', details: { paging_depth: charged.paging_depth } });
    case 'rate_limited':
    case 'monthly_quota_exceeded':
    case 'spend_cap_reached':
    case 'project_cap_exceeded':
      return new ApiError(outcome, { headers: { 'Retry-After': String(Math.max(1, charged.retry_after ?? 1)) } });
    default:
      return new ApiError(outcome);
  }
}
