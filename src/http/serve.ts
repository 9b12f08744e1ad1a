import { OVERLOAD } from '#domain/read-queues.ts';
import { isSameView, type Viewer } from '#src/metering/charge-statement.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { loadedUnits, unitsOf } from '#src/metering/prices.ts';
import type { Services } from '#src/services.ts';
import { createChargeSteps, type KeyedRequest } from './charge-steps.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';
import { dryRunResponse } from './cost-limits.ts';
import { readKey } from './credentials.ts';
import { respondToPreflight } from './cross-origin.ts';
import { loadDeadline } from './deadlines.ts';
import { createRequestDecoder, type DecodedRequest } from './decode-request.ts';
import type { Endpoint, KeyedEndpoint, MeteredEndpoint } from './endpoint.ts';
import { faultError } from './errors/api-error.ts';
import { connectionSignal, requesterOf, runInTurn } from './in-turn.ts';
import { respondToSite } from './internal-caller.ts';
import { checkSenderLimits, type Sender } from './limits/check-sender.ts';
import { checkFreeBytes } from './limits/free-bytes.ts';
import { pageOf } from './pagination.ts';
import { createPostHandler } from './post.ts';
import {
  announceDeprecations,
  isUnchanged,
  render,
  respond,
  send,
  sendUncached,
  setMeteringHeaders,
} from './respond.ts';
import { Router } from './router.ts';
import { createTurns } from './take-turns.ts';

const isDryRun = ({ call: { query } }: DecodedRequest): boolean => query.dry_run === true;

/** Waits if the endpoint requires it. The time of the load begins afterwards. */
async function afterWait(
  services: Services,
  context: HttpContext,
  endpoint: KeyedEndpoint,
  { name }: Sender,
  request: DecodedRequest,
): Promise<DecodedRequest> {
  const wait =
    endpoint.load && request.faults.length === 0 && !isDryRun(request) ? await endpoint.wait?.(request.call) : null;
  if (!wait) return request;
  const begun = performance.now();
  await services.waits.wait(name, wait, connectionSignal(context));
  context.state.waitedMs = performance.now() - begun;
  return { ...request, call: { ...request.call, deadline: loadDeadline(services) } };
}

/** Free responses have up to a megabyte: one is written in each turn of the event loop. */
const beginFree = createTurns(1);

/** The request lifecycle from path to response. */
export function serveEndpoints(
  endpoints: readonly Endpoint[],
  services: Services,
  limits: CallerLimits,
): HttpMiddleware {
  const router = new Router(endpoints);
  const decode = createRequestDecoder(endpoints, services);
  const steps = createChargeSteps(services, limits);
  const handlePost = createPostHandler(services);

  return async (context) => {
    if (context.method === 'OPTIONS') return respondToPreflight(context, router.methodsOf(context.path));
    const parameters = new URLSearchParams(context.querystring);
    const route = router.route(context.method, context.path);
    const { endpoint } = route;
    context.state.endpoint = endpoint;
    announceDeprecations(context, endpoint, parameters, services.config.siteUrl);

    if (endpoint.audience === 'public') {
      const { call, faults } = await decode(context, route, parameters);
      if (faults.length > 0) throw faultError(faults, endpoint);
      respond(context, await endpoint.handle(call));
      return;
    }

    if (context.state.isSite) {
      const visitor = context.state.ip ?? null;
      respond(context, await respondToSite(services, endpoint, await decode(context, route, parameters), visitor));
      return;
    }

    // Without a database query, and before the body is read.
    const key = await readKey(services, limits, context);
    const mayCostUnits = endpoint.price.units > 0 && parameters.get('dry_run') !== 'true';
    const sender = await checkSenderLimits(limits, context, key, mayCostUnits);
    await checkFreeBytes(limits, sender, endpoint);
    const request = await afterWait(services, context, endpoint, sender, await decode(context, route, parameters));
    const keyed = { context, endpoint, sender, request };

    if (endpoint.load === undefined || request.faults.length > 0 || isDryRun(request)) {
      const caller = await steps.charge(keyed, 0);
      const call = { ...request.call, caller, requester: requesterOf(context, caller) };
      // The charge has refused a call with faults.
      if (request.faults.length > 0) throw faultError(request.faults, endpoint);
      if (endpoint.load !== undefined) {
        const quote = { maxUnits: unitsOf(endpoint.price, call.query) };
        sendUncached(context, dryRunResponse(quote, caller));
        setMeteringHeaders(context, caller);
        return;
      }
      const response =
        endpoint.method === 'POST'
          ? await handlePost({
              ...request,
              endpoint,
              call: {
                ...call,
                body: request.body,
                ip: context.state.ip ?? null,
                signedInAt: context.state.internalKey?.signedInAt,
              },
              path: context.path,
            })
          : await runInTurn(services, endpoint, call, () => endpoint.handle(call));
      if (endpoint.price.units === 0 && endpoint.method === 'GET') await beginFree();
      respond(context, response);
      setMeteringHeaders(context, response.charged ?? caller);
      return;
    }

    await serveMetered(services, steps, { ...keyed, endpoint });
  };
}

/** Loads the response before its charge, so that a call that fails costs nothing. */
async function serveMetered(
  services: Services,
  { admit, charge, fail }: ReturnType<typeof createChargeSteps>,
  keyed: KeyedRequest & { endpoint: MeteredEndpoint },
): Promise<void> {
  const { context, endpoint, request } = keyed;
  const units = unitsOf(endpoint.price, request.call.query);
  const account = await admit(keyed, units);
  const call = { ...request.call, requester: requesterOf(context, account) };
  const prepare = async () => {
    const loaded = await endpoint.load(call);
    const present = (caller: Viewer) => {
      const presented = { ...call, caller };
      return render(context, endpoint.present(presented, loaded, pageOf(endpoint, presented)));
    };
    const counted = { found: endpoint.hasResult?.(loaded) ?? true, rows: endpoint.rows?.(loaded) ?? 0 };
    return { present, rendered: await present(account), due: loadedUnits(endpoint.price, units, counted) };
  };
  let prepared: Awaited<ReturnType<typeof prepare>>;
  try {
    if (call.cursor) pageOf(endpoint, { ...call, caller: account });
    prepared = await runInTurn(services, endpoint, call, prepare);
  } catch (error) {
    if (error !== OVERLOAD) await fail(keyed);
    throw error;
  }
  // The plan may have changed.
  const { present, rendered, due } = prepared;
  const isFree = isUnchanged(context, rendered) && call.requester.usedEngine !== true;
  const caller = await charge(keyed, isFree ? 0 : due);
  send(context, isSameView(account, caller) ? rendered : await present(caller));
  setMeteringHeaders(context, caller);
}
