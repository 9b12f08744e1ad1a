import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 256 * 1024;
const MAX_TIME_MS = 1_000;

/**
 * If the connection of a refused request were closed immediately, a client that is still sending would lose the
 * response.
 */
export function discardBody(request: IncomingMessage): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (request.complete || request.readableEnded || !hasBody) return;
  const disconnect = () => request.destroy();
  const timer = setTimeout(disconnect, MAX_TIME_MS);
  let left = MAX_BYTES;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) disconnect();
  });
  request.on('error', () => {});
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
