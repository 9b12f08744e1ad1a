import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '#test/test.ts';
import { findCircles, findViolations, type Parts, readSources } from './imports.ts';
import { isRelease } from './suite.ts';

const PROJECT = join(import.meta.dirname, '..');
const FOLDERS = ['bench', 'clients/build', 'embedded', 'ingest', 'queries', 'sample', 'site', 'src', 'test'];

const DOMAIN = 'src/domain';
const SERVICES = 'src/services.ts';
const CONFIG = 'src/config.ts';
const STORES = ['src/postgres', 'src/search', 'src/s3'];
const SERVICE = [
  DOMAIN,
  'queries',
  ...STORES,
  'src/crypto',
  'src/outbound',
  'src/observability',
  'src/accounts',
  'src/metering',
];

/**
 * Allowed imports of each folder, in addition to itself. A new folder of `src` needs an entry; review any entry that
 * grows. Service code never imports the code that runs it: `start`, `cli`, `workers`, `ingest`, `embedded`, `bench` and `test`.
 */
const PARTS: Parts = {
  // Pure functions.
  'src/domain': { imports: [] },
  queries: { imports: [DOMAIN] },

  // Clients of external systems.
  'src/postgres': { imports: [DOMAIN] },
  'src/search': { imports: [DOMAIN, 'queries'] },
  'src/s3': { imports: [DOMAIN], types: [CONFIG] },
  'src/crypto': { imports: [DOMAIN] },
  'src/outbound': { imports: [DOMAIN] },
  'src/observability': { imports: [DOMAIN, 'src/postgres'] },

  // Authentication and metering.
  'src/accounts': { imports: [DOMAIN, 'src/postgres', 'src/crypto'] },
  'src/metering': { imports: [DOMAIN, 'src/postgres', 'src/accounts'] },

  // Request pipeline: independent of endpoints and listings.
  'src/http': {
    imports: [
      DOMAIN,
      'queries/text',
      'src/postgres',
      'src/crypto',
      'src/observability',
      'src/accounts',
      'src/metering',
    ],
    types: [SERVICES],
    except: ['src/domain/listings'],
  },
  'src/openapi': { imports: [DOMAIN, 'src/http', 'src/metering', 'src/accounts'], types: [CONFIG] },
  // Documents and redirects that responses of the API link to.
  'src/documents': {
    imports: [DOMAIN, 'src/http', 'src/openapi', 'src/postgres', 'src/s3'],
    types: [SERVICES, CONFIG],
  },
  // Data of the site besides responses of the API, and the types of these responses.
  'src/site-data': {
    imports: [DOMAIN, 'queries', 'src/http', 'src/postgres', 'src/search', 'src/documents'],
    types: [SERVICES, 'src/endpoints', 'src/metering'],
  },
  // The site is a client of the API in the same process.
  'site/server': {
    imports: [DOMAIN, 'site/text', 'src/accounts', 'src/metering', 'src/http', 'src/openapi', 'src/documents'],
    types: ['src/site-data', CONFIG],
  },
  'site/text': { imports: ['src/documents'] },
  // Browser code: may use the server's code for charts, number formats, places and curl commands.
  'site/web': {
    imports: [
      ...['amounts', 'format', 'charts', 'clusters', 'estimate', 'explorer-place', 'listing-words', 'search-words'].map(
        (name) => `site/server/${name}.ts`,
      ),
      'src/openapi/samples.ts',
      'src/domain/fold.ts',
    ],
    // Types of responses and of the data in pages.
    types: ['site/server', 'site/text', 'src/documents', 'src/site-data', DOMAIN],
  },
  // Exposes operations as MCP tools, which call them as any client does.
  'src/mcp': { imports: [DOMAIN, 'src/accounts', 'src/http', 'src/openapi'], types: [SERVICES] },
  // Outgoing mail.
  'src/mail': { imports: [DOMAIN, 'src/postgres', 'src/crypto'], types: [SERVICES, CONFIG] },
  // Exports of whole datasets: datasets, queue and files, shared by endpoints, workers and commands.
  'src/exports': { imports: SERVICE, types: [SERVICES, CONFIG] },
  // Webhook subscriptions and deliveries, shared by endpoints, the worker and commands.
  'src/webhooks': { imports: [...SERVICE, 'src/mail'], types: [SERVICES, CONFIG] },
  'src/property-index': { imports: [DOMAIN, 'src/postgres'] },
  'src/endpoints': {
    imports: [...SERVICE, 'src/http', 'src/openapi', 'src/property-index', 'src/exports', 'src/webhooks'],
    types: [SERVICES, CONFIG],
  },

  // Background work.
  'src/workers': {
    imports: [...SERVICE, 'src/property-index', 'src/exports', 'src/webhooks', 'src/mail', 'ingest'],
    types: [SERVICES, CONFIG],
  },

  // Composition of a process.
  'src/variables.ts': { imports: [] },
  'src/config.ts': { imports: [DOMAIN, 'src/variables.ts'] },
  'src/services.ts': { imports: [], types: [...SERVICE, CONFIG] },
  'src/open-services.ts': { imports: [...SERVICE, SERVICES], types: [CONFIG] },
  'src/app.ts': {
    imports: ['src/http', 'src/endpoints', 'src/documents', 'src/site-data', 'src/mcp', 'site/server'],
    types: [SERVICES],
  },
  'src/main.ts': { imports: ['src/start', 'embedded'] },
  // Only the process that runs everything loads the sample: `api` and `worker` do not.
  'src/start/all.ts': { imports: ['src', 'ingest', 'sample', 'embedded'], except: ['src/cli', 'src/main.ts'] },
  'src/start/sample.ts': { imports: ['src', 'ingest', 'sample'], except: ['src/cli', 'src/main.ts'] },
  'src/start': { imports: ['src', 'ingest', 'embedded'], except: ['src/cli', 'src/main.ts'] },
  'src/cli': { imports: ['src', 'ingest', 'sample', 'embedded'], except: ['src/main.ts'] },

  // From feed to index: independent of requests.
  ingest: { imports: [DOMAIN, ...STORES, 'src/crypto', 'src/outbound'] },

  // Feeds of invented sources: read by the pipeline, which does not know them.
  sample: { imports: [DOMAIN, 'ingest'] },

  // Embedded engines: independent of the service.
  embedded: { imports: [] },

  // Builds clients from the OpenAPI document.
  'clients/build': { imports: ['src/endpoints', 'src/openapi'] },

  bench: { imports: ['src', 'queries', 'ingest', 'sample', 'embedded'], except: ['src/cli', 'src/main.ts'] },
  'test/support': { imports: ['src', 'queries', 'ingest', 'sample', 'embedded'], except: ['src/cli', 'src/main.ts'] },
  test: {
    imports: ['src', 'site', 'queries', 'ingest', 'sample', 'embedded', 'test/support', 'bench', 'clients/build'],
    except: ['src/main.ts'],
  },
};

