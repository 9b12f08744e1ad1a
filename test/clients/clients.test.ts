import { execFile as execFileWithCallback } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { canMake, clientDocument } from '#clients/make-clients.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { buildClients } from './build-clients.ts';

const execFile = promisify(execFileWithCallback);
const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const DIST = join(CLIENTS, 'dist');
const PYTHON = join(CLIENTS, 'tools', '.venv', 'bin', 'python');
const here = canMake();

let app: TestApp;
let city: string;
let keys: { key: string; admin: string };
test.before(async (t) => {
  if (!here.node) return;
  t.timeout(300_000);
  await buildClients();
  app = await sharedApp();
  city = (await app.addCity()).slug;
  // The examples of the Postman collection use this city.
  await app.addCity({ slug: 'riyadh' });
  const { id, key } = await createOrganization(app.services);
  keys = { key, admin: await createKey(app.services, id, { kind: 'admin' }) };
  await indexListings(
    app.services,
    Array.from({ length: 12 }, (_, index) =>
      makeListing({ location: { city }, property_type: index % 2 ? 'villa' : 'apartment' }),
    ),
  );
});

/** Expected output of the examples in `docs/clients.md`. Listings of this test have no published changes. */
const PRINTED = ['5 true', '12', '12', '0', '404 listing_not_found'];

/** Returns the code blocks of a client's README, with the city of the test data. */
async function readme(client: 'typescript' | 'python', fence: string): Promise<string> {
  const text = await readFile(join(CLIENTS, client, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block,
  );
  return blocks.join('\n').replaceAll('riyadh', city);
}

async function example(fence: string): Promise<string> {
  const guide = await readFile(join(CLIENTS, '..', 'docs', 'clients.md'), 'utf8');
  const [, block = ''] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  return block;
}

/** Creates a folder in which the built packages are installed. */
async function installed(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t, DIST);
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(DIST, 'typescript'), join(folder, 'node_modules', 'property-listings-client'));
  return folder;
}

const environment = () => ({ API: `${app.url}/v1`, KEY: keys.key, CITY: city });
type Language = 'js' | 'python';
/** Tests of a client are skipped if its build tools are missing. `npm run release` installs the tools. */
const testOf = (language: Language) => ((language === 'js' ? here.node : here.python) ? test : test.skip);

