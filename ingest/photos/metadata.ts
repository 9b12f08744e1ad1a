import { crc32 } from 'node:zlib';

/** Extensions of the formats that the CDN serves. */
export type PhotoFormat = 'jpg' | 'png' | 'webp' | 'gif' | 'avif';

/** What the decoder read from an image. */
interface ImageMetadata {
  /** As in EXIF, 1 to 8. */
  orientation?: number | undefined;
  exif?: Buffer | undefined;
  xmp?: Buffer | undefined;
}

/**
 * Removes what does not change the pixels, such as the position and device of a camera, texts and embedded previews.
 * Color profile and orientation are kept, and the compressed pixels are copied. Also drops what cannot be parsed, so the
 * result must be decoded before it is used.
 */
export function withoutMetadata(bytes: Buffer, format: PhotoFormat, described: ImageMetadata): Buffer {
  return bytes.length < MIN_BYTES ? bytes : CLEANERS[format](bytes, described);
}

/** The longest of the headers. */
const MIN_BYTES = 14;
const EMPTY = Buffer.alloc(0);

type Cleaner = (bytes: Buffer, described: ImageMetadata) => Buffer;

const CLEANERS: Readonly<Record<PhotoFormat, Cleaner>> = {
  jpg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
  avif: cleanAvif,
};

/** Returns EXIF data with only the orientation, if it is not upright: one entry of type SHORT, little-endian. */
const orientationExif = ({ orientation = 1 }: ImageMetadata): Buffer | null =>
  orientation === 1
    ? null
    : Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);

const startsWith = (part: Buffer, text: string, at = 0): boolean =>
  part.toString('latin1', at, at + text.length) === text;

const EXIF_ID = 'Exif\0\0';
const [SOI, EOI, SOS, APP0, APP1, APP2, APP14, APP15, COM, TEM] = [
  0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe, 0x01,
];

/** Whether a segment is needed to decode: tables, frames, JFIF, the color profile and Adobe's color transformation. */
function isKeptSegment(marker: number, segment: Buffer): boolean {
  if (marker === APP0) return startsWith(segment, 'JFIF\0', 4);
  if (marker === APP2) return startsWith(segment, 'ICC_PROFILE\0', 4);
  return marker === APP14 || (marker !== COM && (marker < APP0 || marker > APP15));
}

/** Also ends the file at the end of its first image: other images with their own metadata may follow. */
function cleanJpeg(bytes: Buffer, described: ImageMetadata): Buffer {
  const parts: Buffer[] = [];
  let pending = orientationExif(described);
  let at = 0;
  while (at < bytes.length) {
    // As decoders do, skips bytes between segments.
    const start = bytes.indexOf(0xff, at);
    if (start === -1) break;
    at = start + 1;
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at++];
    if (marker === undefined || marker === 0) continue;
    const standsAlone = (marker >= 0xd0 && marker <= EOI) || marker === TEM;
    const end = standsAlone ? at : at + Math.max(2, at + 1 < bytes.length ? bytes.readUInt16BE(at) : 2);
    const segment = bytes.subarray(at - 2, end);
    at = end;
    if (pending !== null && marker !== SOI && marker !== APP0) {
      const head = Buffer.from([0xff, APP1, 0, 2 + EXIF_ID.length + pending.length]);
      parts.push(head, Buffer.from(EXIF_ID), pending);
      pending = null;
    }
    if (isKeptSegment(marker, segment)) parts.push(Buffer.from([0xff]), segment.subarray(1));
    if (marker === EOI) break;
    if (marker !== SOS) continue;
    at = endOfScan(bytes, end);
    parts.push(bytes.subarray(end, at));
  }
  return Buffer.concat(parts);
}

/** Returns the position of the marker after compressed data, in which 0xff is followed by 0 or a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Critical chunks have a capital letter first. */
const PNG_CHUNK = /^(?:[A-Z]...|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|sBIT|bKGD|hIST|pHYs|mDCV|cLLI|acTL|fcTL|fdAT)$/;

function cleanPng(bytes: Buffer, described: ImageMetadata): Buffer {
  const exif = orientationExif(described);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (PNG_CHUNK.test(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IHDR' && exif !== null) parts.push(pngChunk('eXIf', exif));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(parts);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** In the first byte of `VP8X`. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];

function cleanWebp(bytes: Buffer, described: ImageMetadata): Buffer {
  const exif = orientationExif(described);
  const parts: Buffer[] = [Buffer.from(bytes.subarray(0, 12))];
  let isExtended = false;
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    const next = at + 8 + size + (size % 2);
    if (WEBP_CHUNKS.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, next));
      if (type === 'VP8X' && chunk.length > 8) {
        isExtended = true;
        chunk[8] = ((chunk[8] as number) & ~(HAS_EXIF | HAS_XMP)) | (exif === null ? 0 : HAS_EXIF);
      }
      parts.push(chunk);
    }
    at = next;
  }
  if (exif !== null && isExtended) {
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
    head.writeUInt32LE(exif.length, 4);
    parts.push(head, exif);
  }
  const cleaned = Buffer.concat(parts);
  cleaned.writeUInt32LE(cleaned.length - 8, 4);
  return cleaned;
}

const GIF_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];
const [EXTENSION, APPLICATION, COMMENT, PLAIN_TEXT, IMAGE] = [0x21, 0xff, 0xfe, 0x01, 0x2c];

function cleanGif(bytes: Buffer): Buffer {
  const colors = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = 13 + colors(bytes[10]);
  const parts = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const [kind, label] = [bytes[at], bytes[at + 1] as number];
    let blocks = at + 2;
    if (kind === IMAGE) blocks = at + 11 + colors(bytes[at + 9]);
    else if (kind !== EXTENSION) break;
    let end = blocks;
    while (end < bytes.length && bytes[end] !== 0) end += 1 + (bytes[end] as number);
    end++;
    const isKept =
      kind === IMAGE ||
      (label === APPLICATION && GIF_APPLICATIONS.some((name) => startsWith(bytes, name, at + 3))) ||
      ![APPLICATION, COMMENT, PLAIN_TEXT].includes(label);
    if (isKept) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...parts, Buffer.from(';')]);
}

/** Overwrites the data of the items, because all others are found by their offsets. */
function cleanAvif(bytes: Buffer, { exif, xmp }: ImageMetadata): Buffer {
  const cleaned = Buffer.from(bytes);
  for (const item of [exif, xmp]) {
    // The decoder may put an identifier before the data.
    const data = item?.subarray(startsWith(item, EXIF_ID) ? EXIF_ID.length : 0) ?? EMPTY;
    const at = data.length > 0 ? bytes.indexOf(data) : -1;
    if (at !== -1) cleaned.fill(0, at, at + data.length);
  }
  return cleaned;
}
