/**
 * End-to-end tests, which `npm run test:release` runs and `npm test` does not: each loads a whole sample or market, builds
 * clients, or starts an installation. Files and folders.
 */
export const RELEASE_TESTS: readonly string[] = [
  'test/anomalies',
  'test/clients',
  'test/ingest/law/long-law.test.ts',
  'test/start/alerts.test.ts',
  'test/start/runbooks.test.ts',
  'test/start/sample.test.ts',
  'test/start/upgrade.test.ts',
  'test/sync',
];

/** The slowest files, slowest first. They start first, so that no slow file runs alone at the end. */
const SLOWEST: readonly string[] = [
  'test/start/alerts.test.ts',
  'test/start/runbooks.test.ts',
  'test/start/sample.test.ts',
  'test/webhooks/delivery.test.ts',
  'test/exports/faults.test.ts',
  'test/sync/sync-guide.test.ts',
  'test/anomalies/anomalies.test.ts',
  'test/clients/generators.test.ts',
  'test/start/upgrade.test.ts',
  'test/cli/cli.test.ts',
  'test/search/listing-reader.test.ts',
  'test/embedded/engines.test.ts',
  'test/ingest/run/kill.test.ts',
  'test/accounts/processes.test.ts',
  'test/search/reindex.test.ts',
  'test/ingest/official/import.test.ts',
  'test/http/stores-unavailable.test.ts',
  'test/endpoints/analytics/oracle.test.ts',
];

/** Order in which AVA starts two files, given their paths. */
export function compareTestFiles(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

function rank(file: string): number {
  const at = SLOWEST.findIndex((path) => file.endsWith(path));
  return at < 0 ? SLOWEST.length : at;
}