/** Runs a program with the built client in a folder. @returns the lines of its output in lowercase */
async function run(folder: string, language: Language, source: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  await writeFile(join(folder, 'program.mjs'), source);
  const [program, args] = language === 'js' ? [process.execPath, ['program.mjs']] : [PYTHON, ['-c', source]];
  const path = { PYTHONPATH: join(DIST, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: folder, env: { ...process.env, ...path, ...env }, timeout: 60_000 };
  const { stdout } = await execFile(program, args, options);
  return stdout.trim().toLowerCase().split('\n');
}

/** Compiles files of a folder strictly. @throws Error for a type error */
const compile = (folder: string, types: string, ...files: string[]) =>
  execFile(
    join(CLIENTS, '..', 'node_modules', '.bin', 'tsc'),
    [
      ...'--ignoreConfig --noEmit --strict --target es2022 --module nodenext --skipLibCheck'.split(' '),
      ...['--types', types, ...files],
    ],
    { cwd: folder, timeout: 60_000 },
  );

for (const [language, client, printed] of [
  ['js', 'typescript', ['10', '12', 'queued', '400 unknown_city city', '12', '0']],
  ['python', 'python', ['12', '400 unknown_city city', 'queued', '0']],
] as const)
  testOf(language)(`the ${language} examples of the guide and of the README print the expected output`, async (t) => {
    const folder = await installed(t);
    t.deepEqual(await run(folder, language, await example(language), environment()), PRINTED);
    const env = { ...environment(), KEY: (await createOrganization(app.services)).key };
    const lines = await run(folder, language, await readme(client, language), env);
    t.deepEqual(language === 'python' ? lines.slice(5) : lines, [...printed]);
  });

testOf('js')('the compiler rejects calls that the document does not allow', async (t) => {
  const folder = await installed(t);
  const typed = `${(await example('js')).replaceAll(/process\.env\.(\w+)/g, "'$1'")}
// @ts-expect-error an invalid value of a parameter
client.GET('/listings', { params: { query: { city: 'riyadh', listing_type: 'rented' } } });
// @ts-expect-error a missing required parameter
client.each('/listings', { query: { city: 'riyadh' } });
// @ts-expect-error a dataset without its range
client.POST('/exports', { body: { dataset: 'listing_changes', format: 'csv', filters: { city: 'riyadh' } } });
`;
  await writeFile(join(folder, 'example.mts'), `declare const console: { log(...values: unknown[]): void };\n${typed}`);
  await t.notThrowsAsync(compile(folder, '', 'example.mts'));
});

/** Responses of an overloaded service that recovers. */
const BUSY = [
  [429, { 'Retry-After': '1' }],
  [503, { 'Retry-After': '1' }],
] as const;

const RETRIES: Readonly<Record<'js' | 'python', string>> = {
  js: `import { createClient, unwrap } from 'property-listings-client';
const client = createClient({ baseUrl: process.env.API, key: 'k' });
const { data } = unwrap(await client.POST('/exports', { body: { dataset: 'registered_rents', format: 'csv' } }));
console.log(data.id);
const spent = await client.GET('/spent');
console.log(spent.response.status);`,
  python: `import os
from property_listings.session import connect
client = connect(os.environ["API"], "k").get_httpx_client()
print(client.request("POST", "/exports", json={}).json()["data"]["id"])
print(client.request("GET", "/spent").status_code)`,
};

for (const language of ['js', 'python'] as const)
  testOf(language)(`the ${language} client honors Retry-After and repeats a POST with the same key`, async (t) => {
    const calls: { at: number; key: string; path: string }[] = [];
    const { url: origin, close } = await listen(
      createServer((request, response) => {
        request.resume();
        const { pathname: path } = new URL(request.url ?? '', 'http://api.example');
        calls.push({ at: performance.now(), key: String(request.headers['idempotency-key']), path });
        response.setHeader('Content-Type', 'application/json');
        if (path === '/spent') return response.writeHead(429, { 'Retry-After': '86400' }).end('{}');
        const [status, headers] = BUSY[calls.length - 1] ?? [201, {}];
        response.writeHead(status, headers).end(JSON.stringify({ data: { id: 'exp_1' } }));
      }),
    );
    t.teardown(close);
    // The Python client uses the proxy of the environment.
    const env = language === 'js' ? { API: origin } : { API: 'http://api.example', HTTP_PROXY: origin };
    t.deepEqual(await run(await installed(t), language, RETRIES[language], env), ['exp_1', '429']);
    const posts = calls.filter(({ path }) => path === '/exports');
    t.is(posts.length, 3);
    t.is(new Set(posts.map(({ key }) => key)).size, 1);
    t.regex(posts[0]?.key ?? '', /^[0-9a-f-]{36}$/);
    for (const [index, { at }] of posts.slice(1).entries()) t.true(at - (posts[index]?.at ?? 0) >= 990);
    t.is(calls.length, 4, 'a Retry-After of a day is not waited for');
  });

interface Described {
  operationId: string;
  parameters: { name: string; schema: { default?: unknown } }[];
  'x-codeSamples': { lang: string; source: string }[];
}

/** Runs each file in a folder and ignores errors of the service. */
const RUN_ALL: Readonly<Record<'typescript' | 'python', string>> = {
  typescript: `import { readdirSync } from 'node:fs';
for (const file of readdirSync('samples').sort())
  await import('./samples/' + file).catch((error) => {
    if (error.status !== 404 && !error.message.includes('listing_not_found')) throw error;
  });`,
  python: `import os
for name in sorted(os.listdir("samples")):
    try:
        exec(compile(open(f"samples/{name}").read(), name, "exec"), {})
    except Exception as error:
        assert 404 in (getattr(error, "status", None), getattr(error, "code", None)), error`,
};

for (const [client, clients] of [
  ['typescript', ['typescript']],
  ['typescript', []],
  ['python', ['python']],
  ['python', []],
] as const) {
  const language = client === 'typescript' ? 'js' : 'python';
  const title = `${client} sample of every operation ${clients.length > 0 ? 'with' : 'without'} the client`;
  testOf(language)(`the ${title} sends the request of its curl sample`, async (t) => {
    const received: string[] = [];
    const defaults = new Set<string>();
    const { url, close } = await listen(
      createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
          const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
          const query = [...searchParams].map(([name, value]) => `${name}=${value}`);
          // The Python client sends default values.
          const set = query.filter((each) => !defaults.has(each));
          received.push(`${request.method} ${pathname}?${set.join('&')} ${body}`);
          response.writeHead(404, { 'Content-Type': 'application/json' });
          const error = { type: 'not_found', code: 'listing_not_found', message: '', param: null };
          response.end(JSON.stringify({ error: { ...error, request_id: 'req_1', doc_url: '' } }));
        });
      }),
    );
    t.teardown(close);
    const baseUrl = `${url}/v1`;
    const { paths } = clientDocument(baseUrl, clients) as { paths: Record<string, Record<string, Described>> };
    const folder = await installed(t);
    await mkdir(join(folder, 'samples'));
    const env = { KEY: 'k', ADMIN_KEY: 'a' };
    const commands: string[] = [];
    for (const { operationId, parameters, 'x-codeSamples': samples } of Object.values(paths).flatMap((item) =>
      Object.values(item),
    )) {
      for (const { name, schema } of parameters ?? []) defaults.add(`${name}=${schema.default}`);
      const source = samples?.find(({ lang }) => lang === client)?.source;
      if (source === undefined) continue;
      await writeFile(join(folder, 'samples', `${operationId}.${client === 'python' ? 'py' : 'mts'}`), source);
      commands.push(samples.find(({ lang }) => lang === 'curl')?.source ?? '');
    }
    t.true(commands.length > 50);
    await writeFile(join(folder, 'commands.sh'), commands.join('\n'));
    // curl fails with 404.
    const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000 };
    await execFile('sh', ['commands.sh'], options).catch(() => {});
    const expected = received.splice(0).sort();
    t.is(expected.length, commands.length);
    await run(folder, language, RUN_ALL[client], env);
    // Python writes the offset of UTC in digits.
    t.deepEqual(received.map((call) => call.replaceAll('+00:00', 'Z')).sort(), expected);
    if (client === 'python') return;
    const files = (await readdir(join(folder, 'samples'))).map((name) => join('samples', name));
    await t.notThrowsAsync(compile(folder, 'node', ...files));
  });
}

