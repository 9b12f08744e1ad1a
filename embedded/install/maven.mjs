import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findJava } from '../java.mjs';
import { excerpt, run } from './run.mjs';
import { Problem, say } from './say.mjs';

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/**
 * Returns the folder of an engine that Maven fetched. `npm start` and `npm test` share it, because it is only read.
 * @param {string} project
 * @param {string} name
 */
export const engineFolder = (project, name) => join(project, '.data', 'engines', name);

/**
 * Fetches an engine once. The folder is renamed atomically when it is complete, so that a killed install leaves no
 * incomplete folder, and concurrent installs do not conflict.
 * @param {string} folder its destination
 * @param {string} title its name and size
 * @param {(work: string) => Promise<string>} fetch fetches into a temporary folder and returns the folder to keep
 */
export async function fetchOnce(folder, title, fetch) {
  if (existsSync(folder)) return;
  const parent = join(folder, '..');
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(join(parent, 'unpacking-'));
  try {
    say(`Fetching ${title} from Maven Central (once) ...`);
    const ready = await fetch(work);
    try {
      renameSync(ready, folder);
    } catch (error) {
      // A concurrent install completed first.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Runs a goal of Maven's dependency plugin in a folder without a pom.xml, so that the settings of a surrounding project do
 * not apply.
 * @param {string} goal
 * @param {string[]} args
 * @param {{ work: string, env: NodeJS.ProcessEnv, what: string, otherwise: string, arrived: () => boolean }} options
 */
export async function maven(goal, args, { work, env, what, otherwise, arrived }) {
  const { code, output, timedOut } = await run('mvn', ['-B', '-q', `${PLUGIN}:${goal}`, ...args], {
    cwd: work,
    env: mavenEnvironment(env),
    timeoutMs: 900_000,
    label: 'Maven',
  });
  if (code === 0 && arrived()) return;
  throw new Problem(timedOut ? 'Maven did not finish in 15 minutes.' : `Maven could not fetch ${what}:`, [
    ...excerpt(output),
    '',
    'Check that Maven Central can be reached (a proxy or mirror is set in ~/.m2/settings.xml), then run again.',
    otherwise,
  ]);
}

/**
 * Maven uses JAVA_HOME or `java` on PATH. If both are missing, JAVA_HOME is set to the Java that was found.
 * @param {NodeJS.ProcessEnv} env
 */
function mavenEnvironment(env) {
  const onPath = findJava({ PATH: env.PATH }, []);
  const { found } = findJava(env);
  if (env.JAVA_HOME || onPath.found || onPath.seen.length > 0 || !found) return env;
  return { ...env, JAVA_HOME: found.home };
}
