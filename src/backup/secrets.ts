import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivately } from '#embedded/files.ts';
import { Problem } from '#embedded/problem.ts';
import { SECRET_VARIABLES, type Secrets } from '#embedded/secrets.ts';
import type { Environment } from '#src/variables.ts';

/** The secrets of an installation, without which its data is inaccessible. */
export interface BackupSecrets {
  /** `secrets.json` of the data folder. */
  embedded: Secrets;
  /** Secrets that the environment sets. */
  variables: Partial<Record<(typeof SECRET_VARIABLES)[number], string>>;
}

/** @param env variables of the service, which override the secrets of the data folder */
export async function readSecrets(secretsFile: string, env: Environment): Promise<BackupSecrets> {
  const embedded = JSON.parse(await readFile(secretsFile, 'utf8')) as Secrets;
  const variables = Object.fromEntries(
    SECRET_VARIABLES.flatMap((name) => {
      const value = env[name];
      // An equal pepper needs no variable, because `npm start` reads it from the data folder.
      return value && !(name === 'KEY_PEPPER' && value === embedded.keyPepper) ? [[name, value]] : [];
    }),
  );
  return { embedded, variables };
}

export async function writeSecrets(file: string, secrets: BackupSecrets): Promise<void> {
  await writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
}

/** @throws Problem if the file does not exist or is no secrets file */
export async function openSecretsFile(file: string): Promise<BackupSecrets> {
  try {
    const { embedded, variables } = JSON.parse(await readFile(file, 'utf8')) as Partial<BackupSecrets>;
    if (embedded?.keyPepper && embedded.postgresPassword && variables) return { embedded, variables };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
  }
  throw new Problem(`${file} is not a file that \`backup create --secrets\` wrote.`);
}

/** Returns short hashes of the secrets that the data depends on, by name. */
export function fingerprints({ embedded, variables }: BackupSecrets): Record<string, string> {
  const values = { KEY_PEPPER: embedded.keyPepper, ...variables, postgresPassword: embedded.postgresPassword };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      createHash('sha256').update(`backup ${name} ${value}`).digest('hex').slice(0, 16),
    ]),
  );
}

/** Returns the names of secrets that differ from those of a backup. */
export function differingSecrets(secrets: BackupSecrets, expected: Readonly<Record<string, string>>): string[] {
  const found = fingerprints(secrets);
  return Object.keys(expected).filter((name) => found[name] !== expected[name]);
}
