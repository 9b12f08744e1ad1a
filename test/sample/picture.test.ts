import { decodeImage } from '#ingest/photos/decode.ts';
import { hammingDistance, MAX_DISTANCE, perceptualHash } from '#ingest/photos/phash.ts';
import type { Property } from '#sample/ad.ts';
import { gatheredMarket, homesOfGroup } from '#sample/market.ts';
import { drawPicture, renderPicture } from '#sample/picture.ts';
import { factsName, readFacts } from '#sample/pictures/facts.ts';
import { roomsOf } from '#sample/pictures/plan.ts';
import { fewPictures } from '#sample/pictures.ts';
import { Random } from '#sample/random.ts';
import { exampleHomes } from '#sample/story.ts';
import { test } from '#test/test.ts';

const PICTURES = fewPictures('http://photos.test');

function homes(groups: number): Property[] {
  let id = 0;
  const market = gatheredMarket();
  return Array.from({ length: groups }, (_, group) => homesOfGroup(new Random(3, group), () => ++id, market)).flat();
}

/** Returns the name of the photo that only this home has. */
const ownName = (home: Property): string => PICTURES.address(home, 0, 2).split('/').at(-1) ?? '';

test('photos of different homes differ in bytes, and nearly all differ in perceptual hash', async (t) => {
  t.timeout(120_000);
  const names = homes(1_100).map(ownName);
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
  t.is(known.length, names.length, 'no photo is nearly uniform');
  let alike = 0;
  for (const [at, hash] of known.entries())
    for (const other of known.slice(0, at)) if (hammingDistance(hash, other) <= MAX_DISTANCE) alike++;
  const pairs = (known.length * (known.length - 1)) / 2;
  t.log(`${alike} of ${pairs} pairs`);
  t.true(alike <= pairs / 100_000, `${alike} of ${pairs} pairs`);
});

test('a photo name states the facts of its home', (t) => {
  const [, villa] = exampleHomes(() => 7) as [Property, Property];
  t.is(factsName(villa), 'villa-area312-bedrooms5-bathrooms5-livings2-age2-unfurnished-garden-maid-majlis');
  t.like(readFacts(`${factsName(villa)}-7-0`), {
    type: 'villa',
    area: 312,
    bedrooms: 5,
    bathrooms: 5,
    livings: 2,
    floor: 0,
    age: 2,
    unfurnished: true,
    tower: false,
    pool: false,
    garden: true,
    maid: true,
    majlis: true,
  });
  t.is(readFacts('17-0'), null);
});

test('the rooms of a floor plan are those of the home, and their areas add up to its area', (t) => {
  const dwellings = homes(400).filter(({ bedrooms }) => bedrooms !== null);
  t.true(dwellings.length > 200);
  for (const home of dwellings) {
    const facts = readFacts(factsName(home));
    if (facts === null) return t.fail();
    const rooms = roomsOf(new Random(home.id, 1), facts);
    t.is(
      rooms.reduce((sum, { area }) => sum + area, 0),
      home.area,
    );
    t.is(rooms.filter(({ use }) => use === 'bedroom').length, Math.min(7, home.bedrooms ?? 0));
  }
});

test('a home with bedrooms has its building, three rooms and its floor plan among five photos', (t) => {
  const [home] = exampleHomes(() => 1) as [Property];
  const names = [2, 3, 4, 5, 6].map((number) => PICTURES.address(home, 0, number).split('/').at(-1) ?? '');
  const drawings = names.map(drawPicture);
  t.is(new Set(drawings).size, 5);
  t.is(drawings.filter((drawing) => drawing.includes('url(#sky)')).length, 1, 'one building');
  t.is(drawings.filter((drawing) => drawing.includes('stroke-linejoin')).length, 1, 'one floor plan');
  t.deepEqual(names.map(drawPicture), drawings);
});
