import { decodeImage } from '#ingest/photos/decode.ts';
import { hammingDistance, MAX_DISTANCE, perceptualHash } from '#ingest/photos/phash.ts';
import { exampleHomes } from '#sample/examples.ts';
import { homesOfGroup, marketOf, type Property } from '#sample/homes.ts';
import { drawPicture, homePicture, renderPicture, streetPicture } from '#sample/pictures.ts';
import { Random } from '#sample/random.ts';
import { test } from '#test/test.ts';

const HOST = 'http://photos.test';

function homes(groups: number): Property[] {
  let id = 0;
  const market = marketOf(5_000);
  return Array.from({ length: groups }, (_, group) => homesOfGroup(new Random(3, group), () => ++id, market)).flat();
}

const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

test('pictures of different homes differ in bytes, and nearly all differ in perceptual hash', async (t) => {
  t.timeout(120_000);
  const names = homes(1_100).map((home) => nameOf(homePicture(HOST, home, 0)));
  const bytes = new Set<string>();
  const hashes = await Promise.all(
    names.map(async (name) => {
      const photo = await renderPicture(name);
      bytes.add(photo.toString('base64'));
      return perceptualHash((await decodeImage(photo, { width: 480, height: 320 })).raster);
    }),
  );
  t.is(bytes.size, names.length);
  const known = hashes.filter((hash) => hash !== null);
  t.is(known.length, names.length, 'no picture is nearly uniform');
  let alike = 0;
  for (const [at, hash] of known.entries())
    for (const other of known.slice(0, at)) if (hammingDistance(hash, other) <= MAX_DISTANCE) alike++;
  const pairs = (known.length * (known.length - 1)) / 2;
  t.log(`${alike} of ${pairs} pairs`);
  t.true(alike <= pairs / 100_000, `${alike} of ${pairs} pairs`);
});

test('a picture shows the kind of home, and streets are shared', (t) => {
  const [apartment, villa, , tower] = exampleHomes(new Random(1, 1), () => 7).map(({ property }) => property);
  const names = [apartment, villa, tower].map((home) => nameOf(homePicture(HOST, home as Property, 0)));
  t.deepEqual(names, ['block-7-0.jpg', 'house-7-0.jpg', 'tower-7-0.jpg']);
  t.is(new Set(names.map(drawPicture)).size, names.length);
  t.is(drawPicture('house-7-0.jpg'), drawPicture('house-7-0.jpg'));
  t.is(nameOf(streetPicture(HOST, 65)), nameOf(streetPicture(HOST, 1)));
  t.true(drawPicture('unknown.jpg').startsWith('<svg'));
});
