import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type CsvRow, csvFile } from './kinds/csv-file.ts';
import type { RowMapper } from './kinds/feed-row.ts';
import { type JsonRow, ndjsonFile } from './kinds/ndjson-file.ts';
import { type JsonPage, pagedJson } from './kinds/paged-json.ts';
import { defineSource, type FeedSettings, MAX_AGE_DAYS, type SourceDefinition } from './source.ts';

/**
 * Sources with one feed a day, which holds all ads of that day: files `feeds/<name>/<YYYY-MM-DD>.<ending>` of the data
 * folder, or pages of a host that is asked for the day. A run reads the newest feed not after its own time.
 */

interface Snapshots {
  name: string;
  /** Days that the newest feed may be old; 3 when left out. */
  maxAgeDays?: number;
}

/** CSV files, one a day. */
export function defineCsvSnapshots(
  source: Snapshots & { delimiter?: string; required: readonly string[]; map: RowMapper<CsvRow> },
): SourceDefinition {
  const { name, maxAgeDays = MAX_AGE_DAYS, ...feed } = source;
  return defineSource({
    name,
    isOffered: (settings) => existsSync(folderOf(name, settings)),
    async *rows(settings, { at, signal }) {
      return yield* csvFile({
        ...feed,
        map: withAddress(name, feed.map),
        path: await newestFile(folderOf(name, settings), '.csv', at),
        signal,
      });
    },
    snapshot: async (settings, { at }) => ({
      at: dayOfFile(await newestFile(folderOf(name, settings), '.csv', at)),
      maxAgeDays,
    }),
  });
}

/** NDJSON files, one a day. */
export function defineNdjsonSnapshots(source: Snapshots & { map: RowMapper<JsonRow> }): SourceDefinition {
  const { name, map, maxAgeDays = MAX_AGE_DAYS } = source;
  return defineSource({
    name,
    isOffered: (settings) => existsSync(folderOf(name, settings)),
    async *rows(settings, { at, signal }) {
      return yield* ndjsonFile({
        path: await newestFile(folderOf(name, settings), '.ndjson', at),
        map: withAddress(name, map),
        signal,
      });
    },
    snapshot: async (settings, { at }) => ({
      at: dayOfFile(await newestFile(folderOf(name, settings), '.ndjson', at)),
      maxAgeDays,
    }),
  });
}

/** Pages of the host, at `/feeds/<name>?day=YYYY-MM-DD&page=1`; offered where the data folder has the feed and a host is named. */
export function definePagedSnapshots(
  source: Pick<Snapshots, 'name'> & { readPage: (body: unknown, address: URL) => JsonPage; map: RowMapper<JsonRow> },
): SourceDefinition {
  const { name, ...feed } = source;
  return defineSource({
    name,
    isOffered: (settings) => settings.sampleHostUrl !== undefined && existsSync(folderOf(name, settings)),
    async *rows({ sampleHostUrl }, { at, signal }) {
      if (sampleHostUrl === undefined) throw new Error(`source "${name}" is read from a host, and none is named`);
      const url = new URL(`${sampleHostUrl.replace(/\/+$/, '')}/feeds/${name}`);
      url.searchParams.set('day', dayOf(at));
      url.searchParams.set('page', '1');
      return yield* pagedJson({ ...feed, map: withAddress(name, feed.map), url: url.href, signal });
    },
  });
}

/** Feeds may leave out the addresses of ads: sites show them under their ids. */
function withAddress<Row>(name: string, map: RowMapper<Row>): RowMapper<Row> {
  return (row) => {
    const raw = map(row);
    const id = encodeURIComponent(raw.source_listing_id);
    return raw.url ? raw : { ...raw, url: `https://${name.replaceAll('_', '-')}.example/ads/${id}` };
  };
}

function folderOf(name: string, { dataDir }: FeedSettings): string {
  return join(dataDir, 'feeds', name);
}

/** @throws when there is no such folder, or every feed in it is of a later day */
export async function newestFile(folder: string, ending: string, at: Date): Promise<string> {
  const last = dayOf(at) + ending;
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`${folder} is not there`) : error;
  });
  const files = found.filter((file) => DATED.test(file) && file.endsWith(ending) && file <= last);
  const newest = files.sort().at(-1);
  if (newest === undefined) throw new Error(`${folder} has no feed of ${dayOf(at)} or before`);
  return join(folder, newest);
}

/** Midnight of the day that a file is named after. */
function dayOfFile(path: string): Date {
  return new Date(`${basename(path).slice(0, 10)}T00:00:00Z`);
}

const DATED = /^\d{4}-\d\d-\d\d\./;

/** The UTC day. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
