import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ENGINES_FILE } from '#embedded/engines.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a command line tool: what is set, and for the rest the engines of the `npm start` that runs in
 * this folder.
 */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const file = join(resolve(env.DATA_DIR || '.data'), ENGINES_FILE);
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...(JSON.parse(found) as Record<string, string>), ...set };
}
