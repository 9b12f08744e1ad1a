import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'koa';
import sharp from 'sharp';
import type { Downloads } from '#domain/process/downloads.ts';
import type { Language } from '#src/documents/language.ts';
import { send } from '#src/documents/send-document.ts';

interface Asset {
  /** File name with a content hash, so that caches may store the file permanently. */
  file: string;
  type: string;
  /** Size of the compressed file, if there is one. Other encodings are compressed per response. */
  br?: number;
  /** Files that a part of the map imports. */
  imports?: readonly string[];
}

/** Sizes in pixels of the icons that browsers request without a link, and of that for home screens. */
const ICONS: Readonly<Record<string, number>> = { '/favicon.ico': 32, '/apple-touch-icon.png': 180 };

const BUILT = join(import.meta.dirname, '..', 'dist');

export type Assets = ReturnType<typeof readAssets>;

/** If nothing was built, pages have no styles and scripts. */
export function readAssets() {
  const text = readOr('{}', () => readFileSync(join(BUILT, 'manifest.json'), 'utf8'));
  const byName = new Map(Object.entries(JSON.parse(text) as Record<string, Asset>));
  const address = (name: string): string | null => {
    const asset = byName.get(name);
    return asset ? `/assets/${asset.file}` : null;
  };
  const drawn = new Map<number, Promise<Buffer>>();
  const drawIcon = async (size: number): Promise<Buffer> => {
    const svg = await readFile(join(BUILT, byName.get('icon.svg')?.file ?? 'icon.svg'));
    return sharp(svg, { density: 72 * (size / 32) })
      .resize(size, size)
      .png()
      .toBuffer();
  };
  return {
    isEmpty: byName.size === 0,
    address,
    /** Addresses of the files that a file imports, so that they load in parallel. */
    importsOf: (name: string): string[] => (byName.get(name)?.imports ?? []).map((file) => `/assets/${file}`),

    /** Draws the icon as a PNG, which browsers accept under both names. @returns whether the path is that of an icon */
    async serveIcon(context: Context): Promise<boolean> {
      const size = ICONS[context.path];
      if (size === undefined || byName.size === 0) return false;
      const image = drawn.get(size) ?? drawIcon(size);
      drawn.set(size, image);
      send(context, 'image/png', await image, 86_400);
      return true;
    },

    /** Addresses of the fonts that a page needs at its start: Arabic pages have Latin digits and names, too. */
    fontsOf: (language: Language): string[] =>
      [...byName.keys()].flatMap((name) =>
        name.endsWith('.woff2') && (language === 'ar' || name.includes('latin')) ? (address(name) ?? []) : [],
      ),

    /** @returns whether there is such a file */
    async serve(context: Context, file: string): Promise<boolean> {
      const asset = [...byName.values()].find((each) => each.file === file);
      if (!asset) return false;
      // Browsers name gzip first.
      const isCompressed = asset.br !== undefined && context.acceptsEncodings('br') === 'br';
      send(context, asset.type, await readFile(join(BUILT, isCompressed ? `${file}.br` : file)));
      context.set('Cache-Control', 'public, max-age=31536000, immutable');
      context.vary('Accept-Encoding');
      if (isCompressed) context.set('Content-Encoding', 'br');
      return true;
    },
  };
}

const DOWNLOAD_TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  '.json': 'application/json',
};

/** @returns whether there is such a file */
export async function serveDownload(context: Context, downloads: Downloads, file: string): Promise<boolean> {
  const bytes = await downloads.read(file);
  if (bytes === null) return false;
  const type = DOWNLOAD_TYPES[extname(file)];
  send(context, type ?? 'text/plain', bytes);
  if (type !== undefined) context.attachment(file);
  return true;
}

function readOr<Value>(missing: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return missing;
  }
}
