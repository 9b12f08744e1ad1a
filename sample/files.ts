import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FeedLayout } from './feeds.ts';

/** Maximum number of characters that are buffered for each file. */
const MAX_BUFFERED = 64 * 1024;

/** Written synchronously, so that generation cannot outpace the disk. */
export class TextFiles {
  private readonly held = new Map<string, string>();

  append(path: string, text: string, head = (): string => ''): void {
    let held = this.held.get(path);
    if (held === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
      held = head();
    }
    held += text;
    if (held.length >= MAX_BUFFERED) {
      appendFileSync(path, held);
      held = '';
    }
    this.held.set(path, held);
  }

  close(): void {
    for (const [path, held] of this.held) appendFileSync(path, held);
  }
}

export type FileFormat = Pick<FeedLayout, 'kind' | 'delimiter' | 'byteOrderMark'>;

/** Writes a row. A CSV file begins with the columns of its first row. */
export function writeLine(
  files: TextFiles,
  folder: string,
  { kind, delimiter, byteOrderMark }: FileFormat,
  day: string,
  row: Record<string, unknown>,
): void {
  const csv = kind === 'csv';
  const line = csv ? csvLine(Object.values(row), delimiter) : `${JSON.stringify(row)}\n`;
  const head = () => `${byteOrderMark ? '\ufeff' : ''}${csv ? csvLine(Object.keys(row), delimiter) : ''}`;
  files.append(join(folder, `${day}.${csv ? 'csv' : 'ndjson'}`), line, head);
}

export function csvLine(cells: readonly unknown[], delimiter = ','): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? '');
    const quoted = text.includes('"') || text.includes('\n') || text.includes(delimiter);
    return quoted ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(delimiter)}\n`;
}
