import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 256 * 1024;
const MAX_TIME = 1_000;

/**
 * Reads and ignores the rest of a body whose request is already refused. Closing the connection at once would reset it,
 * and a client that is still sending would lose the answer. One that sends too much, or for too long, is disconnected.
 */
export function discardBody(request: IncomingMessage): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (request.complete || request.readableEnded || !hasBody) return;
  const disconnect = () => request.destroy();
  const timer = setTimeout(disconnect, MAX_TIME);
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
