import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { ApiError, type errorBody } from '#src/http/errors/api-error.ts';
import { type InjectedResponse, injectRequest } from '#src/http/inject.ts';

export type NamedCity = Pick<City, 'slug' | 'name_en' | 'name_ar'>;
export type PlacedNeighborhood = Pick<Neighborhood, 'id' | 'name_en' | 'name_ar' | 'center'>;

/** Undefined and null values are left out, and the values of a list are joined. */
type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>>;

export type Api = ReturnType<typeof readsOf>;
export type SiteApi = ReturnType<typeof createApi>;

/** Address of the visitor whose request is being served; null if unknown. Calls for it wait in its queue. */
export const visitorAddress = new AsyncLocalStorage<string | null>();

export function createApi(listener: () => RequestListener, bearer: string) {
  const headers = { authorization: `Bearer ${bearer}`, 'user-agent': 'site' };
  const send = (url: string) =>
    injectRequest(listener(), { method: 'GET', url, headers }, visitorAddress.getStore() ?? null);
  return {
    ...readsOf(send),
    /** Returns the same operations, and the ids of the listings in their responses. */
    counted() {
      const listings = new Set<number>();
      const reads = readsOf(async (url) => {
        const response = await send(url);
        if (response.status === 200) for (const id of listingsIn(url, response.text)) listings.add(id);
        return response;
      });
      return { api: reads, listings };
    },
  };
}

/** Operations that return listings. In their responses, `id` and `listing_id` are ids of listings. */
const LISTED = /^\/v1\/(listings|projects\/\d+\/units|project-units|market\/(estimate|deals))\b/;

/** Ids of the listings in a response. Pure. */
export const listingsIn = (url: string, text: string): number[] =>
  LISTED.test(url) ? Array.from(text.matchAll(/"(?:listing_)?id":(\d+)/g), ([, id]) => Number(id)) : [];

/** @param send requests a path with its query, for example `/v1/cities` */
function readsOf(send: (url: string) => Promise<InjectedResponse>) {
  /**
   * Returns the body; null for a 404 response and for a place that the service does not cover. @throws ApiError for any
   * other error
   */
  async function body<Body>(path: string, query: Query = {}): Promise<Body | null> {
    const response = await send(urlOf(path, query));
    if (response.status === 404 || isUnknownPlace(response)) return null;
    if (response.status !== 200) throw errorOf(response);
    return JSON.parse(response.text) as Body;
  }
  /** Returns `data` of the body, or null as `body` does. */
  const data = async <Data>(path: string, query: Query = {}) => (await body<{ data: Data }>(path, query))?.data ?? null;
  const rows = async <Row>(path: string) => (await data<Row[]>(path)) ?? [];
  return {
    send,
    body,
    data,
    cities: () => rows<NamedCity>('/v1/cities'),
    neighborhoods: (city: string) => rows<PlacedNeighborhood>(`/v1/cities/${encodeURIComponent(city)}/neighborhoods`),
  };
}

/** A stored listing can have a place that was removed since. */
const isUnknownPlace = ({ status, text }: InjectedResponse): boolean =>
  status === 400 && /"param":"(city|neighborhood_id)"/.test(text);

export function errorOf({ status, headers, text }: InjectedResponse): ApiError {
  const { code, message, param, details } = (JSON.parse(text) as ReturnType<typeof errorBody>).error;
  const retryAfterS = Number(headers['retry-after']) || undefined;
  return new ApiError(code, { status, message, param, details, retryAfterS });
}

/** Returns a path with a query. Pure. */
export function urlOf(path: string, query: Query): string {
  const values = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return values.length === 0 ? path : `${path}?${new URLSearchParams(values)}`;
}
