import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { findJava } from '#embedded/java.mjs';
import { temporaryFolder } from '#test/temporary-folder.ts';

const INSTALL = join(import.meta.dirname, '..', '..', 'embedded', 'install.mjs');

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
});

test('java on PATH is resolved to its JDK', async (t) => {
  const root = await temporaryFolder(t);
  const home = await fakeJava(join(root, 'jdk'), '25.0.1');
  await mkdir(join(root, 'bin'));
  await symlink(join(home, 'bin', 'java'), join(root, 'bin', 'java'));
  t.is(findJava({ PATH: `/nowhere:${join(root, 'bin')}` }, []).found?.home, home);
  t.deepEqual(findJava({ PATH: '/nowhere' }, []), { seen: [] });
});

test('an install without Java and Maven names both with a remedy and without a stack trace', async (t) => {
  const root = await temporaryFolder(t);
  // Uses a copy of the project in which no distribution is found.
  const { cp } = await import('node:fs/promises');
  await cp(join(INSTALL, '..'), join(root, 'embedded'), { recursive: true });
  const script = `
    import { checkTools } from ${JSON.stringify(join(root, 'embedded', 'install', 'opensearch.mjs'))};
    await checkTools(${JSON.stringify(root)}, { PATH: '/nowhere' }, []).catch((error) => console.log(error.message));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  t.regex(stdout, /Java 21 or newer is missing.*OPENSEARCH_JAVA_HOME.*Maven \(mvn\) is missing.*OPENSEARCH_URL/s);
});

test('an install with a broken lock file reports it and exits with code 1', async (t) => {
  const root = await temporaryFolder(t);
  const { cp } = await import('node:fs/promises');
  await cp(join(INSTALL, '..'), join(root, 'embedded'), { recursive: true });
  const env = { PATH: process.env.PATH, OPENSEARCH_URL: 'http://127.0.0.1:1' } as NodeJS.ProcessEnv;
  const args = [join(root, 'embedded', 'install.mjs')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  t.is(status, 1);
  t.regex(stdout, /package-lock\.json is missing or broken/);
  t.is(stderr, '');
});

test('a zip file is extracted with its permissions, and an entry with a path outside the folder is refused', async (t) => {
  const root = await temporaryFolder(t);
  const { unzip } = (await import('#embedded/install/unzip.mjs')) as {
    unzip(file: string, folder: string): void;
  };
  await writeFile(join(root, 'good.zip'), zip('inner/run.sh', 'echo hello\n', 0o755));
  unzip(join(root, 'good.zip'), join(root, 'out'));
  t.is(await readFile(join(root, 'out', 'inner', 'run.sh'), 'utf8'), 'echo hello\n');
  t.is((await stat(join(root, 'out', 'inner', 'run.sh'))).mode & 0o700, 0o700);
  await writeFile(join(root, 'bad.zip'), zip('../escaped', 'x', 0o644));
  t.throws(() => unzip(join(root, 'bad.zip'), join(root, 'out')), { message: /leads out/ });
  const whole = await readFile(join(root, 'good.zip'));
  await writeFile(join(root, 'cut.zip'), whole.subarray(0, whole.length - 30));
  t.throws(() => unzip(join(root, 'cut.zip'), join(root, 'out')), { message: /Not a zip/ });
});

/** Creates a zip file with one uncompressed entry. */
function zip(name: string, text: string, mode: number): Buffer {
  const data = Buffer.from(text);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(data.length, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(data.length, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE((mode << 16) >>> 0, 38);
  const body = Buffer.concat([local, Buffer.from(name), data]);
  const directory = Buffer.concat([entry, Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, directory, end]);
}
