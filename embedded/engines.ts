import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePrivately } from '#domain/process/files.ts';
import { choosePorts } from '#domain/process/ports.ts';
import { Problem } from '#domain/process/problem.ts';
import { startGuard } from './guard.ts';
import { chooseIdentity } from './identity.ts';
import { distributionFolder } from './install/opensearch.mjs';
import { s3ProxyFolder } from './install/s3proxy.mjs';
import { findJava } from './java.mjs';
import type { Engine, LaunchContext } from './launch.ts';
import { isLocked, takeLock } from './lock.ts';
import { startOpenSearch } from './opensearch.ts';
import { postgresHome, startPostgres } from './postgres.ts';
import { startS3 } from './s3.ts';
import { openSecrets, SECRET_VARIABLES } from './secrets.ts';

/** Variables by which command-line tools find the engines. */
export const ENGINES_FILE = 'engines.json';
/** Names the process that holds the data folder, and its engines. */
const LOCK_FILE = 'running.json';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

export interface EngineOptions {
  /** Folder of all data, kept between runs. */
  dataDir: string;
  /** Folder of indexes and cluster state. Defaults to one in the data folder. */
  searchDataDir?: string | undefined;
  /** Nodes of the OpenSearch cluster, for measurements and tests: on one machine they do not protect data. Defaults to 1. */
  searchNodes?: number;
  /** An engine whose URL is set is not started. */
  env?: Readonly<Record<string, string | undefined>>;
  /** For tests: implies `quickStart`; a crash may lose data. */
  throwaway?: boolean;
  /** For small data sets: a faster start, but slow with large ones. */
  quickStart?: boolean;
  say?(line: string): void;
  /** Cancels the start. The caller must then call `stop`. */
  signal?: AbortSignal;
  /** Whether to restart a crashed engine, after growing pauses, until `stop`. */
  restartOnCrash?: boolean;
  /** Called when an engine has ended and is not restarted. */
  onCrash?(message: string): void;
}

export type Engines = Awaited<ReturnType<typeof startEngines>>;

/**
 * Resolves when all serve.
 * @throws Problem if one does not start, after the others were stopped; the abort reason if cancelled
 */
