import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findJava, OLDEST_JAVA } from '../java.mjs';
import { excerpt, run } from './run.mjs';
import { Problem, say } from './say.mjs';
import { unzip } from './unzip.mjs';

const VERSION = '3.8.0';
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const NO_OWN_SERVER = 'Or set OPENSEARCH_URL to an OpenSearch 3 server of your own.';

/**
 * Where the unpacked distribution lies. `npm start` and `npm test` share it: it is only read.
 * @param {string} project
 */
export const distributionFolder = (project) => join(project, '.data', 'engines', `opensearch-${VERSION}`);

/**
 * Says what is missing of Java and Maven, all at once and before anything slow is done.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [folders] where JDKs lie, for tests
 */
export async function checkTools(project, env, folders) {
  const missing = [];
  const { found, seen } = findJava(env, folders);
  if (!found) {
    const others = seen.map(({ home, version }) => `Java ${version} in ${home}`).join(', ');
    missing.push(`Java ${OLDEST_JAVA} or newer is missing; OpenSearch ${VERSION} runs on it.`);
    missing.push(others === '' ? '  No Java was found.' : `  Found, but too old: ${others}.`);
    missing.push('  Install a JDK or JRE of 21 or newer (Debian, Ubuntu: apt-get install openjdk-21-jre-headless),');
    missing.push('  or set OPENSEARCH_JAVA_HOME to the folder of one that is there.');
  }
  if (!existsSync(distributionFolder(project))) {
    const { missing: absent } = await run('mvn', ['--version'], { env, timeoutMs: 60_000 });
    if (absent) {
      missing.push('Maven (mvn) is missing; it fetches OpenSearch from Maven Central.');
      missing.push('  Install it (Debian, Ubuntu: apt-get install maven) and see that mvn is on PATH.');
    }
  }
  if (missing.length > 0) throw new Problem([...missing, NO_OWN_SERVER].join('\n'));
  return found;
}

/**
 * Fetches and unpacks OpenSearch, once. It appears under its name in one step, so that an install that was
 * killed leaves nothing half done, and two at once do no harm.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
export async function installOpenSearch(project, env) {
  const folder = distributionFolder(project);
  if (existsSync(folder)) return;
  const java = await checkTools(project, env);
  const parent = join(project, '.data', 'engines');
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(join(parent, 'unpacking-'));
  try {
    say(`Fetching OpenSearch ${VERSION} from Maven Central (about 75 MB, once) ...`);
    const zip = await fetchZip(work, mavenEnvironment(env, java));
    unzip(zip, join(work, 'unpacked'));
    try {
      renameSync(join(work, 'unpacked', `opensearch-${VERSION}`), folder);
    } catch (error) {
      // Another install was faster.
      if (!existsSync(folder)) throw error;
    }
    say(`OpenSearch ${VERSION} is unpacked.`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Maven starts by JAVA_HOME, or else by `java` on PATH; only without both it is given the Java that we found.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ home: string } | undefined} java
 */
function mavenEnvironment(env, java) {
  const onPath = findJava({ PATH: env.PATH }, []);
  if (env.JAVA_HOME || onPath.found || onPath.seen.length > 0 || !java) return env;
  return { ...env, JAVA_HOME: java.home };
}

/** @param {string} work @param {NodeJS.ProcessEnv} env */
async function fetchZip(work, env) {
  const args = ['-B', '-q', COPY, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${work}`];
  // Run where no pom.xml lies: the settings of a project around us are not wanted.
  const { code, output, timedOut } = await run('mvn', args, { cwd: work, env, timeoutMs: 900_000, label: 'Maven' });
  const zip = readdirSync(work).find((name) => name.endsWith('.zip'));
  if (code === 0 && zip) return join(work, zip);
  throw new Problem(timedOut ? 'Maven did not finish in 15 minutes.' : 'Maven could not fetch OpenSearch:', [
    ...excerpt(output),
    '',
    'Check that Maven Central can be reached (a proxy or mirror is set in ~/.m2/settings.xml), then run again.',
    NO_OWN_SERVER,
  ]);
}
