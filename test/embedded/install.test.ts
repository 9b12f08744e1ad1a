import { spawnSync } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from '#embedded/install/site.mjs';
import { findJava } from '#embedded/java.mjs';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const INSTALL = join(PROJECT, 'embedded', 'install.mjs');

/** Creates a JDK folder whose `java` reports the version. */
async function fakeJava(home: string, version: string): Promise<string> {
  await mkdir(join(home, 'bin'), { recursive: true });
  await writeFile(join(home, 'bin', 'java'), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
  await chmod(join(home, 'bin', 'java'), 0o755);
  return home;
}

test('older versions of Java are skipped until one is recent enough', async (t) => {
  const root = await temporaryFolder(t);
  const old = await fakeJava(join(root, 'old'), '17.0.9');
  const ancient = await fakeJava(join(root, 'ancient'), '1.8.0_392');
  await fakeJava(join(root, 'jvm', 'java-21'), '21.0.1');
  const env = { JAVA_HOME: old, PATH: join(ancient, 'bin') };
  const { found, seen } = findJava(env, [join(root, 'jvm')]);
  t.deepEqual(found, { home: join(root, 'jvm', 'java-21'), version: 21 });
  t.deepEqual(
    seen.map(({ version }) => version),
    [17, 8],
  );
  const own = await fakeJava(join(root, 'own'), '26');
  t.is(findJava({ ...env, OPENSEARCH_JAVA_HOME: own }, [join(root, 'jvm')]).found?.version, 26);
  // A link on the path is resolved to its JDK.
  await mkdir(join(root, 'bin'));
  await symlink(join(own, 'bin', 'java'), join(root, 'bin', 'java'));
  t.is(findJava({ PATH: `/nowhere:${join(root, 'bin')}` }, []).found?.home, own);
});

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
