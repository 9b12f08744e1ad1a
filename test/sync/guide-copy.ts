import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGuides } from '#site/server/guides.ts';
import { childOutput } from '#test/child-output.ts';

/** A listing as the API returns it. Tests compare whole listings. */
export type Row = Readonly<Record<string, unknown>> & { id: number };

interface Copy {
  since: string | null;
  rows: Record<string, { read_at: number; listing: Row }>;
}

export interface ScriptRun {
  code: number | null;
  out: string;
  errors: string;
  /** Units reported in the last line of output. */
  units: number;
}

export interface ScriptOptions {
  api: string;
  key: string;
  /** Factor by which the script's waits are shortened. */
  speed?: number;
  /** Runs the script in a process, which is killed instead of sending this request. 0 does not kill the process. */
  killAtRequest?: number;
}

/** The script of the sync guide as a reader saves it. Its copy is stored in a file in the same folder. */
export async function guideScript(language: 'en' | 'ar' = 'en'): Promise<string> {
  const guide = readGuides(language).find(({ slug }) => slug === 'sync');
  const [, script] = /^```js\n([\s\S]*?)^```$/m.exec(guide?.source ?? '') ?? [];
  if (script === undefined) throw new Error('the guide on syncing has no script');
  return script;
}

const unitsIn = (out: string): number => Number(/(\d+) units\n$/.exec(out)?.[1]);

/** A folder in which a reader of the guide runs the script. */
export async function openGuideCopy(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sync-'));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'sync.js'), script);
  const file = join(folder, 'copy.json');
  // Starting a process takes ten times as long as the script.
  const inThread = new Function(
    ...['process', 'console', 'setTimeout'],
    script.replace("'copy.json'", JSON.stringify(file)).replace(/^main\(\)/m, 'return main()'),
  );
  const read = async (): Promise<Copy> => JSON.parse(await readFile(file, 'utf8')) as Copy;
  return {
    read,
    /** The listings of the copy, by id. */
    listings: async () => new Map(Object.values((await read()).rows).map(({ listing }) => [listing.id, listing])),
    write: (copy: Copy) => writeFile(file, JSON.stringify(copy)),

    async run({ api, key, speed = 1, killAtRequest }: ScriptOptions): Promise<ScriptRun> {
      if (killAtRequest === undefined) {
        const script = { env: { API: api, KEY: key }, exitCode: 0 };
        const texts = { out: '', errors: '' };
        const output = {
          log: (line: string) => (texts.out += `${line}\n`),
          error: (line: string) => (texts.errors += `${line}\n`),
        };
        await inThread(script, output, (call: () => void, ms: number) => setTimeout(call, ms / speed));
        return { code: script.exitCode, ...texts, units: unitsIn(texts.out) };
      }
      const preload = `
        const { fetch, setTimeout } = globalThis;
        let requests = 0;
        globalThis.fetch = (...args) => {
          if (++requests === ${killAtRequest}) process.kill(process.pid, 'SIGKILL');
          return fetch(...args);
        };
        globalThis.setTimeout = (call, ms, ...args) => setTimeout(call, ms / ${speed}, ...args);`;
      const child = spawn(
        process.execPath,
        // As Node 20 runs it: a file \`.js\` without a package is CommonJS.
        [
          '--no-experimental-detect-module',
          '--import',
          `data:text/javascript,${encodeURIComponent(preload)}`,
          'sync.js',
        ],
        {
          cwd: folder,
          env: { PATH: process.env.PATH, API: api, KEY: key },
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: 60_000,
        },
      );
      const { code, out, errors } = await childOutput(child);
      return { code, out, errors, units: unitsIn(out) };
    },

    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type GuideCopy = Awaited<ReturnType<typeof openGuideCopy>>;

/** All listings of a search, from all pages. */
export async function searchAll(api: string, key: string, query: Readonly<Record<string, string>>) {
  const found = new Map<number, Row>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({ ...query, limit: '100', ...(cursor && { cursor }) });
    const response = await fetch(`${api}/listings?${search}`, { headers: { Authorization: `Bearer ${key}` } });
    const body = (await response.json()) as { data: Row[]; pagination: { next_cursor: string | null } };
    for (const row of body.data) found.set(row.id, row);
    cursor = body.pagination.next_cursor;
  }
  return found;
}

/** A listing without the fields that only change with time. */
export const withoutAge = ({ last_seen_at, days_on_market, ...listing }: Row): Row => listing;
