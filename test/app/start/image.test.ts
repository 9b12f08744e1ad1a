import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import { type ApiProcess, startProcess } from '#test/api-process.ts';
import { removeIndexes } from '#test/engines.ts';
import { testConfig, testEnv } from '#test/env.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const WORK_DIR = '/app';
const run = promisify(execFile);
/** Milliseconds for a build of the site or a start on a busy machine. */
const LIMIT = 400_000;

const folder = folderOfFile();
let image: string;
let env: NodeJS.ProcessEnv;
const cleanUp: (() => Promise<unknown>)[] = [];

interface Lock {
  packages: Record<string, { dev?: boolean }>;
}

/** Links the packages that `npm ci` installs, so that the image has none that it omits. */
async function linkPackages(to: string, isOmitted: (name: string) => boolean): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock;
  for (const path of Object.keys(packages).filter((each) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(each))) {
    if (isOmitted(path)) continue;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await symlink(join(PROJECT, path), join(to, path));
  }
}

/**
 * Builds the stages of the Dockerfile in folders: copies what `COPY` and .dockerignore state, runs `node`, and links the
 * packages that `npm ci` installs. Packages of the system are those of this machine.
 * @returns the folder of the last stage
 */
async function buildImage(): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock;
  const ignored = (await readFile(join(PROJECT, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  const isCopied = (path: string): boolean => {
    const name = relative(PROJECT, path);
    return !ignored.some((pattern) => matchesGlob(name, pattern));
  };
  const dockerfile = (await readFile(join(PROJECT, 'Dockerfile'), 'utf8')).replaceAll('\\\n', ' ');
  let stage = '';
  const at = (path: string, name = stage): string => join(folder, name, resolve(WORK_DIR, path));
  for (const line of dockerfile.split('\n')) {
    const [instruction = '', ...words] = line.trim().split(/\s+/);
    if (instruction === 'FROM') {
      stage = words[2] ?? 'image';
      await mkdir(at('.'), { recursive: true });
      // A stage may begin with the files of another one.
      if (/^\w+$/.test(words[0] ?? ''))
        await cp(at('.', words[0]), at('.'), { recursive: true, verbatimSymlinks: true });
    } else if (instruction === 'COPY') {
      const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
      const sources = words.slice(from === undefined ? 0 : 1, -1);
      const to = words.at(-1) as string;
      for (const source of sources) {
        const path = from === undefined ? join(PROJECT, source) : at(source, from);
        const options = {
          recursive: true,
          verbatimSymlinks: true,
          ...(from === undefined ? { filter: isCopied } : {}),
        };
        await cp(path, to.endsWith('/') ? join(at(to), source) : at(to), options);
      }
    } else if (instruction === 'RUN' && words[0] === 'npm') {
      const omitsDev = words.includes('--omit=dev');
      const removed = [...line.matchAll(/rm -rf (\S+)/g)].map(([, path]) => path as string);
      await linkPackages(
        at('.'),
        (path) => (omitsDev && packages[path]?.dev === true) || removed.some((each) => path.startsWith(`${each}/`)),
      );
    } else if (instruction === 'RUN' && words[0] === 'node') {
      const command = line.replace('RUN node', '"$NODE"').replaceAll(`'${WORK_DIR}'`, `'${at('.')}'`);
      await run('sh', ['-c', command], { cwd: at('.'), env: { ...process.env, NODE: process.execPath } });
    }
  }
  return at('.');
}

/** Runs statements on the server of the engines, as its superuser. */
async function onServer(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: testEnv().DATABASE_URL });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates role and database by the script of docker-compose.yml, under another name. @returns URL of the database */
async function createRole(name: string): Promise<string> {
  const text = await readFile(join(PROJECT, 'docker-compose.yml'), 'utf8');
  const { configs } = parse(text, { merge: true }) as { configs: Record<string, { content: string }> };
  const sql = /<<'SQL'\n(.*)SQL\n/s.exec(configs['create-role']?.content ?? '')?.[1] ?? '';
  const password = randomBytes(12).toString('hex');
  const own = sql.replace(":'password'", `'${password}'`).replace(/\blistings\b/g, name);
  cleanUp.push(() => onServer([`drop database if exists ${name} with (force)`, `drop role if exists ${name}`]));
  await onServer(own.split(';').filter((statement) => statement.trim() !== ''));
  const url = new URL(testEnv().DATABASE_URL);
  return Object.assign(url, { username: name, password, pathname: `/${name}` }).href;
}

test.before(async (t) => {
  t.timeout(LIMIT);
  image = await buildImage();
  const name = `image_${randomBytes(4).toString('hex')}`;
  const prefix = `${testConfig().opensearch.indexPrefix}${name}_`;
  cleanUp.push(() => removeIndexes(prefix));
  const feeds = join(folder, 'feeds');
  await mkdir(feeds);
  env = {
    ...process.env,
    ...testEnv(),
    NODE_ENV: 'production',
    DATABASE_URL: await createRole(name),
    INDEX_PREFIX: prefix,
    DATA_DIR: join(folder, 'data'),
    FEEDS_DIR: feeds,
  };
});
test.after(async () => {
  for (const step of cleanUp.reverse()) await step();
});

/** Starts a role from the files of the image. */
async function start(role: string, serving: RegExp): Promise<ApiProcess> {
  const service = await startProcess(role, env, serving, { main: join(image, 'app', 'main.ts'), cwd: image });
  cleanUp.push(() => service.end('SIGTERM'));
  return service;
}

test('the job of Kubernetes that migrates prepares an empty installation, as a role of Postgres without privileges', async (t) => {
  t.timeout(LIMIT);
  const text = await readFile(join(PROJECT, 'deploy', 'kubernetes', 'migrate.yaml'), 'utf8');
  const job = parse(text) as { spec: { template: { spec: { containers: { command: string[] }[] } } } };
  const [, ...args] = job.spec.template.spec.containers[0]?.command ?? [];
  // A job may run twice.
  for (let times = 0; times < 2; times++) await t.notThrowsAsync(run(process.execPath, args, { cwd: image, env }));
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query('select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = user');
  await client.end();
  t.deepEqual(rows, [{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }]);
});

test('the API serves pages, documents and searches from the files of the image alone', async (t) => {
  t.timeout(LIMIT);
  const { url } = await start('api', /^Serving /);
  for (const path of ['/healthz', '/readyz', '/', '/ar', '/docs', '/explorer', '/changelog', '/v1/openapi.json']) {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    t.is(response.status, 200, `${path}: ${text.slice(0, 300)}`);
    for (const [, asset = ''] of text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g))
      t.is((await fetch(url + asset, { method: 'HEAD' })).status, 200, asset);
  }
});

test('the worker and the command line run from the files of the image alone', async (t) => {
  t.timeout(LIMIT);
  await start('worker', /^Ingesting from /);
  const cli = (...args: string[]) =>
    run(process.execPath, [join('app', 'cli', 'cli.ts'), '--json', ...args], { cwd: image, env });
  t.true(JSON.parse((await cli('indexes')).stdout).length > 0);
  t.true(JSON.parse((await cli('analyze', 'apartments')).stdout).tokens.length > 0);
  const failed = await t.throwsAsync(run(process.execPath, [join('app', 'main.ts'), 'all'], { cwd: image, env }));
  t.regex(String((failed as { stdout?: string } | undefined)?.stdout), /neither the engines nor the sample/);
});
