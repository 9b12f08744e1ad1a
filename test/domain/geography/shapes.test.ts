import { parsePolygon, polygonFault } from '#domain/geography/shapes.ts';
import { test } from '#test/test.ts';

test('polygons that enclose no area, or touch or cross themselves, are not simple', (t) => {
  const faultOf = (text: string) => polygonFault(parsePolygon(text) ?? []);
  t.is(faultOf('24,46;25,47;26,48'), 'no area');
  t.is(faultOf('24,46;24,46;25,46;25,47'), null, 'a repeated point counts once');
  t.is(faultOf('24,46;24,46.5;24,47;25,47'), null, 'a corner may lie on a straight edge');
  t.is(faultOf('24,46;24,48;25,47;26,48;26,46'), null, 'a corner may point inward');
  for (const text of [
    '24,46;24,48;24,47;25,47',
    '24,46;24,48;25,48;24,47;25,46',
    '24,46;25,47;26,46;26,48;25,47;24,48',
    '24,46;26,48;26,46;24,48;23,47',
  ])
    for (const each of [text, text.split(';').reverse().join(';')]) t.true(Array.isArray(faultOf(each)), each);
});
