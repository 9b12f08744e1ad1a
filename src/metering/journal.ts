import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** `<process>-<when it began>-<random>`: of which process a file is, and whether of this one or an earlier life of its number. */
const NAME = /^(\d+)-(\d+)-[0-9a-f]+\.ndjson$/;

/** What journals of earlier processes hold. */
export interface Leftovers<Entry> {
  entries: Entry[];
  /** Removes the files of processes that have ended: their entries are somebody else's now. */
  remove(): Promise<void>;
}

/**
 * A file of what a process must not forget. An entry is on disk when `append` returns. Entries have to be harmless when
 * they are acted on twice: whoever starts reads the files of all processes, also of those that still run.
 */
export class Journal<Entry> {
  readonly #dir: string;
  readonly #path: string;
  #file: FileHandle | null = null;
  #pending: string[] = [];
  /** Everything is done one after the other. */
  #last: Promise<void> = Promise.resolve();

  /** @param dir made when something is to be written */
  constructor(dir: string) {
    this.#dir = dir;
    const begun = Math.floor(performance.timeOrigin);
    this.#path = join(dir, `${process.pid}-${begun}-${randomBytes(6).toString('hex')}.ndjson`);
  }

  /** Entries that are appended at the same time share one wait for the disk. */
  append(entry: Entry): Promise<void> {
    this.#pending.push(`${JSON.stringify(entry)}\n`);
    return this.#then(() => this.#write());
  }

  /** Forgets all entries. */
  clear(): Promise<void> {
    return this.#then(async () => {
      await this.#file?.truncate(0);
    });
  }

  /** The file stays unless `remove`. */
  close({ remove }: { remove: boolean }): Promise<void> {
    return this.#then(async () => {
      const file = this.#file;
      this.#file = null;
      await file?.close();
      if (file && remove) await rm(this.#path, { force: true });
    });
  }

  /** Reads what earlier processes left. A last line that was not written whole is ignored: nobody was told of it. */
  async readLeftovers(): Promise<Leftovers<Entry>> {
    const names = (await readdir(this.#dir).catch(ifAbsent([]))).filter((name) => NAME.test(name));
    const entries: Entry[] = [];
    for (const name of names) {
      const text = await readFile(join(this.#dir, name), 'utf8').catch(ifAbsent(''));
      for (const line of text.split('\n')) {
        const entry = parse<Entry>(line);
        if (entry !== undefined) entries.push(entry);
      }
    }
    const remove = async (): Promise<void> => {
      for (const name of names) if (hasEnded(name)) await rm(join(this.#dir, name), { force: true });
    };
    return { entries, remove };
  }

  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #write(): Promise<void> {
    const text = this.#pending.splice(0).join('');
    if (text === '') return;
    this.#file ??= await this.#open();
    await this.#file.appendFile(text);
    await this.#file.datasync();
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const file = await open(this.#path, 'a', 0o600);
    // Else a crash of the machine may leave a file without a name.
    const folder = await open(this.#dir, 'r');
    await folder.sync().finally(() => folder.close());
    return file;
  }
}

function parse<Entry>(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

/** Whether the process that a file belongs to has ended. */
function hasEnded(name: string): boolean {
  const [, pid, begun] = NAME.exec(name) ?? [];
  if (Number(pid) === process.pid) return Number(begun) !== Math.floor(performance.timeOrigin);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
