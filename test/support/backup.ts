import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { childOutput } from './child-output.ts';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

export interface Ran {
  code: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: the output under test
  out: any;
  err: string;
}

/** Runs a command of `npm run cli` with JSON output on a data folder, without the engines of the test run. */
export async function cliOn(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const { PATH, HOME, TMPDIR, JAVA_HOME, OPENSEARCH_JAVA_HOME, NODE_COMPILE_CACHE } = process.env;
  const base = { PATH, HOME, TMPDIR, JAVA_HOME, OPENSEARCH_JAVA_HOME, NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [CLI, '--json', ...args], {
    env: { ...base, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, out, errors: err } = await childOutput(child);
  return { code, out: out === '' ? null : JSON.parse(out), err };
}

/** Returns a hash of the content of every table that `isCompared` accepts, without the times at which keys were used. */
export async function readTables(
  pool: pg.Pool,
  isCompared: (table: string) => boolean,
): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of rows.filter((row) => isCompared(row.name))) {
    const { rows: hashes } = await pool.query<{ hash: string }>(
      `select coalesce(md5(string_agg(text, e'\\n' order by text)), '') as hash
         from (select (to_jsonb(t) - 'last_used_at')::text as text from ${pg.escapeIdentifier(name)} t) as rows`,
    );
    contents[name] = hashes[0]?.hash ?? '';
  }
  return contents;
}
