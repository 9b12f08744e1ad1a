import { request as send } from 'undici';
import type { HttpRequest, Side } from '../load/protocol.ts';

/** Ids of a page, or the value of a count. */
export type AnswerOf = number[] | number;

/** The parsed responses of a side to all its requests. Not part of the measurement. */
export async function answersOf(side: Side, read: (body: unknown) => AnswerOf): Promise<AnswerOf[]> {
  if (side.kind !== 'http') throw new Error('responses can only be read from HTTP sides');
  const answers: AnswerOf[] = [];
  for (const request of side.requests) answers.push(read(await fetchJson(side.origin, request)));
  return answers;
}

/** The parsed response body. @throws Error if the status is not 200 */
export async function fetchJson(origin: string, { method, path, headers, body }: HttpRequest): Promise<unknown> {
  const response = await send(`${origin}${path}`, { method, headers, body: body ?? null });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

export function readApiAnswer(body: unknown): AnswerOf {
  const { data } = body as { data: { id: number }[] | { total: number } };
  return Array.isArray(data) ? data.map(({ id }) => id) : data.total;
}

export function readEngineAnswer(body: unknown): AnswerOf {
  const { hits } = body as { hits: { total?: { value: number }; hits: { _id: string }[] } };
  return hits.total === undefined ? hits.hits.map(({ _id }) => Number(_id)) : hits.total.value;
}

/** @throws Error naming the first request with different results, because their times would not be comparable */
export function expectSame(what: string, a: readonly AnswerOf[], b: readonly AnswerOf[]): void {
  for (const [at, answer] of a.entries()) {
    if (JSON.stringify(answer) !== JSON.stringify(b[at]))
      throw new Error(
        `${what}: results of request ${at} differ: ${JSON.stringify(answer).slice(0, 200)} and ${JSON.stringify(b[at]).slice(0, 200)}`,
      );
  }
}
