import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A recorded request and its response. */
export interface RecordedCall {
  method: string;
  /** Path including the query string. */
  path: string;
  authorization: string;
  body: string;
  status: number;
  answer: string;
}

/** Starts an HTTP proxy that records requests and responses. */
export async function startRecorder(target: string) {
  const calls: RecordedCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const { authorization = '' } = headers;
    const passed = ['content-type', 'idempotency-key', 'accept'].flatMap((name): [string, string][] =>
      typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
    );
    try {
      const body = (await buffer(request)).toString();
      const answered = await fetch(new URL(path, target), {
        method,
        headers: { ...Object.fromEntries(passed), ...(authorization ? { authorization } : {}) },
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
        ...(body === '' ? {} : { body }),
      });
      const answer = await answered.text();
      calls.push({ method, path, authorization, body, status: answered.status, answer });
      // `fetch` has decoded the body, so headers about its encoding and length are removed.
      const kept = [...answered.headers].filter(
        ([name]) => !/^(content-(encoding|length)|transfer-encoding|connection)$/.test(name),
      );
      response.writeHead(answered.status, Object.fromEntries(kept)).end(answer);
    } catch {
      response.writeHead(502).end();
    }
  });
  const { url, close } = await listen(server);
  return { url, calls: calls as readonly RecordedCall[], close };
}
