import type { Endpoint } from '#http/endpoint.ts';

/** A path that is not part of a URL, with its method if one precedes it. */
const ROUTE = /(?:\b(GET|POST) )?(?<![\w./])(?:\/v1)?(\/[a-z][\w{}/-]*)/g;

/** Replaces the paths of endpoints in a text by the names of their tools: `GET /cities` becomes `listCities`. Pure. */
export function toolNamer(endpoints: readonly Endpoint[]): (text: string) => string {
  const names = new Map(endpoints.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]));
  return (text) =>
    text.replace(
      ROUTE,
      (route, method: string | undefined, path: string) => names.get(`${method ?? 'GET'} /v1${path}`) ?? route,
    );
}
