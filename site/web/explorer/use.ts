import { useEffect, useState } from 'preact/hooks';
import { type Answer, type Api, CallFailed } from './api.ts';
import type { Listing, Listings } from './responses.ts';

export interface Loaded<Body> {
  answer: Answer<Body> | null;
  error: string | null;
  loading: boolean;
}

interface Settled<Value> {
  api: Api;
  address: string;
  value: Value | null;
  error: string | null;
}

const IDLE = { answer: null, error: null, loading: false };

/**
 * Returns the response for a URL, never that for a previous URL. Cached responses are available immediately.
 * Rate-limited requests are retried when the limit recovers. If the URL is null, nothing is requested.
 */
export function useResponse<Body>(api: Api, address: string | null): Loaded<Body> {
  const load = () => api.get<Body>(address ?? '');
  const settled = useSettled(api, address, 0, load);
  if (address === null || api.key === '') return IDLE;
  const answer = settled?.value ?? api.peek<Body>(address);
  if (answer) return { answer, error: null, loading: false };
  const error = settled?.error ?? null;
  return { answer: null, error, loading: error === null };
}

export interface LoadedListings {
  rows: readonly Listing[];
  /** Whether there are more rows. Null while the first page is loading. */
  more: boolean | null;
  error: string | null;
  loading: boolean;
}

/** Returns the first pages of a search, as many as the visitor has loaded. */
export function useListings(api: Api, address: string | null, pages: number): LoadedListings {
  const settled = useSettled(api, address, pages, async (show: (value: Pages) => void) => {
    let found: Pages = { rows: [], count: 0, cursor: null };
    for (let next = address ?? ''; ; ) {
      const { body } = await api.get<Listings>(next);
      const cursor = body.pagination.next_cursor ?? null;
      found = { rows: [...found.rows, ...body.data], count: found.count + 1, cursor };
      if (cursor === null || found.count >= pages) break;
      next = `${address}&cursor=${encodeURIComponent(cursor)}`;
      if (!api.peek(next)) show(found);
    }
    return found;
  });
  if (address === null || api.key === '') return { rows: NO_ROWS, more: null, error: null, loading: false };
  const first = api.peek<Listings>(address)?.body;
  const found =
    settled?.value ?? (first && { rows: first.data, count: 1, cursor: first.pagination.next_cursor ?? null });
  const error = settled?.error ?? null;
  return {
    rows: found?.rows ?? NO_ROWS,
    more: found ? found.cursor !== null : null,
    error,
    loading: error === null && (!found || (found.count < pages && found.cursor !== null)),
  };
}

const NO_ROWS: readonly Listing[] = [];

interface Pages {
  rows: readonly Listing[];
  count: number;
  cursor: string | null;
}

/** Returns the latest result of loading a URL. Null if there is none. */
function useSettled<Value>(
  api: Api,
  address: string | null,
  pages: number,
  load: (show: (value: Value) => void) => Promise<Value>,
): Settled<Value> | null {
  const [settled, setSettled] = useState<Settled<Value> | null>(null);
  useEffect(() => {
    if (address === null || api.key === '') return;
    let current = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const show = (value: Value): void => {
      if (current) setSettled({ api, address, value, error: null });
    };
    const start = (): void => {
      load(show).then(show, (reason: unknown) => {
        if (!current) return;
        const failure = reason instanceof CallFailed ? reason : null;
        setSettled((before) => ({
          api,
          address,
          value: before?.api === api && before.address === address ? before.value : null,
          error: failure?.message ?? String(reason),
        }));
        if (failure?.retryAfter != null) retry = setTimeout(start, 1_000 * failure.retryAfter);
      });
    };
    start();
    return () => {
      current = false;
      clearTimeout(retry);
    };
  }, [api, address, pages]);
  return settled?.api === api && settled.address === address ? settled : null;
}
