import type { InternalCall } from '#src/http/internal-caller.ts';
import { errorOf } from '../api-client.ts';

/** Pages of a list that a page of the console shows at once. */
const MAX_PAGES = 10;

export interface Rows<Row> {
  data: Row[];
  pagination: { next_cursor: string | null };
}

export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The administration API for the member of a session, with the key of the member in the console. */
export type Client = ReturnType<typeof createClient>;

interface Caller {
  keyHash: Buffer;
  signedInAt: number;
  ip: string | null;
  /** Of the form, so that a form that is sent twice has one effect. */
  idempotencyKey: string | null;
}

export function createClient(call: InternalCall, { ip, idempotencyKey, ...key }: Caller) {
  const send = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers: Record<string, string> = { 'user-agent': 'console' };
    if (body) headers['content-type'] = 'application/json';
    if (body && idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const request = { method, url: `/v1/organization${path}`, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await call(key, request, ip);
    if (response.status >= 400) throw errorOf(response);
    return response.text;
  };
  const page = async <Row>(path: string, query: Values = {}) =>
    JSON.parse(await send('GET', withQuery(path, query))) as Rows<Row>;
  const dataOf = (text: string) => (JSON.parse(text) as { data: unknown }).data;
  return {
    /** Every method throws an ApiError with the sentence of the API. */
    text: (path: string, query: Values = {}) => send('GET', withQuery(path, query)),
    page,
    data: async <Data>(path: string, query: Values = {}) => dataOf(await send('GET', withQuery(path, query))) as Data,
    /** The newest rows of a list, at most ten pages. */
    async all<Row>(path: string): Promise<Row[]> {
      const rows: Row[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; pages < MAX_PAGES && cursor !== null; pages++) {
        const found: Rows<Row> = await page<Row>(path, { cursor });
        rows.push(...found.data);
        cursor = found.pagination.next_cursor;
      }
      return rows;
    },
    post: async <Data>(path: string, body: object) => dataOf(await send('POST', path, body)) as Data,
  };
}

/** Values that are empty are left out. Pure. */
export function withQuery(path: string, values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${query}`;
}
