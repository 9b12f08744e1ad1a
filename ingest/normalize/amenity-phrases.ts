import { AMENITIES, type Amenity } from '#domain/listing-vocabulary.ts';
import { Lexicon, wordsOf } from '#domain/text/phrases.ts';
import { AMENITY_WORDS, NOT_AMENITIES, type WordList } from '#domain/text/word-lists.ts';

const FURTHER_WORDS: Partial<WordList<Amenity>> = {
  ac: 'ac unit, ac units, air conditioners, a c, تكيف',
  kitchen: 'kitchens',
  balcony: 'بلكونتين, شرفات, شرفتين, تيراس, ترس خارجي',
  keyless_entry:
    'smart door lock, الدخول الذكي, أقفال ذكية, باب ذكي, أبواب ذكية, أبواب رقمية, باب رقمي, أبواب إلكترونية, باب إلكتروني, أقفال إلكترونية, دخول إلكتروني, الدخول للشقة إلكتروني, الدخول من الشقة إلكتروني, دخول الشقة إلكتروني, مفاتيح إلكترونية, كالون ذكي, كيلون ذكي, دخول بالبصمة',
  parking: 'car parking, باركينق, parkings, موقفين, جراج, قراج, باركنج, مدخل سيارتين, مظلة سيارة',
  lift: 'مصعدين, اسانسير, اصنصيل',
  pool: 'swimming pools, حمام سباحة, بركة سباحة',
  garden: 'gardens, private garden, أحواش, حوشين',
  maid_room: 'maidroom, maid’s room, غرف خدم, شغالة, للخادمة',
  driver_room: 'driver’s room, سواق',
  laundry_room: 'غرفه للغسيل, غرفة الغسيل',
  storage: 'مستودعات',
  basement: 'بيسمنت',
  roof: 'أسطح',
  annex: 'ملاحق',
  private_entrance: 'مدخل واحد مستقل, مدخل منفصل, مدخلان, مداخل خاصة, مداخل مستقلة, بمدخلين',
  security:
    'surveillance cameras, كاميرا مراقبة, كميرا مراقبة, كاميرات خارجية, كاميرا, نظام مراقبة, حراسة أمنية, دخول أمني',
  playground: 'العاب للأطفال, ملاعب أطفال, لعب أطفال, ملعب للأطفال, مناطق ألعاب',
  internal_stairs: 'internal stairs, درج في الصالة',
  majlis: 'مجالس, مجلسين',
  pets_allowed: 'مسموح بالحيوانات',
};
/** Words with other meanings in running text, and names of which texts need only the first word. */
const ONLY_IN_LISTS = new Set(
  wordsOf(
    `fitness, نادي, yard, lawn, maid, driver, تخزين, extra unit, outbuilding, guard, surveillance, أمن, أمن وحراسة, 24 7 security,
    play area, ملعب, stairs, staircase, درج, guest room, sitting room, fiber, internet, optical fiber, high speed internet, إنترنت,
    نظام ذكي, pets, حيوانات أليفة, terrace, بصمة, سبليت, car entrance, سطح خاص, سطح مستقل,
    ملحق علوي, ملحق خارجي`,
  ),
);

/** Phrases that contain an amenity word but mean none: preparations, or facilities in shared corridors. */
const NOT_AMENITIES_OF_TEXT = `
  elevator shaft, emergency stairs, external stairs, درج خارجي, درج طوارئ, حديقة الملك, pool table, carpool, car pool, parking fee, parking fees, parking fine, kitchen view, garden view, pool view, city gym, جاهز للمكيفات, تمديد مكيفات, تمديدات مكيفات,
  تأسيس مسبح, تأسيس المسبح, تأسيس مطبخ, تأسيس المطبخ, تأسيس مكيفات, تأسيس المكيفات, تأسيس مكيف, تأسيس تكييف, تأسيس التكييف, تاسيس تكيف, فتحات مكيفات, تأسيس مصعد, تأسيس المصعد, مكان مصعد, مكان للمصعد,
  مؤسس مصعد, نشر الغسيل, نشر غسيل, تكييف مركزي للمداخل, التكييف مركزي للمداخل, تكييف للممرات, مجلس الوزراء, مجلس التعاون,
  مجلس إدارة, مجلس الإدارة, أنظمة السلامة, عزل السطح, عوازل السطح, عزل الأسطح, خزان السطح, حديقة عامة, حديقة الحي, حديقة داخلية عامة,
  حديقة مقابل, دور السطح, سطح البحر, سطح العمارة, سطح المبنى, موقف الباص, موقف باصات, مواقف عامة`;

function lexiconOf(omitted: ReadonlySet<string>): Lexicon<Amenity> {
  const words = AMENITIES.map((amenity) => {
    const names = wordsOf(`${AMENITY_WORDS[amenity]},${FURTHER_WORDS[amenity] ?? amenity}`);
    return [amenity, names.filter((name) => !omitted.has(name)).join(',')];
  });
  return new Lexicon(Object.fromEntries(words), `${NOT_AMENITIES}, ${NOT_AMENITIES_OF_TEXT}`);
}

export const AMENITIES_OF_LISTS = lexiconOf(new Set());
export const AMENITIES_OF_TEXTS = lexiconOf(ONLY_IN_LISTS);
