import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import { readRegistry, recordIntent, settleIndex } from '#postgres/index-registry.ts';
import { type DerivedName, replaceDerivedIndex } from '#search/derived-index/index.ts';
import { writeRunRecord } from '#search/listing-index/run-record.ts';
import type { Claim } from '#search/reindex/lease.ts';
import { rebuildListings } from '#search/reindex/reindex.ts';
import type { ScannedListing } from '#search/reindex/scan.ts';
import { installTemplates } from '#search/templates.ts';
import { fillDeals } from '../deals/stage.ts';
import { fillHistory } from '../history/stage.ts';
import { fillProjects } from '../off-plan/index-stage.ts';
import { withWriter } from '../postgres/writer.ts';
import type { FillContext } from '../run/context.ts';
import type { Progress } from '../run/report.ts';
import { lastRunRecord } from '../run/restore.ts';
import { readStoredListings } from './documents.ts';
import { operation, readRows } from './rows.ts';

const BATCH = 500;
const VERIFIED_AT_ONCE = 100;

/** The indexes that are made from the record of ingest. */
export const REBUILT = ['listings', 'history', 'deals', 'projects', 'developers'] as const satisfies ServedIndex[];
export type RebuiltIndex = (typeof REBUILT)[number];

export const isRebuilt = (name: ServedIndex): name is RebuiltIndex => (REBUILT as readonly string[]).includes(name);

export interface RebuildRequest {
  pool: pg.Pool;
  client: Client;
  prefix: string;
  /** For the lease of whoever moves the listings. */
  claim: Claim;
  names?: readonly RebuiltIndex[];
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** Runs while the ingest lock is held, before the first index and after the last. */
  before?: () => Promise<void>;
}

/**
 * Makes indexes equal to Postgres, whatever is in them now: each is filled beside the one that serves, verified, and takes its
 * place in one call. It makes no event: nothing has happened to the listings.
 * @returns documents by index
 * @throws IngestBusyError during a run
 */
export async function rebuildIndexes(request: RebuildRequest): Promise<Partial<Record<RebuiltIndex, number>>> {
  const { pool, client, prefix, names = REBUILT, onProgress = () => {} } = request;
  return withWriter(pool, async (writer) => {
    await installTemplates(client, prefix);
    const context: FillContext = {
      pool,
      run: await lastRun(pool),
      listingIndex: { client, prefix },
      onProgress,
      signal: request.signal ?? new AbortController().signal,
    };
    const written: Partial<Record<RebuiltIndex, number>> = {};
    for (const name of names) {
      context.signal.throwIfAborted();
      const intend = (next: { mark: string; documents: number }): Promise<void> => {
        settled.mark = next.mark;
        return recordIntent(pool, name, next);
      };
      const settled = { mark: '' };
      const { documents } =
        name === 'listings'
          ? await fillListings(context, request.claim, intend)
          : await replaceDerivedIndex(client, prefix, name, intend, (alias) => fillDerived(context, name, alias));
      const { source } = (await readRegistry(pool)).get(name) ?? { source: { version: context.run.id } };
      await writer.transaction(
        (db) => settleIndex(db, name, { mark: settled.mark, documents, holds: source.version }),
        { durable: true },
      );
      written[name] = documents;
    }
    return written;
  });
}

/** What the documents that runs write next must be newer than. */
async function lastRun(pool: pg.Pool): Promise<FillContext['run']> {
  const { rows } = await pool.query<FillContext['run']>('select id, at from ingest_runs order by id desc limit 1');
  return rows[0] ?? { id: 0, at: new Date(0) };
}

function fillDerived(context: FillContext, name: Exclude<RebuiltIndex, 'listings'> & DerivedName, alias: string) {
  if (name === 'history') return fillHistory(context, alias);
  if (name === 'deals') return fillDeals(context, alias);
  return fillProjects(context, name, alias);
}

async function fillListings(
  { pool, listingIndex: { client, prefix }, onProgress, signal }: FillContext,
  claim: Claim,
  intend: (next: { mark: string; documents: number }) => Promise<void>,
): Promise<{ documents: number }> {
  const rebuilt = await rebuildListings(client, prefix, claim, {
    intend,
    fill: async (write) => {
      let written = 0;
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const rows = await readRows(pool, 'served', { after, limit: BATCH });
        const last = rows.at(-1)?.id;
        if (last === undefined) return written;
        // The source's state says when a listing was last confirmed; this is the earliest it can be.
        const ops = rows.flatMap((row) => operation(row, row.firstSeen) ?? []);
        await write(ops);
        after = last;
        written += ops.length;
        onProgress({ stage: 'index', source: null, done: written, total: null });
      }
    },
    verify: (documents) => verifyListings(pool, documents),
  });
  const record = await lastRunRecord(pool);
  if (record !== null) await writeRunRecord(client, prefix, record);
  return rebuilt;
}

/** @throws Error naming listings whose documents are not what Postgres has */
async function verifyListings(pool: pg.Pool, documents: readonly ScannedListing[]): Promise<void> {
  const different: number[] = [];
  for (const part of chunks(documents, VERIFIED_AT_ONCE)) {
    const stored = await readStoredListings(
      pool,
      part.map(({ id }) => id),
    );
    for (const document of part) {
      const expected = stored.get(document.id);
      // By JSON, in which an undefined key and a missing one are the same.
      if (!expected || !isDeepStrictEqual(JSON.parse(JSON.stringify(expected)), document.stored)) different.push(document.id);
    }
  }
  if (different.length > 0)
    throw new Error(`Listings ${different.slice(0, 10).join(', ')} differ from Postgres in the new index, which does not serve.`);
}

/** All served indexes, for messages and options. */
export const ALL_INDEXES: readonly ServedIndex[] = SERVED_INDEXES;
