import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 256 * 1024;
const MAX_TIME = 1_000;

/**
 * Reads past what is left of a body that a refusal came before, so that a client in the middle of sending gets its
 * answer; one with much left is hung up on. Closing at once would reset the connection and lose the answer with it.
 */
export function discardBody(request: IncomingMessage): void {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (request.complete || !hasBody) return;
  const hangUp = () => socket.destroy();
  const timer = setTimeout(hangUp, MAX_TIME);
  let left = MAX_BYTES;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) hangUp();
  });
  request.on('error', () => {});
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
