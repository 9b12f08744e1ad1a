import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { pino } from 'pino';
import { rotateLog } from '#domain/process/files.ts';

/** Size in bytes at which a file is rotated. */
const MAX_BYTES = 10 * 2 ** 20;
/** Bytes buffered for a slow disk. Further lines are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

/** Rotated by size, so that the total is bounded. */
export async function openLogFile(file: string) {
  let bytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const out = pino.destination({ dest: file, sync: false, maxLength: MAX_WAITING_BYTES });
  await once(out, 'ready');
  // With a full disk, lines are lost but the service continues.
  out.on('error', () => {});
  let isClosed = false;
  return {
    write(line: string): void {
      if (isClosed) return;
      out.write(line);
      bytes += Buffer.byteLength(line);
      if (bytes < MAX_BYTES) return;
      bytes = 0;
      // Without disk space, lines are appended to the current file until the next attempt.
      rotateLog(file).then(
        () => isClosed || out.reopen(),
        () => {},
      );
    },
    /** Later lines are dropped. */
    async close(): Promise<void> {
      isClosed = true;
      const closed = once(out, 'close');
      out.end();
      await closed;
    },
  };
}
