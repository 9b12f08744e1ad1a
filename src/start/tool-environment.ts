import { findEngines } from '#embedded/engines.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the data folder that `npm start` uses. */
export const dataFolder = (env: Environment): string => env.DATA_DIR || '.data';

/**
 * Returns the environment for a command line tool. Variables that are not set point to the embedded engines if `npm
 * start` is running in this folder.
 */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const found = await findEngines(dataFolder(env));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...found, ...set };
}
