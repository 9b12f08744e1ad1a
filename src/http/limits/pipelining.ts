import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PipeliningLimits {
  /** Maximum number of concurrent requests per connection. */
  atOnce: number;
  /** Maximum number of queued requests per connection and in total. Connections over a limit are closed. */
  waitingPerConnection: number;
  waiting: number;
  /** Time in milliseconds within which a client must have read a complete response. */
  reading: number;
}

interface Line {
  active: number;
  waiting: (() => void)[];
}

/**
 * Node dispatches every request immediately after parsing it, and buffers the responses until the client reads them.
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

/** The idle timeout does not cover clients that keep sending and read no responses. */
function disconnectSlowReader(response: ServerResponse, socket: Socket, limit: number): void {
  response.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), limit);
    response.once('close', () => clearTimeout(timer));
  });
}
