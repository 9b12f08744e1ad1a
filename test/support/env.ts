import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type Config, readConfig } from '#src/config.ts';

/** The variables that `npm test` sets for the engines it started. */
const ENGINE_VARIABLES = [
  'OPENSEARCH_URL',
  'DATABASE_URL',
  'S3_ENDPOINT',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'KEY_PEPPER',
] as const;

export type TestEnv = Record<(typeof ENGINE_VARIABLES)[number], string>;

/** Where the engines of this run are. @throws when the tests were not started by `npm test` and nothing is set */
export function testEnv(): TestEnv {
  const missing = ENGINE_VARIABLES.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not set. Run the tests with: npm test -- test/<area>/<name>.test.ts`);
  return Object.fromEntries(ENGINE_VARIABLES.map((name) => [name, process.env[name]])) as TestEnv;
}

/** Tests call more often than any caller may, and leave nothing behind in the project's own folder. */
const UNBOUND = {
  UNCHARGED_CALLS_PER_MINUTE: '10000000',
  FREE_BYTES_PER_MINUTE: '999999999',
  UNKNOWN_KEYS_PER_MINUTE: '10000000',
  PAGE_VIEWS_PER_MINUTE: '10000000',
  JOURNAL_DIR: join(tmpdir(), 'listings-tests', `${process.pid}-${threadId}`, 'journal'),
};

/** The service's configuration on the engines of this run; `changes` are environment variables. */
export function testConfig(changes: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...testEnv(), ...UNBOUND, LOG_LEVEL: 'silent', ...changes });
}

/** The names of the variables that the configuration reads. */
export function knownVariables(): Set<string> {
  const asked = new Set<string>();
  const env = new Proxy({} as Record<string, string>, {
    get: (_target, name) => {
      asked.add(String(name));
      return undefined;
    },
  });
  const shapes: Record<string, string> = {
    PORT: '1',
    HISTORY_START: '2026-03-09',
    OPENSEARCH_URL: 'http://opensearch:9200',
    KEY_PEPPER: 'a pepper of thirty-two characters',
    CURSOR_SECRETS: 'a:a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: 'a:a secret of at least thirty-two characters',
    WEBHOOK_PRIVATE_HOSTS: '127.0.0.1:9100',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    MAIL_FROM: 'service@example.com',
    UNCHARGED_CALLS_PER_MINUTE: '1',
    FREE_BYTES_PER_MINUTE: '1',
    UNKNOWN_KEYS_PER_MINUTE: '1',
    LISTING_CACHE_BYTES: '0',
    TIMEOUT_FACTOR: '1',
    PAGE_VIEWS_PER_MINUTE: '1',
    MAX_CONNECTIONS: '1',
    MAX_CONNECTIONS_PER_ADDRESS: '1',
  };
  const defaults = new Proxy({} as Record<string, string>, { get: (_target, name) => shapes[String(name)] ?? 'a:b' });
  readConfig(env, defaults);
  return asked;
}
