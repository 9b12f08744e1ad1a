import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { prepareDerivedIndexes } from '../derived-index/index.ts';
import { compileTemplates, installTemplates } from '../templates.ts';
import { type BulkResult, type ListingOp, opLines, type RetryOptions, retrying, sendBulk } from './bulk.ts';
import {
  checkVersion,
  generationName,
  generationOf,
  type IndexState,
  listGenerations,
  nextAlias,
  putSettings,
  readMeta,
  readState,
} from './state.ts';

export { installTemplates } from '../templates.ts';
export type { BulkResult, ListingOp } from './bulk.ts';
export { BulkError } from './bulk.ts';
export { IndexVersionError } from './state.ts';

/** The live listings index, to write to. Reads go to `alias` by any client. */
export interface ListingIndex {
  alias: string;
  /** Where it lies: the indexes that are made beside it lie there too. */
  client: Client;
  prefix: string;
  /**
   * Writes a batch (1,000 to 2,000 do well, two batches at a time) and returns when every index that must have it has
   * it: during a migration that is the next one too. Ids must not repeat within a batch.
   * @throws BulkError naming the ids; IndexVersionError when a migration to another version is under way
   */
  bulk(ops: readonly ListingOp[]): Promise<BulkResult>;
  /** Makes everything written so far visible to searches. */
  refresh(): Promise<void>;
  /**
   * Runs a large load, of which searches see nothing before it is refreshed: fewer and larger segments cost the engine
   * a fifth less. The index has its refreshes back when this returns; where the process is killed, when the load is
   * taken up again and returns.
   */
  withoutRefresh<T>(load: () => Promise<T>): Promise<T>;
}

/**
 * Opens the listings index, creating the first generation and its alias when there is none (templates must be in).
 * @throws IndexVersionError when the live index is of another version than this code, saying what to run
 */
export async function openListingIndex(
  client: Client,
  prefix: string,
  options: RetryOptions = {},
): Promise<ListingIndex> {
  const alias = indexNames(prefix).listings;
  const next = nextAlias(prefix);
  const versions = new Map<string, number>();

  /** The state of the moment, once every index in it is known to be of this code's version. */
  async function checkedState(): Promise<IndexState & { live: string }> {
    const state = await readState(client, prefix, options.requestTimeout);
    if (state.live === null) throw new Error(`There is no alias ${alias}. Run \`npm start\` or \`npm run reindex\`.`);
    for (const index of [state.live, state.next]) {
      if (index === null) continue;
      const version = versions.get(index) ?? (await readMeta(client, index)).version;
      versions.set(index, version);
      checkVersion(index, version);
    }
    return state as IndexState & { live: string };
  }

  const first = await readState(client, prefix);
  if (first.live === null) await createFirst(client, prefix);
  let state = await checkedState();

  async function bulk(ops: readonly ListingOp[]): Promise<BulkResult> {
    if (ops.length === 0) return { applied: 0, stale: 0 };
    const ids = ops.map((op) => op.id);
    const lines = ops.map((op) => opLines(op));
    for (;;) {
      const used = state;
      const sent = await Promise.allSettled([
        sendBulk(client, alias, ids, lines, options),
        used.next === null ? null : sendBulk(client, next, ids, lines, options),
      ]);
      // Read after the write, not before it: whoever sets up a migration opens its scan of the old index after the
      // alias is there, so a write either is in that scan or finds the alias here and is sent again, to both.
      state = await retrying(options, checkedState);
      if (state.live !== used.live || state.next !== used.next) continue;
      for (const outcome of sent) if (outcome.status === 'rejected') throw outcome.reason;
      return (sent[0] as PromiseFulfilledResult<BulkResult>).value;
    }
  }

  return {
    alias,
    client,
    prefix,
    bulk,
    refresh: async () => {
      const { live, next: filling } = state;
      const target = filling === null ? live : `${live},${filling}`;
      await client.indices.refresh({ index: target, ignore_unavailable: true }, { requestTimeout: 60_000 });
    },
    withoutRefresh: async (load) => {
      const { live } = state;
      const interval = await retrying(options, () => refreshInterval(client, prefix, live));
      await retrying(options, () => setRefreshInterval(client, live, '-1'));
      try {
        return await load();
      } finally {
        await retrying(options, () => setRefreshInterval(client, live, interval));
      }
    },
  };
}

/** How often an index is refreshed: as it says, or as its template does where a load was killed. */
async function refreshInterval(client: Client, prefix: string, index: string): Promise<string> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${index}/_settings/index.refresh_interval`,
  });
  type Answer = Record<string, { settings: { index?: { refresh_interval?: string } } }>;
  const interval = (body as Answer)[index]?.settings.index?.refresh_interval;
  if (interval !== undefined && interval !== '-1') return interval;
  const { template } = compileTemplates(prefix).indexes.listings as unknown as {
    template: { settings: { index: { refresh_interval: string } } };
  };
  return template.settings.index.refresh_interval;
}

/** Also of an index that a migration has replaced meanwhile, and of none where it is gone. */
function setRefreshInterval(client: Client, index: string, refresh_interval: string): Promise<void> {
  return putSettings(client, index, { refresh_interval }, { ignore_unavailable: 'true' });
}

/** Creates the next free generation behind the alias; of several processes that try at once, one does. */
async function createFirst(client: Client, prefix: string): Promise<void> {
  const generations = await listGenerations(client, prefix);
  const last = generations.at(-1);
  const name = generationName(prefix, last === undefined ? 1 : (generationOf(prefix, last) as number) + 1);
  try {
    await client.transport.request(
      { method: 'PUT', path: `/${name}`, body: { aliases: { [indexNames(prefix).listings]: {} } } },
      { requestTimeout: 30_000 },
    );
  } catch (error) {
    if (!String(error).includes('resource_already_exists_exception')) throw error;
  }
}

/** Puts the templates, opens the index and sees that those beside it are there: what a start of the service does. */
export async function prepareListingIndex(client: Client, prefix: string): Promise<ListingIndex> {
  await installTemplates(client, prefix);
  await prepareDerivedIndexes(client, prefix);
  return openListingIndex(client, prefix);
}
