import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'koa';

/** A built file: where it lies, and its sizes as it is and compressed. */
export interface Asset {
  /** With the hash of its contents in the name, so that it may be kept for ever. */
  file: string;
  type: string;
  bytes: number;
  br?: number;
  gzip?: number;
}

const FOLDER = join(import.meta.dirname, '..', '..', 'site', 'dist');
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

/** What `embedded/install/site.mjs` built: styles and scripts of the pages. */
export class Assets {
  readonly #byName: ReadonlyMap<string, Asset>;
  readonly #byFile: ReadonlyMap<string, Asset>;

  constructor(byName: Readonly<Record<string, Asset>>) {
    this.#byName = new Map(Object.entries(byName));
    this.#byFile = new Map(Object.values(byName).map((asset) => [asset.file, asset]));
  }

  /** Reads what was built; empty where nothing was, and pages are then plain. */
  static read(): Assets {
    try {
      return new Assets(JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Record<string, Asset>);
    } catch {
      return new Assets({});
    }
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** The address of a file by its name before it was built; null where it was not built. */
  address(name: string): string | null {
    const asset = this.#byName.get(name);
    return asset ? `/assets/${asset.file}` : null;
  }

  /** Sends a file. @returns whether there is one */
  serve(context: Context, file: string): boolean {
    const asset = this.#byFile.get(file);
    if (!asset) return false;
    const encoding = context.acceptsEncodings(
      ...[...(['br', 'gzip'] as const).filter((each) => asset[each]), 'identity'],
    );
    const encoded = encoding === 'br' || encoding === 'gzip' ? encoding : null;
    context.set('Content-Type', asset.type);
    context.set('Cache-Control', 'public, max-age=31536000, immutable');
    context.set('X-Content-Type-Options', 'nosniff');
    context.vary('Accept-Encoding');
    if (encoded) context.set('Content-Encoding', encoded);
    context.length = encoded ? (asset[encoded] ?? asset.bytes) : asset.bytes;
    context.status = 200;
    if (context.method === 'HEAD') return true;
    context.body = createReadStream(join(FOLDER, encoded ? `${asset.file}${ENCODINGS[encoded]}` : asset.file));
    // A stream has no type of its own, and Koa would name one.
    context.set('Content-Type', asset.type);
    return true;
  }
}
