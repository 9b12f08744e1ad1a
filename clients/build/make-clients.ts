// Generates clients in clients/dist from the OpenAPI document.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '#src/endpoints/index.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import type { Clients } from '#src/openapi/samples.ts';

const run = promisify(execFile);

const HERE = join(import.meta.dirname, '..');
const PROJECT = join(HERE, '..');
export const DIST = join(HERE, 'dist');
/** Files that npm, pip and Postman load from a URL. */
export const ARCHIVES = join(DIST, 'downloads');
const INSTALLED = join(HERE, 'tools');
/** Tools that only tests use. */
const GENERATORS = join(INSTALLED, 'generators');
const VENV = join(INSTALLED, '.venv');
const PYTHON = join(VENV, 'bin', 'python');
const TOOLS = join(INSTALLED, 'node_modules', '.bin');
const REQUIREMENTS = join(INSTALLED, 'requirements.txt');

/** Milliseconds for the tools, and for one client. */
const INSTALL_LIMIT = 600_000;
const BUILD_LIMIT = 180_000;

const NAME = 'property-listings-client';
const ADDRESS = { serviceName: 'Property Listings API', baseUrl: 'https://api.example.com/v1' };

export type Say = (line: string) => void;

export const clientDocument = (baseUrl = ADDRESS.baseUrl, clients: Clients = ['typescript', 'python']) =>
  buildOpenApi(endpoints, { ...ADDRESS, baseUrl }, clients);

/** The clients have the version of the service, so that installers notice a new one. */
export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')).version;
}

export const canMake = () => ({ node: existsSync(join(TOOLS, 'openapi-typescript')), python: existsSync(PYTHON) });

export async function hasPython(): Promise<boolean> {
  const script = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))';
  return run('python3', ['-c', script], { timeout: BUILD_LIMIT }).then(
    () => true,
    () => false,
  );
}

/** Without Python, the Python client is skipped. */
export async function installTools(say: Say): Promise<void> {
  say('Installing the client build tools ...');
  await Promise.all([installPackages(INSTALLED), installPython(say)]);
}

/** Generators and tools of tests. */
export async function installTestTools(say: Say): Promise<void> {
  say('Installing the generators of tests ...');
  await installPackages(GENERATORS);
  if (canMake().python) await installRequirements(join(GENERATORS, 'requirements.txt'));
}

const installPackages = (cwd: string) =>
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd, timeout: INSTALL_LIMIT });

async function installRequirements(file: string): Promise<void> {
  const options = ['--quiet', '--disable-pip-version-check', '--requirement', file];
  await run(PYTHON, ['-m', 'pip', 'install', ...options], { timeout: INSTALL_LIMIT });
}

async function installPython(say: Say): Promise<void> {
  if (!(await hasPython())) return;
  const wanted = await readFile(REQUIREMENTS, 'utf8');
  const note = join(VENV, 'installed.txt');
  if ((await readFile(note, 'utf8').catch(() => '')) === wanted) return;
  await rm(VENV, { recursive: true, force: true });
  try {
    await run('python3', ['-m', 'venv', VENV], { timeout: INSTALL_LIMIT });
    await installRequirements(REQUIREMENTS);
    await writeFile(note, wanted);
  } catch (error) {
    await rm(VENV, { recursive: true, force: true });
    say(`No Python client: ${String((error as Error).message).split('\n')[0]}`);
  }
}

/** Those whose tools are installed. */
export async function makeClients(say: Say): Promise<void> {
  const { python } = canMake();
  const openapi = clientDocument();
  const version = await readVersion();
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  // Dependencies resolve as if installed there.
  await symlink(join(INSTALLED, 'node_modules'), join(DIST, 'node_modules'));
  await writeFile(join(DIST, 'openapi.json'), `${JSON.stringify(openapi, null, 1)}\n`);
  await makeTypeScript(version);
  say(`TypeScript: ${join(DIST, 'typescript')}`);
  await makePostman();
  say(`Postman: ${join(DIST, 'postman')}`);
  if (python) {
    await makePython(version);
    say(`Python: ${join(DIST, 'python')}`);
  }
  await pack(python, version);
}

async function pack(python: boolean, version: string): Promise<void> {
  await mkdir(ARCHIVES);
  await make('npm', ['pack', join(DIST, 'typescript'), '--pack-destination', ARCHIVES, '--loglevel=error']);
  await cp(join(DIST, 'postman', 'collection.json'), join(ARCHIVES, `${NAME}-${version}.postman.json`));
  if (!python) return;
  const options = ['--no-deps', '--no-build-isolation', '--no-cache-dir', '--disable-pip-version-check', '--quiet'];
  await make(PYTHON, ['-m', 'pip', 'wheel', ...options, '--wheel-dir', ARCHIVES, join(DIST, 'python')]);
}

