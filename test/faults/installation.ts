import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openServices } from '#app/open-services.ts';
import { prepareStores } from '#app/start/stores.ts';
import type { Services } from '#src/services.ts';
import { copyDatabase, removeIndexes } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';

export const CLI = join(import.meta.dirname, '..', '..', 'app', 'cli', 'cli.ts');

/** A separate installation on the same engines. The load on the main installation reveals side effects. */
export interface Installation {
  /** Folder for data and feeds. */
  dir: string;
  server: string;
  database: string;
  prefix: string;
  env: NodeJS.ProcessEnv;
  services: Services;
  /** Cleanup steps, run in reverse order. */
  undo: (() => Promise<unknown>)[];
  /** Runs ingest once. @throws Error if it fails */
  ingest(...args: string[]): Promise<void>;
}

/**
 * Runs a fault on a new installation, and removes the installation.
 * @param engines variables of other engines
 */
export async function onInstallation(
  name: string,
  run: (own: Installation) => Promise<void>,
  engines: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), `${name}-`));
  const undo: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  try {
    const server = process.env.DATABASE_URL as string;
    const url = new URL(server);
    url.pathname = `/${name}`;
    const prefix = `${name}_`;
    const own = { ...engines, DATABASE_URL: url.href, INDEX_PREFIX: prefix, DATA_DIR: dir, FEEDS_DIR: dir };
    const env = { ...process.env, ...own };
    await copyDatabase(server, name);
    const config = testConfig(own);
    await prepareStores(config);
    const { services, close } = await openServices(config);
    undo.push(close, () => removeIndexes(prefix));
    const ingest = async (...args: string[]) =>
      void (await promisify(execFile)(process.execPath, [CLI, 'ingest', '--json', ...args], { env }));
    await run({ dir, server, database: name, prefix, env, services, undo, ingest });
  } finally {
    for (const step of undo.reverse()) await step().catch((error: unknown) => console.log(String(error)));
  }
}
