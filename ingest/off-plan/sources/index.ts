import type { FeedSettings } from '../../sources/source.ts';
import dalilMashari from './dalil_mashari.ts';
import masarProjects from './masar_projects.ts';
import type { ProjectSource, ProjectSourceDefinition } from './source.ts';

/** All project sources, sorted by name. */
const PROJECT_SOURCES: readonly ProjectSourceDefinition[] = [dalilMashari, masarProjects];

export function loadProjectSources(settings: FeedSettings): ProjectSource[] {
  return PROJECT_SOURCES.filter((source) => source.isOffered(settings)).map(({ name, rows }) => ({
    name,
    rows: (context) => rows(settings, context),
  }));
}
