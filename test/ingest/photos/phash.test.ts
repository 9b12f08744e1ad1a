import fc from 'fast-check';
import { adSets, ofCity } from '#ingest/identity/stage.ts';
import { decodeImage } from '#ingest/photos/decode.ts';
import { readImageKind } from '#ingest/photos/image.ts';
import { recordImages } from '#ingest/photos/images.ts';
import {
  bandsOf,
  hammingDistance,
  MAX_DISTANCE,
  nearBands,
  perceptualHash,
  RASTER_SIDE,
} from '#ingest/photos/phash.ts';
import { test } from '#test/test.ts';
import { ad, pipelineOfFile, testSource } from '../run/pipeline.ts';
import { ALTERATIONS, alter, storedScene } from './alterations.ts';
import { startPhotoHost } from './host.ts';
import { png } from './pictures.ts';

const SCENES = 16;

const pipeline = pipelineOfFile('ingest-phash');

async function hashOf(bytes: Uint8Array): Promise<bigint | null> {
  return perceptualHash((await decodeImage(bytes, readImageKind(bytes))).raster);
}

test('an altered photo is close to the original, and other photos are not', async (t) => {
  const originals: bigint[] = [];
  const found: Record<string, number> = {};
  for (let seed = 0; seed < SCENES; seed++) {
    const bytes = await storedScene(seed);
    const original = (await hashOf(bytes)) as bigint;
    for (const other of originals) t.true(hammingDistance(original, other) > MAX_DISTANCE);
    originals.push(original);
    for (const name of Object.keys(ALTERATIONS)) {
      const altered = await hashOf(await alter(bytes, name));
      const near = altered !== null && hammingDistance(original, altered) <= MAX_DISTANCE;
      found[name] = (found[name] ?? 0) + (near ? 1 / SCENES : 0);
    }
  }
  t.log(found);
  for (const [name, share] of Object.entries(found))
    t.true(share >= (name === 'cropped by 5% at a corner' ? 0.3 : 0.85), `${name}: ${share}`);
});

test('nearly uniform images have no perceptual hash', async (t) => {
  t.is(await hashOf(png(128)), null);
  const shaded = Uint8Array.from({ length: RASTER_SIDE ** 2 }, (_, at) => 120 + (at % 3));
  t.is(perceptualHash(shaded), null);
});

const HASH = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const FLIPS = fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: MAX_DISTANCE });
const flip = (hash: bigint, bits: readonly number[]) =>
  BigInt.asIntN(
    64,
    bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), hash),
  );

test('hashes of variants of one photo have a band that differs in at most two bits', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(HASH, FLIPS, (hash, bits) => {
        const other = flip(hash, bits);
        t.is(hammingDistance(hash, other), bits.length);
        const near = new Set(nearBands(hash));
        return bandsOf(other).some((band) => near.has(band));
      }),
    ),
  );
});

test('a stored image references the first image of the same photo', async (t) => {
  const client = await pipeline.pool.connect();
  try {
    const hash = 0x5a5a_1234_8765_c3c3n;
    await recordImages(client, [
      { key: 'a', phash: hash },
      { key: 'near', phash: flip(hash, [1, 2, 17, 18, 33, 34, 50, 51, 60, 63]) },
      { key: 'far', phash: flip(hash, [0, 1, 2, 16, 17, 18, 32, 33, 34, 50, 51]) },
      { key: 'flat', phash: null },
      { key: 'flat too', phash: null },
    ]);
    await recordImages(client, [{ key: 'a', phash: hash }]);
    const { rows } = await client.query<{ key: string; same_as: string }>(
      `select key, same_as from photo_images where key in ('a', 'near', 'far', 'flat', 'flat too')`,
    );
    t.deepEqual(Object.fromEntries(rows.map(({ key, same_as }) => [key, same_as])), {
      a: 'a',
      far: 'far',
      flat: 'flat',
      'flat too': 'flat too',
      near: 'a',
    });
  } finally {
    client.release();
  }
});

test('identity matching finds a re-encoded photo on two ads and ignores nearly uniform images', async (t) => {
  const original = await storedScene(500);
  const host = await startPhotoHost();
  t.teardown(host.close);
  for (const [path, bytes] of [
    ['/original', original],
    ['/encoded', await alter(original, 'quality 50')],
    ['/other', await storedScene(501)],
    ['/flat', png(7)],
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
  const { id, city } = await pipeline.listing('phash', 'one');
  const ids = await Promise.all(['two', 'three'].map(async (name) => (await pipeline.listing('phash', name)).id));
  const signal = new AbortController().signal;
  for await (const { set } of adSets({ pool: pipeline.pool, signal }, ofCity(String(city)))) {
    const { photos } = set.columns;
    const [one, two, three] = [id, ...ids].map((each) => set.ads.findIndex((own) => own.id === each)) as [
      number,
      number,
      number,
    ];
    t.is(photos.of(one).length, 1);
    t.deepEqual(photos.of(two), photos.of(one));
    t.deepEqual(photos.of(three), []);
    t.is(photos.counts[three], 1);
    t.true(set.samePhotos(one, two));
    t.false(set.samePhotos(one, three));
  }
});
