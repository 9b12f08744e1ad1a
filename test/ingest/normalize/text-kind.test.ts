import type { PropertyType } from '#domain/listings/vocabulary.ts';
import { judgeKind, type KindContext } from '#ingest/normalize/text-kind.ts';
import { test } from '#test/test.ts';

const ad = (type: PropertyType, changes: Partial<KindContext> = {}): KindContext => ({
  listingType: 'sale',
  type,
  bedrooms: 4,
  city: 'riyadh',
  ...changes,
});

const found = (text: string, context: KindContext) => judgeKind(text, context)?.flag ?? null;

const OTHERS: readonly (readonly [string, KindContext])[] = [
  ['شقة للبيع\nحق انتفاع لمدة 30 سنة', ad('apartment')],
  ['Flat, leasehold with 40 years left', ad('apartment')],
  ['للبيع فيلا عظم', ad('villa')],
  ['دور - عظم بدون تشطيب - شارع 15', ad('floor')],
  ['Unfinished villa, 400 sqm', ad('villa')],
  ['فيلا قديمة للهدم', ad('villa')],
  ['House on a corner, land value only', ad('villa')],
  ['غرفة مفروشة في سكن مشترك', ad('apartment', { listingType: 'rent' })],
  ['Furnished room in a shared flat', ad('apartment', { listingType: 'rent' })],
  ['شقة للبيع. الموقع جدة حي النعيم', ad('apartment')],
  ['Nice flat. The property is in Jeddah', ad('apartment')],
];

for (const [text, context] of OTHERS)
  test(`the text is of something else: ${text}`, (t) => {
    t.is(found(text, context), 'text_contradicts');
  });

const WITHOUT_ROOMS: readonly (readonly [string, KindContext])[] = [
  ['قطعة أرض في موقع مميز', ad('villa', { bedrooms: null })],
  ['Vacant land near the park', ad('villa', { bedrooms: null })],
  ['عمارة سكنية للبيع من 9 شقق', ad('apartment', { bedrooms: null })],
];

for (const [text, context] of WITHOUT_ROOMS)
  test(`the price is not for the home: ${text}`, (t) => {
    t.is(found(text, context), 'text_contradicts');
    t.is(found(text, { ...context, bedrooms: 3 }), null, 'a home whose rooms are stated');
  });

const HOMES: readonly (readonly [string, KindContext])[] = [
  ['فيلا مساحة الأرض 300 متر', ad('villa', { bedrooms: null })],
  ['شقة في عمارة سكنية من 3 أدوار', ad('apartment', { bedrooms: null })],
  ['ضمان 10 سنوات على الهيكل الإنشائي', ad('villa')],
  ['ضمان على العظم والسباكة', ad('villa')],
  ['التملك حر وليس حق انتفاع', ad('apartment')],
  ['No leasehold, full ownership', ad('apartment')],
  ['حق الانتفاع بالسطح مشمول', ad('apartment')],
  ['السطح حق انتفاع لصاحب الشقة', ad('apartment')],
  ['With the right of use of the roof', ad('apartment')],
  ['غرفة نوم رئيسية في الدور العلوي', ad('villa', { listingType: 'rent' })],
  ['قريب من طريق مكة، وعلى طريق الخرج', ad('apartment')],
  ['في الرياض حي النرجس، مكتبنا في جدة أيضا', ad('apartment')],
  ['In Riyadh, minutes from the road to Makkah', ad('apartment')],
  ['قطعة أرض زراعية', ad('land', { bedrooms: null })],
];

for (const [text, context] of HOMES)
  test(`the text describes the home: ${text}`, (t) => {
    t.is(found(text, context), null);
  });
