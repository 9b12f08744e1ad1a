import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

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

/** Format of a feed's files. */
export interface FileFormat {
  kind: 'csv' | 'ndjson' | 'paged';
  delimiter?: string;
  byteOrderMark?: boolean;
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
      const header = format.kind === 'csv' ? csvLine(Object.keys(row), format.delimiter) : '';
      file.write(`${format.byteOrderMark ? '\ufeff' : ''}${header}`);
      this.files.set(path, file);
    }
    file.write(text);
  }

  close(): void {
    for (const file of this.files.values()) file.close();
  }
}

/** Renders one row as a line of the feed, including its line break. */
export const feedLine = (format: FileFormat, row: Record<string, unknown>): string =>
  format.kind === 'csv' ? csvLine(Object.values(row), format.delimiter) : `${JSON.stringify(row)}\n`;

/** Renders cells as a line of CSV; missing values are empty cells. */
export function csvLine(cells: readonly unknown[], delimiter = ','): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? '');
    const quoted = text.includes('"') || text.includes('\n') || text.includes(delimiter);
    return quoted ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(delimiter)}\n`;
}
