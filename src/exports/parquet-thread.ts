import { parentPort, workerData } from 'node:worker_threads';
import type { Column } from './columns.ts';
import { ParquetPart } from './parquet.ts';

/**
 * Receives rows as JSON arrays, and confirms each, so that few wait. Null ends a file, which it returns. Encoding a file
 * takes longer than requests may wait for the main thread.
 */
let part = new ParquetPart(workerData as readonly Column[]);
parentPort?.on('message', (rows: Uint8Array | null) => {
  if (rows !== null) {
    part.add(JSON.parse(Buffer.from(rows.buffer, rows.byteOffset, rows.length).toString('utf8')) as unknown[]);
    parentPort?.postMessage(null);
    return;
  }
  const file = part.finish();
  part = new ParquetPart(workerData as readonly Column[]);
  parentPort?.postMessage(file, [file.buffer]);
});
