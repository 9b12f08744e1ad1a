import { existsSync, readdirSync } from 'node:fs';
import { type FeedSettings, openSource, type Source, type SourceDefinition } from './sources/source.ts';

/** Filters and commands list names, separated by commas. */
const NAME = /^[\w-]+$/;

const HERE = new URL('./sources/', import.meta.url);

/**
 * Sorted by name: the sources of the settings, and every folder in `sources` with a `source.ts`, if they have a feed.
 * @param expected names of sources whose missing feed is a failure of the run
 */
export async function loadSources(
  settings: FeedSettings,
  expected: ReadonlySet<string> = new Set(),
): Promise<Source[]> {
  const sources = new Map<string, Source>();
  for (const definition of [...(settings.sources ?? []), ...(await definitions())]) {
    if (sources.has(definition.name)) throw new Error(`two sources have the name "${definition.name}"`);
    if (!definition.isOffered(settings) && !expected.has(definition.name)) continue;
    sources.set(definition.name, openSource(definition, settings));
  }
  return [...sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** With or without a feed in this installation. */
export async function definitions(): Promise<SourceDefinition[]> {
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found: SourceDefinition[] = [];
  for (const { name } of folders) {
    const file = new URL(`${name}/source.ts`, HERE);
    if (!existsSync(file)) continue;
    const { default: definition } = (await import(file.href)) as { default?: SourceDefinition };
    const path = `ingest/sources/${name}/source.ts`;
    if (definition?.rows === undefined)
      throw new Error(`${path} exports no source. Write \`export default\` before it, as docs/how-to/source.md does`);
    if (!NAME.test(definition.name))
      throw new Error(`${path}: the name "${definition.name}" must consist of Latin letters, digits, _ and -`);
    found.push({ module: file.href, ...definition });
  }
  return found;
}
