import { outline } from '#site/server/surroundings.ts';
import { TEXTS } from '#site/text/index.ts';
import { test } from '#test/test.ts';

test('names on the outline of a map do not cover each other, and the marked neighborhood has its name', (t) => {
  const at = (id: number, lat: number, lng: number) => ({
    id,
    name_en: `Umm Al Hamam ${id}`,
    name_ar: `أم الحمام ${id}`,
    center: { lat, lng },
  });
  const neighborhoods = [at(1, 24.69, 46.68), at(2, 24.691, 46.682), at(3, 24.7, 46.7), at(4, 24.689, 46.678)];
  const map = outline(
    neighborhoods,
    { texts: TEXTS.en, language: 'en' },
    { center: { lat: 24.695, lng: 46.69 }, own: 2, reachKm: 5, dots: [], label: 'Map' },
  );
  const names = [...map.markup.matchAll(/text-anchor="middle">(Umm Al Hamam \d)/g)].map(([, name]) => name);
  t.deepEqual(names.sort(), ['Umm Al Hamam 2', 'Umm Al Hamam 3']);
});
