import { findEngines } from '#embedded/engines.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the data folder that `npm start` uses. */
export const dataFolder = (env: Environment): string => env.DATA_DIR || '.data';

/** Returns the environment of a tool, with the embedded engines of a running `npm start` as defaults. */
export async function toolEnvironment(env: Environment): Promise<Environment> {
  const found = await findEngines(dataFolder(env));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...found, ...set };
}
