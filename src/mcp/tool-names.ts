import type { Endpoint } from '#http/endpoint.ts';

/** A path that is not part of a URL, and the method if one precedes the path. */
const ROUTE = /(?:\b(GET|POST) )?(?<![\w./])(?:\/v1)?(\/[a-z][\w{}/-]*)/g;

/** Replaces endpoint paths in a text with tool names, for example `GET /cities` with `listCities`. Pure. */
export function toolNamer(endpoints: readonly Endpoint[]): (text: string) => string {
  const names = new Map(endpoints.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]));
  return (text) =>
    text.replace(
      ROUTE,
      (route, method: string | undefined, path: string) => names.get(`${method ?? 'GET'} /v1${path}`) ?? route,
    );
}
