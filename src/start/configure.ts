import { Problem } from '#embedded/problem.ts';
import { type Config, readConfig } from '#src/config.ts';

/**
 * Reads the configuration.
 * @throws Problem if the configuration is incomplete or invalid
 */
export function configure(...environments: Parameters<typeof readConfig>): Config {
  try {
    return readConfig(...environments);
  } catch (error) {
    throw new Problem((error as Error).message);
  }
}
