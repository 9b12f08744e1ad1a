import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { type BulkResult, sendBulk } from '../listing-index/bulk.ts';
import { mergeFilled, mergeIndex } from '../segments.ts';
import { compileTemplates } from '../templates.ts';

/** Indexes that are made wholly from tables in Postgres. Their names are in `indexNames`. */
export const DERIVED = ['history', 'deals', 'transactions', 'projects', 'developers', 'webhooks'] as const;
export type DerivedName = (typeof DERIVED)[number];

/** The index behind an alias. */
export interface DerivedIndex {
  /** Differs from that of any other index that has had this name. */
  uuid: string;
  /** Whether it was made from the template as it is on disk. */
  current: boolean;
  /** Whether searches find nothing in it. */
  empty: boolean;
}

/** A write of one document. Versions order the writes of a document; the same version again is a success. */
export type DerivedOp =
  | { op: 'index'; id: string; listing: number; version: number; json: string }
  | { op: 'delete'; id: string; listing: number; version: number };

const nextAlias = (alias: string): string => `${alias}-next`;

/** Aliases of earlier releases. */
const FORMER_ALIASES: Partial<Record<DerivedName, string>> = { history: 'listing-months' };

/**
 * Sees that there is an index behind each alias, so that it can be asked: the one of an earlier release, which serves
 * until the next run has filled a new one, or an empty one. Templates must be in.
 */
export async function prepareDerivedIndexes(client: Client, prefix: string): Promise<void> {
  await Promise.all(DERIVED.map((name) => prepareDerivedIndex(client, prefix, name)));
}

async function prepareDerivedIndex(client: Client, prefix: string, name: DerivedName): Promise<void> {
  const alias = indexNames(prefix)[name];
  if ((await aliased(client, alias)) !== null) return;
  const former = FORMER_ALIASES[name];
  const index = former === undefined ? null : await aliased(client, prefix + former);
  if (index !== null) {
    await updateAliases(client, [{ add: { index, alias } }]);
    return;
  }
  const { taken } = await generations(client, alias);
  await create(client, `${alias}-v${taken + 1}`, alias);
}

/** The index behind the alias; null when there is none. */
async function openDerivedIndex(client: Client, prefix: string, name: DerivedName): Promise<DerivedIndex | null> {
  const index = await aliased(client, indexNames(prefix)[name]);
  if (index === null) return null;
  const { body } = await client.transport.request({ method: 'GET', path: `/${index}` });
  const { mappings, settings } = (body as Record<string, IndexDescription>)[index] as IndexDescription;
  const { body: count } = await client.transport.request({ method: 'GET', path: `/${index}/_count` });
  const { template } = compileTemplates(prefix).indexes[name] as unknown as { template: IndexDescription };
  return {
    uuid: settings.index.uuid,
    current: mappings._meta?.digest === template.mappings._meta?.digest,
    empty: (count as { count: number }).count === 0,
  };
}

interface IndexDescription {
  mappings: { _meta?: { digest?: string } };
  settings: { index: { uuid: string } };
}

/**
 * Brings the index up to its table: by the changes, if it is the index that was filled before, otherwise by everything. An
 * empty index is filled, and searches see what is in it by then; one that is not known, or was made from another template, is replaced.
 * @param filled uuid of the index that is known to hold everything up to the last run
 * @param write writes all documents, or those that changed, to the alias it is given
 * @returns uuid of the index that is behind the alias now
 */
export async function syncDerivedIndex(
  client: Client,
  prefix: string,
  name: DerivedName,
  filled: string | null,
  write: (alias: string, which: 'all' | 'changed') => Promise<unknown>,
): Promise<string> {
  const index = await openDerivedIndex(client, prefix, name);
  const known = index?.uuid === filled;
  if (!index?.current || !(known || index.empty)) {
    return replaceDerivedIndex(client, prefix, name, (target) => write(target, 'all'));
  }
  const alias = indexNames(prefix)[name];
  await write(alias, known ? 'changed' : 'all');
  await refreshDerivedIndex(client, alias);
  if (!known) await mergeFilled(client, alias);
  return index.uuid;
}

/**
 * Fills a new index while searches use the old one, then moves the alias and deletes the old index in one call. The ingest
 * lock sees to it that only one process does.
 * @param fill writes every document to the alias it is given
 * @returns the uuid of the index that is now behind the alias
 */
