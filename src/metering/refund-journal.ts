import { randomBytes } from 'node:crypto';
import { access, type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '#domain/parse-json.ts';

const SUFFIX = '.ndjson';
/** Maximum number of files tried per write, because a process that starts meanwhile may take over the file. */
const MAX_FILES = 5;

export type JournalFile = Pick<FileHandle, 'appendFile' | 'datasync' | 'truncate' | 'close'>;

/** Disk operations used by a journal. */
export interface JournalDisk {
  /** Creates a file durably, so that it survives a crash of the machine. */
  begin(path: string): Promise<JournalFile>;
  /** Returns whether the file exists. */
  has(path: string): Promise<boolean>;
}

/** Entries that are written together. */
interface Batch {
  text: string;
  written: Promise<void>;
}

/**
 * A file of idempotent entries that must survive the process. An entry is on disk when `append` resolves. When a
 * process starts, it takes over the files of all other processes, including running ones, because it cannot determine
 * whether a process in another container has ended. It renames a file before reading it. If a writer still finds its
 * file after a write, the entry is guaranteed to be read by any later takeover; otherwise the writer writes the entry
 * to a new file.
 */
export class Journal<Entry> {
  readonly #dir: string;
  readonly #disk: JournalDisk;
  #path = '';
  #file: JournalFile | null = null;
  /** Whether a write has failed, so that the file may end with an incomplete line. */
  #isCut = false;
  /** Entries for the next write. */
  #batch: Batch | null = null;
  /** The last operation. Operations run sequentially. */
  #last: Promise<void> = Promise.resolve();

  /** @param dir directory of the journals, created on the first write */
  constructor(dir: string, disk: JournalDisk = DISK) {
    this.#dir = dir;
    this.#disk = disk;
  }

  /** Appends an entry. Concurrent calls share one write. If the write fails, the entry may or may not be on disk. */
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

  /** Removes all entries that were appended before this call. */
  clear(): Promise<void> {
    // Entries appended from now on are written after the truncation.
    this.#batch = null;
    return this.#then(async () => {
      await this.#file?.truncate(0);
      this.#isCut = false;
    });
  }

  /** Closes the file, and deletes it if `remove` is true. */
  close({ remove }: { remove: boolean }): Promise<void> {
    this.#batch = null;
    return this.#then(async () => {
      const file = this.#file;
      this.#file = null;
      await file?.close();
      if (file && remove) await rm(this.#path, { force: true });
    });
  }

  /** Takes over the journal files of other processes and returns their entries. */
  async takeOverFiles() {
    const entries: Entry[] = [];
    const taken: string[] = [];
    for (const name of await readdir(this.#dir).catch(ifAbsent([]))) {
      const path = join(this.#dir, name);
      if (!name.endsWith(SUFFIX) || path === this.#path) continue;
      const own = this.#newPath();
      const isTaken = await rename(path, own).then(() => true, ifAbsent(false));
      // A process that starts at the same time may have taken over the file and its entries.
      const text = isTaken ? await readFile(own, 'utf8').catch(ifAbsent(null)) : null;
      if (text === null) continue;
      entries.push(...readEntries<Entry>(text));
      taken.push(own);
    }
    /** Deletes the files of these entries. Call this once the entries are stored elsewhere. */
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

/** Returns the complete entries in a file. Incomplete lines are skipped, because their `append` never resolved. */
export function readEntries<Entry>(text: string): Entry[] {
  return text.split('\n').flatMap((line) => (parseJson(line) as Entry | undefined) ?? []);
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
      // Without syncing the directory, the file may be missing from it after a crash of the machine.
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
