import { findNeighborhood } from '#domain/geography/locate.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { neighborhoodInText } from '#ingest/normalize/text-place.ts';
import { test } from '#test/test.ts';

const read = (description: string, title: string | null = null, city = 'riyadh'): string | null =>
  neighborhoodInText(city, title, description)?.name_ar ?? null;

test('a neighborhood is read if the text introduces it, in both languages', (t) => {
  for (const [text, name] of [
    ['شقة للبيع بحي الياسمين قريبة من الخدمات', 'الياسمين'],
    ['للإيجار شقة في حي النور دور ثاني', 'النور'],
    ['شقة بالملقا، ثلاث غرف', 'الملقا'],
    ['فيلا فاخرة في حطين', 'حطين'],
    ['الحي / النزهة\nالمساحة / 142م', 'النزهة'],
    ['الموقع : النرجس\nالشارع : 30', 'النرجس'],
    ['شقة في حي (العارض)', 'العارض'],
    ['حي الملك عبدالله', 'الملك عبدالله'],
    ['حى قرطبه', 'قرطبة'],
    ['Apartment for sale in Al Narjis, close to services', 'النرجس'],
    ['Bright flat, Al Yasmeen district, two bedrooms', 'الياسمين'],
    ['Located in Hay Al-Malqa', 'الملقا'],
  ] as const)
    t.is(read(text), name, text);
  t.is(read('فيلا في حي النعيم', null, 'jeddah'), findNeighborhood('jeddah', 'النعيم')?.name_ar ?? null);
});

test('streets, landmarks, nearby places, offices and ordinary words are not read as the neighborhood', (t) => {
  for (const text of [
    'شقة على شارع الملقا|طريق الياسمين|قريب من حي الياسمين|تبعد 10 دقائق عن حي النرجس|بجوار حي الملقا',
    'مقابل حديقة حي العقيق|مكتب الأفق العقاري في حي العليا|لدينا عروض أخرى في حي الملقا|في الياسمين مول',
    'الشقة في النور والهدوء|والسلام عليكم، أهلا بالسلام|يوجد بالوادي القريب|شمال الرياض',
    '10 minutes from Al Narjis district|near Al Malqa district|in Al Narjis street|موقع في أحد أفضل الأحياء',
    'في المربع الذهبي|حي راقي وهادئ',
  ].flatMap((texts) => texts.split('|')))
    t.is(read(text), null, text);
});

test('among several neighborhoods, only the one introduced as the location of the home is extracted', (t) => {
  t.is(read('أراضي في حي الملقا وحي الياسمين'), null);
  t.is(read('عقارات في حي الملقا والياسمين'), null);
  t.is(read('شقة للبيع في حي النرجس\nلنا مشاريع في حي العارض'), 'النرجس');
  t.is(read('حي النرجس مشروع جديد', 'شقة للبيع في حي النرجس'), 'النرجس');
  t.is(read('مشاريعنا في حي النرجس وحي العارض', 'فيلا بحي الملقا'), 'الملقا');
  t.is(read('شقة للبيع بحي الياسمين', 'شقة للبيع في حي الصحافة'), null);
});

test('a name is matched only within its city', (t) => {
  t.is(read('شقة في حي الملقا', null, 'jeddah'), null);
  t.is(read('شقة في حي الملقا', null, 'riyadh'), 'الملقا');
});

test('an ad without point and neighborhood is located by its text, and explain shows it', (t) => {
  const row: RawListing = {
    source_listing_id: '1',
    purpose: 'sale',
    property_type: 'apartment',
    price: 900_000,
    city: 'الرياض',
    title: 'شقة للبيع بحي الياسمين',
    description: '',
  };
  const place = (more: Partial<RawListing>): [number | null, boolean, boolean] => {
    const result = normalize({ name: 'test' }, { ...row, ...more });
    if (!result.ok) throw new Error(result.reason);
    const { neighborhood_id, neighborhood_stated, from_text } = result.listing;
    return [neighborhood_id, neighborhood_stated, from_text.includes('neighborhood_id')];
  };
  const id = (name: string): number | null => findNeighborhood('riyadh', name)?.id ?? null;
  t.deepEqual(place({}), [id('الياسمين'), false, true]);
  t.deepEqual(place({ neighborhood: 'لا شيء معروف' }), [id('الياسمين'), false, true]);
  t.deepEqual(place({ neighborhood: 'الملقا' }), [id('الملقا'), true, false]);
  t.deepEqual(place({ lat: 24.8, lng: 46.6 }), [id('الملقا'), false, false]);
  t.deepEqual(place({ title: null, description_en: 'Flat in Al Narjis district' }), [id('النرجس'), false, true]);
});
