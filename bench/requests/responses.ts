import { request as send } from 'undici';
import type { ApiCaller } from '../api-process.ts';
import type { HttpRequest, HttpSide } from '../load/protocol.ts';
import { getFromApi } from './sides.ts';

/** Ids of a page, or the value of a count. */
export type SearchResult = number[] | number;

/** Returns a side's results for all its requests. Not part of the measurement. */
export async function resultsOf({ origin, requests }: HttpSide): Promise<SearchResult[]> {
  const results: SearchResult[] = [];
  for (const request of requests) results.push(readResult(await fetchJson(origin, request)));
  return results;
}

/** @throws Error if the status is not 200 */
async function fetchJson(origin: string, { method, path, headers, body }: HttpRequest): Promise<unknown> {
  const response = await send(`${origin}${path}`, { method, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** The `data` of the response to a GET request. @throws Error if the status is not 200 */
export async function fetchData<Data>(api: ApiCaller, path: string): Promise<Data> {
  return ((await fetchJson(api.origin, getFromApi(path, api))) as { data: Data }).data;
}

type ApiBody = { data: { id: number }[] | { total: number } };
type EngineBody = { hits: { total?: { value: number }; hits: { _id: string }[] } };

function readResult(body: unknown): SearchResult {
  if ('data' in (body as object)) {
    const { data } = body as ApiBody;
    return Array.isArray(data) ? data.map(({ id }) => id) : data.total;
  }
  const { hits } = body as EngineBody;
  return hits.total === undefined ? hits.hits.map(({ _id }) => Number(_id)) : hits.total.value;
}

/** @throws Error naming the first request with different results, because their times would not be comparable */
export function expectSame(what: string, a: readonly SearchResult[], b: readonly SearchResult[]): void {
  for (const [at, result] of a.entries()) {
    const [ours, theirs] = [JSON.stringify(result), JSON.stringify(b[at])];
    if (ours !== theirs)
      throw new Error(`${what}: results of request ${at} differ: ${ours.slice(0, 200)} and ${theirs?.slice(0, 200)}`);
  }
}
