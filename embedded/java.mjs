import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The oldest Java that OpenSearch 3 runs on. */
export const OLDEST_JAVA = 21;

/**
 * Finds a Java for OpenSearch, in the usual order: OPENSEARCH_JAVA_HOME, JAVA_HOME, PATH, then the usual folders of JDKs.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {readonly string[]} [folders] folders with JDKs
 * @returns {{ found?: { home: string, version: number }, seen: { home: string, version: number }[] }} `seen` lists those that
 * are too old
 */
export function findJava(env, folders = usualFolders(env)) {
  const seen = [];
  for (const home of candidates(env, folders)) {
    const version = javaVersion(home);
    if (version === undefined) continue;
    if (version >= OLDEST_JAVA) return { found: { home, version }, seen };
    seen.push({ home, version });
  }
  return { seen };
}

/** @param {Readonly<Record<string, string | undefined>>} env @param {readonly string[]} folders */
function* candidates(env, folders) {
  const given = new Set();
  const once = (/** @type {string} */ home) => {
    if (!existsSync(join(home, 'bin', 'java'))) return false;
    const real = realpathSync(home);
    if (given.has(real)) return false;
    given.add(real);
    return true;
  };
  for (const home of [env.OPENSEARCH_JAVA_HOME, env.JAVA_HOME]) if (home && once(home)) yield home;
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const java = join(folder, 'java');
    if (folder === '' || !existsSync(java)) continue;
    // /usr/bin/java is a link into the JDK; the home is the folder above its bin.
    const home = dirname(dirname(realpathSync(java)));
    if (once(home)) yield home;
  }
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    const names = readdirSync(folder).sort().reverse();
    for (const name of names)
      for (const home of [join(folder, name), join(folder, name, 'Contents', 'Home')]) if (once(home)) yield home;
  }
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function usualFolders(env) {
  const home = env.HOME ?? homedir();
  return [
    '/usr/lib/jvm',
    '/usr/lib64/jvm',
    '/usr/java',
    '/opt',
    '/opt/java',
    '/usr/local',
    '/Library/Java/JavaVirtualMachines',
    '/opt/homebrew/opt',
    '/usr/local/opt',
    join(home, '.sdkman/candidates/java'),
    join(home, '.jdks'),
  ];
}

/** The feature release (8, 17, 25) that `bin/java` of a home says it is, or undefined when it does not run. */
function javaVersion(/** @type {string} */ home) {
  const { stderr } = spawnSync(join(home, 'bin', 'java'), ['-version'], { encoding: 'utf8', timeout: 15_000 });
  const match = /version "(\d+)(?:\.(\d+))?/.exec(stderr ?? '');
  if (!match) return undefined;
  // Up to Java 8 the release was the second number: 1.8.
  return Number(match[1] === '1' ? match[2] : match[1]);
}
