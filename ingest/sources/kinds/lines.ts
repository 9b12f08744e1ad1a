import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

export interface FeedFile {
  path: string;
  signal: AbortSignal;
}

/** Without its line break. A line of more than `MAX_BYTES` contains only its start. */
export interface Line {
  text: string;
  tooLarge: boolean;
  /** Whether `text` has replacement characters. */
  invalid: boolean;
  /** Only the last line of a file may lack a line break. */
  ended: boolean;
}

/** Encodings with single-byte line breaks. */
export type Encoding = 'utf-8' | 'windows-1256';

const LF = 0x0a;
const CR = 0x0d;
export const CHUNK_BYTES = 128 * 1024;
/** A longer record or line is rejected as `too_large`, which bounds memory. */
export const MAX_BYTES = 1024 * 1024;
const START_BYTES = 2_048;

/** A file with more invalid lines is in another encoding. */
const MAX_INVALID_SHARE = 0.01;
/** The share is checked after so many lines, and at the end. */
export const MIN_LINES = 1_000;

export function refuseInvalid(
  path: string,
  unit: 'lines' | 'records',
  { total, invalid }: { total: number; invalid: number },
): void {
  if (invalid > total * MAX_INVALID_SHARE)
    throw new Error(
      `${path} is not UTF-8: ${invalid} of ${total} ${unit} are invalid. Export it as UTF-8, or set encoding: 'windows-1256' in its source`,
    );
}

/**
 * Yields one batch of lines per chunk, which needs only one promise. Lines end with LF, or with CR if the first chunk
 * has no LF.
 * @throws if the file cannot be read, or more than 1% of the lines are not in the encoding
 */
export async function* readLines(
  path: string,
  { signal, encoding }: { signal: AbortSignal; encoding?: Encoding | undefined },
): AsyncGenerator<Line[]> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let first = true;
  let newline: number | null = null;
  const count = { total: 0, invalid: 0 };
  const decoder = encoding === 'windows-1256' ? new TextDecoder(encoding) : null;
  const finish = (end: Buffer, ended: boolean): Line => {
    const bytes = begunBytes + end.length;
    const whole = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    begunBytes = 0;
    const tooLarge = bytes > MAX_BYTES;
    const kept = tooLarge ? whole.subarray(0, START_BYTES) : whole;
    // A cut line may end in the middle of a character, as may the last line of a cut file.
    const isInvalid = decoder === null && !tooLarge && !isUtf8(kept);
    count.total++;
    if (isInvalid && ended) count.invalid++;
    let text = decoder ? decoder.decode(kept) : kept.toString('utf8');
    if (first && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    first = false;
    if (text.endsWith('\r')) text = text.slice(0, -1);
    return { text, tooLarge, invalid: isInvalid, ended };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
    const buffer = chunk as Buffer;
    const lines: Line[] = [];
    let from = 0;
    newline ??= buffer.includes(LF) || !buffer.includes(CR) ? LF : CR;
    for (let to = buffer.indexOf(newline); to !== -1; to = buffer.indexOf(newline, from)) {
      lines.push(finish(buffer.subarray(from, to), true));
      from = to + 1;
    }
    if (from < buffer.length) {
      if (begunBytes <= MAX_BYTES) begun.push(buffer.subarray(from));
      begunBytes += buffer.length - from;
    }
    if (count.total >= MIN_LINES) refuseInvalid(path, 'lines', count);
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [finish(Buffer.alloc(0), false)];
  refuseInvalid(path, 'lines', count);
}
