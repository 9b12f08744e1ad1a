import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { messageOf } from '#domain/message-of.ts';
import type { RawListing } from '../../normalize/listing.ts';
import { INVALID_TEXT } from './csv-records.ts';
import {
  type FeedEnd,
  type FeedReader,
  type FeedRow,
  mappedRows,
  RefusedFeed,
  type RowLayout,
  rejectedRow,
} from './feed-row.ts';
import {
  CHUNK_BYTES,
  type Encoding,
  type FeedFile,
  hasUtf8Mark,
  MAX_BYTES,
  MIN_LINES,
  PROLOG_BYTES,
  refuseInvalid,
  textChunks,
} from './lines.ts';
import { parseRecord, type XmlRecord, XmlRecords, type XmlRow } from './xml-records.ts';
import { repairedRecord } from './xml-repair.ts';

export interface XmlLayout<Raw = RawListing> extends RowLayout<XmlRow, Raw> {
  /** Element that contains the records, if it is not the root. A feed without records needs it. */
  parent: string;
  /** In any case of letters. */
  record: string;
}

export interface XmlBytes<Raw = RawListing> extends XmlLayout<Raw> {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** A longer record is rejected as `too_large`. */
  maxRecordBytes?: number | undefined;
  /** Overrides the encoding that the feed declares. The byte-order mark of UTF-8 overrides both. */
  encoding?: Encoding | undefined;
}

/** As `xmlRows`. */
export function xmlFile<Raw = RawListing>(options: Omit<XmlBytes<Raw>, 'name' | 'bytes'>): FeedReader<Raw> {
  const read = async function* ({ path, signal, isUnmapped }: FeedFile): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
    const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
    return yield* xmlRows({ ...options, isUnmapped, name: path, bytes });
  };
  return Object.assign(read, { layout: options });
}

/**
 * One record and one chunk are in memory at a time. A malformed record is one rejected row. The feed counts as
 * truncated unless it ends with its root element. Entities are not expanded: a feed with a document type declaration is
 * refused.
 * @throws if the feed cannot be read, lacks the element `parent`, or is not in its encoding
 */
export async function* xmlRows<Raw = RawListing>({
  name,
  bytes,
  encoding,
  maxRecordBytes = MAX_BYTES,
  parent,
  record,
  ...layout
}: XmlBytes<Raw>): AsyncGenerator<FeedRow<Raw>, FeedEnd> {
  const records = new XmlRecords({ name, parent, record, maxRecordBytes });
  const count = { total: 0, invalid: 0 };
  let decoder: TextDecoder | null = null;
  const rowsOf = function* (found: Iterable<XmlRecord>): Generator<FeedRow<Raw>> {
    for (const each of found) {
      const recordBytes = Buffer.from(each.text, 'latin1');
      const text = (decoder as TextDecoder).decode(recordBytes);
      const isValid = decoder?.encoding !== 'utf-8' || isUtf8(recordBytes);
      count.total++;
      if (each.fault !== null) {
        yield rejectedRow(each.fault, each.detail, text);
        continue;
      }
      if (!isValid) count.invalid++;
      const row = isValid ? parsed(text) : INVALID_TEXT;
      if (count.total === 1 && isLine(row)) throw new RefusedFeed(`${name} ${COMPACT}`);
      if (typeof row === 'string') yield rejectedRow('malformed_row', row, text);
      else yield* mappedRows(row, layout);
    }
  };
  for await (const chunk of textChunks(name, bytes)) {
    decoder ??= decoderOf(chunk, encoding, name);
    // Markup is ASCII in both encodings, so that records are found in bytes.
    yield* rowsOf(records.read(chunk.toString('latin1')));
    if (count.total >= MIN_LINES) refuseInvalid(name, 'records', count);
  }
  yield* rowsOf(records.end());
  refuseInvalid(name, 'records', count);
  if (!records.hasParent) throw new Error(`${name} has no element <${parent}>, the \`parent\` of its source`);
  return { cut: records.cut, lineBreak: null };
}

const COMPACT =
  'has columns in lines in place of elements, as RETS COMPACT does. Request STANDARD-XML, or save the names of the columns and the lines as a file with tabs';

const isLine = (row: XmlRow | string): boolean =>
  typeof row === 'object' && Object.keys(row).join() === '#text' && String(row['#text']).includes('\t');

/** @returns the reason as text if the record cannot be parsed */
function parsed(text: string): XmlRow | string {
  try {
    return parseRecord(text);
  } catch (error) {
    try {
      return parseRecord(repairedRecord(text));
    } catch {
      return messageOf(error).slice(0, 200);
    }
  }
}

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  // Some exporters declare the encoding of their strings. Bytes in UTF-16 are refused before.
  ['utf-16', 'utf-8'],
  ['windows-1256', 'windows-1256'],
  ['cp1256', 'windows-1256'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
]);

/** The byte-order mark counts first, then the source's encoding, then the declared one. @throws if that is unknown */
function decoderOf(start: Buffer, stated: Encoding | undefined, name: string): TextDecoder {
  const [, declared = 'utf-8'] =
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start.toString('latin1', 0, PROLOG_BYTES)) ?? [];
  const encoding = hasUtf8Mark(start) ? 'utf-8' : (stated ?? ENCODINGS.get(declared.toLowerCase()));
  if (encoding === undefined)
    throw new Error(
      `${name} is in the encoding ${declared}, which is not accepted. Export it as UTF-8 or windows-1256`,
    );
  return new TextDecoder(encoding);
}
