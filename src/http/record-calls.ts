import type { Context, Next } from 'koa';
import type { ApiError } from '#domain/errors.ts';
import { messageOf } from '#http/errors.ts';
import type { Charge } from '#metering/charge.ts';
import type { RequestLogEntry } from '#observability/request-log.ts';
import type { Services } from '#src/services.ts';
import type { Endpoint } from './endpoint.ts';

/** Keeps every call that an organization made for its request logs and usage. Calls without a known key are nobody's. */
export function recordCalls({ requestLog, clock }: Pick<Services, 'requestLog' | 'clock'>) {
  return async (context: Context, next: Next): Promise<void> => {
    const begun = performance.now();
    await next();
    const caller = context.state.caller as Charge | undefined;
    const endpoint = context.state.endpoint as Endpoint | undefined;
    if (!caller?.key_id || !endpoint) return;
    const error = context.state.error as ApiError | undefined;
    const entry: RequestLogEntry = {
      at: new Date(clock.now()),
      requestId: context.state.requestId,
      organizationId: caller.organization_id,
      keyId: caller.key_id,
      method: context.method,
      route: endpoint.path,
      operationId: endpoint.operationId,
      status: context.status,
      code: error?.code ?? null,
      message: error ? messageOf(error) : null,
      param: error?.param ?? null,
      // A failed call has its units given back, and a replay was charged when it first ran.
      units: context.status < 400 ? Number(context.response.get('X-Request-Units') || 0) : 0,
      durationMs: performance.now() - begun,
      ip: context.state.ip ?? null,
    };
    requestLog.add(entry);
  };
}
