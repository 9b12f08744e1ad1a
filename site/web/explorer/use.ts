import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, type Api, CallFailed } from './api.ts';
import type { Rows } from './responses.ts';

/** The state of a request. */
export interface Loading {
  error: CallFailed | null;
  loading: boolean;
  /** Repeats a failed request. */
  retry(): void;
}

export interface Loaded<Body> extends Loading {
  answer: Answer<Body> | null;
}

interface Settled<Value> {
  api: Api;
  address: string;
  value: Value | null;
  error: CallFailed | null;
}

/**
 * Returns the response for a URL, never that for a previous URL. Cached responses are available immediately.
 * Rate-limited requests are retried when the limit recovers. If the URL is null, nothing is requested.
 */
export function useResponse<Body>(api: Api, address: string | null): Loaded<Body> {
  const load = () => api.get<Body>(address ?? '');
  const { settled, retry } = useSettled(api, address, 0, load);
  const answer = address === null ? null : (settled?.value ?? api.peek<Body>(address));
  const error = answer ? null : (settled?.error ?? null);
  return { answer, error, loading: address !== null && answer === null && error === null, retry };
}

/** Returns the response for a URL, which is kept after a change of the key. For responses that all keys share. */
export function useKept<Body>(loaded: Loaded<Body>, address: string | null): Body | null {
  const kept = useRef<{ address: string | null; body: Body } | null>(null);
  if (loaded.answer) kept.current = { address, body: loaded.answer.body };
  return kept.current?.address === address ? kept.current.body : null;
}

export interface LoadedRows<Row> extends Loading {
  rows: readonly Row[];
  /** Whether there are more rows. Null while the first page is loading. */
  more: boolean | null;
}

/** Returns the first pages of a search, as many as the visitor has loaded. */
export function useRows<Row>(api: Api, address: string | null, pages: number): LoadedRows<Row> {
  const { settled, retry } = useSettled(api, address, pages, async (show: (value: Pages<Row>) => void) => {
    let found: Pages<Row> = { rows: [], count: 0, cursor: null };
    for (let next = address ?? ''; ; ) {
      const { body } = await api.get<Rows<Row>>(next);
      const cursor = body.pagination.next_cursor ?? null;
      found = { rows: [...found.rows, ...body.data], count: found.count + 1, cursor };
      if (cursor === null || found.count >= pages) break;
      next = `${address}&cursor=${encodeURIComponent(cursor)}`;
      if (!api.peek(next)) show(found);
    }
    return found;
  });
  if (address === null) return { rows: NO_ROWS, more: null, error: null, loading: false, retry };
  const first = api.peek<Rows<Row>>(address)?.body;
  const found =
    settled?.value ?? (first && { rows: first.data, count: 1, cursor: first.pagination.next_cursor ?? null });
  const error = settled?.error ?? null;
  return {
    rows: found?.rows ?? NO_ROWS,
    more: found ? found.cursor !== null : null,
    error,
    loading: error === null && (!found || (found.count < pages && found.cursor !== null)),
    retry,
  };
}

const NO_ROWS: readonly never[] = [];

interface Pages<Row> {
  rows: readonly Row[];
  count: number;
  cursor: string | null;
}

/** Returns the latest result of loading a URL. Null if there is none. */
function useSettled<Value>(
  api: Api,
  address: string | null,
  pages: number,
  load: (show: (value: Value) => void) => Promise<Value>,
): { settled: Settled<Value> | null; retry(): void } {
  const [settled, setSettled] = useState<Settled<Value> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => {
    setSettled((before) => before && { ...before, error: null });
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    if (address === null) return;
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (value: Value): void => {
      if (current) setSettled({ api, address, value, error: null });
    };
    load(show).then(show, (reason: unknown) => {
      if (!current) return;
      const error = reason instanceof CallFailed ? reason : new CallFailed(String(reason), {});
      setSettled((before) => ({
        api,
        address,
        value: before?.api === api && before.address === address ? before.value : null,
        error,
      }));
      if (error.retryAt !== null) timer = setTimeout(retry, error.retryAt - Date.now());
    });
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [api, address, pages, attempt]);
  return { settled: settled?.api === api && settled.address === address ? settled : null, retry };
}
