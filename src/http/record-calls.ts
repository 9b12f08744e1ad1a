import type { RequestLogEntry } from '#observability/request-log.ts';
import type { Services } from '#src/services.ts';
import type { HttpMiddleware } from './context.ts';
import { messageOf } from './errors/messages.ts';

/**
 * Counts requests in metrics, and records calls with a recognized key in the request log and usage of the organization.
 */
export function recordCalls({
  requestLog,
  clock,
  metrics,
}: Pick<Services, 'requestLog' | 'clock' | 'metrics'>): HttpMiddleware {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const { requestId, caller, endpoint, error, units = 0, ip = null } = context.state;
    const durationMs = performance.now() - begun;
    metrics.observe({
      route: endpoint ? `${endpoint.method} ${endpoint.path}` : 'other',
      status: context.status,
      plan: caller?.plan ?? 'none',
      seconds: durationMs / 1_000,
      units,
    });
    if (!caller || !endpoint) return;
    const entry: RequestLogEntry = {
      at: new Date(clock.now()),
      requestId,
      organizationId: caller.organization_id,
      keyId: caller.key_id,
      method: context.method,
      route: endpoint.path,
      operationId: endpoint.operationId,
      status: context.status,
      code: error?.code ?? null,
      message: error ? messageOf(error) : null,
      param: error?.param ?? null,
      units,
      durationMs,
      ip,
    };
    requestLog.add(entry);
  };
}
