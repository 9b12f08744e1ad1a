import type { FeedSettings } from '../../sources/source.ts';
import dalilMashari from './dalil_mashari.ts';
import masarProjects from './masar_projects.ts';
import type { ProjectSource, ProjectSourceDefinition } from './source.ts';

/** Every source of projects in the code, by name. */
const PROJECT_SOURCES: readonly ProjectSourceDefinition[] = [dalilMashari, masarProjects];

/** The sources of projects whose feeds this installation has. */
export function loadProjectSources(settings: FeedSettings): ProjectSource[] {
  return PROJECT_SOURCES.filter((source) => source.isOffered(settings)).map(({ name, rows }) => ({
    name,
    rows: (context) => rows(settings, context),
  }));
}
