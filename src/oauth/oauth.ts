import type { HttpMiddleware } from '#src/http/context.ts';
import { respondToPreflight } from '#src/http/cross-origin.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import type { Session } from '#src/sign-in/sign-in.ts';
import { connectionTargets, listConnections, revokeConnection } from './assistants.ts';
import { AuthorizationServer, type OauthServices } from './authorization-server.ts';
import { Consents } from './consents.ts';
import { exchangeTokens } from './exchange.ts';
import { metadataDocuments, PATHS } from './metadata.ts';

export type { ConsentRequest } from './consents.ts';

const ENDPOINTS: readonly string[] = [PATHS.token, PATHS.revoke, PATHS.register];

export type Oauth = ReturnType<typeof createOauth>;

/** The sign-in of assistants (ADR 32). The site serves the consent. */
export function createOauth(services: OauthServices, limits: Pick<CallerLimits, 'unknownKeys' | 'pageViews'>) {
  const { pool, config, clock } = services;
  const server = new AuthorizationServer(services, limits);

  return {
    exchange: exchangeTokens(services, limits),
    serve: serveServer(server, metadataDocuments(config)),
    server,
    consents: new Consents(services, server),
    targets: (session: Session) => connectionTargets(pool, session),
    /** Of the session's member; for owners and admins, of all members of the organization. */
    connections: (session: Session) => listConnections(pool, session, clock.now()),
    /** @throws RequestError not_found */
    revoke: (session: Session, id: string, requestId: string) => revokeConnection(services, session, id, requestId),
  };
}

/** Metadata, and the endpoints that clients call. */
const serveServer =
  (server: AuthorizationServer, documents: Readonly<Record<string, object>>): HttpMiddleware =>
  (context, next) => {
    const { path, method } = context;
    const document = documents[path];
    if (!document && !ENDPOINTS.includes(path)) return next();
    if (method === 'OPTIONS') {
      respondToPreflight(context, [document ? 'GET' : 'POST', 'OPTIONS']);
      context.append('Access-Control-Allow-Headers', 'Mcp-Protocol-Version');
      return;
    }
    if (!document) return server.serveEndpoint(context);
    if (method !== 'GET' && method !== 'HEAD')
      throw new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD, OPTIONS' } });
    context.set('Content-Type', 'application/json; charset=utf-8');
    context.set('Cache-Control', 'public, max-age=300');
    context.body = JSON.stringify(document);
  };
