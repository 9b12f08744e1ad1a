import { findEngines } from '#embedded/engines.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the data of `npm start`. */
export const dataFolder = (env: Environment): string => env.DATA_DIR || '.data';

/**
 * Returns the environment of a command line tool: the set variables, and for the others the engines of the `npm start` that
 * runs in this folder.
 */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const found = await findEngines(dataFolder(env));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...found, ...set };
}
