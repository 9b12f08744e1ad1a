import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { INVALID_TEXT } from './csv-records.ts';
import { type FeedEnd, type FeedRow, mappedRow, type RowMapper, rejectedRow } from './feed-row.ts';
import { CHUNK_BYTES, MAX_BYTES, MIN_LINES, refuseInvalid } from './lines.ts';
import { parseRecord, type XmlRecord, XmlRecords, type XmlRow } from './xml-records.ts';

export type XmlEncoding = 'utf-8' | 'utf-16' | 'windows-1256';

export interface XmlLayout<Raw = RawListing> {
  /** Name of the element that contains the records. A feed without it is refused. */
  parent: string;
  record: string;
  map: RowMapper<XmlRow, Raw>;
  /** Returns whether a record is an ad; others, for example archived ads, are skipped. By default, all are. */
  isListed?: (row: XmlRow) => boolean;
}

export interface XmlBytes<Raw = RawListing> extends XmlLayout<Raw> {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Maximum record size; a longer record is rejected as `too_large`. */
  maxRecordBytes?: number | undefined;
  /** Overrides the encoding that the feed declares. A byte-order mark overrides both. */
  encoding?: XmlEncoding | undefined;
}

export type XmlFile<Raw = RawListing> = Omit<XmlBytes<Raw>, 'name' | 'bytes'> & { path: string; signal: AbortSignal };

export async function* xmlFile<Raw = RawListing>({
  path,
  signal,
  ...feed
}: XmlFile<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
  return yield* xmlRows({ ...feed, name: path, bytes });
}

/**
 * Streams XML records, with one record and one chunk in memory at a time. A malformed record is one rejected row and
 * does not affect its neighbors. The feed is marked as truncated unless it ends with the end of its root element.
 * Entities are not expanded: a feed with a document type declaration is refused.
 * @throws if the feed cannot be read, lacks the element `parent`, is in an unknown encoding, or more than 1% of its
 * records are not in its encoding
 */
export async function* xmlRows<Raw = RawListing>({
  name,
  bytes,
  encoding,
  maxRecordBytes = MAX_BYTES,
  parent,
  record,
  map,
  isListed = () => true,
}: XmlBytes<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const records = new XmlRecords({ name, parent, record, maxRecordBytes });
  const count = { total: 0, invalid: 0 };
  let decoder: Decoder | null = null;
  const rowsOf = function* (found: Iterable<XmlRecord>): Generator<FeedRow<Raw>> {
    for (const each of found) {
      const { text, isValid } = (decoder as Decoder).text(each.text);
      count.total++;
      if (each.fault !== null) {
        yield rejectedRow(each.fault, each.detail, text);
        continue;
      }
      if (!isValid) count.invalid++;
      const row = isValid ? parsed(text) : INVALID_TEXT;
      if (typeof row === 'string') yield rejectedRow('malformed_row', row, text);
      else if (isListed(row)) yield mappedRow(row, map);
    }
  };
  for await (const chunk of startedChunks(bytes)) {
    decoder ??= decoderOf(chunk, encoding, name);
    yield* rowsOf(records.read(decoder.ascii(chunk)));
    if (count.total >= MIN_LINES) refuseInvalid(name, 'records', count);
  }
  yield* rowsOf(records.end());
  refuseInvalid(name, 'records', count);
  if (!records.hasParent) throw new Error(`${name} has no element <${parent}>`);
  return { cut: records.cut, lineBreak: null };
}

/** Parses a record. @returns the reason why it cannot be parsed, as text */
function parsed(text: string): XmlRow | string {
  try {
    return parseRecord(text);
  } catch (error) {
    return messageOf(error).slice(0, 200);
  }
}

/** Number of bytes from which the encoding is detected. */
const PROLOG_BYTES = 256;

/** Yields chunks, of which the first contains the XML declaration. */
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

/** Converts chunks to bytes in which markup is ASCII, and records in these bytes to text. */
interface Decoder {
  ascii(chunk: Buffer): string;
  text(record: string): { text: string; isValid: boolean };
}

const utf8Text = (record: string): { text: string; isValid: boolean } => {
  const bytes = Buffer.from(record, 'latin1');
  return { text: bytes.toString('utf8'), isValid: isUtf8(bytes) };
};

const UTF_8: Decoder = { ascii: (chunk) => chunk.toString('latin1'), text: utf8Text };

function utf16(label: 'utf-16le' | 'utf-16be'): Decoder {
  const decoder = new TextDecoder(label);
  return {
    ascii: (chunk) => Buffer.from(decoder.decode(chunk, { stream: true })).toString('latin1'),
    text: utf8Text,
  };
}

function windows1256(): Decoder {
  const decoder = new TextDecoder('windows-1256');
  return {
    ascii: (chunk) => chunk.toString('latin1'),
    text: (record) => ({ text: decoder.decode(Buffer.from(record, 'latin1')), isValid: true }),
  };
}

/** Decoders by the name of an encoding in lower case. */
const DECODERS: Readonly<Record<string, (isBigEndian: boolean) => Decoder>> = {
  'utf-8': () => UTF_8,
  utf8: () => UTF_8,
  'us-ascii': () => UTF_8,
  'utf-16': (isBigEndian) => utf16(isBigEndian ? 'utf-16be' : 'utf-16le'),
  'utf-16le': () => utf16('utf-16le'),
  'utf-16be': () => utf16('utf-16be'),
  'windows-1256': windows1256,
  cp1256: windows1256,
};

/**
 * Returns the decoder for the byte-order mark, else for the source's encoding, else for the declared one, else for
 * UTF-8.
 * @throws if the declared encoding is unknown
 */
function decoderOf(start: Buffer, stated: XmlEncoding | undefined, name: string): Decoder {
  const isBigEndian = start[0] === 0xfe || (start[0] === 0 && start[1] === 0x3c);
  const isWide = isBigEndian || (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0x3c && start[1] === 0);
  if (isWide) return utf16(isBigEndian ? 'utf-16be' : 'utf-16le');
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return UTF_8;
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(
    start.toString('latin1', 0, PROLOG_BYTES),
  )?.[1];
  const encoding = stated ?? declared?.toLowerCase() ?? 'utf-8';
  const decoder = DECODERS[encoding];
  if (!Object.hasOwn(DECODERS, encoding) || decoder === undefined)
    throw new Error(
      `${name} is in the encoding ${declared}, which is not accepted. Export it as UTF-8, UTF-16 or windows-1256`,
    );
  // A declaration of UTF-16 in single bytes is wrong.
  return stated === undefined && encoding.startsWith('utf-16') ? UTF_8 : decoder(isBigEndian);
}
