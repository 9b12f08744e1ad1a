import { Problem } from '#embedded/problem.ts';
import { type Config, readConfig } from '#src/config.ts';

/** Reads the configuration. @throws Problem, for the person who started the process, when it is incomplete or wrong */
export function configure(...environments: Parameters<typeof readConfig>): Config {
  try {
    return readConfig(...environments);
  } catch (error) {
    throw new Problem((error as Error).message);
  }
}
