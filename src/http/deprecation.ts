import type { HttpContext } from './context.ts';
import type { Deprecation, Endpoint } from './endpoint.ts';

/** Sets the deprecation headers on a response. Also called for error responses. */
export type AnnounceDeprecations = (context: HttpContext, endpoint: Endpoint, query: URLSearchParams) => void;

/** @param siteUrl base URL of the site with the changelog */
export function createDeprecationNotice(endpoints: readonly Endpoint[], siteUrl: string): AnnounceDeprecations {
  const concerned = new Set(
    endpoints.filter(({ deprecated, parameters }) => deprecated ?? parameters.some((each) => each.deprecated)),
  );
  return (context, endpoint, query) => {
    if (!concerned.has(endpoint)) return;
    const found = endpoint.parameters.flatMap(({ name, deprecated }) =>
      deprecated && query.has(name) ? deprecated : [],
    );
    if (endpoint.deprecated) found.unshift(endpoint.deprecated);
    if (found.length > 0) context.set(deprecationHeaders(found, siteUrl));
  };
}

/**
 * Returns the headers for a request that uses deprecated features: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * `Link` to the changelog. If several deprecations apply, the earliest dates are used. Pure.
 */
export function deprecationHeaders(found: readonly Deprecation[], siteUrl: string): Record<string, string> {
  const sunsets = found.flatMap(({ sunset }) => sunset ?? []);
  const links = new Set(
    found.flatMap(({ entry, sunset }) =>
      (sunset === null ? ['deprecation'] : ['deprecation', 'sunset']).map(
        (relation) => `<${siteUrl}/changelog#${entry}>; rel="${relation}"; type="text/html"`,
      ),
    ),
  );
  return {
    Deprecation: `@${Math.min(...found.map(({ since }) => since)) / 1_000}`,
    ...(sunsets.length > 0 ? { Sunset: new Date(Math.min(...sunsets)).toUTCString() } : {}),
    Link: [...links].join(', '),
  };
}
