import type { RequestListener } from 'node:http';
import { compileBody } from '#src/http/body/read.ts';
import type { HttpContext, HttpMiddleware } from '#src/http/context.ts';
import { type Credential, readKey } from '#src/http/credentials.ts';
import { respondToPreflight } from '#src/http/cross-origin.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { injectRequest } from '#src/http/inject.ts';
import { internalHeaders } from '#src/http/internal-caller.ts';
import { checkSenderLimits } from '#src/http/limits/check-sender.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import type { Services } from '#src/services.ts';
import type { McpOptions, SendRequest } from './mcp-server.ts';
import { MESSAGE, repaired } from './message.ts';
import { LIMITS } from './tool-call.ts';
import { toolsOf } from './tools.ts';

const METHODS = ['POST', 'OPTIONS'];
const PROTOCOL_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/**
 * Stateless, with one message per request. Tool calls go through the public HTTP pipeline with the key and address of
 * the caller, so that they are limited, charged and logged like any request (ADR 13).
 */
export function serveMcp(
  services: Services,
  limits: CallerLimits,
  endpoints: readonly Endpoint[],
  listener: () => RequestListener,
  bearer: string,
): HttpMiddleware {
  const authorizationOf = ({ keyHash, secret }: Credential) =>
    secret === null ? internalHeaders(bearer, { keyHash }) : { authorization: `Bearer ${secret}` };
  const tools = toolsOf(endpoints);
  const readMessage = compileBody(MESSAGE);
  const { serviceName } = services.config;

  return async (context, next) => {
    if (context.path !== '/mcp') return next();
    if (context.method === 'OPTIONS') {
      respondToPreflight(context, METHODS);
      context.append('Access-Control-Allow-Headers', PROTOCOL_HEADERS);
      return;
    }
    // There is no stream to GET and no session to DELETE.
    if (context.method !== 'POST') throw new ApiError('method_not_allowed', { headers: { Allow: METHODS.join(', ') } });
    const credential = await readKey(services, limits, context);
    // The cost is unknown until the body is read.
    await checkSenderLimits(limits, context, credential, false);
    const { value, faults } = await readMessage(context);
    const [fault] = faults;
    let isKeyChecked = false;
    const send: SendRequest = (request) => {
      isKeyChecked = true;
      const own = { ...authorizationOf(credential), 'user-agent': context.get('User-Agent') || 'mcp' };
      const { ip = null } = context.state;
      return injectRequest(listener(), { ...request, headers: { ...request.headers, ...own } }, ip);
    };
    const answer = fault ? null : await respondTo(context, repaired(value), { serviceName, tools, send });
    // An assistant with an invalid key fails when it connects.
    const refused = isKeyChecked ? null : await send(LIMITS);
    if (refused && refused.status !== 200) {
      for (const name of ['content-type', 'retry-after']) context.set(name, refused.headers[name] ?? []);
      context.body = refused.text;
      context.status = refused.status;
      return;
    }
    if (!answer)
      throw new ApiError(fault?.code ?? 'invalid_body', { param: fault?.param, message: fault?.message?.() });
    context.set(answer.headers);
    context.body = answer.body;
    // Koa turns an empty body into a 204.
    context.status = answer.status;
  };
}

async function respondTo(context: HttpContext, message: unknown, options: McpOptions) {
  // The schemas of the protocol take longer to load than the rest of the process.
  const { handleMessage } = await import('./mcp-server.ts');
  const names = ['accept', 'content-type', ...PROTOCOL_HEADERS];
  const headers = new Headers(names.flatMap((name) => (context.get(name) ? [[name, context.get(name)]] : [])));
  // Clients must also accept event streams, but many do not declare it.
  if (context.accepts('json')) headers.set('accept', 'application/json, text/event-stream');
  return handleMessage(options, headers, message);
}
