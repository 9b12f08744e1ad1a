import { hasFolder } from './repository.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the data folder of `npm start`. */
export const dataFolder = (env: Environment): string => env.DATA_DIR || '.data';

/** The embedded engines of a running `npm start` are defaults. */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  if (!hasFolder('embedded')) return set;
  const { findEngines } = await import('#embedded/engines.ts');
  return { ...(await findEngines(dataFolder(env))), ...set };
}
