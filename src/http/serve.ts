import type { Admitted } from '#metering/charge.ts';
import type { Services } from '#src/services.ts';
import { CallSlot } from './call-slot.ts';
import { createChargeCall } from './charge.ts';
import type { HttpMiddleware } from './context.ts';
import { readKey } from './credentials.ts';
import { respondToPreflight } from './cross-origin.ts';
import { createRequestDecoder } from './decode-request.ts';
import { announceDeprecations } from './deprecation.ts';
import type { Endpoint } from './endpoint.ts';
import { faultError } from './errors/fault.ts';
import { checkFreeBytes } from './limits/free-bytes.ts';
import { type CallerLimits, checkSenderLimits, delayOverloadRefusal } from './limits/rate-limit.ts';
import { createPostHandler } from './post.ts';
import { Prefetch } from './prefetch.ts';
import { respond, respondMetered } from './respond.ts';
import { Router } from './router.ts';

/** Serves endpoints. Implements the request lifecycle from path to response. */
export function serveEndpoints(
  endpoints: readonly Endpoint[],
  services: Services,
  limits: CallerLimits,
): HttpMiddleware {
  const router = new Router(endpoints);
  const decode = createRequestDecoder(endpoints, services);
  const charge = createChargeCall(services, limits);
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

    // Malformed keys are refused without a database query and before the body is read.
    const key = await readKey(services, limits, context);
    const sender = await checkSenderLimits(services, limits, context, key, endpoint.price.units > 0);
    await checkFreeBytes(sender.known, endpoint);
    const request = await decode(context, route, parameters);
    const slot = new CallSlot(services.searchQueues, sender.queueName);
    if (endpoint.load) context.res.once('close', () => slot.disconnect());
    const uncharged = { ...request.call, requester: slot };
    const prefetch = new Prefetch(endpoint, uncharged);
    let caller: Admitted | undefined;
    try {
      if (request.faults.length === 0) await delayOverloadRefusal(slot.enter(endpoint, prefetch));
      caller = await charge(context, endpoint, sender, request, prefetch, slot);
      await slot.begin(request.call.deadline);
      const call = { ...uncharged, caller };
      if (endpoint.method === 'GET') {
        respondMetered(context, await endpoint.handle(call, prefetch.start()), caller, caller.units);
        return;
      }
      const { answer, replayed } = await handlePost(
        endpoint,
        { ...call, body: request.body },
        context.path,
        request.idempotencyKey,
      );
      // The first call was charged, so repeated calls are free.
      if (replayed) await services.charges.refund(caller);
      respondMetered(context, answer, caller, replayed ? 0 : caller.units);
    } catch (error) {
      prefetch.discard();
      // The slot is freed before the refund, which can take time.
      slot.end();
      if (caller) await services.charges.refund(caller);
      throw error;
    } finally {
      slot.end();
    }
  };
}
