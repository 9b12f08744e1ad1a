import { request as send } from 'undici';
import type { HttpRequest, HttpSide } from '../load/generator.ts';

/** @throws Error naming the first request with different results, because their times would not be comparable */
export async function expectSame(title: string, first: HttpSide, ...others: readonly HttpSide[]): Promise<void> {
  for (const [at, request] of first.requests.entries()) {
    const expected = await fetchResult(first.origin, request);
    for (const { origin, requests } of others) {
      const result = await fetchResult(origin, requests[at] as HttpRequest);
      if (result !== expected)
        throw new Error(
          `${title}: results of request ${at} differ: ${expected.slice(0, 200)} and ${result.slice(0, 200)}`,
        );
    }
  }
}

type ApiBody = { data: { id: number }[] | { total: number } };
type EngineBody = { hits: { total?: { value: number }; hits: { _id: string }[] } };

/** Returns the ids of a page, or the value of a count, as text. @throws Error if the status is not 200 */
async function fetchResult(origin: string, { method, path, headers, body }: HttpRequest): Promise<string> {
  const response = await send(`${origin}${path}`, { method, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  const found = JSON.parse(text) as ApiBody | EngineBody;
  if ('data' in found) return String(Array.isArray(found.data) ? found.data.map(({ id }) => id) : found.data.total);
  const { total, hits } = found.hits;
  return String(total === undefined ? hits.map(({ _id }) => _id) : total.value);
}
