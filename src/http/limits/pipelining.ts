import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection in progress, with a few megabytes of responses. A connection with more is closed. */
const MAX_IN_PROGRESS = 16;

/**
 * Node dispatches every request immediately after parsing it, and buffers the responses until the client reads them.
 * @param readingMs time within which a client must have read a complete response
 */
export function boundPipelining(handle: RequestListener, readingMs: number): RequestListener {
  const running = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const others = running.get(socket) ?? 0;
    if (others === MAX_IN_PROGRESS) {
      socket.destroy();
      return;
    }
    running.set(socket, others + 1);
    response.once('close', () => running.set(socket, (running.get(socket) ?? 1) - 1));
    disconnectSlowReader(response, socket, readingMs);
    handle(request, response);
  };
}

/** The idle timeout does not cover clients that keep sending and read no responses. */
function disconnectSlowReader(response: ServerResponse, socket: Socket, limit: number): void {
  response.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), limit);
    response.once('close', () => clearTimeout(timer));
  });
}
