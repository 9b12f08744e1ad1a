import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { countBody, searchBody } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import type { ApiProcess } from '../api-process.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { HttpRequest, Side } from '../load/protocol.ts';
import { type BenchRequest, NOW } from './families.ts';

/** Filters as a query string. */
export function queryOf(filters: FilterValues): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return query;
}

/** A request as a client of the API sends it. */
function apiRequest(request: BenchRequest, api: ApiProcess, { config }: Corpus): HttpRequest {
  const { filters, limit, after } = request;
  const query = queryOf(filters);
  if (limit > 0) query.set('limit', String(limit));
  if (after) {
    const fingerprint = cursorFingerprint(api.organization, 'newest', filters);
    const state = { offset: after.offset, after: after.position, fingerprint };
    query.set('cursor', encodeCursor(state, config.cursorSecrets));
  }
  return {
    method: 'GET',
    path: `/v1/listings${limit === 0 ? '/count' : ''}?${query}`,
    headers: { authorization: `Bearer ${api.key}`, accept: 'application/json' },
  };
}

/** The query of the same request, for exactly its rows. */
function bodyOf({ filters, limit, after }: BenchRequest): Record<string, unknown> {
  if (limit === 0) return countBody(filters, { now: NOW });
  return searchBody({ filters, sort: 'newest', size: limit, after: after?.position }, { now: NOW });
}

/** A query sent directly to OpenSearch in its fastest form: whole `_source`, no response filtering. */
export function engineRequest(index: string, body: Record<string, unknown>, parameters = ''): HttpRequest {
  return {
    method: 'POST',
    path: `/${index}/_search${parameters}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

export function apiSide(requests: readonly BenchRequest[], api: ApiProcess, corpus: Corpus): Side {
  return { kind: 'http', origin: api.origin, requests: requests.map((request) => apiRequest(request, api, corpus)) };
}

export function engineSide(requests: readonly BenchRequest[], { config }: Corpus): Side {
  const { listings } = indexNames(config.opensearch.indexPrefix);
  return {
    kind: 'http',
    origin: new URL(config.opensearch.urls[0] as string).origin,
    requests: requests.map((request) => engineRequest(listings, bodyOf(request))),
  };
}

/** Clears the request cache of OpenSearch, so that counts are recomputed. */
export async function clearRequestCache({ client, config }: Corpus): Promise<void> {
  const { listings } = indexNames(config.opensearch.indexPrefix);
  await client.transport.request({
    method: 'POST',
    path: `/${listings}/_cache/clear`,
    querystring: { request: 'true' },
  });
}
