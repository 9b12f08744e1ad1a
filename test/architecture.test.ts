import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { test } from '#test/test.ts';
import { FLOORS, findCircles, findUpward, findViolations, loadedBy, type Parts, readSources } from './imports.ts';
import { isRelease } from './suite.ts';

const PROJECT = join(import.meta.dirname, '..');
const FOLDERS = [...Object.keys(FLOORS), 'bench', 'clients/build', 'embedded', 'sample', 'test'];
/** Folders that Git ignores, and its own. */
const IGNORED = /^(\.git|\.data.*|node_modules|dist|downloads|building-.*)$/;
const MAX_TOP_FOLDERS = 20;
const MAX_ROOMS = 15;

const SERVICES = 'src/services.ts';
const CONFIG = 'src/config.ts';
const LIMITS = 'src/metering/limits.ts';
const SERVICE = ['domain', 'queries', 'stores', 'src/observability', 'src/accounts', 'src/metering'];
const inServer = (name: string): string => `site/server/${name}.ts`;
/** What the parts of `app` put together. */
const LOWER = ['site', 'src', 'ingest', 'stores', 'queries', 'domain'];

/**
 * Allowed imports of each folder, in addition to itself. A new folder of a floor needs an entry; review any entry that
 * grows. The rules of the floors apply as well.
 */
const PARTS: Parts = {
  // Pure functions. `domain/process` has what every process needs: stop signals, ports, private files.
  domain: { imports: [] },
  queries: { imports: ['domain'] },

  // Clients of external systems.
  'stores/postgres': { imports: ['domain'] },
  'stores/opensearch': { imports: ['domain', 'queries'] },
  'stores/s3': { imports: ['domain'] },
  'stores/crypto': { imports: ['domain'] },
  'stores/outbound': { imports: ['domain'] },

  // From feed to index: independent of requests.
  ingest: { imports: ['domain', 'stores'] },

  // The service: configuration, then authentication and metering.
  'src/variables.ts': { imports: [] },
  'src/config.ts': { imports: ['domain', 'src/variables.ts'] },
  'src/services.ts': { imports: [], types: [...SERVICE, CONFIG] },
  'src/observability': { imports: ['domain', 'stores/postgres'] },
  'src/accounts': { imports: ['domain', 'stores/postgres', 'stores/crypto'] },
  'src/metering': { imports: ['domain', 'stores/postgres', 'src/accounts'] },
  // Request pipeline: independent of endpoints and listings.
  'src/http': {
    imports: [
      'domain',
      'queries/text',
      'stores/postgres',
      'stores/crypto',
      'src/observability',
      'src/accounts',
      'src/metering',
    ],
    types: [SERVICES],
    except: ['domain/listings', 'domain/listing-vocabulary.ts'],
  },
  'src/openapi': { imports: ['domain', 'src/http', 'src/metering', 'src/accounts'], types: [CONFIG] },
  // Documents and redirects that responses of the API link to.
  'src/documents': {
    imports: ['domain', 'src/http', 'src/openapi', 'stores/postgres', 'stores/s3', 'stores/outbound'],
    types: [SERVICES, CONFIG, LIMITS],
  },
  // Data of the site besides responses of the API, and the types of these responses.
  'src/site-data': {
    imports: ['domain', 'queries', 'src/http', 'stores/postgres', 'stores/opensearch', 'src/documents'],
    types: [SERVICES, 'src/endpoints', 'src/metering'],
  },
  // Exposes operations as MCP tools, which call them as any client does.
  'src/mcp': {
    imports: ['domain', 'queries/text', 'src/accounts', 'src/http', 'src/openapi'],
    types: [SERVICES, LIMITS],
  },
  // Outgoing mail.
  'src/mail': { imports: ['domain', 'stores/postgres', 'stores/crypto'], types: [SERVICES, CONFIG] },
  // People, their sessions in browsers, sign-up and trial keys, for the site.
  'src/sign-in': {
    imports: ['domain', 'stores/postgres', 'src/accounts', 'src/metering', 'src/mail', 'src/documents'],
    types: [SERVICES, CONFIG],
  },
  // The authorization server for assistants.
  'src/oauth': {
    imports: ['domain', 'stores/postgres', 'src/accounts', 'src/metering', 'src/http', 'src/documents'],
    types: [SERVICES, CONFIG, 'src/sign-in'],
  },
  // Exports of whole datasets: datasets, queue and files, shared by endpoints, workers and commands.
  'src/exports': { imports: SERVICE, types: [SERVICES, CONFIG] },
  // Webhook subscriptions and deliveries, shared by endpoints, the worker and commands.
  'src/webhooks': { imports: [...SERVICE, 'src/mail'], types: [SERVICES, CONFIG] },
  'src/property-index': { imports: ['domain', 'stores/postgres'] },
  'src/endpoints': {
    imports: [
      ...SERVICE,
      'src/http',
      'src/openapi',
      'src/property-index',
      'src/exports',
      'src/webhooks',
      'src/mail',
      'src/sign-in',
      'src/documents/language.ts',
    ],
    types: [SERVICES, CONFIG],
  },

  // The site is a client of the API in the same process: without endpoints, queries and stores.
  'site/server': {
    imports: ['domain', 'site/text', 'src/accounts', 'src/metering', 'src/http', 'src/openapi', 'src/documents'],
    types: ['src/site-data', 'src/sign-in', 'src/oauth', CONFIG],
  },
  'site/text': { imports: ['src/documents'] },
  // Browser code: may use what the server renders alike, and its number formats, places and curl commands.
  'site/web': {
    imports: [
      ...['amounts', 'format', 'charts', 'clusters', 'estimate', 'explorer-place', 'listing-card'].map(inServer),
      ...['listing-words', 'market-parts', 'search-words'].map(inServer),
      'src/documents/html.ts',
      'src/documents/language.ts',
      'src/openapi/samples.ts',
      'domain/fold.ts',
    ],
    // Types of responses and of the data in pages.
    types: ['site/server', 'site/text', 'src/documents', 'src/site-data', 'domain'],
  },

  // Composition of a process, and background work.
  'app/main.ts': { imports: ['app/start', 'domain/process'] },
  'app/app.ts': {
    imports: [
      LIMITS,
      'src/http',
      'src/endpoints',
      'src/documents',
      'src/site-data',
      'src/sign-in',
      'src/oauth',
      'src/mcp',
      'site/server',
    ],
    types: [SERVICES],
  },
  'app/open-services.ts': { imports: [...SERVICE, SERVICES], types: [CONFIG] },
  'app/workers': {
    imports: [...SERVICE, 'src/property-index', 'src/exports', 'src/webhooks', 'src/mail', 'ingest'],
    types: [SERVICES, CONFIG],
  },
  // Only the process that runs everything loads the sample and the engines: `api` and `worker` do not.
  'app/start/all.ts': { imports: [...LOWER, 'app', 'sample', 'embedded'], except: ['app/cli', 'app/main.ts'] },
  'app/start/ingest-sample.ts': { imports: [...LOWER, 'app', 'sample'], except: ['app/cli', 'app/main.ts'] },
  'app/start/tool-environment.ts': { imports: ['embedded', 'app/start/repository.ts'] },
  'app/start': { imports: [...LOWER, 'app'], except: ['app/cli', 'app/main.ts'] },
  'app/cli': { imports: [...LOWER, 'app', 'sample', 'embedded'], except: ['app/main.ts'] },

  // Feeds of invented sources: read by the pipeline, which does not know them.
  sample: { imports: ['domain', 'ingest'] },
  // Embedded engines: independent of the service.
  embedded: { imports: ['domain/process'] },

  // Builds clients from the OpenAPI document.
  'clients/build': { imports: ['domain/process', 'src/endpoints', 'src/openapi'] },
  bench: { imports: [...LOWER, 'app', 'sample', 'embedded'], except: ['app/cli', 'app/main.ts', 'site'] },
  'test/support': { imports: [...LOWER, 'app', 'sample', 'embedded'], except: ['app/cli', 'app/main.ts', 'site'] },
  test: {
    imports: [...LOWER, 'app', 'sample', 'embedded', 'test/support', 'bench', 'clients/build'],
    except: ['app/main.ts'],
  },
};

