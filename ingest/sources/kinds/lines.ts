import { createReadStream } from 'node:fs';

/** One physical line without its line break. A line over the limit contains only its start. */
export interface Line {
  text: string;
  tooLarge: boolean;
  /** Whether the line ends with a line break; only the last line in a file may lack one. */
  ended: boolean;
}

/** Encodings with single-byte line breaks. */
export type Encoding = 'utf-8' | 'windows-1256';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 128 * 1024;
/** Number of bytes that are kept from a line over the limit. */
const START_BYTES = 2_048;

/**
 * Streams a file's lines, UTF-8 by default. Yields one batch of lines per chunk, which needs only one promise per
 * chunk. `maxBytes` bounds memory: the rest of a longer line is skipped.
 * @throws if the file cannot be read or `signal` aborts
 */
export async function* readLines(
  path: string,
  { maxBytes, signal, encoding }: { maxBytes: number; signal: AbortSignal; encoding?: Encoding | undefined },
): AsyncGenerator<Line[]> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let first = true;
  const decoder = encoding === 'windows-1256' ? new TextDecoder(encoding) : null;
  const finish = (end: Buffer, ended: boolean): Line => {
    const bytes = begunBytes + end.length;
    const whole = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    begunBytes = 0;
    const tooLarge = bytes > maxBytes;
    const kept = tooLarge ? whole.subarray(0, START_BYTES) : whole;
    let text = decoder ? decoder.decode(kept) : kept.toString('utf8');
    if (first && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    first = false;
    if (text.endsWith('\r')) text = text.slice(0, -1);
    return { text, tooLarge, ended };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
    const buffer = chunk as Buffer;
    const lines: Line[] = [];
    let from = 0;
    for (let to = buffer.indexOf(NEWLINE); to !== -1; to = buffer.indexOf(NEWLINE, from)) {
      lines.push(finish(buffer.subarray(from, to), true));
      from = to + 1;
    }
    if (from < buffer.length) {
      if (begunBytes <= maxBytes) begun.push(buffer.subarray(from));
      begunBytes += buffer.length - from;
    }
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [finish(Buffer.alloc(0), false)];
}
