import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PipeliningLimits {
  /** Requests of one connection that are handled at the same time; their answers may have to wait for each other. */
  atOnce: number;
  /** Requests that wait, of one connection and of all. A connection that sends more is closed. */
  waitingPerConnection: number;
  waiting: number;
  /** Milliseconds that a client has to read an answer, from when it is whole. */
  reading: number;
}

/** What one connection has sent that is not answered. */
interface Line {
  active: number;
  waiting: (() => void)[];
}

/**
 * Bounds what a connection that sends requests without waiting for answers can hold. Node hands on every request as soon
 * as it is read, and keeps the answers in memory until the client reads them.
 */
export function boundPipelining(handle: RequestListener, limits: PipeliningLimits): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;

  const open = (socket: Socket): Line => {
    const line: Line = { active: 0, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => {
      waiting -= line.waiting.length;
      line.waiting = [];
    });
    return line;
  };

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? open(socket);
    const run = (): void => {
      line.active++;
      response.once('close', () => {
        line.active--;
        if (socket.destroyed) return;
        const next = line.waiting.shift();
        if (!next) return;
        waiting--;
        next();
      });
      disconnectSlowReader(response, socket, limits.reading);
      handle(request, response);
    };
    if (line.active < limits.atOnce) {
      run();
      return;
    }
    if (line.waiting.length >= limits.waitingPerConnection || waiting >= limits.waiting) {
      socket.destroy();
      return;
    }
    waiting++;
    line.waiting.push(run);
  };
}

/** A client that goes on sending is never idle, so the limit on idle connections does not end one that reads nothing. */
function disconnectSlowReader(response: ServerResponse, socket: Socket, limit: number): void {
  response.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), limit);
    response.once('close', () => clearTimeout(timer));
  });
}
