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

/** Values of responses that must be equal on all sides. */
const EXACT = new Set([
  'neighborhood_id',
  'quarter',
  'land_use_class',
  'deal_count',
  'sample_size',
  'rent_sample_size',
  'sale_sample_size',
  'without_area_count',
  'new_listings',
  'previous_new_listings',
  'median_days_on_market',
  'p75_days_on_market',
]);
/** Numbers that may differ within the accuracy of percentiles. */
const AMOUNTS = new Set([
  'p25_price_sar',
  'median_price_sar',
  'p75_price_sar',
  'median_area_sqm',
  'median_yearly_rent_sar',
  'median_sale_price_sar',
]);
/** Properties with further numbers. Rows of places may be in a different order if their medians are nearly equal. */
const PARTS = ['periods', 'neighborhoods', 'city', 'cells'];

type Json = Readonly<Record<string, unknown>>;

/**
 * Compares the data of a response with the result of the Postgres statement, which uses the same names.
 * @returns the largest relative difference between amounts
 * @throws Error if a count or a place differs
 */
export function largestDifference(ours: Json, theirs: Json): number {
  const names = Object.keys(ours).filter((name) => name in theirs);
  return names.reduce((largest, name) => {
    const [a, b] = [ours[name], theirs[name]];
    const [rows, others] = [rowsOf(name, a), rowsOf(name, b)];
    if ((EXACT.has(name) && (a ?? 0) !== (b ?? 0)) || rows.length !== others.length)
      throw new Error(
        `${name} differs: ${JSON.stringify(ours).slice(0, 300)} and ${JSON.stringify(theirs).slice(0, 300)}`,
      );
    if (AMOUNTS.has(name) && a !== b) return Math.max(largest, Math.abs(Number(a) / Number(b) - 1));
    return Math.max(largest, ...rows.map((row, at) => largestDifference(row, others[at] as Json)));
  }, 0);
}

function rowsOf(name: string, value: unknown): Json[] {
  if (!PARTS.includes(name)) return [];
  const key = ({ neighborhood_id, quarter, land_use_class }: Json) => `${neighborhood_id} ${quarter} ${land_use_class}`;
  // Postgres returns no city if no property type has enough listings.
  return Array.isArray(value)
    ? value.toSorted((a: Json, b: Json) => (key(a) < key(b) ? -1 : 1))
    : [Object(value) as Json];
}
