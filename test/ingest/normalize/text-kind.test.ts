import { judgeKind } from '#ingest/normalize/text-kind.ts';
import { test } from '#test/test.ts';

test('a text that locates the home in another city contradicts the fields; other cities in a text do not', (t) => {
  const ad = { listingType: 'sale', type: 'apartment', bedrooms: 4, city: 'riyadh' } as const;
  for (const text of ['شقة للبيع. الموقع جدة حي النعيم', 'Nice flat. The property is in Jeddah'])
    t.is(judgeKind(text, ad)?.flag, 'text_contradicts', text);
  for (const text of [
    'قريب من طريق مكة، وعلى طريق الخرج',
    'في الرياض حي النرجس، مكتبنا في جدة أيضا',
    'In Riyadh, minutes from the road to Makkah',
  ])
    t.is(judgeKind(text, ad), null, text);
  t.is(judgeKind('قطعة أرض زراعية', { ...ad, type: 'land', bedrooms: null }), null);
});
