import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { keepKey, readKey } from '../key.ts';
import { data, texts } from './page-data.ts';

export interface CallFailed {
  message: string;
  /** Null if there is no response. */
  status: number | null;
  /** The parameter that was refused. */
  param: string | null;
  /** Epoch milliseconds of the automatic retry. Null if there is none. */
  retryAt: number | null;
}

export interface LoadState<Data> {
  data: Data | null;
  cursor: string | null;
  error: CallFailed | null;
  loading: boolean;
}

export interface LoadedRows<Row> extends Pick<LoadState<Row>, 'error' | 'loading'> {
  rows: readonly Row[];
  /** Whether there are more rows. Null while the first page is loading. */
  more: boolean | null;
}

const MAX_CACHED = 100;
/** Maximum wait in seconds before an automatic retry. The rate limit refills within this time. */
const MAX_RETRY_SECONDS = 60;
const NOT_REQUESTED = { data: null, cursor: null, error: null, loading: false };
const LOADING = { ...NOT_REQUESTED, loading: true };

/** Responses by name, in order of last use. */
const responses = new Map<string, LoadState<unknown>>();
const renderers = new Set<() => void>();

/** The key of the visitor, and the number of retries that the visitor has requested. */
export const session = { key: readKey(data.key), retries: 0 };

export function rememberKey(given: string): void {
  keepKey(given);
  session.key = given;
}

/** Returns the data of a response, which is loaded on first use. */
export function useData<Data>(address: string | null): LoadState<Data> {
  useRequests(address === null ? [] : [address]);
  return address === null ? NOT_REQUESTED : read<Data>(address);
}

/** Returns the first pages of a search, as many as the visitor has loaded. */
export function useRows<Row>(address: string | null, pages: number): LoadedRows<Row> {
  const addresses: string[] = [];
  const found: (readonly Row[])[] = [];
  let next = address;
  while (next !== null && addresses.length < pages) {
    addresses.push(next);
    const { data: page, cursor } = read<readonly Row[]>(next);
    if (!page) break;
    found.push(page);
    next = cursor === null ? null : `${address}&cursor=${encodeURIComponent(cursor)}`;
  }
  useRequests(addresses);
  const rows = useMemo(() => found.flat(), found);
  const last = addresses.at(-1);
  const { error, loading } = last === undefined ? NOT_REQUESTED : read(last);
  return { rows, more: found.length === 0 ? null : next !== null, error, loading };
}

/** Stores the first page of rows that the page contains. */
export function keepRows(address: string, { rows, next }: { rows: readonly unknown[]; next: string | null }): void {
  responses.set(nameOf(address), { ...NOT_REQUESTED, data: rows, cursor: next });
}

/** Parts of the page depend on several requests, and most fail for the same reason. */
export function retryFailed(): void {
  session.retries++;
  removeFailed([...responses.keys()]);
  render();
}

function removeFailed(names: readonly string[]): void {
  const failed = names.filter((name) => responses.get(name)?.error);
  for (const name of failed) responses.delete(name);
  if (failed.length > 0) render();
}

function render(): void {
  for (const each of renderers) each();
}

const read = <Data>(address: string): LoadState<Data> => (responses.get(nameOf(address)) ?? LOADING) as LoadState<Data>;

/** Loads what is missing. A failed request is repeated at its next use. */
function useRequests(addresses: readonly string[]): void {
  const [, count] = useReducer((renders: number, _: null) => renders + 1, 0);
  useLayoutEffect(() => {
    const renderer = () => count(null);
    renderers.add(renderer);
    return () => void renderers.delete(renderer);
  }, []);
  const names = addresses.map(nameOf);
  useEffect(() => () => removeFailed(names), names);
  useEffect(() => {
    for (const address of addresses) load(address);
  });
}

function load(address: string): void {
  const name = nameOf(address);
  const cached = responses.get(name);
  responses.delete(name);
  responses.set(name, cached ?? LOADING);
  if (cached) return;
  const [oldest] = responses.keys();
  if (responses.size > MAX_CACHED && oldest !== undefined) responses.delete(oldest);
  void request(address).then((response) => {
    responses.set(name, response);
    render();
    const retryAt = response.error?.retryAt ?? null;
    if (retryAt !== null) setTimeout(() => removeFailed([name]), retryAt - Date.now());
  });
}

/** Calls operations that the site does not serve with the visitor's key. */
async function request(address: string): Promise<LoadState<unknown>> {
  const options: RequestInit = isServedBySite(address)
    ? { credentials: 'same-origin' }
    : { headers: { Authorization: `Bearer ${session.key}` }, credentials: 'omit' };
  const response = await fetch(address, { ...options, signal: AbortSignal.timeout(15_000) }).catch(() => null);
  const body = (await response?.json().catch(() => null)) as ApiBody | null | undefined;
  if (response?.ok && body) {
    const { next_cursor, result_window_reached } = body.pagination ?? {};
    return { ...NOT_REQUESTED, data: body.data, cursor: (!result_window_reached && next_cursor) || null };
  }
  const error = body?.error;
  const failed = {
    message: response ? messageOf(error, isServedBySite(address)) : texts.offline,
    status: response?.status ?? null,
    param: error?.param ?? null,
    retryAt: response && retryAtOf(response.headers),
  };
  return { ...NOT_REQUESTED, error: failed };
}

interface ApiBody {
  data?: unknown;
  pagination?: { next_cursor?: string | null; result_window_reached?: boolean };
  error?: { code: string; param: string | null; details?: { per?: string } };
}

const isServedBySite = (address: string): boolean => address.startsWith(data.sessionUrl);

const nameOf = (address: string): string => (isServedBySite(address) ? address : `${session.key} ${address}`);

const FAULTS: Readonly<Record<string, string>> = texts.faults;
const HOME_FIELDS: Readonly<Record<string, string>> = texts.home_fields;

/** Returns the text for a visitor, who knows the labels in the form and not the names of parameters. */
function messageOf(error: ApiBody['error'], isOfSession: boolean): string {
  if (!error) return texts.failed;
  if (isOfSession && error.code === 'missing_api_key') return texts.faults.no_session;
  if (isOfSession && error.details?.per === 'day') return texts.faults.day_limit;
  const label = error.param === null ? undefined : (data.labels[error.param] ?? HOME_FIELDS[error.param]);
  if (label !== undefined) return texts.fault_of_field.replace('{label}', label);
  return FAULTS[error.code] ?? texts.failed;
}

function retryAtOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  const isSoon = text !== null && /^\d+$/.test(text) && Number(text) <= MAX_RETRY_SECONDS;
  return isSoon ? Date.now() + 1_000 * Number(text) : null;
}
