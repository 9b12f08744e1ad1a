import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'koa';

export interface Asset {
  /** File name with a content hash, so that caches may store the file permanently. */
  file: string;
  type: string;
  bytes: number;
  br?: number;
  gzip?: number;
}

const FOLDER = join(import.meta.dirname, '..', 'dist');
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

export class Assets {
  readonly #byName: ReadonlyMap<string, Asset>;

  constructor(byName: Readonly<Record<string, Asset>>) {
    this.#byName = new Map(Object.entries(byName));
  }

  /** Reads the list of built files. If nothing was built, it is empty, and pages have no styles and scripts. */
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

  /** The URLs of the typeface, which pages preload. */
  fonts(): string[] {
    return [...this.#byName.keys()].flatMap((name) => (name.endsWith('.woff2') ? (this.address(name) ?? []) : []));
  }

  address(name: string): string | null {
    const asset = this.#byName.get(name);
    return asset ? `/assets/${asset.file}` : null;
  }

  serve(context: Context, file: string): boolean {
    const asset = [...this.#byName.values()].find((each) => each.file === file);
    if (!asset) return false;
    const offered = (['br', 'gzip'] as const).filter((each) => asset[each]);
    const encoding = context.acceptsEncodings(...offered, 'identity');
    const encoded = offered.find((each) => each === encoding) ?? null;
    context.set('Content-Type', asset.type);
    context.set('Cache-Control', 'public, max-age=31536000, immutable');
    context.vary('Accept-Encoding');
    if (encoded) context.set('Content-Encoding', encoded);
    context.length = encoded ? (asset[encoded] ?? asset.bytes) : asset.bytes;
    context.status = 200;
    if (context.method === 'HEAD') return true;
    context.body = createReadStream(join(FOLDER, encoded ? `${asset.file}${ENCODINGS[encoded]}` : asset.file));
    // Koa sets a default type for streams, so the type must be set again.
    context.set('Content-Type', asset.type);
    return true;
  }
}
