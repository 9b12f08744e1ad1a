import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivately } from '#domain/process/files.ts';

/** Generated once per data folder; its data is inaccessible without them. */
export interface Secrets {
  postgresPassword: string;
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
  keyPepper: string;
}

/** Variables that command-line tools need as well. */
export const SECRET_VARIABLES = [
  'KEY_PEPPER',
  'KEY_PEPPER_OLD',
  'DEAL_IDS_PEPPER',
  'ENCRYPTION_KEYS',
  'CURSOR_SECRETS',
] as const;

export async function openSecrets(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secrets: Secrets = {
    postgresPassword: randomBytes(18).toString('base64url'),
    s3AccessKeyId: randomBytes(10).toString('hex').toUpperCase(),
    s3SecretAccessKey: randomBytes(30).toString('base64url'),
    keyPepper: randomBytes(32).toString('base64url'),
  };
  await writePrivately(file, `${JSON.stringify(secrets)}\n`);
  return secrets;
}
