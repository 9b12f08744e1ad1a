import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from '#domain/errors.ts';
import { compileBody } from '#http/body/read.ts';
import type { HttpContext, HttpMiddleware } from '#http/context.ts';
import { readKey } from '#http/credentials.ts';
import { answerPreflight } from '#http/cross-origin.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { type CallerLimits, checkSenderLimits } from '#http/limits/rate-limit.ts';
import type { Services } from '#src/services.ts';
import type { SendRequest } from './server.ts';
import { LIMITS } from './tool-call.ts';
import { type Tool, toolsOf } from './tools.ts';

const METHODS = ['POST', 'OPTIONS'];

/**
 * Serves assistants at `/mcp` by the Model Context Protocol over HTTP, one message a request and nothing kept between them,
 * so that any node answers. A tool's request goes in by the front door of this process, with the caller's key and address: it
 * is limited, charged, logged and answered like any other (ADR 13).
 * @param listener of the whole app
 */
export function serveMcp(
  services: Services,
  limits: CallerLimits,
  endpoints: readonly Endpoint[],
  listener: () => RequestListener,
): HttpMiddleware {
  const tools = toolsOf(endpoints);
  const readMessage = compileBody({ type: 'object', required: ['jsonrpc'] });
  const { serviceName } = services.config;

  return async (context, next) => {
    if (context.path !== '/mcp') return next();
    if (context.method === 'OPTIONS') {
      answerPreflight(context, METHODS);
      context.append('Access-Control-Allow-Headers', 'Mcp-Protocol-Version');
      return;
    }
    // Nothing is sent without being asked for, so there is no stream to GET and no session to DELETE.
    if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: METHODS.join(', ') } });
    const key = await readKey(services, limits, context);
    // What a message costs shows only when it is read, so whoever is beyond the limit of free calls waits with all messages.
    await checkSenderLimits(services, limits, context, key, false);
    const { value, faults } = await readMessage(context);
    const [fault] = faults;
    const send = sendHere(context, key, listener());
    if (fault || !reachesService(value, tools)) {
      const { status, headers, text } = await send(LIMITS);
      if (status !== 200) {
        context.set(pick(headers, ['content-type', 'retry-after']));
        context.body = text;
        context.status = status;
        return;
      }
    }
    if (fault) throw new ApiError(fault.code, { param: fault.param, message: fault.message?.() });
    // Loaded by the first assistant that comes: the protocol's schemas take longer to load than the rest of the process.
    const { answerMessage } = await import('./answer.ts');
    const answer = await answerMessage({ serviceName, tools, send }, context.headers, value);
    context.set(answer.headers);
    context.body = answer.body;
    // After the body: Koa turns an empty one into a 204.
    context.status = answer.status;
  };
}

/**
 * Whether answering a message takes a request to the service, which looks at the key. Before any other message, also one
 * that is not of the protocol, it is looked at, so that a wrong one is told of when an assistant connects, and costs its sender
 * what it does elsewhere.
 */
function reachesService(message: unknown, tools: readonly Tool[]): boolean {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  if (method === 'tools/list') return true;
  return method === 'tools/call' && tools.some(({ name }) => name === params?.name);
}

function pick(headers: Readonly<Record<string, string | undefined>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

const decompress = promisify(gunzip);

/** Sends a tool's request to this process, as from the sender of the message. */
function sendHere(context: HttpContext, key: string, listener: RequestListener): SendRequest {
  const { ip } = context.state;
  return async ({ method, url, headers, body }) => {
    const { inject } = await import('light-my-request');
    const response = await inject(listener, {
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${key}`, 'user-agent': context.get('User-Agent') || 'mcp' },
      ...(body === undefined ? {} : { payload: body }),
      ...(ip ? { remoteAddress: ip } : {}),
    });
    const { statusCode: status, rawPayload } = response;
    const received = response.headers as Record<string, string>;
    const bytes = received['content-encoding'] === 'gzip' ? await decompress(rawPayload) : rawPayload;
    return { status, headers: received, text: bytes.toString() };
  };
}
