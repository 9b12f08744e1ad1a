import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import { childOutput } from '#test/child-output.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { textOfMarkup } from '#test/markup.ts';
import { app } from '#test/sample-app.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/**
 * Runs the samples of the reference in both languages, of the guide and of the documents as a customer does: one empty
 * folder a language, and clients that the commands of the guide install from the running service.
 */
const PROJECT = join(import.meta.dirname, '..', '..');
/** Milliseconds for an installation, and for a sample. */
const INSTALL_LIMIT = 400_000;
const RUN_LIMIT = 300_000;
const DOCUMENTS = ['docs/clients.md', 'clients/typescript/README.md', 'clients/python/README.md'];
/** The receiver of `npm start`. A customer writes their own in place of the example. */
const RECEIVER = 'http://127.0.0.1:9100/';
/** Samples that run at a time. */
const RUNNING = 3;

interface Language {
  /** Fences of its blocks. */
  fences: readonly string[];
  /** The beginning of the command that installs its client. */
  install?: string;
  prepare?: string;
  file: string;
  run: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  curl: { fences: ['sh'], file: 'sample.sh', run: 'bash -eu' },
  TypeScript: { fences: ['ts', 'js'], install: 'npm install', file: 'sample.mts', run: 'node' },
  Python: {
    fences: ['python'],
    install: 'pip install',
    prepare: 'python3 -m venv .venv',
    file: 'sample.py',
    run: 'python',
  },
};

const folder = folderOfFile();

/** Runs a command in a folder. @throws with its output if it fails */
async function run(command: string, cwd: string, variables: NodeJS.ProcessEnv, timeout = RUN_LIMIT): Promise<void> {
  const PATH = [join(cwd, '.venv', 'bin'), dirname(process.execPath), process.env.PATH].join(':');
  const env = { ...process.env, ...variables, PATH, PYTHONPATH: '', NODE_PATH: '' };
  const { code, out, errors } = await childOutput(
    spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout }),
  );
  if (code !== 0) throw new Error(`${command} exited with ${code}:\n${errors.slice(-1_500)}\n${out.slice(-500)}`);
}

interface Operation {
  operationId: string;
  'x-audience': 'public' | 'data' | 'admin';
}

const blocksOf = (source: string, fences: readonly string[]): string[] =>
  [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, fence = '', code = '']) =>
    fences.includes(fence) ? code : [],
  );

/** The samples of each operation, as its pages in both languages show them. */
async function pageSamples(
  fences: readonly string[],
): Promise<{ operation: Operation; isPost: boolean; code: string }[]> {
  const { paths } = (await app.request('/v1/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>;
  };
  const samples = Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.operationId ? { operation, isPost: method === 'post' } : [],
    ),
  );
  const shown = samples.map(async ({ operation, isPost }) => {
    const slug = operation.operationId.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    const pages = await Promise.all(['', '/ar'].map((prefix) => app.request(`${prefix}/reference/${slug}`)));
    const codes = pages.flatMap(({ text }) =>
      [...text.matchAll(/data-language="(\w+)"[^>]*>[\s\S]*?<code>([\s\S]*?)<\/code>/g)].flatMap(
        ([, fence = '', code = '']) => (fences.includes(fence) ? textOfMarkup(code) : []),
      ),
    );
    return [...new Set(codes)].map((code) => ({ operation, isPost, code }));
  });
  return (await Promise.all(shown)).flat();
}

