import { randomBytes } from 'node:crypto';
import { access, type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.ndjson';
/** Attempts at one write: a process that starts meanwhile may take over the file. */
const MAX_FILES = 5;

/** Entries of other journals in the folder. */
export interface Leftovers<Entry> {
  entries: Entry[];
  /** Removes their files, once the entries are stored elsewhere. */
  remove(): Promise<void>;
}

export type JournalFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate' | 'close'>;

/** The disk as a journal uses it. */
export interface JournalDisk {
  /** Creates a file that survives a crash of the machine. */
  begin(path: string): Promise<JournalFile>;
  /** Whether there is a file of this name. */
  has(path: string): Promise<boolean>;
}

/** Entries of one write. */
interface Batch {
  text: string;
  written: Promise<void>;
}

/**
 * A file of entries that must survive the process. An entry is on disk when `append` resolves. Entries must be idempotent: a
 * process that starts takes over the files of all others, also of running ones, as it cannot know whether the process of
 * another container has ended. A file is renamed before it is read: a writer that still finds its file after a write knows
 * that the entry will be read, otherwise it writes to a new file.
 */
export class Journal<Entry> {
  readonly #dir: string;
  readonly #disk: JournalDisk;
  #path = '';
  #file: JournalFile | null = null;
  /** A write failed: the file may end within a line. */
  #isCut = false;
  /** The batch that the next write includes. */
  #batch: Batch | null = null;
  /** The last operation: all run in sequence. */
  #last: Promise<void> = Promise.resolve();

  /** @param dir created by the first write */
  constructor(dir: string, disk: JournalDisk = DISK) {
    this.#dir = dir;
    this.#disk = disk;
  }

  /** Concurrent entries share one write. After a failure they may be on disk or not. */
  append(entry: Entry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#batch) {
      this.#batch.text += line;
      return this.#batch.written;
    }
    const batch: Batch = { text: line, written: Promise.resolve() };
    this.#batch = batch;
    batch.written = this.#then(() => {
      if (this.#batch === batch) this.#batch = null;
      return this.#write(batch.text);
    });
    return batch.written;
  }

  /** Removes all entries appended before. */
  clear(): Promise<void> {
    // Later entries are written after the truncation.
    this.#batch = null;
    return this.#then(async () => {
      await this.#file?.truncate(0);
      this.#isCut = false;
    });
  }

  /** The file stays unless `remove`. */
  close({ remove }: { remove: boolean }): Promise<void> {
    this.#batch = null;
    return this.#then(async () => {
      const file = this.#file;
      this.#file = null;
      await file?.close();
      if (file && remove) await rm(this.#path, { force: true });
    });
  }

  /** Takes over what other processes have written. */
  async takeLeftovers(): Promise<Leftovers<Entry>> {
    const entries: Entry[] = [];
    const taken: string[] = [];
    for (const name of await readdir(this.#dir).catch(ifAbsent([]))) {
      const path = join(this.#dir, name);
      if (!name.endsWith(SUFFIX) || path === this.#path) continue;
      const own = this.#newPath();
      const isTaken = await rename(path, own).then(() => true, ifAbsent(false));
      // A process that starts at the same time may take it over, with its entries.
      const text = isTaken ? await readFile(own, 'utf8').catch(ifAbsent(null)) : null;
      if (text === null) continue;
      entries.push(...readEntries<Entry>(text));
      taken.push(own);
    }
    const remove = async (): Promise<void> => {
      for (const path of taken) await rm(path, { force: true });
    };
    return { entries, remove };
  }

  #newPath(): string {
    return join(this.#dir, `${randomBytes(12).toString('hex')}${SUFFIX}`);
  }

  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #write(text: string): Promise<void> {
    for (let files = 0; files < MAX_FILES; files++) {
      const file = this.#file ?? (await this.#begin());
      const isCut = this.#isCut;
      this.#isCut = true;
      await file.appendFile(isCut ? `\n${text}` : text);
      await file.datasync();
      this.#isCut = false;
      if (await this.#disk.has(this.#path)) return;
      this.#file = null;
      await file.close();
    }
    throw new Error('the journal file was taken over after each write');
  }

  async #begin(): Promise<JournalFile> {
    this.#path = this.#newPath();
    this.#isCut = false;
    this.#file = await this.#disk.begin(this.#path);
    return this.#file;
  }
}

/** Entries of a file, without lines that were cut: their `append` never resolved. */
export function readEntries<Entry>(text: string): Entry[] {
  return text.split('\n').flatMap((line) => parse<Entry>(line) ?? []);
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

const DISK: JournalDisk = {
  begin: async (path) => {
    const dir = join(path, '..');
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = await open(path, 'ax', 0o600);
    try {
      // Without this, a crash of the machine may leave a file without a name.
      const folder = await open(dir, 'r');
      await folder.sync().finally(() => folder.close());
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  },
  has: (path) => access(path).then(() => true, ifAbsent(false)),
};
