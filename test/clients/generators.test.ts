import { execFile as execFileWithCallback, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/**
 * Tests a client generator per language besides those of the released clients: it accepts the served OpenAPI document,
 * the generated client compiles, and its calls return the data of the API.
 */
const execFile = promisify(execFileWithCallback);
const PROJECT = join(import.meta.dirname, '..', '..');
const TOOLS = join(PROJECT, 'clients', 'tools');
const NODE_TOOLS = join(TOOLS, 'node_modules');
const PYTHON_TOOLS = join(TOOLS, '.venv', 'bin');
const LIMIT = 240_000;

let app: TestApp;
let city: string;
let document: string;
test.before(async () => {
  app = await startTestApp({ overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] } });
  city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    Array.from({ length: 7 }, () => makeListing({ location: { city }, property_type: 'villa' })),
  );
  const response = await app.request('/v1/openapi.json');
  if (response.status !== 200) throw new Error(`the document was returned with status ${response.status}`);
  document = response.text;
});
test.after(() => app?.close());

/** Expected output of every client, one line per call. */
const PRINTED = [
  '4 rows, more: true',
  '3 rows, more: false',
  '7 listings',
  '404 listing_not_found',
  'registered_rents queued',
  'listing_changes queued',
  '404 period_not_found []',
  'webhook of 1 city',
];

/** Calls that must fail type checking. */
const REFUSED = {
  'a filter of another dataset': `{ dataset: 'registered_rents', format: 'csv', filters: { beds: 3 } }`,
  'a dataset without its range': `{ dataset: 'listing_changes', format: 'csv', filters: { city: CITY } }`,
  'a dataset without its filters': `{ dataset: 'listing_changes', format: 'csv' }`,
  'an unknown dataset': `{ dataset: 'owners', format: 'csv' }`,
};

/** Import path of the generated client. */
const MADE = './made';

const HEY_API = `import { createClient } from '${MADE}/client';
import { countListings, createExport, createWebhook, getListing, searchListings } from '${MADE}';
const { API, KEY, ADMIN, CITY = '' } = process.env;
const client = createClient({ baseUrl: API, auth: KEY });
const admin = createClient({ baseUrl: API, auth: ADMIN });
const query = { city: CITY, listing_type: 'rent' as const, property_type: ['villa' as const, 'apartment' as const], limit: 4 };
const first = await searchListings({ client, query });
console.log(\`\${first.data?.data.length} rows, more: \${first.data?.pagination.has_more}\`);
const second = await searchListings({ client, query: { ...query, cursor: first.data?.pagination.next_cursor ?? '' } });
console.log(\`\${second.data?.data.length} rows, more: \${second.data?.pagination.has_more}\`);
const count = await countListings({ client, query: { city: CITY, listing_type: 'rent', bbox: [34, 16, 56, 33] } });
console.log(\`\${count.data?.data.total} listings\`);
const missing = await getListing({ client, path: { id: 1 } });
console.log(missing.response?.status, missing.error?.error.code);
const rents = await createExport({
  client,
  body: { dataset: 'registered_rents', format: 'csv', filters: { property_type: 'apartment' } },
});
console.log(rents.data?.data.dataset, rents.data?.data.status);
const changes = await createExport({
  client,
  body: { dataset: 'listing_changes', format: 'ndjson', filters: { released_from: '2026-10-01T00:00:00Z', city: [CITY] } },
});
console.log(changes.data?.data.dataset, changes.data?.data.status);
const period = await createExport({
  client,
  body: { dataset: 'registered_rents', format: 'csv', filters: { city: CITY, period: '1999-Q1' } },
});
console.log(period.response?.status, period.error?.error.code, JSON.stringify(period.error?.error.details?.available_periods));
const hook = await createWebhook({
  client: admin,
  body: { url: 'https://hooks.test/', event_types: ['listing.created'], filters: { city: CITY, beds_min: 2 } },
});
console.log(\`webhook of \${(hook.data?.data.filters.city as unknown[]).length} city\`);
export const refused = [
${Object.entries(REFUSED)
  .map(([what, body]) => `// @ts-expect-error ${what}\n() => createExport({ client, body: ${body} }),`)
  .join('\n')}
];
`;

const OPENAPI_GENERATOR = `import os
import made
from made import rest
from made.exceptions import ApiException
from made.models import *

city = os.environ["CITY"]
def api(kind, name):
    configuration = made.Configuration(host=os.environ["API"], access_token=os.environ[name])
    return kind(made.ApiClient(configuration))

listings, exports, admin = api(made.ListingsApi, "KEY"), api(made.ExportsApi, "KEY"), api(made.AdministrationApi, "ADMIN")
query = dict(city=city, listing_type="rent", property_type=["villa", "apartment"], limit=4)
page = listings.search_listings(**query)
print(f"{len(page.data)} rows, more: {str(page.pagination.has_more).lower()}")
page = listings.search_listings(**query, cursor=page.pagination.next_cursor)
print(f"{len(page.data)} rows, more: {str(page.pagination.has_more).lower()}")
print(listings.count_listings(city=city, listing_type="rent", bbox=[34.0, 16.0, 56.0, 33.0]).data.total, "listings")
try:
    listings.get_listing(1)
except ApiException as error:
    print(error.status, error.data.error.code)

