import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Offsets of the pages in a file of lines; the last one is the end of the file. */
interface PageIndex {
  size: number;
  modified: number;
  lines: number;
  offsets: number[];
}

/** Maximum number of cached indexes, a few kilobytes each. */
const MAX_INDEXES = 200;

/** Serves feeds on disk as pages of items, with one page in memory at a time. */
export class FeedPages {
  private readonly indexes = new Map<string, PageIndex>();
  private readonly dir: string;
  private readonly pageSize: number;

  constructor(dir: string, pageSize: number) {
    this.dir = dir;
    this.pageSize = pageSize;
  }

  /** Returns the path of a source's newest feed, up to `day` if it is not null. Returns null if there is none. */
  async newest(source: string, day: string | null): Promise<string | null> {
    const folder = join(this.dir, 'feeds', source);
    const names = await readdir(folder).catch(() => []);
    const name = names
      .filter((file) => file.endsWith('.ndjson') && (day === null || file.slice(0, 10) <= day))
      .sort()
      .at(-1);
    return name === undefined ? null : join(folder, name);
  }

  /** Returns the items of a page, counted from 1, as JSON separated by commas; empty after the last page. */
  async page(file: string, page: number): Promise<{ items: string; pages: number; count: number }> {
    const index = await this.indexOf(file);
    const pages = index.offsets.length - 1;
    const from = index.offsets[page - 1];
    const to = index.offsets[page];
    if (from === undefined || to === undefined) return { items: '', pages, count: index.lines };
    const handle = await open(file);
    try {
      const bytes = Buffer.alloc(to - from);
      await handle.read(bytes, 0, bytes.length, from);
      return { items: bytes.toString().trimEnd().replaceAll('\n', ','), pages, count: index.lines };
    } finally {
      await handle.close();
    }
  }

  private async indexOf(file: string): Promise<PageIndex> {
    const { size, mtimeMs } = await stat(file);
    const known = this.indexes.get(file);
    if (known !== undefined && known.size === size && known.modified === mtimeMs) return known;
    const offsets = [0];
    let lines = 0;
    let at = 0;
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, end + 1)) {
        lines++;
        if (lines % this.pageSize === 0) offsets.push(at + end + 1);
      }
      at += piece.length;
    }
    if (offsets.at(-1) !== at) offsets.push(at);
    const index = { size, modified: mtimeMs, lines, offsets };
    if (this.indexes.size >= MAX_INDEXES) this.indexes.clear();
    this.indexes.set(file, index);
    return index;
  }
}