/**
 * The folder two levels deep that contains a file, such as `src/http`. A file above that level is returned unchanged.
 */
const folderOf = (path: string): string => {
  const parts = path.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : path;
};

/** The name of a file without its extension, by which a stack trace or an editor shows it. */
const nameOf = (path: string): string => parse(path).name;

/** Files that only their folder identifies: endpoints, sources, request bodies and migrations; built files. */
const NAMED_BY_FOLDER =
  /^(src\/endpoints\/[^/]+|ingest\/sources\/[^/]+|ingest\/off-plan\/sources|queries\/[^/]+|stores\/postgres\/migrations|site\/(dist|downloads|building-[^/]*))\//;

async function aliases(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')).imports;
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(join(PROJECT, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !IGNORED.test(entry.name)).map(({ name }) => name);
}

test('no floor imports from a higher one or from one beside it', async (t) => {
  const files = await readSources(PROJECT, Object.keys(FLOORS));
  t.true(files.length > 400, `${files.length} files`);
  t.deepEqual(findUpward(files, await aliases()), []);
});

test('source files import only from folders that the rules of their folder allow', async (t) => {
  t.deepEqual(findViolations(await readSources(PROJECT, FOLDERS), PARTS, await aliases()), []);
});

test('source files have no circular imports', async (t) => {
  t.deepEqual(findCircles(await readSources(PROJECT, FOLDERS), await aliases()), []);
});

test('folders have no circular imports', async (t) => {
  const files = await readSources(PROJECT, [...Object.keys(FLOORS), 'sample', 'embedded']);
  t.deepEqual(findCircles(files, await aliases(), folderOf), []);
});

test('sample, engines and the authorization server are loaded only when they are needed', async (t) => {
  const files = await readSources(PROJECT, FOLDERS);
  const imports = await aliases();
  for (const entry of ['app/main.ts', 'app/cli/cli.ts', 'app/cli/connect.ts']) {
    const loaded = [...loadedBy(entry, files, imports)];
    t.true(loaded.length > (entry === 'app/cli/cli.ts' ? 0 : 50), entry);
    t.deepEqual(
      loaded.filter((path) => /^(sample|embedded)\//.test(path)),
      [],
      entry,
    );
    const texts = files.filter(({ path }) => loaded.includes(path));
    t.deepEqual(
      texts.filter(({ text }) => /^import (?!type\b)[^;]*from 'oidc-provider'/m.test(text)).map(({ path }) => path),
      [],
      entry,
    );
  }
});

test('the project has few folders, and each floor few rooms', async (t) => {
  const top = await foldersIn('.');
  t.true(top.length <= MAX_TOP_FOLDERS, `${top.length} folders: ${top.join(' ')}`);
  for (const floor of Object.keys(FLOORS)) {
    const rooms = await foldersIn(floor);
    t.true(rooms.length <= MAX_ROOMS, `${floor} has ${rooms.length} folders: ${rooms.join(' ')}`);
  }
});

test('no two files of a floor have the same name, except in folders that name the files in them', async (t) => {
  const files = await readSources(PROJECT, Object.keys(FLOORS));
  for (const floor of Object.keys(FLOORS)) {
    const named = files
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`${floor}/`) && !path.includes('node_modules') && !NAMED_BY_FOLDER.test(path));
    const repeated = Object.entries(Object.groupBy(named, nameOf)).filter(([, paths]) => (paths?.length ?? 0) > 1);
    t.deepEqual(Object.fromEntries(repeated), {}, floor);
  }
});

