import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '#src/metering/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { connectionAddress, networkCheck } from '../client-address.ts';

/** Connections without a request that may be open in addition to the limit: a share of the limit, and a minimum. */
const UNUSED_SHARE = 1 / 8;
const MIN_UNUSED = 32;

export type ConnectionLimit = 'address' | 'total';

export interface ConnectionRules {
  limits: Pick<Services['config'], 'connections' | 'trustedProxies'>;
  refuse(request: IncomingMessage, response: ServerResponse, limit: ConnectionLimit): void;
  /** Closes a connection without a request, whose slot another needs. */
  evict(socket: Socket): void;
}

/**
 * Limits connections, so that file descriptors remain for the datastores. A connection counts from its first request.
 * Until then it is in a short queue, from which new connections evict the oldest: idle connections cannot block clients
 * that send requests.
 */
export function boundConnections(handle: RequestListener, { limits, refuse, evict }: ConnectionRules) {
  const { total, perAddress } = limits.connections;
  const isProxy = networkCheck(limits.trustedProxies);
  const maxUnused = Math.max(MIN_UNUSED, Math.floor(total * UNUSED_SHARE));
  const unused = new Set<Socket>();
  const counted = new Map<Socket, string>();
  const byAddress = new Map<string, number>();

  const forget = (socket: Socket): void => {
    unused.delete(socket);
    const address = counted.get(socket);
    if (address === undefined) return;
    counted.delete(socket);
    const left = (byAddress.get(address) ?? 0) - 1;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  };
  /** @returns the exceeded limit, or null */
  const count = (socket: Socket): ConnectionLimit | null => {
    const ip = connectionAddress(socket);
    const address = networkOf(ip);
    const ofAddress = byAddress.get(address) ?? 0;
    if (ofAddress >= perAddress && !isProxy(ip)) return 'address';
    if (counted.size >= total) return 'total';
    unused.delete(socket);
    counted.set(socket, address);
    byAddress.set(address, ofAddress + 1);
    return null;
  };

  return {
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request;
      const limit = socket.destroyed || counted.has(socket) ? null : count(socket);
      if (limit) refuse(request, response, limit);
      else handle(request, response);
    },
    onConnection: (socket: Socket): void => {
      socket.once('close', () => forget(socket));
      unused.add(socket);
      const [oldest] = unused;
      if (oldest && unused.size + counted.size > total + maxUnused) {
        unused.delete(oldest);
        evict(oldest);
      }
    },
  };
}

/** Requests of a connection in progress, with a few megabytes of responses. A connection with more is closed. */
const MAX_IN_PROGRESS = 16;

/**
 * Node dispatches every request at once, and buffers the responses until the client reads them.
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

/** The idle timeout does not apply to clients that keep sending. */
function disconnectSlowReader(response: ServerResponse, socket: Socket, limit: number): void {
  response.once('prefinish', () => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), limit);
    response.once('close', () => clearTimeout(timer));
  });
}
