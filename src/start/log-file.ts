import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { pino } from 'pino';
import { rotateLog } from '#embedded/files.ts';

/** Bytes that a log may have before the next one begins. */
const MAX_BYTES = 10 * 2 ** 20;
/** Bytes that wait for a slow disk. Lines beyond it are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

export interface LogFile {
  write(line: string): void;
  /** Writes what waits. Lines after it are dropped. */
  close(): Promise<void>;
}

/** Opens a log for appending. It is rotated by size, so that it and the logs before it have a bounded size together. */
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
      // No descriptor or no space is left: lines go on into the file that is open, until the next attempt.
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

/** Writes what waits, in its order, and closes the file. */
async function end(out: Destination): Promise<void> {
  const closed = once(out, 'close');
  out.end();
  await closed;
}

async function open(file: string): Promise<Destination> {
  const out = pino.destination({ dest: file, sync: false, maxLength: MAX_WAITING_BYTES });
  // A full disk loses lines. It does not end the service.
  out.on('error', () => {});
  try {
    await once(out, 'ready');
  } catch (error) {
    out.destroy();
    throw error;
  }
  return out;
}