/** Everyday words, which say neither what a value is nor where it is used. */
const EVERYDAY =
  /^(?:export )?(?:interface|type|class) ((?:Asked|Broken|Chosen|Doubt|Found|Gone|Held|Kept|Known|Left|Needed|Owed|Saved|Settled|Shown|Taken|Told|Wanted)[A-Z]?\w*|Drawn|Fetched|Loaded|Moment|Named|Other|Placed|Received|Recorded|Rest|Side|Stored|Thing|Work)\b/gm;

test('types have names of the trade', async (t) => {
  const files = await readSources(PROJECT, FOLDERS);
  const named = files.flatMap(({ path, text }) => [...text.matchAll(EVERYDAY)].map(([, name]) => `${path}: ${name}`));
  t.deepEqual(named, []);
});

test('rows of statements with a declared type are checked, except those of whole tables', async (t) => {
  const files = await readSources(PROJECT, ['app', 'ingest', 'src', 'stores']);
  const unchecked = files.filter(({ text }) => /\.query</.test(text));
  t.deepEqual(
    unchecked.map(({ path }) => path),
    ['ingest/postgres/column-rows.ts'],
  );
});

/** A function whose parameter is a pool or a transaction, with its statements that write. */
const ON_ANY = /^(?:export )?(?:async )?function\*? (\w+)[^{]*?\w+: Queryable[\s\S]*?\n\}$/gm;
const WRITES =
  /(?:query|queryRows?|queryOne)\(\s*(?:\w+,\s*(?:\w+|\{[^}]*\}),\s*)?[`'"]\s*(?:insert into|update|delete from)\b/g;

test('functions that write in several statements take a transaction', async (t) => {
  const files = await readSources(PROJECT, ['app', 'ingest', 'src', 'stores']);
  const functions = files.flatMap(({ path, text }) =>
    [...text.matchAll(ON_ANY)].map(([body, name]) => ({
      name: `${path}: ${name}`,
      writes: [...body.matchAll(WRITES)].length,
    })),
  );
  t.true(functions.filter(({ writes }) => writes === 1).length > 20, 'statements are recognized');
  t.deepEqual(
    functions.flatMap(({ name, writes }) => (writes > 1 ? name : [])),
    [],
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
  [/`app`, `src`, `domain` and `stores` ([\d,]+) lines/, ['app', 'src', 'domain', 'stores']],
  [/have ([\d,]+) lines/, [...Object.keys(FLOORS), 'sample', 'embedded', 'clients/build', 'clients/typescript']],
  [/ingest alone ([\d,]+)/, ['ingest']],
];

test('docs/STATUS.md states the number of files with long patterns, and numbers of lines within a tenth', async (t) => {
  const status = await readFile(join(PROJECT, 'docs', 'STATUS.md'), 'utf8');
  for (const [stated, folders] of STATED_LINES) {
    const files = (await readSources(PROJECT, folders)).filter(
      ({ path }) => /\.tsx?$/.test(path) && !path.includes('node_modules'),
    );
    const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    const figure = Number(stated.exec(status)?.[1]?.replaceAll(',', ''));
    t.true(Math.abs(figure / lines - 1) < 0.1, `${stated.source}: ${lines}`);
  }
  const patterns = await readFile(join(PROJECT, 'tools/lint/patterns.mjs'), 'utf8');
  const [, long = ''] = /^const LONG = \{\n([\s\S]*?)^\};/m.exec(patterns) ?? [];
  t.is(Number(/(\d+) files have patterns/.exec(status)?.[1]), [...long.matchAll(/^ {2}'/gm)].length);
});
