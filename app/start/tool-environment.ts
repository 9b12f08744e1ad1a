import { findEngines } from '#embedded/engines.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the data folder of `npm start`. */
export const dataFolder = (env: Environment): string => env.DATA_DIR || '.data';

/** The embedded engines of a running `npm start` are defaults. */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const found = await findEngines(dataFolder(env));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...found, ...set };
}
