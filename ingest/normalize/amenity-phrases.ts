import type { Amenity } from '#domain/listings/vocabulary.ts';
import type { WordList } from '#domain/text/word-lists.ts';

/** Unambiguous words for amenities in running text; words of lists may have other meanings there (maid, guard). */
export const TEXT_AMENITY_WORDS: WordList<Amenity> = {
  ac: `
    ac unit, ac units, air conditioning, air conditioner, air conditioners, air conditioned, a c, central ac, split ac, مكيف, مكيفات, تكييف, تكيف`,
  kitchen: 'kitchens, fitted kitchen, مطبخ',
  balcony: 'balconies, بلكونة, بلكون, بلكونه, بلكونات, بلكونتين, شرفة, شرفات, شرفتين, تراس, تيراس, ترس خارجي',
  keyless_entry: `
    keyless, smart lock, smart door lock, smart entry, electronic lock, digital lock, دخول ذكي, الدخول الذكي, قفل ذكي, أقفال ذكية, باب ذكي,
    أبواب ذكية, أبواب رقمية, باب رقمي, أبواب إلكترونية, باب إلكتروني, قفل إلكتروني, قفل الكتروني, أقفال إلكترونية,
    دخول إلكتروني, الدخول للشقة إلكتروني, الدخول من الشقة إلكتروني, دخول الشقة إلكتروني, مفاتيح إلكترونية, كالون ذكي, كيلون ذكي, دخول بالبصمة`,
  parking: `
    car park, car parking, garage, باركينق, parking space, parking spaces, parkings, موقف, مواقف, موقفين, كراج, جراج, قراج, باركنج,
    مدخل سيارة, مدخل سيارتين, مظلة سيارة`,
  lift: 'elevator, lifts, elevators, مصعدين, مصعد, مصاعد, أصنصير, اسانسير, اصنصيل',
  pool: 'swimming pool, swimming pools, private pool, مسبح, مسابح, حوض سباحة, حمام سباحة, بركة سباحة',
  gym: 'fitness center, gymnasium, health club, نادي رياضي, نادي صحي, صالة رياضية, جيم',
  garden: 'gardens, private garden, backyard, front yard, courtyard, حديقة, حوش, أحواش, حوشين, فناء, مسطحات خضراء',
  maid_room: `
    maidroom, maid room, maids room, maid's room, maid’s room, غرفة خادمة, غرفة شغالة, غرفة عاملة, غرفة خدم, غرف خدم, خادمة, شغالة, للخادمة`,
  driver_room: "driver room, drivers room, driver's room, driver’s room, غرفة سائق, سائق, غرفة سواق, سواق",
  laundry_room: 'laundry room, laundry, غرفة غسيل, غرفه للغسيل, غسيل, مغسلة ملابس, غرفة الغسيل',
  storage: 'storage room, store room, storeroom, مستودع, مستودعات, مخزن, غرفة تخزين',
  basement: 'cellar, قبو, بدروم, سرداب, بيسمنت',
  roof: 'rooftop, roof terrace, private roof, سطح, أسطح, روف',
  annex: 'annexe, ملحق, ملاحق',
  private_entrance: `
    private entrance, separate entrance, own entrance, two entrances, مدخل خاص, مدخل مستقل, مدخل واحد مستقل, مدخل منفصل,
    مدخلين, مدخلان, مداخل خاصة, مداخل مستقلة, بمدخل خاص, بمدخلين`,
  security: `
    security guard, cctv, security cameras, surveillance cameras, كاميرات مراقبة, كاميرا مراقبة, كميرا مراقبة, كاميرات,
    كاميرات خارجية, كاميرا, نظام مراقبة, حراسة, حراسة أمنية, حارس, دخول أمني, حارس أمن`,
  playground: `
    kids area, children play area, kids play area, ألعاب أطفال, العاب للأطفال, ملعب أطفال, ملاعب أطفال, لعب أطفال, ملعب للأطفال,
    منطقة ألعاب, مناطق ألعاب`,
  fireplace: 'مدفأة, مشب, وجار',
  internal_stairs: 'internal stairs, internal staircase, درج داخلي, درج صالة, درج بالصالة, درج في الصالة, درج بالصاله',
  majlis: 'diwaniya, مجلس, مجالس, مجلسين, ديوانية',
  fibre: 'fiber optic, fibre optic, fiber optics, fibre optics, ألياف, ألياف بصرية, ألياف ضوئية, فايبر',
  smart_home: 'smart home system, smart house, home automation, منزل ذكي, بيت ذكي, سمارت هوم, نظام المنزل الذكي',
  pets_allowed: `
    pet friendly, pets welcome, يسمح بالحيوانات, مسموح بالحيوانات, مسموح بالحيوانات الأليفة, يسمح بالحيوانات الأليفة`,
};

/** Phrases that contain an amenity word but mean none: preparations, or facilities in shared corridors. */
export const NOT_AMENITIES_OF_TEXT = `
  elevator shaft, emergency stairs, external stairs, درج خارجي, درج طوارئ, حديقة الملك, pool table, carpool, car pool, parking fee, parking fees, parking fine, kitchen view, garden view, pool view, city gym, جاهز للمكيفات, تمديد مكيفات, تمديدات مكيفات,
  تأسيس مسبح, تأسيس المسبح, تأسيس مطبخ, تأسيس المطبخ, تأسيس مكيفات, تأسيس المكيفات, تأسيس مكيف, تأسيس تكييف, تأسيس التكييف, تاسيس تكيف, فتحات مكيفات, تأسيس مصعد, تأسيس المصعد, مكان مصعد, مكان للمصعد,
  مؤسس مصعد, نشر الغسيل, نشر غسيل, تكييف مركزي للمداخل, التكييف مركزي للمداخل, تكييف للممرات, مجلس الوزراء, مجلس التعاون,
  مجلس إدارة, مجلس الإدارة, أنظمة السلامة, عزل السطح, عوازل السطح, عزل الأسطح, خزان السطح, حديقة عامة, حديقة الحي, حديقة داخلية عامة,
  حديقة مقابل, دور السطح, سطح البحر, سطح العمارة, سطح المبنى, موقف الباص, موقف باصات, مواقف عامة`;