export async function startEngines(options: EngineOptions) {
  const { env = {}, searchNodes = 1, throwaway = false, quickStart = throwaway, say = () => {} } = options;
  const heap = searchNodes > 1 ? (throwaway ? '1g' : '2g') : throwaway ? '2g' : heapFor(totalmem());
  const folder = resolve(options.dataDir);
  const own = { opensearch: env.OPENSEARCH_URL, postgres: env.DATABASE_URL, s3: env.S3_ENDPOINT };
  await mkdir(join(folder, 'logs'), { recursive: true });
  const lock = await takeLock(join(folder, LOCK_FILE), say);
  const guard = startGuard();
  const engines: Engine[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopAll(engines).finally(async () => {
      await rm(join(folder, ENGINES_FILE), { force: true });
      await guard.dismiss();
      await lock.release();
    });
    return stopped;
  };
  const cancelStart = () => void stop();
  options.signal?.addEventListener('abort', cancelStart, { once: true });

  try {
    const secrets = await openSecrets(join(folder, 'secrets.json'));
    const suffixes = Array.from({ length: searchNodes }, (_, at) => (at === 0 ? '' : `-${at + 1}`));
    const names = [...suffixes.flatMap((suffix) => [`opensearch${suffix}`, `transport${suffix}`]), 'postgres', 's3'];
    const ports = await choosePorts(join(folder, 'ports.json'), names);
    const port = (name: string): number => ports[name] as number;
    const cluster = suffixes.map((suffix) => {
      return { suffix, http: port(`opensearch${suffix}`), transport: port(`transport${suffix}`) };
    });
    const context: LaunchContext = {
      folder,
      project: PROJECT,
      identity: chooseIdentity(requiredPaths(folder, own)),
      secrets,
      lock,
      guard,
      restartOnCrash: options.restartOnCrash ?? false,
      say,
      onStarted(engine) {
        engines.push(engine);
        // `stop` was called while this engine was starting.
        if (stopped) void engine.stop();
      },
      onCrash(message) {
        if (!stopped) options.onCrash?.(message);
      },
    };
    const started: Record<string, string>[] = await allOrStop(
      [
        ...(own.opensearch ? [] : cluster).map((node) => {
          const dataDir = options.searchDataDir && options.searchDataDir + node.suffix;
          return startOpenSearch(context, { node, cluster, heap, throwaway, quickStart, dataDir });
        }),
        own.postgres ? undefined : startPostgres(context, { port: port('postgres'), throwaway }),
        own.s3 ? undefined : startS3(context, port('s3')),
      ],
      stop,
    );
    const set = SECRET_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
    const urls = started.flatMap(({ OPENSEARCH_URL }) => OPENSEARCH_URL ?? []);
    const found: Record<string, string> = Object.assign(
      { KEY_PEPPER: secrets.keyPepper, ...Object.fromEntries(set) },
      ...started,
      urls.length > 0 && { OPENSEARCH_URL: urls.join(',') },
    );
    await writePrivately(join(folder, ENGINES_FILE), JSON.stringify(found));
    options.signal?.removeEventListener('abort', cancelStart);
    options.signal?.throwIfAborted();
    return {
      /** Variables by which `readConfig` finds the engines. They override the environment. */
      env: found,
      get pids() {
        return engines.map((engine) => engine.pid);
      },
      /** Resolves when they have ended; may be repeated. */
      stop,
    };
  } catch (error) {
    await stop();
    options.signal?.throwIfAborted();
    throw error;
  }
}

/** Returns the running engines; null if none run. */
export async function findEngines(dataDir: string): Promise<Record<string, string> | null> {
  const folder = resolve(dataDir);
  // The process that wrote the file may have been killed.
  if (!(await isLocked(join(folder, LOCK_FILE)))) return null;
  const text = await readFile(join(folder, ENGINES_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}

/** Stops engines until none remain, because an engine may start while others stop. */
async function stopAll(engines: readonly Engine[]): Promise<void> {
  for (let count = -1; count !== engines.length; ) {
    count = engines.length;
    await Promise.all(engines.map((engine) => engine.stop()));
  }
}

/** Throws a failure once the other starts have ended. */
async function allOrStop<T>(starts: (Promise<T> | undefined)[], stop: () => Promise<void>): Promise<T[]> {
  const wanted = starts.filter((start) => start !== undefined);
  try {
    return await Promise.all(wanted);
  } catch (error) {
    await stop();
    await Promise.allSettled(wanted);
    throw error;
  }
}

/**
 * The user of the engines must be able to read these paths.
 * @throws Problem if one is missing
 */
function requiredPaths(folder: string, own: { opensearch?: string; postgres?: string; s3?: string }): string[] {
  const java = own.opensearch && own.s3 ? undefined : findJava(process.env).found;
  const needed = [
    ...(java ? [java.home] : []),
    ...(own.opensearch ? [] : [distributionFolder(PROJECT)]),
    ...(own.s3 ? [] : [s3ProxyFolder(PROJECT)]),
    ...(own.postgres ? [] : [postgresHome(PROJECT)]),
  ];
  for (const path of needed)
    if (!existsSync(path)) throw new Problem(`${path} is missing.`, ['Install it: node embedded/install.mjs']);
  return [folder, ...needed];
}

const GIGABYTE = 2 ** 30;

/**
 * An eighth of the memory, one to four gigabytes; the page cache needs the rest. With one, a few concurrent
 * aggregations approach OpenSearch's limit.
 */
function heapFor(memory: number): string {
  return `${Math.min(4, Math.max(1, Math.round(memory / 8 / GIGABYTE)))}g`;
}
