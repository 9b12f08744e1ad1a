import type { RequestListener } from 'node:http';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { ApiError, type errorBody } from '#http/errors/api-error.ts';
import { type InjectedResponse, injectRequest } from '#http/inject.ts';

export type NamedCity = Pick<City, 'slug' | 'name_en' | 'name_ar'>;
export type PlacedNeighborhood = Pick<Neighborhood, 'id' | 'name_en' | 'name_ar' | 'center'>;

/** Undefined and null values are left out, and the values of a list are joined. */
type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>>;

export class Api {
  readonly #listener: () => RequestListener;
  readonly #authorization: string;

  constructor(listener: () => RequestListener, bearer: string) {
    this.#listener = listener;
    this.#authorization = `Bearer ${bearer}`;
  }

  /** @param url path and query, for example `/v1/cities` */
  send(url: string): Promise<InjectedResponse> {
    const headers = { authorization: this.#authorization, 'user-agent': 'site' };
    return injectRequest(this.#listener(), { method: 'GET', url, headers });
  }

  /**
   * Returns the body; null for a 404 response and for a place that the service does not cover. @throws ApiError for any
   * other error
   */
  async body<Body>(path: string, query: Query = {}): Promise<Body | null> {
    const response = await this.send(urlOf(path, query));
    if (response.status === 404 || isUnknownPlace(response)) return null;
    if (response.status !== 200) throw errorOf(response);
    return JSON.parse(response.text) as Body;
  }

  /** Returns `data` of the body, or null as `body` does. */
  async data<Data>(path: string, query: Query = {}): Promise<Data | null> {
    return (await this.body<{ data: Data }>(path, query))?.data ?? null;
  }

  async cities(): Promise<NamedCity[]> {
    return (await this.data<NamedCity[]>('/v1/cities')) ?? [];
  }

  async neighborhoods(city: string): Promise<PlacedNeighborhood[]> {
    return (await this.data<PlacedNeighborhood[]>(`/v1/cities/${encodeURIComponent(city)}/neighborhoods`)) ?? [];
  }
}

/** A stored listing can have a place that was removed since. */
const isUnknownPlace = ({ status, text }: InjectedResponse): boolean =>
  status === 400 && /"param":"(city|neighborhood_id)"/.test(text);

function errorOf({ status, headers, text }: InjectedResponse): ApiError {
  const { code, message, param, details } = (JSON.parse(text) as ReturnType<typeof errorBody>).error;
  const retryAfterS = Number(headers['retry-after']) || undefined;
  return new ApiError(code, { status, message, param, details, retryAfterS });
}

function urlOf(path: string, query: Query): string {
  const values = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return values.length === 0 ? path : `${path}?${new URLSearchParams(values)}`;
}
