import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chownTo } from './identity.ts';
import { s3ProxyFolder } from './install/s3proxy.mjs';
import { findJava, OLDEST_JAVA } from './java.mjs';
import { type LaunchContext, launch, type Variables } from './launch.ts';
import { Problem } from './problem.ts';

/**
 * Of a bucket's folder. S3Proxy takes the permissions of the file system for access control lists: a bucket whose folder other
 * users may read can be listed without a signature. It has no setting that refuses all unsigned requests.
 */
const PRIVATE_FOLDER = 0o700;

/** S3Proxy on a folder, on the loopback interface. Each bucket is a folder, and private. */
export async function startS3(context: LaunchContext, port: number, buckets: string[]): Promise<Variables> {
  const java = findJava(process.env).found;
  if (!java) throw new Problem(`Java ${OLDEST_JAVA} or newer is missing; the S3 server runs on it.`);
  const folder = join(context.folder, 's3');
  const at = (name: string) => join(folder, name);
  for (const name of ['data', 'tmp', ...buckets.map((bucket) => `data/${bucket}`)])
    await mkdir(at(name), { recursive: true });
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = context.secrets;
  await cp(join(context.project, 'embedded', 's3proxy', 'logback.xml'), at('logback.xml'));
  // In a file, so that the secret is not in the list of processes.
  await writeFile(
    at('s3proxy.conf'),
    properties({
      's3proxy.endpoint': `http://127.0.0.1:${port}`,
      's3proxy.authorization': 'aws-v2-or-v4',
      's3proxy.identity': accessKeyId,
      's3proxy.credential': secretAccessKey,
      'jclouds.provider': 'filesystem-nio2',
      'jclouds.identity': accessKeyId,
      'jclouds.credential': secretAccessKey,
      'jclouds.filesystem.basedir': at('data'),
    }),
    { mode: 0o600 },
  );
  await chownTo(context.identity, folder);
  for (const name of ['data', 'tmp', 's3proxy.conf', 'logback.xml', ...buckets.map((bucket) => `data/${bucket}`)])
    await chownTo(context.identity, at(name));
  // All of them: a bucket may be of an earlier release, or restored from a backup.
  for (const bucket of await readdir(at('data'))) await chmod(at(`data/${bucket}`), PRIVATE_FOLDER);

  const engine = await launch(context, {
    name: 'S3',
    command: join(java.home, 'bin', 'java'),
    args: [
      '-Xms32m',
      '-Xmx128m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      `-Djava.io.tmpdir=${at('tmp')}`,
      `-Dlogback.configurationFile=${at('logback.xml')}`,
      '-cp',
      join(s3ProxyFolder(context.project), '*'),
      'org.gaul.s3proxy.Main',
      '--properties',
      at('s3proxy.conf'),
    ],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder },
    cwd: folder,
    logFile: join(context.folder, 'logs', 's3.log'),
    signal: 'SIGTERM',
  });
  const isUp = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return true;
  };
  await engine.ready(isUp, 60_000);
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** A Java properties file; a backslash in a value would be an escape. */
const properties = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`)
    .join('');
