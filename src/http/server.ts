import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type Koa from 'koa';
import { WINDOW_MS } from '#domain/admission.ts';
import type { Services } from '#src/services.ts';
import { discardBody } from './body/discard.ts';
import { CROSS_ORIGIN_HEADERS } from './cross-origin.ts';
import { ApiError, errorBody } from './errors/api-error.ts';
import { OVERLOADED } from './errors/render.ts';
import { boundConnections, boundPipelining, type ConnectionLimit } from './limits/connections.ts';
import { RESPONSE_HEADERS, requestIdAt } from './request-id.ts';
import { PROBES } from './take-turns.ts';

/** Maximum size of URL and headers in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** In milliseconds: headers, request, no traffic, and between a response and the next request. */
const LIMITS = { headers: 10_000, request: 30_000, idle: 60_000, keepAlive: 65_000 };

/** In milliseconds, for reading the last response after a request that could not be parsed. */
const LINGER_MS = 1_000;
/** In seconds. */
const RETRY_AFTER_CONNECTIONS = 5;
const TOO_MANY: Readonly<Record<ConnectionLimit, string>> = {
  address:
    'Too many connections are open from your address. Close or reuse them, and retry after the seconds in Retry-After.',
  total: 'Too many connections are open. Retry after the number of seconds in the Retry-After header.',
};

/** Even a request that cannot be parsed receives an error body. */
export function createHttpServer(
  app: Koa,
  docsUrl: string,
  services: Pick<Services, 'config' | 'logger' | 'admission'>,
  limits = LIMITS,
): Server {
  const { config, logger, admission } = services;
  const answer = app.callback();
  /** Refuses at a tenth of the work of a refusal by the application. */
  const begin: RequestListener = (request, response) => {
    if (PROBES.has(request.url ?? '') || admission.admits(request.headers.authorization))
      return answer(request, response);
    const { headers, body } = refusal(OVERLOADED, docsUrl);
    response.writeHead(OVERLOADED.status, headers).end(body);
    discardBody(request);
  };
  const { handle, onConnection } = boundConnections(boundPipelining(begin, limits.idle), {
    limits: config,
    refuse: (request, response, limit) => {
      const error = tooMany(limit);
      const { requestId, headers, body } = lastResponse(error, docsUrl);
      logger.warn({ limit, address: request.socket.remoteAddress, request_id: requestId }, 'too many connections');
      response.writeHead(error.status, headers).end(body);
      discardBody(request);
    },
    evict: (socket) => {
      logger.warn(
        { limit: 'total', address: socket.remoteAddress },
        'idle connection closed: too many open connections',
      );
      if (socket.bytesRead > 0) endWith(socket, tooMany('total'), docsUrl);
      socket.destroySoon();
    },
  });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      // Interval of the checks of both timeouts.
      connectionsCheckingInterval: Math.min(2_000, limits.headers),
      keepAliveTimeout: limits.keepAlive,
      // Node would respond without an error body; the app needs no `Host`.
      requireHostHeader: false,
    },
    handle,
  );
  let before = performance.eventLoopUtilization();
  const windows = setInterval(() => {
    const now = performance.eventLoopUtilization();
    admission.endWindow(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  }, WINDOW_MS).unref();
  server.on('close', () => clearInterval(windows));
  server.timeout = limits.idle;
  server.on('connection', onConnection);
  // Node would respond without an error body.
  server.on('checkExpectation', handle);
  server.on('clientError', (error: ParserError, socket: Socket) => {
    // A spare connection that never sent a request: its client would take a response for that of a later request.
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) socket.destroy();
    else endWith(socket, refusalOf(error), docsUrl);
  });
  // Node would close the connection of a CONNECT request without a response.
  server.on('connect', (_request, socket) => endWith(socket as Socket, unknownMethod(), docsUrl));
  return server;
}

const tooMany = (limit: ConnectionLimit): ApiError =>
  new ApiError('internal_error', { status: 503, message: TOO_MANY[limit], retryAfterS: RETRY_AFTER_CONNECTIONS });

function lastResponse(error: ApiError, docsUrl: string) {
  const { headers, ...refused } = refusal(error, docsUrl);
  return { ...refused, headers: { ...headers, Connection: 'close' } };
}

function refusal(error: ApiError, docsUrl: string) {
  const requestId = requestIdAt(Date.now(), randomBytes);
  const body = JSON.stringify(errorBody(error, requestId, docsUrl));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    ...RESPONSE_HEADERS,
    ...CROSS_ORIGIN_HEADERS,
    ...error.headers,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { requestId, headers, body };
}

function endWith(socket: Socket, error: ApiError, docsUrl: string): void {
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (!socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const { headers, body } = lastResponse(error, docsUrl);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end([`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n'));
}

/** `rawPacket` has the bytes that could not be parsed. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The URL and headers together are larger than ${MAX_HEADER_BYTES} bytes.`,
};

function refusalOf({ code, rawPacket }: ParserError): ApiError {
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '')) return unknownMethod();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  const message = MESSAGES[code ?? ''] ?? 'The request is not valid HTTP.';
  return new ApiError('invalid_value', { message });
}

/** The parser rejected the method before the path was routed. */
const unknownMethod = (): ApiError =>
  new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST, OPTIONS' } });