interface Execution {
  item: { name: string };
  request: { method: string };
  response?: { code: number; stream?: { data: number[] } };
}

testOf('js')('every request of the Postman collection matches a route and has the required parameters', async (t) => {
  const report = join(DIST, `report-${process.pid}.json`);
  t.teardown(() => rm(report, { force: true }));
  const variables = { baseUrl: `${app.url}/v1`, key: keys.key, adminKey: keys.admin };
  await execFile(
    join(CLIENTS, 'tools', 'generators', 'node_modules', '.bin', 'newman'),
    [
      ...['run', join(DIST, 'postman', 'collection.json'), '--reporters', 'json', '--reporter-json-export', report],
      ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ],
    { timeout: 110_000, maxBuffer: 50_000_000 },
  );
  const { run } = JSON.parse(await readFile(report, 'utf8')) as { run: { executions: Execution[] } };
  const { paths } = clientDocument() as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((item) => ('servers' in item ? [] : Object.keys(item)));
  t.is(run.executions.length, operations.length);
  for (const { item, request, response } of run.executions) {
    const { code = 0, stream } = response ?? {};
    const error = code >= 400 ? JSON.parse(Buffer.from(stream?.data ?? []).toString()).error.code : null;
    const outcome = `${item.name}: ${code} ${error}`;
    t.false(['route_not_found', 'unknown_parameter', 'missing_parameter'].includes(error), outcome);
    // The ids of the examples do not exist, and not every generated body is valid.
    // The key of the collection has no member, who could leave, and requests of a larger plan go to a contact.
    t.true((request.method === 'GET' ? [200, 404] : [200, 201, 400, 404, 409]).includes(code), outcome);
  }
});
