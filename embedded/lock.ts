import { readFile, rm, writeFile } from 'node:fs/promises';
import { writePrivately } from '#domain/process/files.ts';
import { Problem } from '#domain/process/problem.ts';
import { endProcess, isRunning, type ProcessId, processBegun } from './process.ts';

export interface LockedProcess extends ProcessId {
  name: string;
  /** Clean shutdown. */
  signal: NodeJS.Signals;
}

interface Contents {
  owner: ProcessId;
  engines: LockedProcess[];
}

/** The lock of a running installation, which lists its engines. */
export type Lock = Awaited<ReturnType<typeof takeLock>>;

/**
 * First ends engines that a killed process left running.
 * @throws Problem if another process holds the lock
 */
export async function takeLock(file: string, say: (line: string) => void) {
  const owner = { pid: process.pid, begun: processBegun(process.pid) ?? '' };
  const contents: Contents = { owner, engines: [] };
  for (let tries = 0; !(await create(file, contents)); tries++) {
    const other = await readLock(file);
    if (tries === 10 || (other && isRunning(other.owner)))
      throw new Problem(`Already running (process ${other?.owner.pid ?? '?'}) on this data folder.`, [
        `Stop it first (kill ${other?.owner.pid ?? '...'}), or set DATA_DIR to another folder and PORT to another port.`,
      ]);
    for (const engine of other?.engines ?? []) {
      if (!isRunning(engine)) continue;
      say(`Ending ${engine.name} (process ${engine.pid}), left behind by a run that was killed.`);
      await endProcess(engine, engine.signal, 20_000);
    }
    await rm(file, { force: true });
  }
  let written = Promise.resolve();
  let released = false;
  const write = async () => {
    if (!released) await writePrivately(file, JSON.stringify(contents));
  };
  return {
    /** Replaces an earlier process of the same engine. */
    add(engine: LockedProcess): Promise<void> {
      contents.engines = [...contents.engines.filter(({ name }) => name !== engine.name), engine];
      // Writes are queued, because engines start in parallel.
      written = written.then(write);
      return written;
    },
    async release(): Promise<void> {
      released = true;
      await written.catch(() => {});
      await rm(file, { force: true });
    },
  };
}

export async function isLocked(file: string): Promise<boolean> {
  const other = await readLock(file);
  return other !== undefined && isRunning(other.owner);
}

/** Returns false if the file already exists. */
async function create(file: string, contents: Contents): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(contents), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns undefined if the file is missing, or empty because its writer was killed. */
async function readLock(file: string): Promise<Contents | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Contents;
  } catch {
    return undefined;
  }
}
