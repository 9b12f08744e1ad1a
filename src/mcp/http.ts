import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { CallToolRequestParams } from '@modelcontextprotocol/server';
import { compileBody } from '#http/body/read.ts';
import type { HttpContext, HttpMiddleware } from '#http/context.ts';
import { readKey } from '#http/credentials.ts';
import { respondToPreflight } from '#http/cross-origin.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { ApiError } from '#http/errors/api-error.ts';
import { type CallerLimits, checkSenderLimits } from '#http/limits/caller-limits.ts';
import type { Services } from '#src/services.ts';
import { DESCRIBE, operationOf } from './catalog.ts';
import type { SendRequest } from './server.ts';
import { LIMITS } from './tool-call.ts';
import { type Tool, toolsOf } from './tools.ts';

const METHODS = ['POST', 'OPTIONS'];
const PROTOCOL_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/**
 * Serves MCP at `/mcp`: stateless, with one message per request. Tool calls go through this process's public HTTP
 * pipeline with the caller's key and address, so that they are limited, charged and logged like any request (ADR 13).
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
      respondToPreflight(context, METHODS);
      context.append('Access-Control-Allow-Headers', PROTOCOL_HEADERS);
      return;
    }
    // The server sends no unsolicited messages, so there is no stream to GET and no session to DELETE.
    if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: METHODS.join(', ') } });
    const key = await readKey(services, limits, context);
    // The cost is unknown until the body is read, so the limit on uncharged calls applies to all messages.
    await checkSenderLimits(services, limits, context, key, false);
    const { value, faults } = await readMessage(context);
    const [fault] = faults;
    const send = sendHere(context, key, listener());
    if (fault || !reachesService(value, tools)) {
      const { status, headers, text } = await send(LIMITS);
      if (status !== 200) {
        for (const name of ['content-type', 'retry-after']) if (headers[name]) context.set(name, headers[name]);
        context.body = text;
        context.status = status;
        return;
      }
    }
    if (fault) throw new ApiError(fault.code, { param: fault.param, message: fault.message?.() });
    // The module is loaded on first use, because the protocol's schemas take longer to load than the rest of the
    // process.
    const { handleMessage } = await import('./server.ts');
    const names = ['accept', 'content-type', ...PROTOCOL_HEADERS];
    const headers = new Headers(names.flatMap((name) => (context.get(name) ? [[name, context.get(name)]] : [])));
    // The protocol demands that clients also accept event streams, but many do not say so.
    if (context.accepts('json')) headers.set('accept', 'application/json, text/event-stream');
    const answer = await handleMessage({ serviceName, tools, send }, headers, value);
    context.set(answer.headers);
    context.body = answer.body;
    // The status is set after the body, because Koa turns an empty body into a 204.
    context.status = answer.status;
  };
}

/**
 * Returns whether a message causes a request that checks the key and the rate limits. Others are preceded by `LIMITS`,
 * so that an assistant with an invalid key fails when it connects.
 */
function reachesService(message: unknown, tools: readonly Tool[]): boolean {
  const { method, params } = message as { method?: unknown; params?: CallToolRequestParams };
  if (method !== 'tools/call' || !params || params.name === DESCRIBE) return method === 'tools/list';
  const { operation } = operationOf(params);
  return tools.some(({ name }) => name === operation);
}

const decompress = promisify(gunzip);

function sendHere(context: HttpContext, key: string, listener: RequestListener): SendRequest {
  const { ip: remoteAddress } = context.state;
  return async ({ method, url, headers, body }) => {
    const { inject } = await import('light-my-request');
    const response = await inject(listener, {
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${key}`, 'user-agent': context.get('User-Agent') || 'mcp' },
      ...(body !== undefined && { payload: body }),
      ...(remoteAddress && { remoteAddress }),
    });
    const received = response.headers as Record<string, string>;
    const isCompressed = received['content-encoding'] === 'gzip';
    const text = isCompressed ? String(await decompress(response.rawPayload)) : response.payload;
    return { status: response.statusCode, headers: received, text };
  };
}
