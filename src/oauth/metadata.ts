import type { Config } from '#src/config.ts';

/** The only scope. What a connection may do is decided at consent and stored with its key. */
export const SCOPE = 'data';

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consent',
} as const;

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

type Site = Pick<Config, 'siteUrl'>;

/** Identifier of the protected resource, as clients know its address (RFC 8707). */
export const resourceOf = ({ siteUrl }: Site): string => `${siteUrl}/mcp`;

/** Documents for discovery by path. Pure. */
export function metadataDocuments(config: Pick<Config, 'siteUrl' | 'serviceName'>): Readonly<Record<string, object>> {
  const { siteUrl, serviceName } = config;
  // RFC 9728
  const resource = {
    resource: resourceOf(config),
    resource_name: serviceName,
    authorization_servers: [siteUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_documentation: `${siteUrl}/guides/assistants`,
  };
  // RFC 8414
  const server = {
    issuer: siteUrl,
    authorization_endpoint: `${siteUrl}${PATHS.authorize}`,
    token_endpoint: `${siteUrl}${PATHS.token}`,
    registration_endpoint: `${siteUrl}${PATHS.register}`,
    revocation_endpoint: `${siteUrl}${PATHS.revoke}`,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    // Claude uses metadata documents only if this contains `none`.
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${siteUrl}/guides/assistants`,
  };
  return {
    [PROTECTED_RESOURCE]: resource,
    [`${PROTECTED_RESOURCE}/mcp`]: resource,
    '/.well-known/oauth-authorization-server': server,
    '/.well-known/openid-configuration': server,
  };
}

/** Value of `WWW-Authenticate`, with which clients find the authorization server. Pure. */
export function challengeOf({ siteUrl }: Site, error?: 'invalid_token'): string {
  const values = { ...(error && { error }), resource_metadata: `${siteUrl}${PROTECTED_RESOURCE}/mcp`, scope: SCOPE };
  return `Bearer ${Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}
