import { type Config, readConfig } from '#src/config.ts';

/** Environment variables that `npm test` sets for the engines it has started. */
const ENGINE_VARIABLES = [
  'OPENSEARCH_URL',
  'DATABASE_URL',
  'S3_ENDPOINT',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'KEY_PEPPER',
] as const;

export type TestEnv = Record<(typeof ENGINE_VARIABLES)[number], string>;

/**
 * Returns the engine addresses for this test run. @throws if the tests were not started by `npm test` and the variables
 * are not set
 */
export function testEnv(): TestEnv {
  const missing = ENGINE_VARIABLES.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not set. Run the tests with: npm test -- test/<area>/<name>.test.ts`);
  return Object.fromEntries(ENGINE_VARIABLES.map((name) => [name, process.env[name]])) as TestEnv;
}

/** Limits that tests never reach. */
const UNBOUND = {
  UNCHARGED_CALLS_PER_MINUTE: '10000000',
  FREE_BYTES_PER_MINUTE: '999999999',
  UNKNOWN_KEYS_PER_MINUTE: '10000000',
  PAGE_VIEWS_PER_MINUTE: '10000000',
  EXPLORER_CALLS_PER_MINUTE: '10000000',
  SITE_LISTINGS_PER_DAY: '10000000',
};

/** Returns the configuration for the engines of this test run. `changes` overrides environment variables. */
export function testConfig(changes: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...testEnv(), ...UNBOUND, LOG_LEVEL: 'silent', ...changes });
}
