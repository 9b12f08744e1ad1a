import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { engineFolder, fetchOnce, maven } from './maven.mjs';

const VERSION = '3.1.0';

/** Returns the folder with the jars of the S3 server. @param {string} project */
export const s3ProxyFolder = (project) => engineFolder(project, `s3proxy-${VERSION}`);

/**
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
export async function installS3Proxy(project, env) {
  await fetchOnce(s3ProxyFolder(project), `S3Proxy ${VERSION}, 28 MB,`, async (work) => {
    const jars = join(work, 'jars');
    const pom = join(project, 'embedded', 's3proxy', 'pom.xml');
    await maven('copy-dependencies', ['-f', pom, `-DoutputDirectory=${jars}`, '-DincludeScope=runtime'], {
      work,
      env,
      what: 'S3Proxy',
      otherwise: 'Or set S3_ENDPOINT to an S3 server of your own.',
      arrived: () => existsSync(join(jars, `s3proxy-${VERSION}.jar`)),
    });
    return jars;
  });
}
