import type { PropertyType } from '#domain/listing-vocabulary.ts';
import { cleanDescription } from '#ingest/normalize/text.ts';
import { readTextFacts, type TextFacts } from '#ingest/normalize/text-facts.ts';
import { test } from '#test/test.ts';
import { cases } from './spellings.ts';

/** Returns a reader of the facts in a text, without nulls. */
const factsOf =
  (type: PropertyType) =>
  (text: string): Partial<TextFacts> =>
    Object.fromEntries(
      Object.entries(readTextFacts(cleanDescription(text), type)).filter(
        ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
      ),
    );
const ofFlat = factsOf('apartment');

cases('facts are read from lists and sentences in both languages', ofFlat, [
  [
    {
      amenities: ['parking', 'lift', 'maid_room', 'driver_room', 'majlis'],
      street_width_m: 30,
      age_years: 5,
      floor: '2',
      livings: 2,
    },
    'شقة دور ثاني، عمرها ٥ سنوات، شارع ٣٠م\n- مجلس\n- صالتين\n- غرفة خادمة وغرفة سائق\n🔹مصعد 🔹موقف خاص',
  ],
  [
    { amenities: ['ac', 'kitchen'], age_years: 16, floor: '1', livings: 1 },
    'شقة للبيع في أفضل أحياء شمال الرياض \nمكونة من ٣ غرف وصالة ومطبخ و٣ دورات مياه \nمواصفات الشقة : \n- عمر العقار ١٦ سنة تقريباً\n- تقع الشقة في الدور الأول \n- يوجد مطبخ ومكيفات \n- لايوجد مصعد\n- السعر ٨٥٠ ألف شامل الضريبة \n\n[redacted]',
  ],
  [
    {
      amenities: ['keyless_entry', 'parking', 'lift', 'maid_room', 'majlis'],
      street_width_m: 30,
      floor: '3',
      livings: 2,
    },
    '🔹شقة فاخرة🔹\n🔸الدور الثالث🔸\n✅ مجلس\n✅ صالتين\n✅ غرفة خادمة\n✅ مصعد\n✅ موقف خاص بالقبو\n✅ دخول ذكي\nشارع ٣٠ متر\nللتواصل واتس اب',
  ],
  [
    { amenities: ['garden', 'storage', 'private_entrance'], furnished: true, age_years: 2, floor: 'ground' },
    'شقة مفروشة بالكامل، عمرها سنتين، الدور الأرضي، حوش ومدخل خاص ومستودع',
  ],
  [
    { amenities: ['lift', 'pool', 'maid_room'], furnished: true },
    "Fully furnished flat with a swimming pool, elevator and maid's room",
  ],
  [{ amenities: ['balcony', 'roof'], livings: 1 }, 'مكونة من 3غرف وصاله+بلكونه+سطح خاص'],
  [{ street_width_m: 20 }, 'على شارع عشرين|شارع عرض (20) م'],
  [{ street_width_m: 25 }, 'شارع بعرض خمسة وعشرين متر|شارع ( ٢٥ ) شرقي'],
  [{ age_years: 15 }, 'عمرها خمسة عشر سنة|عمر العقار ( 15 ) سنة'],
  [{ floor: '12' }, 'شقة في الدور الثاني عشر|شقة الطابق 12 شقة رقم 14'],
  // A storage room for clothes is a wardrobe.
  [{ amenities: ['storage'] }, 'مخزن ملابس\nمخزن'],
]);

cases('things that are absent, nearby, optional, of another property or contradictory are not facts', ofFlat, [
  [
    {},
    'لا يوجد مصعد|بدون مسبح ولا حديقة|مصعد غير متوفر|قريبة من حديقة ونادي رياضي|مطلة على الحديقة|تأسيس مصعد|تمديد مكيفات سبليت|يمكن تحويلها لمستودع|عوازل للسطح|خزان أرضي وعلوي|صالة طعام|أرضيات رخام|شبه جديدة|السعر قابل للتفاوض',
  ],
  [
    {},
    'security deposit, near gym|بجوار شارع 60|قريب من شارع ثلاثين|شقة مفروشة جزئيا|الدور الأول أو الثاني|عمر العقار أقل من 5 سنوات|عمر الإعلان 15 يوم|للجادين فقط والسعر قابل للتفاوض، لايقبل البنك',
  ],
  [{}, 'مخزن ملابس|غرفة ماستر مع مخزن للملابس|خزانة ملابس|clothes storage|شارع العشرين'],
  [
    {},
    'عرض الشارع 30*15 م|على شارعين 30 و 15|الشارع 30 م والشارع الثاني: شارع 20 م|شارع ثلاثين وشارع عشرين|دور أول ودور ثاني|دور اول وثاني وثالث|شقة دورين: الدور الارضي استقبال|بدون اثاث 750 ألف و780 بالاثاث',
  ],
]);

const livings =
  (type: PropertyType) =>
  (text: string): number | null =>
    readTextFacts(text, type).livings;

cases('living rooms are counted over all floors of a home', livings('villa'), [
  [1, 'صالة واحدة ومطبخ|فيلا درج صالة، مجلس، وصالة'],
  [2, 'الدور الأول صالة ومجلس وغرفتين، الدور الثاني صالة وأربع غرف نوم|عدد الصالات (2)'],
  // A total includes the halls that are also listed by floor.
  [2, 'فيه صالتين\nالدور الأرضي: صالة\nالدور الثاني: صالة'],
  [4, 'الدور الأرضي: مجلس ومقلط وصالة كبيرة\nالدور العلوي: صالتين و٤ غرف\nالملحق: غرفة وصالة'],
  // Two halls, or one that is named twice.
  [null, 'صالة كبيرة ومطبخ\nصالة|صالة في كل دور'],
]);

cases('living rooms of several equal units are counted once', livings('apartment'), [
  [1, 'مجلس مفتوح على الصالة|شقق للبيع\nشقة رقم 1: ثلاث غرف وصالة\nشقة رقم 2: غرفتين وصالة'],
  [null, 'شقق للبيع\nشقة رقم 1: صالتين\nشقة رقم 2: غرفتين وصالة'],
]);

test('facts depend on the type: land has no rooms, and a villa is on no floor', (t) => {
  t.deepEqual(factsOf('land')('أرض شارع 20م بها صالة ومسبح الدور الاول'), { street_width_m: 20 });
  t.deepEqual(factsOf('villa')('فيلا الدور الأول غرف نوم ومسبح'), { amenities: ['pool'] });
  t.deepEqual(factsOf('office')('مكتب الدور الثالث صالة'), { floor: '3' });
});
