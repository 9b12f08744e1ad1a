import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ExportWorkerOptions, startExports } from '#src/exports/export-worker.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestResponse } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { workers } from '#test/workers.ts';

export interface ExportFileLink {
  name: string;
  url: string;
  bytes: number;
  sha256: string;
  rows: number | null;
}

/** The service with a separate export queue, and a worker that polls the queue frequently. */
export type ExportApp = ReturnType<typeof withExports>;

export type ExportAppOptions = TestAppOptions & { worker?: Partial<ExportWorkerOptions> | null };

/**
 * @param name name of the database, which must be unique because test files with the same database would share a queue
 */
export async function startExportApp(
  name: string,
  { env, worker = {}, ...rest }: ExportAppOptions = {},
): Promise<ExportApp> {
  const databaseUrl = await createDatabase(name);
  return withExports(await startTestApp({ ...rest, env: { DATABASE_URL: databaseUrl, ...env } }), worker);
}

/**
 * Adds export helpers to an app with a separate database, and starts a worker for its queue unless `worker` is null.
 */
export function withExports(app: TestApp, worker: Partial<ExportWorkerOptions> | null = {}) {
  const { start: startWorker, stopAll } = workers<ExportWorkerOptions>((options) =>
    startExports(app.services, { pollMs: 20, retryMs: 20, ...options }),
  );
  const post = (key: string, json: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
    app.request('/v1/exports', { key, headers, json });
  /** Polls until an export has ended. @returns `data` of the last response */
  const ended = async (key: string, id: string): Promise<TestResponse['body']> => {
    let found: TestResponse['body'];
    await eventually(async () => {
      const { status, body, text } = await app.request(`/v1/exports/${id}`, { key });
      if (status !== 200) throw new Error(text);
      found = body.data;
      return !['queued', 'running'].includes(found.status);
    });
    return found;
  };
  /** Creates an export and waits until it has ended. */
  const make = async (key: string, json: unknown): Promise<TestResponse['body']> => {
    const created = await post(key, json);
    if (created.status !== 201) throw new Error(created.text);
    return ended(key, created.body.data.id);
  };
  const close = async (): Promise<void> => {
    await stopAll();
    await app.close();
  };
  if (worker) startWorker(worker);
  return { ...app, startWorker, post, ended, make, close };
}

/** Downloads a file by its link, and checks its size and hash. */
export async function download({ url, bytes, sha256, name }: ExportFileLink): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body.toString('utf8', 0, 500)}`);
  if (body.length !== bytes) throw new Error(`${name} has ${body.length} bytes, not ${bytes}`);
  if (createHash('sha256').update(body).digest('hex') !== sha256) throw new Error(`${name} has another digest`);
  return body;
}

/** Returns the decompressed text of every part, in order. */
export async function partTexts(files: readonly ExportFileLink[]): Promise<string[]> {
  const parts = files.filter(({ name }) => name.startsWith('part-'));
  return Promise.all(parts.map(async (file) => gunzipSync(await download(file)).toString('utf8')));
}

/** Returns the lines in all parts of an NDJSON export. */
export async function rowsOf(files: readonly ExportFileLink[]): Promise<string[]> {
  return (await partTexts(files)).flatMap((text) => text.split('\n').slice(0, -1));
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
export async function manifestOf(files: readonly ExportFileLink[]): Promise<any> {
  const file = files.find(({ name }) => name === 'manifest.json');
  if (!file) throw new Error('there is no manifest');
  return JSON.parse((await download(file)).toString('utf8'));
}
