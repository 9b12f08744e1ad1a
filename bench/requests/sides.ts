import { cursorFingerprint, encodeCursor } from '#http/cursor.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { countBody, searchBody } from '#queries/listings/search.ts';
import type { ApiCaller } from '../api-process.ts';
import type { Stores } from '../corpus/corpus.ts';
import type { HttpRequest, HttpSide, PostgresSide, Statement } from '../load/protocol.ts';
import { type BenchRequest, NOW } from './families.ts';

type IndexName = 'listings' | 'transactions';
type Body = Readonly<Record<string, unknown>>;

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

/** Creates a side that requests the paths as an API client does. */
export const apiSide = (api: ApiCaller, paths: readonly string[]): HttpSide => ({
  kind: 'http',
  origin: api.origin,
  requests: paths.map((path) => getFromApi(path, api)),
});

/** Creates a side of queries to OpenSearch in their fastest form: whole `_source`, no response filtering. */
export function engineSide(
  { client, config }: Stores,
  bodies: readonly Body[],
  index: IndexName = 'listings',
): HttpSide {
  return {
    kind: 'http',
    origin: new URL(config.opensearch.urls[0] as string).origin,
    requests: bodies.map((body) => ({
      method: 'POST',
      path: `/${client.aliases[index]}/_search`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })),
  };
}

/** @param options options of the connection, for example `-c work_mem=64MB` */
export function postgresSide({ config }: Stores, statements: readonly Statement[], options = ''): PostgresSide {
  const url = new URL(config.databaseUrl);
  if (options) url.searchParams.set('options', options);
  return { kind: 'postgres', databaseUrl: url.href, asynchronousCommit: false, statements };
}

/** Lets Postgres sort a city in memory, unlike the default. */
export const SORT_IN_MEMORY = '-c work_mem=64MB';

/** Creates a side that sends listing searches through the API. */
export function searchesByApi(requests: readonly BenchRequest[], api: ApiCaller, { config }: Stores): HttpSide {
  const pathOf = ({ filters, limit, after }: BenchRequest): string => {
    const query = queryOf(filters);
    if (limit > 0) query.set('limit', String(limit));
    if (after) {
      const fingerprint = cursorFingerprint(api.organization, 'newest', filters);
      const state = { offset: after.offset, after: after.position, fingerprint };
      query.set('cursor', encodeCursor(state, config.cursorSecrets));
    }
    return `/v1/listings${limit === 0 ? '/count' : ''}?${query}`;
  };
  return apiSide(api, requests.map(pathOf));
}

/** Creates a side that sends the same searches directly to OpenSearch, for the exact number of rows. */
export function searchesByEngine(requests: readonly BenchRequest[], stores: Stores): HttpSide {
  const bodies = requests.map(({ filters, limit, after }) =>
    limit === 0
      ? countBody(filters, { now: NOW })
      : searchBody({ filters, sort: 'newest', size: limit, after: after?.position }, { now: NOW }),
  );
  return engineSide(stores, bodies);
}

/** Clears the request cache of OpenSearch, so that counts and statistics are recomputed. */
export async function clearRequestCache({ client }: Stores, index: IndexName = 'listings'): Promise<void> {
  await client.send('POST', `/${client.aliases[index]}/_cache/clear`, { query: { request: 'true' } });
}
