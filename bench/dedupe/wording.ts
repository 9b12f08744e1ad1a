import { arabicDigits, thousands } from '#ingest/sample/formats.ts';
import { hashText, Random } from '#ingest/sample/random.ts';
import { floorAr, TYPES_AR, TYPES_EN } from '#ingest/sample/words.ts';
import type { Home } from './estates.ts';

/** What an ad says in words. */
export interface Words {
  title: string;
  description: string;
  /** What the words or the fields of this ad state of them. */
  states_floor: boolean;
  states_unit: boolean;
}

const MOSQUES = [
  'جامع الأميرة نورة',
  'جامع البواردي',
  'مسجد عائشة',
  'جامع الهدى',
  'مسجد بلال بن رباح',
  'جامع العزيزية',
];
const SCHOOLS = [
  'مدارس الأفق',
  'مدارس منارات العلم',
  'مجمع مدارس تحفيظ القرآن',
  'مدارس الرواد الأهلية',
  'الثانوية الخامسة',
];
const STREETS = [
  'الأمير سلطان',
  'أبي بكر الصديق',
  'عثمان بن عفان',
  'التخصصي',
  'حراء',
  'الأمير ماجد',
  'خالد بن الوليد',
  'الستين',
];
const SHOPS = ['أسواق العثيم', 'بنده', 'لولو', 'سوق الخضار', 'صيدلية النهدي', 'مخبز السنابل', 'مغسلة البرق'];
const PARTS = [
  ['مطبخ إيطالي دولاب خشب زان', 'المطبخ خشب زان صناعة إيطالية'],
  ['خزان علوي ثلاثة آلاف لتر', 'سعة الخزان العلوي 3000 لتر'],
  ['رخام برتغالي في المداخل', 'مداخل من الرخام البرتغالي'],
  ['باركيه في غرف النوم', 'أرضية غرف النوم باركيه'],
  ['حوش مبلط مع بركة صغيرة', 'الحوش مبلط وفيه بركة صغيرة'],
  ['مستودع تحت الدرج', 'تحت الدرج مستودع'],
  ['عداد مياه منفصل لكل وحدة', 'لكل وحدة عداد مياه منفصل'],
  ['تكييف دكت مخفي', 'مكيفات دكت مخفية'],
  ['بابين للسيارات', 'كراج ببابين'],
  ['زجاج سيكوريت مزدوج', 'نوافذ مزدوجة سيكوريت'],
  ['جبس امبورد وانارة مخفية', 'إنارة مخفية وجبس بورد'],
  ['شتر كهربائي على البلكونة', 'البلكونة عليها شتر كهرباء'],
  ['غرفة نوم رئيسية بغرفة ملابس', 'الماستر معها غرفة ملابس'],
  ['صالتين علوية وسفلية', 'صالة تحت وصالة فوق'],
  ['مجلس خارجي بمدخل مستقل', 'المجلس خارجي ومدخله لحاله'],
  ['سور من الحجر الأردني', 'حجر أردني على السور'],
  ['عقد ايجار قائم ينتهي في شعبان', 'مؤجرة حتى شهر شعبان'],
  ['تطل على الوادي', 'إطلالة على الوادي'],
  ['مقابل ملعب الحي', 'أمام ملعب الحي'],
  ['الشارع نافذ على طريقين', 'شارع نافذ من الجهتين على طريقين'],
] as const;

/** The phrasings of a detail; the first forty are of places. */
function phrasings(detail: number): readonly string[] {
  const named = (list: readonly string[], at: number): string => list[at % list.length] as string;
  if (detail < 10) return near(named(MOSQUES, detail), detail);
  if (detail < 20) return near(named(SCHOOLS, detail), detail);
  if (detail < 30)
    return [
      `على شارع ${named(STREETS, detail)}`,
      `متفرعة من شارع ${named(STREETS, detail)}`,
      `واجهتها شارع ${named(STREETS, detail)}`,
    ];
  if (detail < 40) return near(named(SHOPS, detail), detail);
  const part = PARTS[detail % PARTS.length] as readonly [string, string];
  const maker = ['', ' موديل جديد', ' ضمان خمس سنوات', ' من النوع الممتاز'][
    Math.floor(detail / PARTS.length) % 4
  ] as string;
  return [`${part[0]}${maker}`, `${part[1]}${maker}`];
}

const near = (name: string, detail: number): readonly string[] => {
  const meters = 50 + (detail % 7) * 60;
  return [`تبعد ${meters} متر عن ${name}`, `جنب ${name}`, `خلف ${name} مباشرة`];
};