async function replaceDerivedIndex(
  client: Client,
  prefix: string,
  name: DerivedName,
  fill: (alias: string) => Promise<unknown>,
): Promise<string> {
  const alias = indexNames(prefix)[name];
  const next = nextAlias(alias);
  // The index of an interrupted attempt is not used: it may be made from another template.
  const abandoned = await aliased(client, next);
  if (abandoned !== null) await remove(client, [abandoned]);
  const { taken } = await generations(client, alias);
  const index = `${alias}-v${taken + 1}`;
  await create(client, index, next);
  await fill(next);
  await refreshDerivedIndex(client, next);
  await mergeFilled(client, next);
  const { all } = await generations(client, alias);
  const served = await aliased(client, alias);
  const replaced = new Set(served === null ? all : [...all, served]);
  replaced.delete(index);
  await updateAliases(client, [
    { remove: { index, alias: next } },
    { add: { index, alias } },
    ...[...replaced].map((other) => ({ remove_index: { index: other } })),
  ]);
  const opened = await openDerivedIndex(client, prefix, name);
  if (opened === null) throw new Error(`${alias} is gone`);
  return opened.uuid;
}

/** Sends writes to an alias until each is applied or stale. @throws BulkError */
export function writeDerivedIndex(client: Client, alias: string, ops: readonly DerivedOp[]): Promise<BulkResult> {
  const lines = ops.map((op) => {
    const meta = `{"${op.op}":{"_id":"${op.id}","version":${op.version},"version_type":"external_gte"}}\n`;
    return op.op === 'index' ? `${meta}${op.json}\n` : meta;
  });
  return sendBulk(
    client,
    alias,
    ops.map(({ listing }) => listing),
    lines,
  );
}

/** Makes everything written so far visible to searches. */
export async function refreshDerivedIndex(client: Client, alias: string): Promise<void> {
  await client.transport.request({ method: 'POST', path: `/${alias}/_refresh` }, { requestTimeout: 60_000 });
}

/** Puts all of an index into one segment, for one that changes a few times a year, and waits for it. */
export function mergeDerivedIndex(client: Client, prefix: string, name: DerivedName): Promise<void> {
  return mergeIndex(client, indexNames(prefix)[name]);
}

/**
 * Gives searches through the alias a filter, or takes it away, in one call: a search sees what it lets through before
 * the call or after it, and nothing in between. Writes are not filtered.
 */
export async function filterDerivedAlias(
  client: Client,
  prefix: string,
  name: DerivedName,
  filter: object | null,
): Promise<void> {
  const alias = indexNames(prefix)[name];
  const index = await aliased(client, alias);
  if (index === null) throw new Error(`${alias} is gone`);
  const add = { index, alias, ...(filter === null ? {} : { filter }) };
  await client.transport.request(
    { method: 'POST', path: '/_aliases', body: { actions: [{ add }] } },
    { requestTimeout: 30_000 },
  );
}

/** Deletes what a query finds, whether or not the alias shows it. */
export async function deleteFromDerivedIndex(
  client: Client,
  prefix: string,
  name: DerivedName,
  query: object,
): Promise<void> {
  const index = await aliased(client, indexNames(prefix)[name]);
  if (index === null) return;
  // What is not visible yet is not found.
  await refreshDerivedIndex(client, index);
  await client.transport.request(
    {
      method: 'POST',
      path: `/${index}/_delete_by_query`,
      querystring: { refresh: 'true', conflicts: 'proceed', scroll_size: '5000' },
      body: { query },
    },
    { requestTimeout: 600_000, maxRetries: 0 },
  );
}

async function create(client: Client, index: string, alias: string): Promise<void> {
  try {
    await client.transport.request(
      { method: 'PUT', path: `/${index}`, body: { aliases: { [alias]: {} } } },
      { requestTimeout: 30_000 },
    );
  } catch (error) {
    // Of several processes that start at once, one creates the index.
    if (!String(error).includes('resource_already_exists_exception')) throw error;
  }
}

async function updateAliases(client: Client, actions: object[]): Promise<void> {
  await client.transport.request({ method: 'POST', path: '/_aliases', body: { actions } }, { requestTimeout: 30_000 });
}

async function remove(client: Client, indexes: readonly string[]): Promise<void> {
  await client.transport.request(
    { method: 'DELETE', path: `/${indexes.join(',')}`, querystring: { ignore_unavailable: 'true' } },
    { requestTimeout: 30_000 },
  );
}

/** The index behind an alias. */
async function aliased(client: Client, alias: string): Promise<string | null> {
  // A wildcard, because a request for a missing alias fails.
  const { body } = await client.transport.request({ method: 'GET', path: `/_alias/${alias}*` });
  for (const [index, { aliases }] of Object.entries(body as Record<string, { aliases: Record<string, unknown> }>)) {
    if (alias in aliases) return index;
  }
  return null;
}

/** All indexes that are named after the alias, and the highest number among them. */
async function generations(client: Client, alias: string): Promise<{ all: string[]; taken: number }> {
  const stem = `${alias}-v`;
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${stem}*`,
    querystring: { filter_path: '*.settings.index.uuid' },
  });
  const all = Object.keys((body ?? {}) as Record<string, unknown>).filter((name) =>
    /^\d+$/.test(name.slice(stem.length)),
  );
  return { all, taken: Math.max(0, ...all.map((name) => Number(name.slice(stem.length)))) };
}
