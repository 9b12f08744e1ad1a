import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#domain/backoff.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { writeListing } from '#domain/listings/stored-form.ts';
import { messageOf } from '#domain/message-of.ts';
import { StoreError } from '#domain/store-error.ts';
import { type OpenSearch, openSearchFailure } from './opensearch-client.ts';

/** A write to one document. Versions order the writes; a write with an equal version counts as a success. */
export type ListingOp =
  | { op: 'index'; id: number; version: number; stored: StoredListing }
  | { op: 'delete'; id: number; version: number };

const ATTEMPTS = 8;
/** Timeout per attempt in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Writes with these ids were refused, or all attempts failed (`cause` is a StoreError). */
export class BulkError extends Error {
  override name = 'BulkError';
  readonly ids: number[];
  /** Reasons by id of documents refused for their content. All other writes were applied. */
  readonly refused: RejectedItems;
  constructor(
    message: string,
    ids: number[],
    { cause, refused = new Map() }: { cause?: StoreError; refused?: RejectedItems } = {},
  ) {
    super(message, { cause });
    this.ids = ids;
    this.refused = refused;
  }
}

type RejectedItems = ReadonlyMap<number, string>;

interface BulkItem {
  status: number;
  error?: { reason: string; caused_by?: { reason?: string } };
}

/** An item that the response lacks. */
const NO_RESPONSE: BulkItem = { status: 503, error: { reason: 'no answer' } };

export interface BulkWrite {
  id: number;
  lines: string;
}

/** Renders a write as lines of a bulk request. `external_gte` overwrites a document of the same version. */
export const writeLines = (
  { op, id, version }: { op: 'index' | 'delete'; id: number | string; version: number },
  json: string | null,
): string => `{"${op}":{"_id":"${id}","version":${version},"version_type":"external_gte"}}\n${json ? `${json}\n` : ''}`;

/**
 * Sends writes until each one is applied or outdated. The target must be an alias, because a bulk request to a deleted
 * index would recreate it.
 * @param refusedBefore documents refused before the request, with the reasons
 * @throws BulkError if writes are refused, which does not prevent the others, or all attempts fail
 */
export async function sendBulk(
  client: OpenSearch,
  target: string,
  writes: readonly BulkWrite[],
  refusedBefore: RejectedItems = new Map(),
): Promise<void> {
  const refused = new Map(refusedBefore);
  let pending = writes;
  let fault = '';
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    if (attempt > ATTEMPTS) {
      const failed = pending.map(({ id }) => id);
      const message = `${describe(failed)} not written to ${target} after ${ATTEMPTS} attempts: ${fault}`;
      throw new BulkError(message, failed, { cause: new StoreError('opensearch', true, fault) });
    }
    if (attempt > 1) await pause(attempt - 1);
    let items: BulkItem[] | null;
    try {
      items = await post(client, target, pending.map(({ lines }) => lines).join(''));
    } catch (error) {
      if (!openSearchFailure(error).unavailable) throw error;
      fault = messageOf(error);
      continue;
    }
    if (items === null) break;
    const retries: BulkWrite[] = [];
    const failed: number[] = [];
    let reason = '';
    for (const [position, write] of pending.entries()) {
      const { status, error } = items[position] ?? NO_RESPONSE;
      // Status 409: the index contains a newer version.
      if (error === undefined || status === 409) continue;
      const why = `${error.reason} ${error.caused_by?.reason ?? ''}`.trim();
      if (status === 429 || status === 503) {
        retries.push(write);
        fault = why;
      } else if (status === 400) refused.set(write.id, why);
      else {
        failed.push(write.id);
        reason ||= why;
      }
    }
    if (failed.length > 0) throw new BulkError(`${describe(failed)} refused by ${target}: ${reason}`, failed);
    pending = retries;
  }
  const [reason] = refused.values();
  if (reason === undefined) return;
  const ids = [...refused.keys()];
  throw new BulkError(`${describe(ids)} refused by ${target}: ${reason}`, ids, { refused });
}

/** A listing that cannot be serialized counts as refused for its content. */
export async function sendListings(client: OpenSearch, target: string, ops: readonly ListingOp[]): Promise<void> {
  const refused = new Map<number, string>();
  const writes = ops.flatMap((op) => {
    try {
      return { id: op.id, lines: writeLines(op, op.op === 'index' ? writeListing(op.stored) : null) };
    } catch (error) {
      refused.set(op.id, messageOf(error));
      return [];
    }
  });
  return sendBulk(client, target, writes, refused);
}

/** Returns null if all writes succeeded. */
async function post(client: OpenSearch, target: string, bulkBody: string): Promise<BulkItem[] | null> {
  type Answer = { errors: boolean; items: Record<string, BulkItem>[] };
  const { errors, items } = await client.send<Answer>('POST', `/${target}/_bulk`, {
    query: {
      require_alias: 'true',
      filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason,items.*.error.caused_by',
    },
    bulkBody,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // `sendBulk` implements its own retries for individual items.
    maxRetries: 0,
  });
  return errors ? items.map((item) => Object.values(item)[0] as BulkItem) : null;
}

export async function retrying<T>(run: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= attempts || !openSearchFailure(error).unavailable) throw error;
      await pause(attempt);
    }
  }
}

const pause = (failed: number): Promise<void> =>
  sleep(backoffMs({ firstMs: 100, longestMs: 5_000 }, failed, Math.random()));

function describe(ids: readonly number[]): string {
  const shown = ids.slice(0, 10).join(', ');
  return `Listing${ids.length === 1 ? '' : 's'} ${shown}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`;
}
