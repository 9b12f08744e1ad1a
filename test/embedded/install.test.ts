import { spawnSync } from 'node:child_process';
import { appendFile, cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from '#embedded/install/site.mjs';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const INSTALL = join(PROJECT, 'embedded', 'install.mjs');

test('an install with a broken lock file reports it and exits with code 1', async (t) => {
  const root = await temporaryFolder(t);
  await cp(join(INSTALL, '..'), join(root, 'embedded'), { recursive: true });
  const env = { PATH: process.env.PATH, OPENSEARCH_URL: 'http://127.0.0.1:1' } as NodeJS.ProcessEnv;
  const args = [join(root, 'embedded', 'install.mjs')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  t.is(status, 1);
  t.regex(stdout, /package-lock\.json is missing or broken/);
  t.is(stderr, '');
});

test('the site is built again after a change of a file that its scripts import, and otherwise kept', async (t) => {
  const root = await temporaryFolder(t);
  for (const part of ['package.json', 'package-lock.json', 'embedded/install', 'site', 'src'])
    await cp(join(PROJECT, part), join(root, part), {
      recursive: true,
      filter: (path) => !path.includes('/site/dist'),
    });
  await symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  const read = (name: string) => readFile(join(root, 'site', 'dist', name), 'utf8');
  const mark = join(root, 'site', 'dist', 'mark');
  await buildSite(root);
  await writeFile(mark, '');
  await buildSite(root);
  t.is(await read('mark'), '', 'an unchanged site is kept');

  const before = JSON.parse(await read('manifest.json'));
  await appendFile(join(root, 'src/domain/geography/shapes.ts'), '\nconsole.log("changed");\n');
  await buildSite(root);
  const after = JSON.parse(await read('manifest.json'));
  t.not(after['explorer.js'].file, before['explorer.js'].file);
  t.is(after['site.js'].file, before['site.js'].file);
});