/**
 * The folder two levels deep that contains a file, such as `src/http`. A file above that level is returned unchanged.
 */
const folderOf = (path: string): string => {
  const parts = path.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : path;
};

async function aliases(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')).imports;
}

test('source files import only from folders that the rules of their folder allow', async (t) => {
  const files = await readSources(PROJECT, FOLDERS);
  t.true(files.length > 400, `${files.length} files`);
  t.deepEqual(findViolations(files, PARTS, await aliases()), []);
});

test('source files have no circular imports', async (t) => {
  t.deepEqual(findCircles(await readSources(PROJECT, FOLDERS), await aliases()), []);
});

test('folders have no circular imports', async (t) => {
  const files = await readSources(PROJECT, ['ingest', 'queries', 'sample', 'src']);
  t.deepEqual(findCircles(files, await aliases(), folderOf), []);
});

test('rows of statements with a declared type are checked, except those of whole tables', async (t) => {
  const unchecked = (await readSources(PROJECT, ['ingest', 'src'])).filter(({ text }) => /\.query</.test(text));
  t.deepEqual(
    unchecked.map(({ path }) => path),
    ['ingest/postgres/rows.ts'],
  );
});

/** Browser tests require Chromium. The other paths declare or check the condition. */
const MAY_SKIP = ['test/site/browser', 'test/support', 'test/architecture.test.ts'];

test('only end-to-end tests may be skipped or use files outside the project', async (t) => {
  const conditional = /#test\/present\.ts|\.skip\b|real-data\/|\.\.\/shared\/|not installed/;
  const skipping = (await readSources(PROJECT, ['test']))
    .filter(({ path }) => !isRelease(path) && !MAY_SKIP.some((part) => path === part || path.startsWith(`${part}/`)))
    .filter(({ text }) => conditional.test(text));
  t.deepEqual(
    skipping.map(({ path }) => path),
    [],
  );
});

/** Figures of docs/STATUS.md with the folders whose lines they count. Update the document when this test fails. */
const STATED_LINES: readonly (readonly [stated: RegExp, folders: readonly string[]])[] = [
  [/the tests \(([\d,]+) lines/, ['test']],
  [
    /have ([\d,]+) lines/,
    ['src', 'ingest', 'queries', 'site', 'sample', 'embedded', 'clients/build', 'clients/typescript'],
  ],
  [/ingest alone ([\d,]+)/, ['ingest']],
];

test('the numbers of lines in docs/STATUS.md are right within a tenth', async (t) => {
  const status = await readFile(join(PROJECT, 'docs', 'STATUS.md'), 'utf8');
  for (const [stated, folders] of STATED_LINES) {
    const files = (await readSources(PROJECT, folders)).filter(
      ({ path }) => /\.tsx?$/.test(path) && !path.includes('node_modules'),
    );
    const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    const figure = Number(stated.exec(status)?.[1]?.replaceAll(',', ''));
    t.true(Math.abs(figure / lines - 1) < 0.1, `${stated.source}: ${lines}`);
  }
});