/** An organization with one object of each kind, by the ids that examples have. */
async function createOwn(): Promise<{ env: NodeJS.ProcessEnv; ids: Readonly<Record<string, string>> }> {
  // The name that the sample states to close the account.
  const { id, key } = await createOrganization(app.services, { columns: { name: 'Example Homes' } });
  // An owner can leave while another one stays.
  const { rows } = await app.services.pool.query<{ id: number }>(
    `insert into members (public_id, organization_id, email, name, role)
     select 'mem_' || gen_random_uuid(), $1, name || '@example.com', name, 'owner' from unnest('{first,second}'::text[]) name
     returning id`,
    [id],
  );
  const admin = await createKey(app.services, id, { kind: 'admin', columns: { member_id: rows[0]?.id } });
  const post = async (path: string, json: object) => {
    const { status, body } = await app.request(`/v1${path}`, { key: admin, json });
    if (status > 299) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body.data.id as string;
  };
  const webhook = await post('/organization/webhooks', {
    url: RECEIVER,
    event_types: ['listing.created'],
    filters: { city: 'riyadh', listing_type: 'rent' },
  });
  // Neither is touched by a worker.
  const [delivery, exported] = [`dlv_${webhook.slice(4)}`, `exp_${webhook.slice(4)}`];
  await app.services.pool.query(
    `insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, body, status, created_at, due_at, finished_at)
     select $1, id, 1000, 'evt_1', 'listing.created', '{}', 'failed', now(), now(), now() from webhook_endpoints where public_id = $2`,
    [delivery, webhook],
  );
  await app.services.pool.query(
    `insert into exports (public_id, organization_id, dataset, format, filters, created_at, due_at)
     values ($1, $2, 'listings', 'csv', '{}', now(), now() + interval '1 day')`,
    [exported, id],
  );
  return {
    env: { API: `${app.url}/v1`, KEY: key, ADMIN_KEY: admin, CITY: 'riyadh' },
    ids: {
      whk_0f3a: webhook,
      dlv_0f3a: delivery,
      key_0f3a: await post('/organization/keys', { name: 'Own', kind: 'live' }),
      prj_0f3a: await post('/organization/projects', { name: 'Own' }),
      mem_0f3a: await post('/organization/members', { email: 'own@example.com', name: 'Own', role: 'viewer' }),
      exp_0f3a: exported,
    },
  };
}

for (const [name, { fences, install, prepare, file, run: program }] of Object.entries(LANGUAGES)) {
  test(`every ${name} sample of pages and documents runs in an empty folder`, async (t) => {
    t.timeout(900_000);
    const cwd = join(folder, name);
    await mkdir(cwd);
    if (prepare !== undefined) await run(prepare, cwd, {}, INSTALL_LIMIT);
    const guides = await Promise.all(['', '/ar'].map((prefix) => app.request(`${prefix}/guides/sdks.md`)));
    for (const { text } of guides) {
      const commands = blocksOf(text, ['sh']).filter((block) => install !== undefined && block.startsWith(install));
      t.is(commands.length, install === undefined ? 0 : 1, text.slice(0, 1_000));
      for (const command of commands) await run(command, cwd, {}, INSTALL_LIMIT);
    }
    const texts = await Promise.all(DOCUMENTS.map((path) => readFile(join(PROJECT, path), 'utf8')));
    // Later blocks of a document use what earlier ones import; a block that imports the client again is a program.
    const written = [...guides.map(({ text }) => text), ...texts].flatMap((text) => {
      const blocks = name === 'curl' ? [] : blocksOf(text, fences);
      const isProgram = (block: string): boolean => /import \{[^}]*createClient[^}]*\} from/.test(block);
      const [first, ...others] = blocks.filter(isProgram);
      const rest = blocks.filter((block) => !others.includes(block));
      return [...(first === undefined && rest.length === 0 ? [] : [rest.join('\n')]), ...others];
    });
    const samples = await pageSamples(fences);
    t.true(samples.length > 70 && (name === 'curl' || written.length > 1));
    const shared = await createOwn();
    const failed: string[] = [];
    const queue = new PQueue({ concurrency: RUNNING });
    const runSample = async (title: string, code: string, isOwn: boolean): Promise<void> => {
      const { env, ids } = isOwn ? await createOwn() : shared;
      const own = join(cwd, title);
      await mkdir(own, { recursive: true });
      // Node and Python find the packages of the folder above.
      const filled = code.replaceAll(/\b[a-z]{3}_0f3a\b/g, (id) => ids[id] ?? id);
      await writeFile(join(own, file), filled.replaceAll('https://hooks.example.com/listings', RECEIVER));
      await run(`${program} ${join(title, file)}`, cwd, env).catch((error) =>
        failed.push(`${title}: ${error.message}`),
      );
    };
    for (const { operation, isPost, code } of samples)
      void queue.add(() => runSample(operation.operationId, code, isPost));
    for (const [index, code] of [...new Set(written)].entries())
      void queue.add(() => runSample(`document-${index}`, code, true));
    await queue.onIdle();
    t.deepEqual(failed, []);
  });
}
