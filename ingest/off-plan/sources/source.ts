import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CsvRow, csvFile } from '../../sources/kinds/csv-file.ts';
import type { RowMapper } from '../../sources/kinds/feed-row.ts';
import { type JsonRow, ndjsonFile } from '../../sources/kinds/ndjson-file.ts';
import { newestFile } from '../../sources/snapshots.ts';
import type { FeedRow, FeedSettings, FetchContext } from '../../sources/source.ts';
import type { RawProject } from '../raw.ts';

export type ProjectRow = FeedRow<RawProject>;

/** A source of projects. Its name is that of the source of listings whose units refer to its projects, if there is one. */
export interface ProjectSource {
  name: string;
  /** Streams the whole feed as of `at`. @throws on a feed that cannot be read */
  rows(context: FetchContext): AsyncIterable<ProjectRow>;
}

export interface ProjectSourceDefinition {
  name: string;
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): AsyncIterable<ProjectRow>;
}

/** What a feed of projects is called in reports, rejects and holds, apart from the source's feed of listings. */
export const projectFeed = (source: string): string => `${source}/projects`;

/** NDJSON files, one a day: `project-feeds/<name>/<YYYY-MM-DD>.ndjson` of the data folder. */
export function defineNdjsonProjects(source: {
  name: string;
  map: RowMapper<JsonRow, RawProject>;
}): ProjectSourceDefinition {
  const { name, map } = source;
  return {
    name,
    isOffered: (settings) => existsSync(folderOf(name, settings)),
    async *rows(settings, { at, signal }) {
      yield* ndjsonFile({ path: await newestFile(folderOf(name, settings), '.ndjson', at), map, signal });
    },
  };
}

/** CSV files, one a day. */
export function defineCsvProjects(source: {
  name: string;
  delimiter?: string;
  required: readonly string[];
  map: RowMapper<CsvRow, RawProject>;
}): ProjectSourceDefinition {
  const { name, ...feed } = source;
  return {
    name,
    isOffered: (settings) => existsSync(folderOf(name, settings)),
    async *rows(settings, { at, signal }) {
      yield* csvFile({ ...feed, path: await newestFile(folderOf(name, settings), '.csv', at), signal });
    },
  };
}

function folderOf(name: string, { dataDir }: FeedSettings): string {
  return join(dataDir, 'project-feeds', name);
}
