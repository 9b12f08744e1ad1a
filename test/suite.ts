/**
 * Files and folders of the suites that need engines. A file belongs to the suite with the longest matching path. Each suite
 * is a worker of AVA that runs its tests one after another. Two suites run at a time, in this order. Tests that need no
 * engine are in the suites `unit` and `domain`.
 */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  ingest: ['test/ingest', 'test/app/workers'],
  http: [
    'test/src/config.test.ts',
    'test/src/http',
    'test/src/metering',
    'test/src/accounts',
    'test/src/mcp',
    'test/stores/outbound',
  ],
  endpoints: ['test/src/endpoints', 'test/queries', 'test/domain', 'test/src/openapi'],
  site: [
    'test/site',
    'test/app/start',
    'test/app/cli',
    'test/src/mail',
    'test/src/oauth',
    'test/src/sign-in',
    'test/support',
  ],
  stores: ['test/src/exports', 'test/src/webhooks', 'test/stores/opensearch', 'test/stores/postgres'],
  samples: [
    'test/clients',
    'test/conformance',
    'test/src/endpoints/market/percentiles.test.ts',
    'test/src/exports/guide.test.ts',
    'test/src/oauth/browser.test.ts',
    'test/src/oauth/clients.test.ts',
    'test/fuzz',
    'test/how-to',
    'test/ingest/law/long-law.test.ts',
    'test/real-data',
    'test/sample',
    'test/site/console-browser.test.ts',
    'test/site/map-tiles.test.ts',
    'test/app/start/sample.test.ts',
    'test/sync',
    'test/src/webhooks/guide-languages.test.ts',
  ],
  installations: [
    'test/src/accounts/processes.test.ts',
    'test/embedded',
    'test/src/exports/faults.test.ts',
    'test/src/http/stores-unavailable.test.ts',
    'test/ingest/run/kill.test.ts',
    'test/app/start/image.test.ts',
    'test/app/start/kubernetes.test.ts',
    'test/app/start/own-servers.test.ts',
    'test/app/start/poolers.test.ts',
    'test/app/start/proxies.test.ts',
    'test/app/start/upgrade.test.ts',
  ],
};

/**
 * Suites that `npm run test:release` runs and `npm test` does not. Their tests load a whole sample or market, build
 * clients, use a browser, public files or tools that may be absent, or start and kill processes and installations.
 */
export const RELEASE_SUITES: readonly string[] = ['samples', 'installations'];

/** Returns the suite of a test file. @throws if it belongs to none */
export function suiteOf(path: string, needsEngines: boolean): string {
  const found = folderSuite(path);
  if (found !== undefined && RELEASE_SUITES.includes(found)) return found;
  if (!needsEngines) return /^test\/(domain|ingest(?!\/sources|\/official))\//.test(path) ? 'domain' : 'unit';
  if (found === undefined) throw new Error(`${path} belongs to no suite of test/suite.ts.`);
  return found;
}

/** Returns whether the tests of a suite need no engines. */
export const isUnitSuite = (suite: string): boolean => suite === 'unit' || suite === 'domain';

/** Returns whether a file belongs to the suites that only `npm run test:release` runs. */
export const isRelease = (path: string): boolean => RELEASE_SUITES.includes(folderSuite(path) ?? '');

function folderSuite(path: string): string | undefined {
  return Object.entries(SUITES)
    .flatMap(([suite, paths]) => paths.map((part) => ({ suite, part })))
    .filter(({ part }) => path === part || path.startsWith(`${part}/`))
    .sort((a, b) => b.part.length - a.part.length)[0]?.suite;
}

/** Order in which AVA starts two suites, given the paths of their entries. */
export function compareSuites(one: string, other: string): number {
  return rank(one) - rank(other);
}

function rank(entry: string): number {
  const at = Object.keys(SUITES).findIndex((suite) => entry.endsWith(`${suite}.test.ts`));
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}