async function makeTypeScript(version: string): Promise<void> {
  const folder = join(DIST, 'typescript');
  await cp(join(HERE, 'typescript'), folder, { recursive: true });
  await make(join(TOOLS, 'openapi-typescript'), [join(DIST, 'openapi.json'), '-o', join(folder, 'schema.d.ts')]);
  await make(join(TOOLS, 'tsc'), ['-p', folder]);
  await rm(join(folder, 'index.ts'));
  await rm(join(folder, 'tsconfig.json'));
  const tools = JSON.parse(await readFile(join(INSTALLED, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const description = {
    name: NAME,
    version,
    description: 'Client of the Property Listings API',
    type: 'module',
    license: 'UNLICENSED',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    engines: { node: '>=20' },
    dependencies: { 'openapi-fetch': tools.dependencies['openapi-fetch'] },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}

async function makePostman(): Promise<void> {
  const folder = join(DIST, 'postman');
  const file = join(folder, 'collection.json');
  await mkdir(folder, { recursive: true });
  const options =
    'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false,includeAuthInfoInExample=false';
  // Health checks have another server URL.
  const { paths, ...rest } = clientDocument() as { paths: Record<string, object> };
  const under = Object.fromEntries(Object.entries(paths).filter(([, item]) => !('servers' in item)));
  // The converter leaves out parameters that are not required, such as those of samples.
  const sampled = (_: string, value: { in?: string; example?: unknown } | null) =>
    value?.in && value.example !== undefined ? { ...value, required: true } : value;
  await writeFile(file, JSON.stringify({ ...rest, paths: under }, sampled));
  await make(join(TOOLS, 'openapi2postmanv2'), ['-s', file, '-o', file, '-O', options]);
  await writeFile(file, `${JSON.stringify(withKeys(JSON.parse(await readFile(file, 'utf8'))), null, 1)}\n`);
}

interface PostmanItem {
  item?: PostmanItem[];
  request?: { auth?: unknown; url?: { path?: string[] } };
  response?: unknown[];
}

/** Requests use `{{key}}`, administration `{{adminKey}}`. */
function withKeys(collection: PostmanItem & { variable?: { key: string }[] }): object {
  const bearer = (variable: string) => ({
    type: 'bearer',
    bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
  });
  const visit = (item: PostmanItem): PostmanItem => {
    const { request } = item;
    return {
      ...item,
      ...(item.item ? { item: item.item.map(visit) } : {}),
      ...(request
        ? {
            request: {
              ...request,
              ...(isAdministration(request) ? { auth: bearer('adminKey') } : { auth: undefined }),
            },
          }
        : {}),
      ...(item.response ? { response: [] } : {}),
    };
  };
  return {
    ...visit(collection),
    auth: bearer('key'),
    variable: [...(collection.variable ?? []), { key: 'key', value: '' }, { key: 'adminKey', value: '' }],
  };
}

const isAdministration = ({ url }: { url?: { path?: string[] } }): boolean => url?.path?.[0] === 'organization';

async function makePython(version: string): Promise<void> {
  const folder = join(DIST, 'python');
  const config = join(DIST, 'python.yaml');
  const stated = await readFile(join(HERE, 'python', 'config.yaml'), 'utf8');
  await writeFile(config, `${stated}package_version_override: ${version}\n`);
  await make(join(VENV, 'bin', 'openapi-python-client'), [
    'generate',
    ...['--path', join(DIST, 'openapi.json'), '--config', config],
    ...['--output-path', folder, '--meta', 'setup', '--fail-on-warning'],
    ...['--custom-template-path', join(HERE, 'python', 'templates')],
  ]);
  await cp(join(HERE, 'python', 'session.py'), join(folder, 'property_listings', 'session.py'));
  await cp(join(HERE, 'python', 'README.md'), join(folder, 'README.md'));
}

async function make(tool: string, args: readonly string[]): Promise<void> {
  const path = `${join(VENV, 'bin')}:${process.env.PATH}`;
  try {
    await run(tool, args, { timeout: BUILD_LIMIT, maxBuffer: 50_000_000, env: { ...process.env, PATH: path } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${tool} failed:\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
  }
}
