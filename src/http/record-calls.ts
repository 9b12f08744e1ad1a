import { redactQuery } from '#src/observability/redact.ts';
import type { Services } from '#src/services.ts';
import type { HttpMiddleware } from './context.ts';
import { messageOf } from './errors/api-error.ts';

/** Log lines omit the query string, which may contain a key. */
export function recordCalls({ requestLog, clock, metrics, logger, admission }: Services): HttpMiddleware {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    // The request of the visitor is recorded.
    if (context.state.isSite) return;
    const { requestId, caller, endpoint, error, units = 0, ip = null, waitedMs = 0 } = context.state;
    if (caller) admission.recognize(context.get('Authorization'));
    const { method, status } = context;
    const durationMs = performance.now() - begun - waitedMs;
    metrics.observe({
      route: endpoint ? `${endpoint.method} ${endpoint.path}` : 'other',
      status,
      plan: caller?.plan ?? 'none',
      seconds: durationMs / 1_000,
      units,
    });
    if (logger.isLevelEnabled('info'))
      logger.info(
        {
          method,
          path: readable(context.path).slice(0, 300),
          route: endpoint?.path,
          status,
          code: error?.code,
          ms: Math.round(durationMs * 100) / 100,
          request_id: requestId,
          organization: caller?.organization,
          key: caller?.key,
          units: caller && units,
        },
        'request',
      );
    // Pages that a member opens in the console are no calls of the organization's programs.
    if (!caller || !endpoint || (caller.kind === 'console' && method === 'GET')) return;
    requestLog.add({
      at: new Date(clock.now()),
      requestId,
      organizationId: caller.organization_id,
      keyId: caller.key_id,
      method,
      route: endpoint.path,
      query: context.querystring === '' ? null : redactQuery(context.querystring),
      operationId: endpoint.operationId,
      status,
      code: error?.code ?? null,
      message: error ? messageOf(error) : null,
      param: error?.param ?? null,
      units,
      durationMs,
      ip,
    });
  };
}

/** Redaction does not recognize percent-encoded keys. */
function readable(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
