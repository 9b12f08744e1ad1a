import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';

/**
 * Import rules for a part of the code. Imports within the part and from packages are always allowed. A path includes
 * all paths under it.
 */
interface Part {
  imports: readonly string[];
  /** Parts from which only types may be imported. */
  types?: readonly string[];
  /** Exceptions within the allowed paths. */
  except?: readonly string[];
}

/** Parts by folder or file. A file belongs to the part with the longest matching path. */
export type Parts = Readonly<Record<string, Part>>;

/** The floors of the service, lowest first. Files import from their own floor and lower ones, never from one at the same level. */
export const FLOORS: Readonly<Record<string, number>> = {
  domain: 0,
  queries: 1,
  stores: 2,
  ingest: 3,
  src: 3,
  site: 4,
  app: 5,
};

export interface SourceFile {
  path: string;
  text: string;
}

interface Import {
  specifier: string;
  typesOnly: boolean;
  /** By `import()`, when the code is needed. */
  onDemand: boolean;
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

function readImports(text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typesOnly: match[1] !== undefined,
    onDemand: match[3] !== undefined,
  }));
}

/** Returns all source files in folders of a project. */
export async function readSources(project: string, folders: readonly string[]): Promise<SourceFile[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(project, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && /\.(tsx?|mts|mjs)$/.test(entry.name))
        .map(({ parentPath, name }) => relative(project, join(parentPath, name)));
    }),
  );
  return Promise.all(found.flat().map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })));
}

/**
 * Resolves an import. @param aliases the `imports` of package.json. @returns a path in the project, or null for a
 * package
 */
function resolveImport(from: string, specifier: string, aliases: Readonly<Record<string, string>>): string | null {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  for (const [alias, target] of Object.entries(aliases)) {
    const prefix = alias.slice(0, -1);
    if (specifier.startsWith(prefix)) return normalize(target.slice(0, -1) + specifier.slice(prefix.length));
  }
  return null;
}

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function partOf(path: string, parts: Parts): string | undefined {
  const under = Object.keys(parts).filter((part) => isUnder(path, part));
  return under.sort((a, b) => b.length - a.length)[0];
}

/** Returns a description of every import of a floor from a higher one or one at the same level, including imports of types. */
export function findUpward(files: readonly SourceFile[], aliases: Readonly<Record<string, string>>): string[] {
  const floorOf = (path: string): string => path.split('/')[0] ?? '';
  return files.flatMap(({ path, text }) =>
    readImports(text).flatMap(({ specifier }) => {
      const target = resolveImport(path, specifier, aliases);
      const [own, other] = [floorOf(path), floorOf(target ?? path)];
      const [height, otherHeight] = [FLOORS[own], FLOORS[other]];
      if (own === other || height === undefined || otherHeight === undefined || otherHeight < height) return [];
      return [`${path} imports ${specifier}: ${own} is not above ${other}`];
    }),
  );
}

/** Returns the files that a process loads when it starts with a file, without those that it imports on demand. */
export function loadedBy(
  entry: string,
  files: readonly SourceFile[],
  aliases: Readonly<Record<string, string>>,
): Set<string> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const loaded = new Set([entry]);
  // Iterating over a set also visits items that are added during the iteration.
  for (const path of loaded)
    for (const { specifier, typesOnly, onDemand } of readImports(texts.get(path) ?? '')) {
      const target = typesOnly || onDemand ? null : resolveImport(path, specifier, aliases);
      if (target !== null) loaded.add(target);
    }
  return loaded;
}

/** Returns a description of every import that violates a rule. */
export function findViolations(
  files: readonly SourceFile[],
  parts: Parts,
  aliases: Readonly<Record<string, string>>,
): string[] {
  const violations: string[] = [];
  for (const { path, text } of files) {
    const own = partOf(path, parts);
    const rules = own === undefined ? undefined : parts[own];
    if (own === undefined || rules === undefined) {
      violations.push(`${path} lies in no part`);
      continue;
    }
    for (const { specifier, typesOnly } of readImports(text)) {
      const target = resolveImport(path, specifier, aliases);
      if (target === null) continue;
      const within = partOf(target, parts) === own;
      const near = within || dirname(target) === dirname(path);
      if (near !== specifier.startsWith('.'))
        violations.push(`${path} imports ${specifier}: ${near ? 'relative within a part' : 'by alias across parts'}`);
      if (within) continue;
      const allowed = typesOnly ? [...rules.imports, ...(rules.types ?? [])] : rules.imports;
      const lies = (folders: readonly string[] = []) => folders.some((folder) => isUnder(target, folder));
      if (!lies(allowed) || lies(rules.except))
        violations.push(`${path} imports ${specifier}: ${own} may not import ${lies(rules.types) ? 'its code' : 'it'}`);
    }
  }
  return violations;
}

/**
 * Returns the import graph, including type imports. @param nodeOf returns the node of a file: the file or its folder
 */
function readEdges(
  files: readonly SourceFile[],
  aliases: Readonly<Record<string, string>>,
  nodeOf: (path: string) => string = (path) => path,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const from = nodeOf(path);
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets);
    for (const { specifier } of readImports(text)) {
      const target = resolveImport(path, specifier, aliases);
      if (target !== null && (target === path || nodeOf(target) !== from)) targets.add(nodeOf(target));
    }
  }
  return edges;
}

/** Returns the given files and all files that import them, directly or indirectly. */
export function importersOf(
  targets: readonly string[],
  files: readonly SourceFile[],
  aliases: Readonly<Record<string, string>>,
): Set<string> {
  const edges = readEdges(files, aliases);
  const found = new Set(targets);
  // Iterating over a set also visits items that are added during the iteration.
  for (const target of found) for (const [path, imported] of edges) if (imported.has(target)) found.add(path);
  return found;
}

/** Returns circular imports between nodes, direct or indirect, one line per cycle. */
export function findCircles(
  files: readonly SourceFile[],
  aliases: Readonly<Record<string, string>>,
  nodeOf?: (path: string) => string,
): string[] {
  const edges = readEdges(files, aliases, nodeOf);
  const circles: string[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) circles.push([...trail.slice(seen), path].join(' > '));
    if (seen >= 0 || finished.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return circles;
}
