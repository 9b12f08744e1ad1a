import { exampleHomes } from '#sample/examples.ts';
import type { Property } from '#sample/homes.ts';
import { drawPicture, homePicture, streetPicture } from '#sample/pictures.ts';
import { Random } from '#sample/random.ts';
import { test } from '#test/test.ts';

const HOST = 'http://photos.test';

const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

test('a picture shows the kind of home, and streets are shared', (t) => {
  const [apartment, villa, , tower] = exampleHomes(new Random(1, 1), () => 7).map(({ property }) => property);
  const names = [apartment, villa, tower].map((home) => nameOf(homePicture(HOST, home as Property, 0)));
  t.deepEqual(names, ['block-7-0.jpg', 'house-7-0.jpg', 'tower-7-0.jpg']);
  t.is(new Set(names.map(drawPicture)).size, names.length);
  t.is(drawPicture('house-7-0.jpg'), drawPicture('house-7-0.jpg'));
  t.is(nameOf(streetPicture(HOST, 65)), nameOf(streetPicture(HOST, 1)));
  t.true(drawPicture('unknown.jpg').startsWith('<svg'));
});
