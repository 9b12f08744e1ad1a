import { Problem } from '#embedded/problem.ts';
import { type Config, readConfig } from '#src/config.ts';

/** The configuration; what is missing or wrong in it is for the person who started the process. */
export function configure(...environments: Parameters<typeof readConfig>): Config {
  try {
    return readConfig(...environments);
  } catch (error) {
    throw new Problem((error as Error).message);
  }
}
