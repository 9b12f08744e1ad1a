import type { FilterValues } from '#queries/filters/table.ts';
import { countBody, searchBody } from '#queries/listings/search.ts';
import type { ApiCaller } from '../api-process.ts';
import type { Corpus } from '../corpus.ts';
import type { HttpRequest, HttpSide } from '../load/generator.ts';
import { type BenchRequest, NOW } from './families.ts';

export function queryOf(filters: FilterValues): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return query;
}

export const getFromApi = (path: string, { key }: ApiCaller): HttpRequest => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
});

/** Creates a side that sends listing searches through the API, as a client does. */
export function searchesByApi(requests: readonly BenchRequest[], api: ApiCaller): HttpSide {
  const pathOf = ({ filters, limit }: BenchRequest): string =>
    limit === 0 ? `/v1/listings/count?${queryOf(filters)}` : `/v1/listings?${queryOf(filters)}&limit=${limit}`;
  return { origin: api.origin, requests: requests.map((each) => getFromApi(pathOf(each), api)) };
}

/** Creates a side that sends the same searches directly to OpenSearch, in their fastest form: the whole `_source`. */
export function searchesByEngine(requests: readonly BenchRequest[], { client, config }: Corpus): HttpSide {
  const bodyOf = ({ filters, limit }: BenchRequest): object =>
    limit === 0 ? countBody(filters, { now: NOW }) : searchBody({ filters, sort: 'newest', size: limit }, { now: NOW });
  return {
    origin: new URL(config.opensearch.urls[0] as string).origin,
    requests: requests.map((each) => ({
      method: 'POST',
      path: `/${client.aliases.listings}/_search`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(each)),
    })),
  };
}
