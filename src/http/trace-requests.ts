import type { Tracer } from '#tracing/tracer.ts';
import type { HttpMiddleware } from './context.ts';

/** Records a span for every request, in the trace of its client if the client sends a valid `traceparent`. */
export function traceRequests(tracer: Tracer): HttpMiddleware {
  return (context, next) => {
    const { method, state } = context;
    const root = {
      name: method,
      kind: 'server',
      traceparent: context.get('traceparent'),
      requestId: state.requestId,
    } as const;
    return tracer.trace(root, async (span) => {
      await next();
      const { endpoint, error, caller, units, requestId } = state;
      if (endpoint) span.name = `${method} ${endpoint.path}`;
      span.failed = context.status >= 500;
      span.set({
        'http.request.method': method,
        'http.route': endpoint?.path,
        'http.response.status_code': context.status,
        'error.type': error?.code,
        'listings.request_id': requestId,
        'listings.organization': caller?.organization,
        'listings.units': units,
      });
    });
  };
}
