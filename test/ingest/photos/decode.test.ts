import sharp from 'sharp';
import { decodeImage, isSmall, UnusableImageError } from '#ingest/photos/decode.ts';
import { readImageKind } from '#ingest/photos/image.ts';
import { RASTER_SIDE } from '#ingest/photos/phash.ts';
import { test } from '#test/test.ts';
import { scene } from './scenes.ts';

/** Scenes by seed. Rendering one takes longer than most tests. */
const scenes = new Map<number, Buffer>();
function sceneOf(seed: number): Buffer {
  const pixels = scenes.get(seed) ?? scene(seed);
  scenes.set(seed, pixels);
  return pixels;
}

const decode = (bytes: Uint8Array) => decodeImage(bytes, readImageKind(bytes));

test('photos of each accepted format and color space are decoded', async (t) => {
  const photo = () => sharp(sceneOf(1), { raw: { width: 640, height: 480, channels: 3 } });
  const expected = (await decode(await photo().png().toBuffer())).raster;
  t.is(expected.length, RASTER_SIDE ** 2);
  const formats = {
    jpeg: photo().jpeg(),
    progressive: photo().jpeg({ progressive: true }),
    cmyk: photo().toColourspace('cmyk').jpeg(),
    webp: photo().webp(),
    gif: photo().gif(),
    avif: photo().avif({ effort: 0 }),
  };
  for (const [name, format] of Object.entries(formats)) {
    const { raster, small } = await decode(await format.toBuffer());
    t.false(small);
    const difference = raster.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] as number)), 0);
    t.true(difference / raster.length < 12, `${name}: ${difference / raster.length}`);
  }
});

test('the first frame of an animation is decoded', async (t) => {
  const raw = { width: 640, height: 480, channels: 3 as const };
  const frames = await Promise.all([1, 2, 3].map((seed) => sharp(sceneOf(seed), { raw }).png().toBuffer()));
  const animated = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const first = await decode(await sharp(sceneOf(1), { raw }).gif().toBuffer());
  t.deepEqual((await decode(animated)).raster, first.raster);
});

test('photos are rotated by their EXIF orientation', async (t) => {
  const raw = { width: 640, height: 480, channels: 3 as const };
  const upright = await decode(await sharp(sceneOf(1), { raw }).png().toBuffer());
  const lying = await sharp(sceneOf(1), { raw }).rotate(-90).png().toBuffer();
  const tagged = await sharp(lying).withMetadata({ orientation: 6 }).png().toBuffer();
  const { raster } = await decode(tagged);
  const difference = raster.reduce((sum, value, at) => sum + Math.abs(value - (upright.raster[at] as number)), 0);
  t.true(difference / raster.length < 3, String(difference / raster.length));
});

test('truncated and damaged photos are refused and may be fetched again', async (t) => {
  const whole = sharp(sceneOf(1), { raw: { width: 640, height: 480, channels: 3 } });
  const page = Buffer.from('<html><body>502 Bad Gateway</body></html>');
  for (const bytes of [
    await whole.clone().jpeg().toBuffer(),
    await whole.clone().jpeg({ progressive: true }).toBuffer(),
    await whole.clone().png().toBuffer(),
    await whole.clone().webp().toBuffer(),
    await whole.clone().gif().toBuffer(),
    await whole.clone().avif({ effort: 0 }).toBuffer(),
  ]) {
    const start = Math.max(300, bytes.length / 40);
    for (const broken of [bytes.subarray(0, bytes.length / 3), Buffer.concat([bytes.subarray(0, start), page])]) {
      const error = await t.throwsAsync(async () => decode(broken));
      t.false(error instanceof UnusableImageError, error?.message);
    }
  }
});

test('unsupported formats and sizes are refused permanently', async (t) => {
  const tiff = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
    .tiff()
    .toBuffer();
  const bmp = Buffer.alloc(58);
  bmp.write('BM');
  bmp.writeUInt32LE(40, 14);
  bmp.writeUInt32LE(300, 18);
  bmp.writeInt32LE(200, 22);
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#888' } })
    .gif()
    .toBuffer();
  for (const bytes of [tiff, bmp, pixel])
    await t.throwsAsync(async () => decode(bytes), { instanceOf: UnusableImageError });
});

test('a header that claims 900 megapixels is refused before it is decoded', async (t) => {
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(30_000, frame + 5);
  bytes.writeUInt16BE(30_000, frame + 7);
  await t.throwsAsync(async () => decode(bytes), { instanceOf: UnusableImageError, message: 'too many pixels' });
});

test('photos below 200 x 150 pixels in either orientation are classified as small', (t) => {
  t.false(isSmall(200, 150));
  t.false(isSmall(150, 200));
  t.true(isSmall(199, 150));
  t.true(isSmall(96, 64));
  t.false(isSmall(5_000, 5_000));
  t.throws(() => isSmall(5_001, 5_000), { instanceOf: UnusableImageError });
});
