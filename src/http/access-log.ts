import type { Logger } from 'pino';
import type { HttpMiddleware } from './context.ts';

/**
 * Logs one line per request, without the query string, which may contain a key. `route` is the path template of the
 * endpoint, by which log lines can be grouped.
 */
export function logAccess(logger: Logger): HttpMiddleware {
  return async (context, next) => {
    if (!logger.isLevelEnabled('info')) return next();
    const begun = performance.now();
    await next();
    const { requestId, endpoint, caller, error, units = 0 } = context.state;
    logger.info(
      {
        method: context.method,
        path: readable(context.path).slice(0, 300),
        route: endpoint?.path,
        status: context.status,
        code: error?.code,
        ms: Math.round((performance.now() - begun) * 100) / 100,
        request_id: requestId,
        organization: caller?.organization,
        key: caller?.key,
        units: caller && units,
      },
      'request',
    );
  };
}

/** Returns the unescaped path, because redaction does not recognize percent-encoded keys. */
function readable(path: string): string {
  try {
    return path.includes('%') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
