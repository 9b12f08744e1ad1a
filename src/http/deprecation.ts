import type { HttpContext } from './context.ts';
import type { Deprecation, Endpoint } from './endpoint.ts';

/** Sets the deprecation headers on a response, also of an error. */
export function announceDeprecations(
  context: HttpContext,
  { deprecated, parameters }: Endpoint,
  query: URLSearchParams,
  siteUrl: string,
): void {
  const ofParameters = parameters.flatMap((each) => (each.deprecated && query.has(each.name) ? each.deprecated : []));
  const found = [deprecated ?? [], ofParameters].flat();
  if (found.length > 0) context.set(deprecationHeaders(found, siteUrl));
}

/**
 * Returns `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` to the changelog. Several deprecations share the
 * earliest dates.
 */
function deprecationHeaders(found: readonly Deprecation[], siteUrl: string): Record<string, string> {
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
