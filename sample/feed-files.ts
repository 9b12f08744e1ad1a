import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedLayout } from './feeds.ts';

/** Number of characters that are buffered before a write, for each of many files: one per source and day. */
const MAX_BUFFERED = 64 * 1024;

/** A text file that is written synchronously in large chunks, so that generation cannot outpace the disk. */
export class TextFile {
  private readonly descriptor: number;
  private held = '';

  constructor(path: string) {
    mkdirSync(join(path, '..'), { recursive: true });
    this.descriptor = openSync(path, 'w');
  }

  write(text: string): void {
    this.held += text;
    if (this.held.length >= MAX_BUFFERED) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  private flush(): void {
    for (let bytes = Buffer.from(this.held); bytes.length > 0; )
      bytes = bytes.subarray(writeSync(this.descriptor, bytes));
    this.held = '';
  }
}

/** The feeds of a sample: a file for each source and day. */
export class FeedFiles {
  private readonly files = new Map<string, TextFile>();

  /** Writes a row to the feed of a day, after a header with its columns if it is the first row of a CSV file. */
  write(folder: string, format: FileFormat, day: string, row: Record<string, unknown>, text = feedLine(format, row)) {
    const path = join(folder, `${day}.${format.kind === 'csv' ? 'csv' : 'ndjson'}`);
    let file = this.files.get(path);
    if (file === undefined) {
      file = new TextFile(path);
      if (format.kind === 'csv') file.write(csvHeader(format, row));
      this.files.set(path, file);
    }
    file.write(text);
  }

  close(): void {
    for (const file of this.files.values()) file.close();
  }
}

/** Format of a feed's files. */
export type FileFormat = Pick<FeedLayout, 'kind' | 'byteOrderMark'> & { delimiter?: string };

/** Renders one row as a line of the feed, including its line break. */
export function feedLine(feed: FileFormat, row: Record<string, unknown>): string {
  return feed.kind === 'csv' ? csvLine(Object.values(row), feed.delimiter ?? ',') : `${JSON.stringify(row)}\n`;
}

/** Renders the first line of a CSV feed. */
function csvHeader(feed: FileFormat, row: Record<string, unknown>): string {
  return `${feed.byteOrderMark ? '\ufeff' : ''}${csvLine(Object.keys(row), feed.delimiter ?? ',')}`;
}

function csvLine(cells: readonly unknown[], delimiter: string): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    if (at > 0) line += delimiter;
    if (cell === null || cell === undefined) continue;
    const text = String(cell);
    line +=
      text.includes('"') || text.includes('\n') || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  return `${line}\n`;
}
