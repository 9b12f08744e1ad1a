import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';
import { ApiError } from '#domain/errors.ts';
import { errorBody } from './errors.ts';
import { boundPipelining } from './pipelining.ts';
import { requestIdAt } from './request-id.ts';

/** Bytes of URL and headers taken. */
export const MAX_HEADER_BYTES = 16_384;

/** Milliseconds that a client is given. */
export interface ClientLimits {
  /** For sending the headers. */
  headers: number;
  /** For sending the whole request. */
  request: number;
  /** Without any traffic: a client that stops sending its request, or stops reading its answer. */
  idle: number;
  /** Between the answer and its next request. */
  keepAlive: number;
}

const LIMITS: ClientLimits = { headers: 10_000, request: 30_000, idle: 60_000, keepAlive: 65_000 };

/** The most that waits, of one connection and of all, is some megabytes and about a hundred. */
const PIPELINING = { atOnce: 4, waitingPerConnection: 1_000, waiting: 20_000 };

/**
 * An HTTP server for the app, with limits on slow and oversized clients. A request that cannot be parsed gets the error
 * body too.
 */
export function createHttpServer(app: Koa, docsUrl: string, limits: ClientLimits = LIMITS): Server {
  const handle = boundPipelining(app.callback(), { ...PIPELINING, reading: limits.idle });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      // How often the two limits above are checked.
      connectionsCheckingInterval: Math.min(2_000, limits.headers),
      keepAliveTimeout: limits.keepAlive,
      // Node would answer a missing Host with a bare status. The app does not need the header.
      requireHostHeader: false,
    },
    handle,
  );
  server.timeout = limits.idle;
  // Node would answer an unknown Expect with a bare status.
  server.on('checkExpectation', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // An answer has begun: a second one to the same request cannot follow.
    const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
      socket.destroy();
      return;
    }
    const requestId = requestIdAt(Date.now(), randomBytes);
    const message = explain(error.code);
    const body = JSON.stringify(errorBody(new ApiError('invalid_value', { message }), requestId, docsUrl));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

function explain(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return `The URL and headers together are larger than ${MAX_HEADER_BYTES} bytes.`;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive.';
  return 'The request is not valid HTTP.';
}
