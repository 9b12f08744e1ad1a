import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';
import { ApiError, errorBody } from './errors.ts';

/** Bytes of headers taken. */
const MAX_HEADER_BYTES = 16_384;

/** An HTTP server for the app, with limits on slow and oversized clients; a request that no parser takes gets the error body too. */
export function createHttpServer(app: Koa, docsUrl: string): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    app.callback(),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const message =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? `The URL and headers together are larger than ${MAX_HEADER_BYTES} bytes.`
        : 'The request is not valid HTTP.';
    const requestId = `req_${randomBytes(12).toString('hex')}`;
    const body = JSON.stringify(errorBody(new ApiError('invalid_value', { message }), requestId, docsUrl));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}
