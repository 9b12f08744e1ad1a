import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePrivately } from './files.ts';
import { startGuard } from './guard.ts';
import { chooseIdentity } from './identity.ts';
import { distributionFolder } from './install/opensearch.mjs';
import { s3ProxyFolder } from './install/s3proxy.mjs';
import { findJava } from './java.mjs';
import type { Engine, LaunchContext } from './launch.ts';
import { isLocked, takeLock } from './lock.ts';
import { startOpenSearch } from './opensearch.ts';
import { choosePorts } from './ports.ts';
import { postgresHome, startPostgres } from './postgres.ts';
import { Problem } from './problem.ts';
import { startS3 } from './s3.ts';
import { openSecrets } from './secrets.ts';

/** A file in the data folder while the engines run: the variables by which command line tools find them. */
export const ENGINES_FILE = 'engines.json';
/** A file in the data folder that names the process that holds it, and its engines. */
const LOCK_FILE = 'running.json';

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

export interface EngineOptions {
  /** Created when absent. Holds all data that outlives a run. */
  dataDir: string;
  /** An engine whose URL is set here runs elsewhere and is not started. */
  env?: Readonly<Record<string, string | undefined>>;
  /** OpenSearch's heap in Java's notation, such as `2g`; by default a share of the machine's memory. */
  heap?: string;
  /** For test runs: `quickStart`, and may lose data when the machine crashes. */
  throwaway?: boolean;
  /** For little data: OpenSearch starts and takes data in faster, and serves large data slower. */
  quickStart?: boolean;
  buckets?: string[];
  say?(line: string): void;
  /** Calls the start off. Engines that have started are for their user to stop, who may have work to finish on them. */
  signal?: AbortSignal;
  /** Whether a crashed engine is restarted: up to three times in five minutes. */
  startAgain?: boolean;
  /** Called when an engine ended that was not stopped, and is not started again. */
  onDeath?(message: string): void;
}

export interface Engines {
  /** The variables by which `readConfig` finds the engines. They override the environment. */
  env: Record<string, string>;
  /** Process ids of the engines as they run now. */
  readonly pids: number[];
  /** Stops the engines and resolves when they are gone. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the engines that the environment does not name, in parallel, and resolves when all of them serve.
 * @throws Problem, after stopping the others, when one does not; the reason of the signal when it called the start off
 */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const { env = {}, throwaway = false, quickStart = throwaway, buckets = ['cdn', 'exports'], say = () => {} } = options;
  const heap = options.heap ?? (throwaway ? '2g' : heapFor(totalmem()));
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
  const callOff = () => void stop();
  options.signal?.addEventListener('abort', callOff, { once: true });

  try {
    const secrets = await openSecrets(join(folder, 'secrets.json'));
    const ports = await choosePorts(join(folder, 'ports.json'), ['opensearch', 'transport', 'postgres', 's3']);
    const context: LaunchContext = {
      folder,
      project: PROJECT,
      identity: chooseIdentity(requiredPaths(folder, own)),
      secrets,
      lock,
      guard,
      startAgain: options.startAgain ?? false,
      say,
      onStarted(engine) {
        engines.push(engine);
        // The stop came while this engine was starting.
        if (stopped) void engine.stop();
      },
      onDeath(message) {
        if (!stopped) options.onDeath?.(message);
      },
    };
    const started: Record<string, string>[] = await allOrStop(
      [
        own.opensearch
          ? undefined
          : startOpenSearch(
              context,
              { http: ports.opensearch, transport: ports.transport },
              { heap, throwaway, quickStart },
            ),
        own.postgres ? undefined : startPostgres(context, { port: ports.postgres, throwaway }),
        own.s3 ? undefined : startS3(context, ports.s3, buckets),
      ],
      stop,
    );
    const found = Object.assign({ KEY_PEPPER: env.KEY_PEPPER || secrets.keyPepper }, ...started);
    await writePrivately(join(folder, ENGINES_FILE), JSON.stringify(found));
    options.signal?.removeEventListener('abort', callOff);
    options.signal?.throwIfAborted();
    return {
      env: found,
      get pids() {
        return engines.map((engine) => engine.pid);
      },
      stop,
    };
  } catch (error) {
    await stop();
    options.signal?.throwIfAborted();
    throw error;
  }
}

/** The variables of the engines that run on a data folder; null where none do. */
export async function findEngines(dataDir: string): Promise<Record<string, string> | null> {
  const folder = resolve(dataDir);
  // A run that was killed leaves its file behind.
  if (!(await isLocked(join(folder, LOCK_FILE)))) return null;
  const text = await readFile(join(folder, ENGINES_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}

/** Repeats until no engine is left: one may start while the others stop. */
async function stopAll(engines: readonly Engine[]): Promise<void> {
  for (let count = -1; count !== engines.length; ) {
    count = engines.length;
    await Promise.all(engines.map((engine) => engine.stop()));
  }
}

/** All results; when one fails the others are stopped and waited for before its error is thrown. */
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

/** The paths that the engines must be able to read, as any user. */
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
 * An eighth of the machine's memory, from one to four gigabytes: the page cache and the rest of the service need the
 * rest. In one gigabyte a few concurrent aggregations over whole cities come near the engine's own limit.
 */
export function heapFor(memory: number): string {
  return `${Math.min(4, Math.max(1, Math.round(memory / 8 / GIGABYTE)))}g`;
}
