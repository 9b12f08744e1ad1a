import type { Client } from '@opensearch-project/opensearch';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import { indexNames } from '../client.ts';

/** What `_meta` of a listings index says about it. */
export interface IndexMeta {
  /** Shape of its documents: `LISTING_DOCUMENT_VERSION` of the code that wrote it. */
  version: number;
  /** Hash of the template files it was made from. */
  digest: string;
}

/** Which index serves, and which one a migration is filling. */
export interface IndexState {
  live: string | null;
  next: string | null;
}

/** The alias that exists while a migration runs: every write goes to its index as well. */
export function nextAlias(prefix: string): string {
  return `${indexNames(prefix).listings}-next`;
}

/** The name of generation `n`; the number counts indexes and has nothing to do with the document's version. */
export function generationName(prefix: string, generation: number): string {
  return `${indexNames(prefix).listings}-v${generation}`;
}

export function generationOf(prefix: string, index: string): number | null {
  const stem = `${indexNames(prefix).listings}-v`;
  const digits = index.startsWith(stem) ? index.slice(stem.length) : '';
  return /^\d+$/.test(digits) ? Number(digits) : null;
}

/** Reads both aliases in one request, so that the answer is one moment of the cluster. */
export async function readState(client: Client, prefix: string, requestTimeout = 5_000): Promise<IndexState> {
  const { listings } = indexNames(prefix);
  const next = nextAlias(prefix);
  const { body } = await client.transport.request(
    // A wildcard, because asking for a missing alias by name is an error and the second one usually is missing.
    { method: 'GET', path: `/_alias/${listings}*` },
    { requestTimeout },
  );
  const state: IndexState = { live: null, next: null };
  for (const [index, { aliases }] of Object.entries(body as Record<string, { aliases: Record<string, unknown> }>)) {
    if (listings in aliases) state.live = index;
    if (next in aliases) state.next = index;
  }
  return state;
}

/** Every generation that exists, oldest first. */
export async function listGenerations(client: Client, prefix: string): Promise<string[]> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${generationName(prefix, 0).slice(0, -1)}*`,
    querystring: { filter_path: '*.settings.index.uuid' },
  });
  return Object.keys((body ?? {}) as Record<string, unknown>)
    .filter((name) => generationOf(prefix, name) !== null)
    .sort((a, b) => (generationOf(prefix, a) as number) - (generationOf(prefix, b) as number));
}

export async function readMeta(client: Client, index: string): Promise<IndexMeta> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${index}/_mapping`,
    querystring: { filter_path: '*.mappings._meta' },
  });
  const [entry] = Object.values(body as Record<string, { mappings: { _meta?: Partial<IndexMeta> } }>);
  const meta = entry?.mappings._meta;
  return { version: meta?.version ?? 0, digest: meta?.digest ?? '' };
}

/** The documents of an index are not of the shape this code writes and reads. */
export class IndexVersionError extends Error {
  override name = 'IndexVersionError';
}

/** @throws IndexVersionError saying what to run, unless the index holds documents of this code's version */
export function checkVersion(index: string, version: number): void {
  if (version === LISTING_DOCUMENT_VERSION) return;
  throw new IndexVersionError(
    version < LISTING_DOCUMENT_VERSION
      ? `Index ${index} holds documents of version ${version}, this code needs ${LISTING_DOCUMENT_VERSION}. Run \`npm run reindex\`; the index serves the earlier release until it is done.`
      : `Index ${index} holds documents of version ${version}, newer than this code's ${LISTING_DOCUMENT_VERSION}. Run the newer release, or go back with its \`npm run reindex -- rollback\`.`,
  );
}

/** Sets settings of an index, null for the engine's own. @param querystring such as what to do where there is none */
export async function putSettings(
  client: Client,
  index: string,
  settings: object,
  querystring: Readonly<Record<string, string>> = {},
): Promise<void> {
  await client.transport.request(
    { method: 'PUT', path: `/${index}/_settings`, querystring, body: { index: settings } },
    { requestTimeout: 30_000 },
  );
}
