import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { type BulkResult, sendBulk } from '../listing-index/bulk.ts';
import { compileTemplates } from '../templates.ts';

/** Indexes that are made wholly from tables in Postgres. Their names are in `indexNames`. */
export const DERIVED = ['history', 'deals', 'transactions'] as const;
export type DerivedName = (typeof DERIVED)[number];

/** An index behind an alias, or one that is being filled to take its place. */
export interface DerivedIndex {
  /** Tells this index from any other that has had its name. */
  uuid: string;
  /** Whether it was made from the template as it is on disk. */
  current: boolean;
  /** Whether nothing is in it that a search sees. */
  empty: boolean;
}

/** A write of one document. `version` orders the writes of one id; the same one again is a success. */
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
  for (const name of DERIVED) {
    const alias = indexNames(prefix)[name];
    if ((await aliased(client, alias)) !== null) continue;
    const former = FORMER_ALIASES[name];
    const index = former === undefined ? null : await aliased(client, prefix + former);
    if (index !== null) {
      await updateAliases(client, [{ add: { index, alias } }]);
      continue;
    }
    const { taken } = await generations(client, alias);
    await create(client, `${alias}-v${taken + 1}`, alias);
  }
}

/** What is behind the alias; null where there is nothing. */
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
 * Makes the index hold what it must: the changes, where it is the one that was filled before, or everything. An empty
 * one is filled where it is; any other that is not known, or is of another template, is replaced.
 * @param filled uuid of the index that is known to hold all of the last run
 * @param write writes to the alias it is given: all documents, or those that changed
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
  return index.uuid;
}

/**
 * Fills a new index while searches see the old one, moves the alias in one call and deletes what was behind it. One
 * process at a time may, which the lock of ingest sees to.
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
  // What an interrupted attempt has left is not gone on with: it may be of another template.
  const abandoned = await aliased(client, next);
  if (abandoned !== null) await remove(client, [abandoned]);
  const { taken } = await generations(client, alias);
  const index = `${alias}-v${taken + 1}`;
  await create(client, index, next);
  await fill(next);
  await refreshDerivedIndex(client, next);
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

/** Sends writes to an alias until each is settled. @throws BulkError */
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
    // Of several processes that start at once, one creates it.
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
  // A wildcard, because asking for a missing alias by name is an error.
  const { body } = await client.transport.request({ method: 'GET', path: `/_alias/${alias}*` });
  for (const [index, { aliases }] of Object.entries(body as Record<string, { aliases: Record<string, unknown> }>)) {
    if (alias in aliases) return index;
  }
  return null;
}

/** Every index of the alias's own that exists, and the highest number among them. */
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
