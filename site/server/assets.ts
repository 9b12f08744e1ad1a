import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { send } from '#documents/send.ts';

interface Asset {
  /** File name with a content hash, so that caches may store the file permanently. */
  file: string;
  type: string;
  /** Sizes of the compressed files, if there are any. */
  br?: number;
  gzip?: number;
}

const BUILT = join(import.meta.dirname, '..', 'dist');
const DOWNLOADS = join(import.meta.dirname, '..', 'downloads');
const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const;

export type Assets = ReturnType<typeof readAssets>;
export type Downloads = ReturnType<typeof readDownloads>;

/** If nothing was built, pages have no styles and scripts. */
export function readAssets() {
  const text = readOr('{}', () => readFileSync(join(BUILT, 'manifest.json'), 'utf8'));
  const byName = new Map(Object.entries(JSON.parse(text) as Record<string, Asset>));
  const address = (name: string): string | null => {
    const asset = byName.get(name);
    return asset ? `/assets/${asset.file}` : null;
  };
  return {
    isEmpty: byName.size === 0,
    address,

    fonts: [...byName.keys()].flatMap((name) => (name.endsWith('.woff2') ? (address(name) ?? []) : [])),

    /** @returns whether there is such a file */
    async serve(context: Context, file: string): Promise<boolean> {
      const asset = [...byName.values()].find((each) => each.file === file);
      if (!asset) return false;
      const offered = (['br', 'gzip'] as const).filter((each) => asset[each]);
      const accepted = context.acceptsEncodings(...offered, 'identity');
      const encoding = offered.find((each) => each === accepted) ?? 'identity';
      send(context, asset.type, await readFile(join(BUILT, `${file}${SUFFIXES[encoding]}`)));
      context.set('Cache-Control', 'public, max-age=31536000, immutable');
      context.vary('Accept-Encoding');
      if (encoding !== 'identity') context.set('Content-Encoding', encoding);
      return true;
    },
  };
}

/** Returns the archives of the generated clients, which `npm run release` writes. */
export function readDownloads(folder = DOWNLOADS) {
  const files = new Set(readOr<string[]>([], () => readdirSync(folder)));
  return {
    isEmpty: files.size === 0,

    /** @returns whether there is such a file */
    async serve(context: Context, file: string): Promise<boolean> {
      if (!files.has(file)) return false;
      const type = file.endsWith('.json') ? 'application/json' : 'application/gzip';
      send(context, type, await readFile(join(folder, file)));
      context.attachment(file);
      return true;
    },
  };
}

function readOr<Value>(missing: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return missing;
  }
}
