import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { findJava, OLDEST_JAVA } from '../java.mjs';
import { engineFolder, fetchOnce, maven } from './maven.mjs';
import { run } from './run.mjs';
import { s3ProxyFolder } from './s3proxy.mjs';
import { Problem } from './say.mjs';

const VERSION = '3.8.0';
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`;
const NO_OWN_SERVER = 'Or set OPENSEARCH_URL to an OpenSearch 3 server of your own (and S3_ENDPOINT to an S3 server).';

/** Returns the folder of the unpacked distribution. @param {string} project */
export const distributionFolder = (project) => engineFolder(project, `opensearch-${VERSION}`);

/**
 * Reports missing Java and Maven together, before any slow step.
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [folders] folders with JDKs, for tests
 * @throws Problem
 */
export async function checkTools(project, env, folders) {
  const missing = [];
  const { found, seen } = findJava(env, folders);
  if (!found) {
    const others = seen.map(({ home, version }) => `Java ${version} in ${home}`).join(', ');
    missing.push(`Java ${OLDEST_JAVA} or newer is missing; OpenSearch ${VERSION} and the S3 server run on it.`);
    missing.push(others === '' ? '  No Java was found.' : `  Found, but too old: ${others}.`);
    missing.push('  Install a JDK or JRE of 21 or newer (Debian, Ubuntu: apt-get install openjdk-21-jre-headless),');
    missing.push('  or set OPENSEARCH_JAVA_HOME to the folder of one that is there.');
  }
  if (![distributionFolder(project), s3ProxyFolder(project)].every((folder) => existsSync(folder))) {
    const { missing: absent } = await run('mvn', ['--version'], { env, timeoutMs: 60_000 });
    if (absent) {
      missing.push('Maven (mvn) is missing; it fetches OpenSearch and the S3 server from Maven Central.');
      missing.push('  Install it (Debian, Ubuntu: apt-get install maven) and see that mvn is on PATH.');
    }
  }
  if (missing.length > 0) throw new Problem([...missing, NO_OWN_SERVER].join('\n'));
}

/**
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
export async function installOpenSearch(project, env) {
  await fetchOnce(distributionFolder(project), `OpenSearch ${VERSION}, 75 MB,`, async (work) => {
    const home = join(work, `opensearch-${VERSION}`);
    await maven('unpack', [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${work}`], {
      work,
      env,
      what: 'OpenSearch',
      otherwise: NO_OWN_SERVER,
      arrived: () => existsSync(home),
    });
    // The archive lets only its owner read this file, which every user that starts the engine copies.
    chmodSync(join(home, 'config', 'log4j2.properties'), 0o644);
    return home;
  });
}
