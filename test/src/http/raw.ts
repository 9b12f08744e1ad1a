import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
  body: any;
}

/**
 * Sends raw bytes, which an HTTP client could not send, and reads until the server closes the connection.
 * @param pieces sent sequentially, `pause` milliseconds apart
 */
export async function sendRaw(url: string, pieces: readonly string[], pause = 0): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8');
  socket.setTimeout(20_000, () => socket.destroy(new Error('the server kept the connection open')));
  // Errors that occur when writing after the server has closed the connection are ignored.
  let failure: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await closed;
  if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) throw failure;
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: body.startsWith('{') ? JSON.parse(body) : body,
  };
}
