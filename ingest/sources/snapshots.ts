import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FeedReader } from './kinds/feed-row.ts';
import { type FeedSettings, type FetchContext, MAX_AGE_DAYS } from './source.ts';

/**
 * Files `<folder>/<name>/<YYYY-MM-DD>.<ending>` contain all ads of their day. A run reads the newest that is not later
 * than its own time. The source is offered if its folder exists.
 */
export function dailyFiles<Raw>(
  name: string,
  folder: 'feeds' | 'project-feeds',
  ending: 'csv' | 'ndjson',
  read: FeedReader<Raw>,
) {
  const newest = ({ dataDir }: FeedSettings, at: Date) => newestFile(join(dataDir, folder, name), `.${ending}`, at);
  return {
    name,
    isOffered: ({ dataDir }: FeedSettings) => existsSync(join(dataDir, folder, name)),
    async *rows(settings: FeedSettings, { at, ...file }: FetchContext) {
      return yield* read({ path: await newest(settings, at), ...file });
    },
    readFile: read,
    layout: read.layout,
    snapshot: async (settings: FeedSettings, { at }: FetchContext) => ({
      at: new Date(`${basename(await newest(settings, at)).slice(0, 10)}T00:00:00Z`),
      maxAgeDays: MAX_AGE_DAYS,
    }),
  };
}

/** @throws if there is no feed up to the day */
async function newestFile(folder: string, ending: string, at: Date): Promise<string> {
  const last = dayOf(at) + ending;
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`${folder} does not exist`) : error;
  });
  const files = found.filter((file) => DATED.test(file) && file.endsWith(ending) && file <= last);
  const newest = files.sort().at(-1);
  if (newest === undefined) throw new Error(`${folder} has no feed of ${dayOf(at)} or before`);
  return join(folder, newest);
}

const DATED = /^\d{4}-\d\d-\d\d\./;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