const OPENERS = [
  'للبيع او الايجار لدى مكتبنا',
  'تم بحمد الله',
  'يتوفر لدينا',
  'من أملاكنا',
  'عرض خاص من المكتب',
  'تملك الآن',
  'اغتنم الفرصة',
  'بادر بالحجز',
  'أهلا بكم',
];
const CLOSERS = [
  'مكتبنا يخدمكم في التسويق وإدارة الأملاك',
  'لدينا عروض كثيرة في جميع الأحياء',
  'نستقبل عروضكم وطلباتكم على مدار الأسبوع',
  'رخصة فال سارية والعمولة حسب النظام',
  'للحجز والمعاينة يرجى مراسلتنا عبر المنصة',
  'دفعات ميسرة وتمويل مدعوم من البنوك',
  'الأسعار قابلة للتفاوض عند المعاينة',
  'خبرة أكثر من عشرين عاما في السوق العقاري',
  'نوفر خدمة نقل الأثاث مجانا لعملائنا',
  'تابعونا على حساباتنا ليصلكم كل جديد',
];

/** How one advertiser writes, the same in all its ads. */
function manner(advertiser: string): { random: Random; opener: string; closers: string[]; joint: string } {
  const random = new Random(hashText(advertiser), 71);
  return {
    random,
    opener: random.pick(OPENERS),
    closers: [random.pick(CLOSERS), random.pick(CLOSERS), random.pick(CLOSERS)],
    joint: random.pick(['\n', ' - ', '، ', '\n* ', '. ']),
  };
}

/** The words of an advertiser for a home. A template states what every ad of that advertiser states, and no more. */
export function describe(random: Random, home: Home, advertiser: string, template: boolean): Words {
  const { random: fixed, opener, closers, joint } = manner(advertiser);
  const [titleForm, roomsForm, areaForm] = [fixed.int(0, 3), fixed.int(0, 2), fixed.int(0, 2)];
  const type = TYPES_AR[home.property_type];
  const offer = home.listing_type === 'rent' ? 'للإيجار' : 'للبيع';
  const place = home.neighborhood.name_ar;
  const title = [
    `${type} ${offer} حي ${place}`,
    `${offer} ${type} في ${home.city.name_ar} ${place}`,
    `${type} ${home.area} م ${offer}`,
    `${place} : ${type} ${offer}`,
  ][titleForm] as string;
  const states_floor = home.floor !== null && random.chance(template ? 0.45 : 0.6);
  const states_unit = home.unit !== null && random.chance(home.estate_kind === 'home' ? 0.15 : 0.4);
  const lines = [
    opener,
    `${type} ${offer} حي ${place}`,
    [`المساحة: ${home.area} م2`, `بمساحة ${arabicDigits(home.area)} متر`, `مساحتها ${home.area} مترا مربعا`][
      areaForm
    ] as string,
  ];
  if (home.bedrooms !== null)
    lines.push(
      [`الغرف: ${home.bedrooms}`, `${arabicDigits(home.bedrooms)} غرف نوم`, `عدد غرف النوم ${home.bedrooms}`][
        roomsForm
      ] as string,
    );
  if (states_unit)
    lines.push(
      random.pick([
        `شقة رقم ${home.unit}`,
        `رقم الوحدة: ${home.unit}`,
        `الوحدة رقم (${home.unit})`,
        `وحدة ${arabicDigits(home.unit ?? '')}`,
      ]),
    );
  if (states_floor && home.floor !== null && random.chance(0.7))
    lines.push(`الدور ${floorAr(home.floor).replace(/^الدور /, '')}`);
  if (!template) {
    for (const detail of new Set(home.details)) if (random.chance(0.65)) lines.push(random.pick(phrasings(detail)));
    if (random.chance(0.2)) lines.push(`السعر ${thousands(home.price)}`);
  }
  lines.push(...closers);
  return { title, description: lines.join(joint), states_floor, states_unit };
}

/** For those who write in English alone. */
export function describeInEnglish(home: Home): Words {
  const type = TYPES_EN[home.property_type];
  const place = home.neighborhood.name_en;
  const rooms = home.bedrooms === null ? '' : ` with ${home.bedrooms} bedrooms`;
  return {
    title: `${type} for ${home.listing_type === 'rent' ? 'rent' : 'sale'}, ${place}`,
    description: `${type}${rooms}, ${home.area} sqm, in ${place}. Contact us to arrange a viewing.`,
    states_floor: false,
    states_unit: false,
  };
}
