import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { withoutMark } from '#domain/file-text.ts';
import { messageOf } from '#domain/message-of.ts';

export interface FeedFile {
  path: string;
  signal: AbortSignal;
  /** Whether rows are yielded before their mapping, which another thread applies. */
  isUnmapped?: boolean | undefined;
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
export type Encoding = 'utf-8' | 'iso-8859-1' | 'windows-1252' | 'windows-1256';

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
      `${path} is not UTF-8: ${invalid} of ${total} ${unit} are invalid. Export it as UTF-8, or set encoding: 'windows-1256' in its source (Arabic; for Latin letters 'windows-1252')`,
    );
}

/** The first chunk has at least these bytes, which contain the declaration of XML or the header of an archive. */
export const PROLOG_BYTES = 512;
/** Decompressed. */
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;
const UTF_8_MARK = Buffer.from('\ufeff');

export const hasUtf8Mark = (start: Buffer): boolean => start.subarray(0, UTF_8_MARK.length).equals(UTF_8_MARK);

async function* startedChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (first === null) yield buffer;
    else {
      first = Buffer.concat([first, buffer]);
      if (first.length < PROLOG_BYTES) continue;
      yield first;
      first = null;
    }
  }
  if (first !== null && first.length > 0) yield first;
}

/** Files of other kinds, by the bytes with which they begin, or that they have at a position. */
const OTHER_FILES: readonly (readonly [signatures: readonly string[], fault: string, at?: number])[] = [
  [['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'], 'is an old Excel file. Save it as XLSX or CSV'],
  [['\xff\xfe\0\0', '\0\0\xfe\xff'], 'is in the encoding UTF-32, which is not accepted. Export it as UTF-8'],
  [['ustar'], 'is a TAR archive. Unpack it and read the file in it', 257],
  [
    ['BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd', '7z\xbc\xaf', 'Rar!'],
    'is compressed by another program than gzip. Unpack it and read the file in it',
  ],
  [['%PDF-'], 'is a PDF document. Export the ads as CSV, JSON or XML'],
];
/** A call or an assignment, such as of JSONP. */
const SCRIPT = /^(?:\xef\xbb\xbf)?\s*(?:(?:var|let|const) )?[\w.$]{1,60} ?(?:\(|=) ?(?:\[\s*)?\{\s*"/;
const WEB_PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html[\s>])/i;

/** What a file is that is no text of a feed, with the remedy. */
function faultOf(name: string, start: Buffer): string | null {
  const signature = start.toString('latin1', 0, PROLOG_BYTES);
  if (signature.startsWith('PK\x03\x04'))
    return start.includes('[Content_Types]') || start.includes('xl/')
      ? 'is an XLSX file. Read it with csv of csv-file.ts'
      : `is a ZIP archive. Unpack it (unzip ${name}) and read the file in it`;
  const other = OTHER_FILES.find(([known, , at = 0]) => known.some((each) => signature.startsWith(each, at)));
  if (other !== undefined) return other[1];
  if (WEB_PAGE.test(signature)) return 'is a web page, for example of a sign-in or an error. Check its address';
  if (SCRIPT.test(signature))
    return 'is JavaScript. Request the feed as JSON, or remove what is around the list of ads';
  return signature.slice(0, 4).includes('\0') && utf16Of(start) === null
    ? 'is no text, or in an encoding that is not accepted. Export it as UTF-8'
    : null;
}

/** Spreadsheets write UTF-16 as "Unicode text". Without a byte-order mark, the zero bytes of ASCII state the order. */
function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  const first = start.toString('latin1', 0, 4);
  if (/^\xff\xfe|^[^\0]\0[^\0]\0/.test(first)) return 'utf-16le';
  return /^\xfe\xff|^\0[^\0]\0[^\0]/.test(first) ? 'utf-16be' : null;
}

/** With the byte-order mark of UTF-8, which overrides the encoding that a source or feed states. */
async function* inUtf8(encoding: 'utf-16le' | 'utf-16be', chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  yield UTF_8_MARK;
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The text of a feed in chunks, also if it is compressed by gzip. @throws if it is no text; the message has the remedy */
export async function* textChunks(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  isUnpacked = false,
): AsyncGenerator<Buffer> {
  const chunks = startedChunks(bytes);
  const { value: start, done } = await chunks.next();
  if (done) return;
  const all = async function* () {
    yield start;
    yield* chunks;
  };
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const fault = !isGzip ? faultOf(name, start) : isUnpacked ? 'is compressed more than once' : null;
  if (fault !== null) throw new Error(`${name} ${fault}`);
  if (!isGzip) {
    const utf16 = utf16Of(start);
    yield* utf16 === null ? all() : startedChunks(inUtf8(utf16, all()));
    return;
  }
  let size = 0;
  const unpacked = pipeline(all(), createGunzip(), () => {});
  try {
    for await (const chunk of textChunks(name, unpacked, true)) {
      size += chunk.length;
      if (size > MAX_UNPACKED_BYTES) throw new Error(`more than ${MAX_UNPACKED_BYTES} bytes. Split it`);
      yield chunk;
    }
  } catch (error) {
    throw new Error(`${name}, unpacked: ${messageOf(error)}`);
  }
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
  let newline: number | null = null;
  const count = { total: 0, invalid: 0 };
  let decoder = encoding === undefined || encoding === 'utf-8' ? null : new TextDecoder(encoding);
  const finish = (end: Buffer, ended: boolean): Line => {
    const bytes = begunBytes + end.length;
    const whole = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    begun = [];
    begunBytes = 0;
    const tooLarge = bytes > MAX_BYTES;
    const kept = tooLarge ? whole.subarray(0, START_BYTES) : whole;
    // A truncated line may end in the middle of a character, as may the last line of a truncated file.
    const isInvalid = decoder === null && !tooLarge && !isUtf8(kept);
    count.total++;
    if (isInvalid && ended) count.invalid++;
    let text = decoder ? decoder.decode(kept) : kept.toString('utf8');
    // Files that were joined have several byte-order marks.
    text = withoutMark(text);
    if (text.endsWith('\r')) text = text.slice(0, -1);
    return { text, tooLarge, invalid: isInvalid, ended };
  };
  for await (const buffer of textChunks(path, createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }))) {
    const lines: Line[] = [];
    let from = 0;
    if (newline === null && hasUtf8Mark(buffer)) decoder = null;
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
