import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Column } from './columns.ts';
import type { RowBytes } from './dataset.ts';
import { createEncoder } from './encode.ts';
import { type ExportFile, type Format, partName } from './files.ts';
import { type FileStore, type GzipUpload, openGzipUpload } from './upload.ts';

interface PartsInput {
  rows: AsyncIterable<readonly RowBytes[]>;
  format: Format;
  columns: readonly Column[];
  store: FileStore;
  rowsPerPart: number;
  /** @param written rows so far */
  onRows(written: number): void;
}

/** Batches are small, because encoding blocks the event loop. */
const ROWS_PER_BATCH = 100;

/** @returns the files once all are uploaded */
export async function writeParts(input: PartsInput): Promise<ExportFile[]> {
  const { store, format, columns, rowsPerPart } = input;
  const encoder = createEncoder(format, columns);
  const files: ExportFile[] = [];
  let open: { name: string; upload: GzipUpload; rows: number } | null = null;
  let ending: Promise<unknown> = Promise.resolve();
  let written = 0;

  const end = async (): Promise<void> => {
    if (!open) return;
    const { name, upload, rows } = open;
    open = null;
    await ending;
    ending = upload.end().then(({ bytes, sha256 }) => files.push({ name, bytes, sha256, rows }));
    ending.catch(() => {});
  };

  try {
    let number = 0;
    for await (const batch of input.rows) {
      for (let at = 0; at < batch.length; ) {
        if (!open) {
          const name = partName(++number, format);
          open = { name, upload: openGzipUpload(store, name), rows: 0 };
          if (encoder.head.length > 0) await open.upload.write(encoder.head);
        }
        const take = batch.slice(at, at + Math.min(ROWS_PER_BATCH, rowsPerPart - open.rows));
        await open.upload.write(encoder.encode(take));
        at += take.length;
        open.rows += take.length;
        written += take.length;
        if (open.rows === rowsPerPart) await end();
        await nextTurn();
      }
      input.onRows(written);
    }
    await end();
    await ending;
    return files;
  } catch (error) {
    (open as { upload: GzipUpload } | null)?.upload.abort();
    throw error;
  }
}
