import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ground, launch, type Variables } from './launch.ts';

/** An S3 server on a folder, in a process of its own so that moving photos does not hold up requests. */
export async function startS3(ground: Ground, port: number, buckets: string[]): Promise<Variables> {
  const directory = join(ground.folder, 's3');
  await mkdir(directory, { recursive: true });
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = ground.secrets;
  const engine = await launch(ground, {
    name: 'S3',
    command: process.execPath,
    args: [join(ground.project, 'embedded', 's3-server.ts')],
    env: {
      PATH: process.env.PATH,
      S3_SERVER: JSON.stringify({ port, directory, accessKeyId, secretAccessKey, buckets }),
    },
    cwd: directory,
    logFile: join(ground.folder, 'logs', 's3.log'),
    signal: 'SIGTERM',
    as: 'us',
  });
  const isUp = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return true;
  };
  await engine.ready(isUp, 30_000);
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
