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
  node: 'embedded/node',
  lint: 'lint',
  chromium: 'chromium',
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
  await write('engines', billOf(await mavenComponents()));
  await write('python', billOf(await pythonComponents()));
  await write('go', billOf(await goComponents()));
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

const billOf = (components: Component[]): Sbom => ({ bomFormat: 'CycloneDX', specVersion: '1.5', components });

/** Their dependencies are not pinned in this repository. */
async function mavenComponents(): Promise<Component[]> {
  const install = join(PROJECT, 'embedded', 'install');
  const [opensearch, plugin, pom] = await Promise.all(
    [join(install, 'opensearch.mjs'), join(install, 'maven.mjs'), join(PROJECT, 'embedded', 's3proxy', 'pom.xml')].map(
      (file) => readFile(file, 'utf8'),
    ),
  );
  const [, group, name] = /ARTIFACT = `([\w.-]+):([\w.-]+):/.exec(opensearch ?? '') ?? [];
  const [, version] = /VERSION = '([\d.]+)'/.exec(opensearch ?? '') ?? [];
  const [, pluginGroup, pluginName, pluginVersion] =
    /PLUGIN = '([\w.-]+):([\w.-]+):([\w.-]+)'/.exec(plugin ?? '') ?? [];
  const pinned = [
    ...(pom ?? '').matchAll(
      /<groupId>([\w.-]+)<\/groupId>\s*<artifactId>([\w.-]+)<\/artifactId>\s*<version>([\w.-]+)<\/version>\s*<(?:type|exclusions)>/g,
    ),
  ].map(([, ...coordinates]) => coordinates);
  return [[group, name, version], [pluginGroup, pluginName, pluginVersion], ...pinned].map(
    ([of, artifact, release]) => {
      if (!of || !artifact || !release) throw new Error('The version of an engine is not where the SBOM expects it.');
      const purl = `pkg:maven/${of}/${artifact}@${release}`;
      return { type: 'library', group: of, name: artifact, version: release, purl };
    },
  );
}

/** Clients are built with these. */
async function pythonComponents(): Promise<Component[]> {
  const requirements = await readFile(join(PROJECT, 'clients', 'tools', 'requirements.txt'), 'utf8');
  return requirements
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, version] = /^([\w.-]+)==([\w.]+)$/.exec(line.trim()) ?? [];
      if (!name || !version) throw new Error(`clients/tools/requirements.txt: "${line}" is not pinned.`);
      return { type: 'library', name, version, purl: `pkg:pypi/${name.toLowerCase()}@${version}` };
    });
}

/** Tests compare the document with this generator. */
async function goComponents(): Promise<Component[]> {
  const modules = await readFile(join(PROJECT, 'clients', 'tools', 'go', 'go.mod'), 'utf8');
  return [...modules.matchAll(/^\s+(\S+) (v\S+)/gm)].map(([, name = '', version = '']) => {
    return { type: 'library', name, version, purl: `pkg:golang/${name}@${version}` };
  });
}
