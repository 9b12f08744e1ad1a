import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The oldest Java version that OpenSearch 3 supports. */
export const OLDEST_JAVA = 21;

/**
 * Finds a Java for OpenSearch in OPENSEARCH_JAVA_HOME, JAVA_HOME, PATH and the usual JDK folders, in this order.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {readonly string[]} [folders] folders with JDKs
 * @returns {{ found?: { home: string, version: number }, seen: { home: string, version: number }[] }} `seen` lists versions
 * that are too old
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
    // /usr/bin/java links to `bin/java` in the home of the JDK.
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

/** Returns the feature release (8, 17, 25) of a Java home, as printed by `bin/java`. Undefined if it does not run. */
function javaVersion(/** @type {string} */ home) {
  const { stderr } = spawnSync(join(home, 'bin', 'java'), ['-version'], { encoding: 'utf8', timeout: 15_000 });
  const match = /version "(\d+)(?:\.(\d+))?/.exec(stderr ?? '');
  if (!match) return undefined;
  // Up to Java 8, the feature release was the second number, for example 1.8.
  return Number(match[1] === '1' ? match[2] : match[1]);
}
