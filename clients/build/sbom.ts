// Software bills of materials in CycloneDX JSON, from lock files and pinned versions.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PROJECT = join(import.meta.dirname, '..', '..');
const SBOM_LIMIT = 180_000;
const MAX_SBOM_BYTES = 64 * 1024 * 1024;

/** Folders with a package-lock.json, by the name of the bill. */
export const LOCKED: Readonly<Record<string, string>> = {
  service: '.',
  'client-tools': 'clients/tools',
  'client-generators': 'clients/tools/generators',
  node: 'embedded/node',
  lint: 'tools/lint',
  chromium: 'tools/chromium',
};

interface Component {
  type: 'library';
  name: string;
  version: string;
  purl: string;
  group?: string;
}

export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: string;
  components: Component[];
}

/**
 * @returns the number of components by file name
 * @throws Error if a package of a lock file is missing
 */
export async function writeSboms(folder: string): Promise<Record<string, number>> {
  await mkdir(folder, { recursive: true });
  const counts: Record<string, number> = {};
  const write = async (name: string, sbom: Sbom): Promise<void> => {
    await writeFile(join(folder, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 1)}\n`);
    counts[`${name}.cdx.json`] = sbom.components.length;
  };
  for (const [name, locked] of Object.entries(LOCKED)) {
    const sbom = await npmSbom(join(PROJECT, locked), name);
    const missing = await missingPackages(join(PROJECT, locked), sbom);
    if (missing.length > 0) throw new Error(`The SBOM of ${locked} lacks ${missing.join(', ')}.`);
    await write(name, sbom);
  }
  for (const [name, sources] of Object.entries(PINNED)) {
    const components = (await Promise.all(sources.map(pinnedComponents))).flat();
    await write(name, { bomFormat: 'CycloneDX', specVersion: '1.5', components });
  }
  return counts;
}

/** npm requires a name and a version of the root. */
async function npmSbom(folder: string, name: string): Promise<Sbom> {
  const work = await mkdtemp(join(tmpdir(), 'sbom-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      const content = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
        packages?: Record<string, object>;
      };
      const root = { name, version: '1.0.0' };
      const packages = content.packages && {
        packages: { ...content.packages, '': { ...root, ...content.packages[''] } },
      };
      await writeFile(join(work, file), JSON.stringify({ ...root, ...content, ...packages }));
    }
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline'];
    // Packages of development are marked.
    const env = { ...process.env, NODE_ENV: '' };
    const { stdout } = await run('npm', args, { cwd: work, env, timeout: SBOM_LIMIT, maxBuffer: MAX_SBOM_BYTES });
    return JSON.parse(stdout) as Sbom;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** As `name@version`. */
async function missingPackages(folder: string, { components }: Sbom): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version?: string }>;
  };
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`)
    .filter((each) => !listed.has(each));
}

type Source = readonly [file: string, coordinates: RegExp, type: 'maven' | 'pypi' | 'golang'];

/** Packages without a package-lock.json, by the name of the bill. The dependencies of engines are not pinned. */
const PINNED: Readonly<Record<string, readonly Source[]>> = {
  engines: [
    [
      'embedded/install/opensearch.mjs',
      /VERSION = '(?<version>[\d.]+)';\nconst ARTIFACT = `(?<group>[\w.-]+):(?<name>[\w.-]+):/g,
      'maven',
    ],
    ['embedded/install/maven.mjs', /PLUGIN = '(?<group>[\w.-]+):(?<name>[\w.-]+):(?<version>[\w.-]+)'/g, 'maven'],
    [
      'embedded/s3proxy/pom.xml',
      /<groupId>(?<group>[\w.-]+)<\/groupId>\s*<artifactId>(?<name>[\w.-]+)<\/artifactId>\s*<version>(?<version>[\w.-]+)<\/version>\s*<(?:type|exclusions)>/g,
      'maven',
    ],
  ],
  python: ['clients/tools/requirements.txt', 'clients/tools/generators/requirements.txt'].map(
    (file): Source => [file, /^(?<name>[^#\s=]+)(?:==(?<version>[\w.]+))?/gm, 'pypi'],
  ),
  // Of the generators that tests compare the document with.
  go: ['clients/tools/go/go.mod', 'clients/tools/generators/ogen/go.mod'].map(
    (file): Source => [file, /^\s+(?<name>\S+) (?<version>v\S+)/gm, 'golang'],
  ),
};

async function pinnedComponents([file, coordinates, type]: Source): Promise<Component[]> {
  const found = [...(await readFile(join(PROJECT, file), 'utf8')).matchAll(coordinates)];
  if (found.length === 0) throw new Error(`${file} pins no version where the SBOM expects it.`);
  return found.map(({ groups: { group, name = '', version } = {} }) => {
    if (version === undefined) throw new Error(`${file}: "${name}" is not pinned.`);
    const path = [group ?? [], type === 'pypi' ? name.toLowerCase() : name].flat().join('/');
    return { type: 'library', ...(group && { group }), name, version, purl: `pkg:${type}/${path}@${version}` };
  });
}
