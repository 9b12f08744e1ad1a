import sharp, { type Sharp } from 'sharp';
import type { ComparableAd } from '#ingest/identity/ads.ts';
import { adSets, ofCity } from '#ingest/identity/identity-stage.ts';
import { decodeImage } from '#ingest/photos/decode-image.ts';
import { MAX_DISTANCE, perceptualHash } from '#ingest/photos/phash.ts';
import { test } from '#test/test.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { photosOfFile, png } from './host.ts';
import { scene } from './scenes.ts';

const SCENES = 16;
const WIDTH = 320;
const HEIGHT = 240;

const { pipeline, host } = photosOfFile('ingest-phash');

const WATERMARK = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
     <path fill="#fff" fill-opacity="0.5" d="M96 106h128v7h-128zM112 120h96v10h-96z"/></svg>`,
);

/** Alterations that platforms make to uploaded photos. */
const ALTERATIONS: Readonly<Record<string, (photo: Sharp) => Sharp>> = {
  'quality 20': (photo) => photo.jpeg({ quality: 20 }),
  webp: (photo) => photo.webp({ quality: 60 }),
  'a quarter of the size': (photo) => photo.resize(WIDTH / 4).jpeg({ quality: 60 }),
  'brighter by 15%': (photo) => photo.modulate({ brightness: 1.15 }).jpeg(),
  watermarked: (photo) => photo.composite([{ input: WATERMARK }]).jpeg(),
  'cropped by 5% around': (photo) => photo.extract({ left: 8, top: 6, width: 304, height: 228 }).jpeg(),
};

/** Renders a scene in the format of a camera photo, to be altered. */
const storedScene = async (seed: number): Promise<Buffer> =>
  sharp(await scene(seed, WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();

const distanceOf = (a: bigint, b: bigint): number =>
  BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length;

async function hashOf(bytes: Buffer): Promise<bigint | null> {
  return perceptualHash((await decodeImage(bytes)).raster);
}

test('an altered photo is close to the original, and other photos are not', async (t) => {
  const originals: bigint[] = [];
  const found: Record<string, number> = {};
  for (let seed = 0; seed < SCENES; seed++) {
    const bytes = await storedScene(seed);
    const original = (await hashOf(bytes)) as bigint;
    for (const other of originals) t.true(distanceOf(original, other) > MAX_DISTANCE);
    originals.push(original);
    for (const [name, alter] of Object.entries(ALTERATIONS)) {
      const altered = await hashOf(await alter(sharp(bytes)).toBuffer());
      const near = altered !== null && distanceOf(original, altered) <= MAX_DISTANCE;
      found[name] = (found[name] ?? 0) + (near ? 1 / SCENES : 0);
    }
  }
  for (const [name, share] of Object.entries(found)) t.true(share >= 0.85, `${name}: ${share}`);
});

test('identity matching finds a re-encoded photo on two ads and ignores nearly uniform images', async (t) => {
  const original = await storedScene(500);
  for (const [path, bytes] of [
    ['/original', original],
    ['/encoded', await sharp(original).jpeg({ quality: 50 }).toBuffer()],
    ['/other', await storedScene(501)],
    ['/flat', await png(7)],
  ] as const)
    host.answers.set(path, (response) => response.end(bytes));
  const at = (...names: string[]) => names.map((name) => host.at(`/${name}`));
  const source = testSource('phash');
  source.feed = [
    ad('one', { photos: at('original', 'flat') }),
    ad('two', { bedrooms: 1, photos: at('encoded', 'flat') }),
    ad('three', { bedrooms: 2, photos: at('other', 'flat') }),
  ];
  await pipeline.run([source], '2026-04-02T03:00:00Z', host.fetching());
  const ids = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => (await pipeline.listing('phash', name)).id),
  );
  const signal = new AbortController().signal;
  for await (const { set } of adSets({ pool: pipeline.pool, signal }, ofCity('riyadh'))) {
    const [one, two, three] = ids.map((id) => set.find((own) => own.id === id)) as [
      ComparableAd,
      ComparableAd,
      ComparableAd,
    ];
    t.is(one.photos.length, 1);
    t.deepEqual(two.photos, one.photos);
    t.deepEqual(three.photos, []);
    t.is(three.ownPhotos, 1);
    t.is(one.photoList, two.photoList);
    t.not(one.photoList, three.photoList);
  }
});
