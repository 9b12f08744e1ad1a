import type { FeedRow } from '../../sources/kinds/feed-row.ts';
import { type FeedSettings, openSource, type Source, type SourceDefinition } from '../../sources/source.ts';
import dalilMashari from './dalil_mashari.ts';
import masarProjects from './masar_projects.ts';
import type { RawProject } from './raw.ts';

export type ProjectRow = FeedRow<RawProject>;

/** A source of projects has the name of the listings source with their units. */
export type ProjectSource = Source<RawProject>;

/** All project sources, sorted by name. */
const PROJECT_SOURCES: readonly SourceDefinition<RawProject>[] = [dalilMashari, masarProjects];

export const loadProjectSources = (settings: FeedSettings): ProjectSource[] =>
  PROJECT_SOURCES.filter((source) => source.isOffered(settings)).map((source) => openSource(source, settings));

/** Returns the project feed's name in reports, rejects and holds, unlike that of the source's listings feed. */
export const projectFeed = (source: string): string => `${source}/projects`;
