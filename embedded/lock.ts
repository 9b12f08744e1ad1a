import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Problem } from './problem.ts';
import { endProcess, isRunning, type ProcessId, processBegun } from './process.ts';

export interface LockedProcess extends ProcessId {
  name: string;
  /** The signal that shuts it down cleanly. */
  signal: NodeJS.Signals;
}

interface Contents {
  owner: ProcessId;
  engines: LockedProcess[];
}

/** Holds a data folder for one running installation, and lists the engines that it started. */
export interface Lock {
  /** In place of an earlier process of this name. */
  add(engine: LockedProcess): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the data folder. Engines that a killed run left behind are ended first.
 * @throws Problem when another process has it
 */
export async function takeLock(file: string, say: (line: string) => void): Promise<Lock> {
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
    if (released) return;
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(contents));
    await rename(temporary, file);
  };
  return {
    add(engine) {
      contents.engines = [...contents.engines.filter(({ name }) => name !== engine.name), engine];
      // One write at a time: engines start in parallel.
      written = written.then(write);
      return written;
    },
    async release() {
      released = true;
      await written.catch(() => {});
      await rm(file, { force: true });
    },
  };
}

/** Whether a process that runs holds the data folder. */
export async function isLocked(file: string): Promise<boolean> {
  const other = await readLock(file);
  return other !== undefined && isRunning(other.owner);
}

/** False when the file is there already. */
async function create(file: string, contents: Contents): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(contents), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when the file is gone, or empty because its writer was killed after creating it. */
async function readLock(file: string): Promise<Contents | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Contents;
  } catch {
    return undefined;
  }
}
