import { useCallback, useEffect, useState } from 'preact/hooks';
import { api, CallFailed } from './api.ts';
import type { Rows } from './responses.ts';
import { onRetry } from './retry.ts';

interface Loading {
  error: CallFailed | null;
  loading: boolean;
}

export interface Loaded<Body> extends Loading {
  body: Body | null;
}

interface Settled<Value> {
  name: string;
  value: Value | null;
  error: CallFailed | null;
}

/**
 * Returns the response for a URL, never that for a previous URL. Rate-limited requests are retried when the limit
 * recovers.
 */
export function useResponse<Body>(address: string | null): Loaded<Body> {
  const settled = useSettled(address, 0, () => api.get<Body>(address ?? ''));
  const body = address === null ? null : (settled?.value ?? api.peek<Body>(address));
  const error = body ? null : (settled?.error ?? null);
  return { body, error, loading: address !== null && body === null && error === null };
}

export interface LoadedRows<Row> extends Loading {
  rows: readonly Row[];
  /** Whether there are more rows. Null while the first page is loading. */
  more: boolean | null;
}

interface Pages<Row> {
  rows: readonly Row[];
  count: number;
  cursor: string | null;
}

/** An empty list with a stable identity, so that dependent values are not recomputed. */
export const NONE: readonly never[] = [];

/** Returns the first pages of a search, as many as the visitor has loaded. */
export function useRows<Row>(address: string | null, pages: number): LoadedRows<Row> {
  const withPage = ({ rows, count }: Pages<Row>, { data, pagination }: Rows<Row>): Pages<Row> => ({
    rows: [...rows, ...data],
    count: count + 1,
    cursor: pagination.result_window_reached ? null : (pagination.next_cursor ?? null),
  });
  const before: Pages<Row> = { rows: NONE, count: 0, cursor: null };
  const settled = useSettled(address, pages, async (show: (value: Pages<Row>) => void) => {
    let found = before;
    for (let next = address ?? ''; ; ) {
      found = withPage(found, await api.get<Rows<Row>>(next));
      if (found.cursor === null || found.count >= pages) return found;
      next = `${address}&cursor=${encodeURIComponent(found.cursor)}`;
      if (!api.peek(next)) show(found);
    }
  });
  if (address === null) return { rows: NONE, more: null, error: null, loading: false };
  const first = api.peek<Rows<Row>>(address);
  const found = settled?.value ?? (first && withPage(before, first));
  const error = settled?.error ?? null;
  return {
    rows: found?.rows ?? NONE,
    more: found ? found.cursor !== null : null,
    error,
    loading: error === null && (!found || (found.count < pages && found.cursor !== null)),
  };
}

/** Returns the latest result of loading a URL. Null if there is none. */
function useSettled<Value>(
  address: string | null,
  pages: number,
  load: (show: (value: Value) => void) => Promise<Value>,
): Settled<Value> | null {
  const name = address === null ? '' : api.nameOf(address);
  const [latest, setLatest] = useState<Settled<Value> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const repeat = useCallback(() => {
    setLatest((before) => before && { ...before, error: null });
    setAttempt((before) => before + 1);
  }, []);
  const hasFailed = latest?.name === name && latest.error !== null;
  useEffect(() => (hasFailed ? onRetry(repeat) : undefined), [hasFailed]);
  useEffect(() => {
    if (address === null) return;
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (value: Value): void => {
      if (current) setLatest({ name, value, error: null });
    };
    load(show).then(show, (reason: unknown) => {
      if (!current) return;
      const error = CallFailed.of(reason);
      setLatest((before) => ({ name, value: before?.name === name ? before.value : null, error }));
      if (error.retryAt !== null) timer = setTimeout(repeat, error.retryAt - Date.now());
    });
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [name, pages, attempt]);
  return latest?.name === name ? latest : null;
}
