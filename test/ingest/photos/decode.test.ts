import sharp from 'sharp';
import { decodeImage, UnusableImageError } from '#ingest/photos/decode-image.ts';
import { test } from '#test/test.ts';
import { scene } from './scenes.ts';

let pixels: Buffer;
test.before(async () => {
  pixels = await scene(1);
});
const photo = () => sharp(pixels, { raw: { width: 640, height: 480, channels: 3 } });

test('photos of each accepted format are decoded, and truncated or damaged ones are refused and may be fetched again', async (t) => {
  const expected = (await decodeImage(await photo().png().toBuffer())).raster;
  const page = Buffer.from('<html><body>502 Bad Gateway</body></html>');
  const lying = await photo().rotate(-90).png().toBuffer();
  const formats = {
    png: photo().png(),
    jpeg: photo().jpeg(),
    progressive: photo().jpeg({ progressive: true }),
    cmyk: photo().toColourspace('cmyk').jpeg(),
    webp: photo().webp(),
    gif: photo().gif(),
    avif: photo().avif({ effort: 0 }),
    rotated: sharp(lying).withMetadata({ orientation: 6 }).png(),
  };
  for (const [name, format] of Object.entries(formats)) {
    const bytes = await format.toBuffer();
    const { raster, small } = await decodeImage(bytes);
    t.false(small);
    const difference = raster.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] as number)), 0);
    t.true(difference / raster.length < 12, `${name}: ${difference / raster.length}`);
    const start = Math.max(300, bytes.length / 40);
    for (const broken of [bytes.subarray(0, bytes.length / 3), Buffer.concat([bytes.subarray(0, start), page])]) {
      const error = await t.throwsAsync(() => decodeImage(broken), undefined, name);
      t.false(error instanceof UnusableImageError, error?.message);
    }
  }
});

test('unsupported formats, single pixels and headers that claim 900 megapixels are refused permanently', async (t) => {
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888' } });
  const huge = await plain(300, 200).jpeg().toBuffer();
  const frame = huge.indexOf(Buffer.from([0xff, 0xc0]));
  huge.writeUInt16BE(30_000, frame + 5);
  huge.writeUInt16BE(30_000, frame + 7);
  for (const [bytes, message] of [
    [await plain(300, 200).tiff().toBuffer(), /./],
    [await plain(1, 1).gif().toBuffer(), /./],
    [huge, /too many pixels/],
  ] as const)
    await t.throwsAsync(() => decodeImage(bytes), { instanceOf: UnusableImageError, message });
});

test('what the decoder decodes is an image, with segments in any order and up to 100 megapixels', async (t) => {
  const jpeg = await photo().jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const length = 2 + jpeg.readUInt16BE(frame + 2);
  const first = Buffer.concat([
    jpeg.subarray(0, 2),
    jpeg.subarray(frame, frame + length),
    jpeg.subarray(2, frame),
    jpeg.subarray(frame + length),
  ]);
  t.deepEqual((await decodeImage(first)).raster, (await decodeImage(jpeg)).raster);
  const wide = (width: number) => sharp({ create: { width, height: 9_000, channels: 3, background: '#888' } });
  t.is((await decodeImage(await wide(11_000).jpeg().toBuffer())).extension, 'jpg');
  await t.throwsAsync(() => wide(11_200).jpeg().toBuffer().then(decodeImage), { instanceOf: UnusableImageError });
});