def export(body):
    return exports.create_export(CreateExportRequest.from_dict(body)).data

data = export({"dataset": "registered_rents", "format": "csv", "filters": {"property_type": "apartment"}})
print(data.dataset, data.status)
data = exports.create_export(CreateExportRequest(ListingChangesExport(dataset="listing_changes", format="ndjson",
    filters=ListingChangesFilters(ListingChangesFiltersByReleasedFrom(
        released_from="2026-10-01T00:00:00Z", city=ListingsFiltersCity([city])))))).data
print(data.dataset, data.status)
try:
    export({"dataset": "registered_rents", "format": "csv", "filters": {"city": city, "period": "1999-Q1"}})
except ApiException as error:
    print(error.status, error.data.error.code, error.data.error.details.available_periods)
hook = admin.create_webhook(CreateWebhookRequest(url="https://hooks.test/", event_types=["listing.created"],
    filters=WebhookFilters(city=ListingsFiltersCity(city), beds_min=2)))
print("webhook of", len(hook.data.filters["city"]), "city")
`;

interface Generator {
  /** Required tools. The test is skipped if one of them is missing. */
  needs: readonly string[];
  /** Generates the client and its program. @returns the command and its arguments */
  make(folder: string): Promise<readonly [program: string, ...args: string[]]>;
}

const run = (program: string, args: readonly string[], cwd: string, env: object = {}) =>
  execFile(program, args, { cwd, env: { ...process.env, ...env }, timeout: LIMIT, maxBuffer: 50_000_000 });

const TSC = join(PROJECT, 'node_modules', '.bin', 'tsc');
const ESBUILD = join(PROJECT, 'node_modules', '.bin', 'esbuild');
const STRICT = '--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler'.split(' ');

/**
 * Compiles a program in strict mode and bundles it, so that Node resolves its imports.
 * @returns the command and its arguments
 */
async function compiled(folder: string, source: string): Promise<readonly [string, string]> {
  await writeFile(join(folder, 'run.ts'), source);
  const types = join(PROJECT, 'node_modules', '@types');
  await run(TSC, [...STRICT, '--skipLibCheck', '--typeRoots', types, '--types', 'node', 'run.ts'], folder);
  await run(
    ESBUILD,
    ['run.ts', '--bundle', '--format=esm', '--platform=node', '--outfile=run.mjs', '--log-level=error'],
    folder,
  );
  return [process.execPath, 'run.mjs'];
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    needs: [join(NODE_TOOLS, '.bin', 'openapi-ts')],
    make: async (folder) => {
      const options = ['-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch', '--no-log-file'];
      await run(join(NODE_TOOLS, '.bin', 'openapi-ts'), options, folder);
      return compiled(folder, HEY_API);
    },
  },
  'openapi-generator for Python': {
    needs: [join(PYTHON_TOOLS, 'openapi-generator-cli'), 'java'],
    make: async (folder) => {
      await run(
        join(PYTHON_TOOLS, 'openapi-generator-cli'),
        'generate -g python -i openapi.json -o . --package-name made --global-property models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false'.split(
          ' ',
        ),
        folder,
      );
      await writeFile(join(folder, 'run.py'), OPENAPI_GENERATOR);
      return [join(PYTHON_TOOLS, 'python'), 'run.py'];
    },
  },
};

/** Names the first missing tool for the title of a skipped test; null if all tools are installed. */
function missing(needs: readonly string[]): string | null {
  const isInstalled = (tool: string): boolean =>
    tool === 'java' ? spawnSync(tool, ['-version'], { timeout: 30_000 }).status === 0 : existsSync(tool);
  const tool = needs.find((each) => !isInstalled(each));
  return tool === undefined ? null : `not installed: ${tool.replace(`${PROJECT}/`, '')}`;
}

/** Declares a test that is skipped if a required tool is missing. `npm run release` installs the tools. */
function testWith(needs: readonly string[], title: string, body: (t: ExecutionContext) => Promise<void>): void {
  const reason = missing(needs);
  if (reason === null) test(title, body);
  else test.skip(`${title} (${reason})`, body);
}

/** Creates a folder with the OpenAPI document and links to the installed packages. */
async function ground(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'openapi.json'), document);
  await symlink(NODE_TOOLS, join(folder, 'node_modules'));
  return folder;
}

for (const [name, { needs, make }] of Object.entries(GENERATORS)) {
  testWith(needs, `${name}: the generated client compiles, and its calls return the data of the API`, async (t) => {
    t.timeout(LIMIT);
    const { id, key } = await createOrganization(app.services);
    const admin = await createKey(app.services, id, { kind: 'admin' });
    const folder = await ground(t);
    const [program, ...args] = await make(folder);
    const env = { API: `${app.url}/v1`, KEY: key, ADMIN: admin, CITY: city, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(program, args, folder, env);
    t.deepEqual(stdout.trim().split('\n'), PRINTED);
  });
}

const REDOCLY = join(NODE_TOOLS, '.bin', 'redocly');

testWith([REDOCLY], 'Redocly reports no problems in the OpenAPI document', async (t) => {
  t.timeout(LIMIT);
  const folder = await ground(t);
  const { stdout } = await run(REDOCLY, ['lint', 'openapi.json', '--format=json', '--max-problems=100'], folder, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });
  const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string; message: string }[] };
  t.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
});
