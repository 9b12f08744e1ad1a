import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { decodeImage } from '#ingest/photos/decode-image.ts';
import { type PhotoFormat, withoutMetadata } from '#ingest/photos/metadata.ts';
import { test } from '#test/test.ts';
import { scene } from './scenes.ts';

const WIDTH = 64;
const HEIGHT = 48;
const SECRET = 'iPhone 15 at 24/42/49 N';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`;

let photo: () => Sharp;
test.before(async () => {
  const pixels = await scene(2, WIDTH, HEIGHT);
  photo = () => sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
});

const FORMATS: Readonly<Record<string, (of: Sharp) => Sharp>> = {
  jpeg: (of) => of.jpeg(),
  progressive: (of) => of.jpeg({ progressive: true }),
  cmyk: (of) => of.toColourspace('cmyk').jpeg(),
  png: (of) => of.png(),
  interlaced: (of) => of.png({ progressive: true }),
  palette: (of) => of.png({ palette: true }),
  webp: (of) => of.webp(),
  lossless: (of) => of.webp({ lossless: true }),
  avif: (of) => of.avif({ effort: 0 }),
  gif: (of) => of.gif(),
};

const described = (of: Sharp, orientation: number): Sharp =>
  of
    .withIccProfile('p3')
    .withXmp(XMP)
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Model: SECRET, ImageDescription: SECRET },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '24/1 42/1 49/1' },
    });

const pixelsOf = (bytes: Buffer): Promise<Buffer> => sharp(bytes, { failOn: 'error' }).raw().toBuffer();

for (const [name, encode] of Object.entries(FORMATS))
  test(`a photo as ${name} is stored with equal pixels, profile and orientation, and without other metadata`, async (t) => {
    for (const orientation of [1, 6]) {
      const bytes = await described(encode(photo()), orientation).toBuffer();
      const before = await sharp(bytes).metadata();
      if (name !== 'gif') t.true(bytes.includes(SECRET), 'the photo has metadata to remove');
      const { bytes: stored, extension } = await decodeImage(bytes);
      t.deepEqual(await pixelsOf(stored), await pixelsOf(bytes));
      const after = await sharp(stored).metadata();
      t.false(stored.includes(SECRET));
      // An AVIF file keeps the place of metadata, which is overwritten.
      t.false(after.xmp?.some(Boolean) ?? false);
      if (after.exif)
        t.true(after.exif.length <= 40 || !after.exif.subarray(6).some(Boolean), 'no more than the orientation');
      t.is(after.orientation ?? 1, before.orientation ?? 1);
      t.deepEqual(after.icc, before.icc);
      t.deepEqual(withoutMetadata(stored, extension, after), stored, 'a photo without metadata is unchanged');
    }
  });

/** Inserts a segment, chunk or block of metadata where decoders accept one. */
const INSERTIONS: Readonly<Record<string, (bytes: Buffer, data: Buffer, pick: number) => Buffer>> = {
  jpeg: (bytes, data, pick) => {
    // Application segments except those that are kept, and comments.
    const marker = [0xe0, 0xe1, 0xe2, 0xe3, 0xed, 0xef, 0xfe][pick % 7] as number;
    return spliced(bytes, 2, Buffer.from([0xff, 0xff, marker]), uint(2, data.length + 2), data);
  },
  png: (bytes, data, pick) => {
    const type = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'][pick % 5] as string;
    return spliced(bytes, 33, uint(4, data.length), Buffer.from(type), data, uint(4, 0));
  },
  gif: (bytes, data, pick) => {
    const label = pick % 2 === 0 ? [0x21, 0xfe] : [0x21, 0xff, 11, ...Buffer.from('XMP DataXMP')];
    const start = 13 + (((bytes[10] as number) & 0x80) !== 0 ? 3 << (((bytes[10] as number) & 7) + 1) : 0);
    return spliced(bytes, start, Buffer.from([...label, data.length]), data, Buffer.from([0]));
  },
};
const uint = (size: number, value: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
const spliced = (bytes: Uint8Array, at: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
const MARK = Buffer.from(SECRET);
const texts = fc.uint8Array({ maxLength: 200 }).map((bytes): Buffer => Buffer.concat([MARK, bytes]));

for (const [name, insert] of Object.entries(INSERTIONS))
  test(`inserted metadata of any kind and content is removed from ${name}, and so is what follows the image`, async (t) => {
    const bytes = await (FORMATS[name] as (of: Sharp) => Sharp)(photo()).toBuffer();
    const format = name === 'jpeg' ? 'jpg' : (name as PhotoFormat);
    const clean = withoutMetadata(bytes, format, {});
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, fc.nat()), { maxLength: 5 }), texts, async (parts, tail) => {
        const tagged = parts.reduce<Buffer>((all, [data, pick]) => insert(all, data, pick), bytes);
        t.deepEqual(withoutMetadata(Buffer.concat([tagged, tail]), format, {}), clean);
      }),
    );
    t.deepEqual(await pixelsOf(clean), await pixelsOf(bytes));
  });

test('cleaning a damaged file of any format neither fails nor makes it longer than by an orientation', async (t) => {
  for (const [name, encode] of Object.entries(FORMATS)) {
    const bytes = await described(encode(photo()), 6).toBuffer();
    const format = (await sharp(bytes).metadata()).format as string;
    const named = ({ jpeg: 'jpg', heif: 'avif' }[format] ?? format) as PhotoFormat;
    await fc.assert(
      fc.property(fc.nat(bytes.length), fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255))), (end, changes) => {
        const damaged = Buffer.from(bytes.subarray(0, end));
        for (const [at, value] of changes) if (at < end) damaged[at] = value;
        const cleaned = withoutMetadata(damaged, named, { orientation: 6 });
        t.true(cleaned.length <= damaged.length + 50, name);
      }),
    );
  }
});
