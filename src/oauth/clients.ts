/** Schemes of applications to which redirects are accepted, by their exact address. */
const APPLICATION_REDIRECTS: readonly string[] = ['cursor://anysphere.cursor-mcp/oauth/callback'];
const MAX_REDIRECTS = 20;
const MAX_NAME = 60;

/** Extra property of client metadata, which also makes the package call `adaptClient`. */
export const AUTH_METHODS = 'token_endpoint_auth_methods_supported';

/** Metadata of a client, as it registers it or as its document states it. */
export interface ClientMetadata {
  [AUTH_METHODS]?: unknown;
  redirect_uris?: unknown;
  application_type?: unknown;
  token_endpoint_auth_method?: unknown;
  scope?: unknown;
  jwks?: unknown;
  jwks_uri?: unknown;
  sector_identifier_uri?: unknown;
  client_secret?: unknown;
  client_secret_expires_at?: unknown;
  grant_types?: unknown;
}

/** Names a host in a `form-action`, where other signs would end the directive. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/;

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const isAcceptedRedirect = (text: string): boolean => {
  const url = URL.parse(text);
  if (APPLICATION_REDIRECTS.includes(text)) return true;
  if (url === null || url.hash !== '' || url.username !== '' || !HOST.test(url.hostname)) return false;
  return url.protocol === 'https:' || isLoopback(url);
};

/**
 * Adapts metadata of known clients to what the package accepts. Every client is public and proves itself by PKCE.
 * @returns why the metadata are refused; null if they are accepted
 */
export function adaptClient(metadata: ClientMetadata): string | null {
  const redirects = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris.map(String) : [];
  if (redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    return `redirect_uris must contain 1 to ${MAX_REDIRECTS} addresses`;
  const refused = redirects.find((each) => !isAcceptedRedirect(each));
  if (refused !== undefined)
    return `redirect_uris must be https, or http of localhost, 127.0.0.1 or [::1], not ${refused.slice(0, 200)}`;
  // Only native clients have any port of a loopback address. Many clients state no type, or a wrong one.
  metadata.application_type = redirects.every((each) => each.startsWith('https:')) ? 'web' : 'native';
  const methods = metadata[AUTH_METHODS];
  const isSigned = metadata.token_endpoint_auth_method === 'private_key_jwt';
  if (isSigned && !(Array.isArray(methods) && methods.includes('none')))
    return 'token_endpoint_auth_method must be none: clients prove themselves by PKCE';
  metadata.token_endpoint_auth_method = 'none';
  metadata.client_secret = undefined;
  metadata.client_secret_expires_at = undefined;
  metadata.grant_types = ['authorization_code', 'refresh_token'];
  // A registered scope would limit the client for ever.
  metadata.scope = undefined;
  // The package would fetch them.
  metadata.jwks = undefined;
  metadata.jwks_uri = undefined;
  metadata.sector_identifier_uri = undefined;
  return null;
}

/** What a person is told about a client before the consent. */
export interface DescribedClient {
  id: string;
  /** As the client states it. */
  name: string;
  /** Where the authorization code is sent. */
  redirectHost: string;
  /** Whether the redirect leads to a program on the computer of the person. */
  isLocal: boolean;
  /** Host of the document of the client; null for registered clients. */
  documentHost: string | null;
  /**
   * Whether the document's host has proved that it receives the code. Any program can register a name, or receive what
   * is sent to its own computer.
   */
  isVerified: boolean;
}

/** Pure. */
export function describeClient(id: string, name: string | undefined, redirectUri: string): DescribedClient {
  const redirect = new URL(redirectUri);
  const documentHost = id.startsWith('https://') ? new URL(id).host : null;
  const redirectHost = redirect.host === '' ? redirect.protocol : redirect.host;
  const isLocal = isLoopback(redirect);
  const isVerified = documentHost !== null && redirect.protocol === 'https:';
  return {
    id,
    name: visibleName(name) ?? documentHost ?? redirectHost,
    redirectHost,
    isLocal,
    documentHost,
    isVerified,
  };
}

/** Without characters that hide or reorder others. */
function visibleName(name: string | undefined): string | null {
  const visible = name
    ?.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return visible || null;
}

/** Source of `form-action` for the redirect after the consent, which browsers check. IPv6 addresses are no source. */
export function formActionOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? `${protocol}//${host}` : protocol;
}
