import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { pino } from 'pino';
import { rotateLog } from '#embedded/files.ts';

/** Size in bytes at which a file is rotated. */
const MAX_BYTES = 10 * 2 ** 20;
/** Bytes buffered for a slow disk. Further lines are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

export interface LogFile {
  write(line: string): void;
  /** Writes buffered lines and closes the file. Later lines are dropped. */
  close(): Promise<void>;
}

/** Opens a log file, which is rotated by size, so that the total is bounded. */
export async function openLogFile(file: string, maxBytes = MAX_BYTES): Promise<LogFile> {
  let bytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  let out = await open(file);
  let rotating: Promise<void> | null = null;
  let isClosed = false;

  const rotate = async (): Promise<void> => {
    try {
      await rotateLog(file);
      const full = out;
      out = await open(file);
      await end(full);
    } catch {
      // Without a file descriptor or disk space, lines are appended to the current file until the next attempt.
    }
    bytes = 0;
    rotating = null;
  };
  return {
    write(line) {
      if (isClosed) return;
      out.write(line);
      bytes += Buffer.byteLength(line);
      if (bytes >= maxBytes) rotating ??= rotate();
    },
    async close() {
      isClosed = true;
      await rotating;
      await end(out);
    },
  };
}

type Destination = ReturnType<typeof pino.destination>;

async function end(out: Destination): Promise<void> {
  const closed = once(out, 'close');
  out.end();
  await closed;
}

async function open(file: string): Promise<Destination> {
  const out = pino.destination({ dest: file, sync: false, maxLength: MAX_WAITING_BYTES });
  // With a full disk, lines are lost but the service continues.
  out.on('error', () => {});
  try {
    await once(out, 'ready');
  } catch (error) {
    out.destroy();
    throw error;
  }
  return out;
}
