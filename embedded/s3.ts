import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#domain/process/problem.ts';
import { chownTo } from './identity.ts';
import { s3ProxyFolder } from './install/s3proxy.mjs';
import { findJava, OLDEST_JAVA } from './java.mjs';
import { type LaunchContext, launch, type Variables } from './launch.ts';

/** S3Proxy lists buckets without a signature if others can read the folder. */
const PRIVATE_FOLDER = 0o700;
/** As the defaults of `CDN_BUCKET` and `EXPORTS_BUCKET`. */
const BUCKETS = ['cdn', 'exports'];

/** Starts the store on the loopback interface. Buckets are private folders. */
export async function startS3(context: LaunchContext, port: number): Promise<Variables> {
  const java = findJava(process.env).found;
  if (!java) throw new Problem(`Java ${OLDEST_JAVA} or newer is missing; the S3 server runs on it.`);
  const folder = join(context.folder, 's3');
  const at = (name: string) => join(folder, name);
  const folders = ['data', 'tmp', ...BUCKETS.map((bucket) => `data/${bucket}`)];
  for (const name of folders) await mkdir(at(name), { recursive: true });
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = context.secrets;
  await cp(join(context.project, 'embedded', 's3proxy', 'logback.xml'), at('logback.xml'));
  // The file hides the secret from the process list.
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
  for (const name of ['.', ...folders, 's3proxy.conf', 'logback.xml']) await chownTo(context.identity, at(name));
  // Buckets of earlier releases or from a backup are changed too.
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

/** Java properties escape backslashes in values. */
const properties = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}\n`)
    .join('');
