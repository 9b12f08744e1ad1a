import { type CsvFile, csvFile } from '../../sources/kinds/csv-file.ts';
import type { FeedRow } from '../../sources/kinds/feed-row.ts';
import { type NdjsonFile, ndjsonFile } from '../../sources/kinds/ndjson-file.ts';
import { dailyFiles } from '../../sources/snapshots.ts';
import type { FeedRows, FeedSettings, FetchContext } from '../../sources/source.ts';
import type { RawProject } from './raw.ts';

export type ProjectRow = FeedRow<RawProject>;

/** A project source. If a listings source has units in these projects, both sources have the same name. */
export interface ProjectSource {
  name: string;
  /** Streams the whole feed as of `at`, and returns how the feed ended. @throws if the feed cannot be read */
  rows(context: FetchContext): FeedRows<ProjectRow>;
}

export interface ProjectSourceDefinition {
  name: string;
  isOffered(settings: FeedSettings): boolean;
  rows(settings: FeedSettings, context: FetchContext): FeedRows<ProjectRow>;
}

/** Returns the project feed's name in reports, rejects and holds, unlike that of the source's listings feed. */
export const projectFeed = (source: string): string => `${source}/projects`;

/** Defines a source with daily NDJSON files: `project-feeds/<name>/<YYYY-MM-DD>.ndjson` in the data folder. */
export function defineNdjsonProjects({
  name,
  map,
}: Named<Pick<NdjsonFile<RawProject>, 'map'>>): ProjectSourceDefinition {
  return dailyFiles(name, 'project-feeds', 'ndjson', (file) => ndjsonFile({ ...file, map }));
}

export function defineCsvProjects({
  name,
  ...feed
}: Named<Omit<CsvFile<RawProject>, 'path' | 'signal'>>): ProjectSourceDefinition {
  return dailyFiles(name, 'project-feeds', 'csv', (file) => csvFile({ ...feed, ...file }));
}

type Named<Feed> = Feed & { name: string };
