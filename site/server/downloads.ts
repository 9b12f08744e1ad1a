import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { send } from '#documents/send.ts';

const FOLDER = join(import.meta.dirname, '..', 'downloads');

/** Archives of the generated clients, which `npm run release` writes. */
export class Downloads {
  readonly #folder: string;
  readonly #files: ReadonlySet<string>;

  constructor(folder = FOLDER) {
    this.#folder = folder;
    this.#files = new Set(filesIn(folder));
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** @returns whether there is such a file */
  async serve(context: Context, file: string): Promise<boolean> {
    if (!this.#files.has(file)) return false;
    send(
      context,
      file.endsWith('.json') ? 'application/json' : 'application/gzip',
      await readFile(join(this.#folder, file)),
    );
    context.attachment(file);
    return true;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
