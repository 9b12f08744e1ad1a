import { CITIES } from '#domain/geography/gazetteer.ts';
import type { ListingType, PropertyType } from '#domain/listing-vocabulary.ts';
import { END, wholeWords } from './patterns.ts';
import { clausesOf, foldedLines, snippet } from './stated-amounts.ts';
import type { TextReading } from './text-price.ts';

export interface KindContext {
  listingType: ListingType;
  type: PropertyType;
  bedrooms: number | null;
  city: string;
}

const HOUSES: readonly PropertyType[] = ['villa', 'townhouse', 'duplex'];
const FLATS: readonly PropertyType[] = ['apartment', 'floor', 'studio'];
const HOMES: readonly PropertyType[] = [...FLATS, ...HOUSES];

/** Elsewhere in a clause, the same words describe a home's surroundings. */
const opening = (source: string): RegExp => new RegExp(`^(?:${source})${END}`, 'u');

interface KindRule {
  types: readonly PropertyType[];
  listingType?: ListingType;
  /**
   * Whether the rule applies only to ads without bedrooms. In ads with bedrooms, the words describe the plot or
   * building.
   */
  onlyWithoutBedrooms?: true;
  words: RegExp;
  examples: readonly string[];
  /** Texts of homes that the rule must not match. */
  others: readonly string[];
}

/** A part of the property, to which a right of use may belong that comes with the home. */
const PART_AR = '(?:ال)?(?:سطح|اسطح|روف|حوش|فناء|حديقه|ارتداد|موقف|مواقف|ملحق|مسبح|مرافق|خدمات|بدروم|قبو)';
const PART_EN = '(?:the |a |its )?(?:roof|garden|yard|terrace|parking|pool|basement|facilities)';
const USE_AR = `(?<!${PART_AR} )حق (?:ال)?(?:انتفاع|منفعه)(?! (?:ب|في |علي |من |لل|ل)${PART_AR})`;

export const KIND_RULES: readonly KindRule[] = [
  {
    types: HOMES,
    listingType: 'sale',
    words: wholeWords(
      `(?<!(?:ليس|ليست|بدون|لا) )(?:${USE_AR}|عقد (?:ال)?انتفاع)|(?<!(?:not|no) (?:a )?)(?:usufruct|leasehold|right of use)(?! (?:of|for|to|over) ${PART_EN})`,
    ),
    examples: ['شقة للبيع\nحق انتفاع لمدة 30 سنة', 'Flat, leasehold with 40 years left'],
    others: [
      'التملك حر وليس حق انتفاع',
      'No leasehold, full ownership',
      'حق الانتفاع بالسطح مشمول',
      'السطح حق انتفاع لصاحب الشقة',
      'With the right of use of the roof',
    ],
  },
  {
    types: HOMES,
    listingType: 'sale',
    words: opening(
      `(?:(?:للبيع )?(?:فيلا|فله|فلل|دور|شقه|دوبلكس|تاون هاوس|بيت|villas?|house|duplex|townhouse) )?(?:عظم|عضم)(?: (?:بدون|غير|فقط|للبيع).*)?$|(?:ال)?تسليم عظم|هيكل انشا[يئ]ي (?:غير مشطب|بدون تشطيب|فقط)|shell and core|concrete structure only|(?:an? )?unfinished (?:structure|villa|house|building)`,
    ),
    examples: ['للبيع فيلا عظم', 'دور - عظم بدون تشطيب - شارع 15', 'Unfinished villa, 400 sqm'],
    others: ['ضمان 10 سنوات على الهيكل الإنشائي', 'ضمان على العظم والسباكة'],
  },
  {
    types: HOUSES,
    listingType: 'sale',
    words: wholeWords(
      'يباع (?:ك)?ارض|(?:بيت|فيلا|منزل|مبني)(?: \\p{L}+){0,2} (?:للهدم|هدد)|(?:السعر )?سعر ال?ارض فقط|والسعر سعر الارض|land value(?: only)?|(?:for|needs) demolition|tear ?-?down|price of the land',
    ),
    examples: ['فيلا قديمة للهدم', 'House on a corner, land value only'],
    others: ['السعر يشمل قيمة الأرض'],
  },
  {
    types: HOUSES,
    listingType: 'sale',
    words: opening('هدد'),
    examples: ['هدد على شارعين'],
    others: ['السعر لا يشمل الهدد'],
  },
  {
    types: HOMES.filter((type) => type !== 'studio'),
    listingType: 'rent',
    words: opening(
      '(?:للايجار )?(?:غرفه(?: \\p{L}+){0,2} (?:في|داخل|ضمن) (?:شقه|فيلا|سكن)|سكن مشترك|سرير (?:في|داخل))|(?:a |one |single |private |furnished )*(?:room|bed ?space)(?: \\p{L}+){0,2} in (?:a |an )?shared|shared (?:accommodation|flat|apartment)|bed ?space',
    ),
    examples: ['غرفة مفروشة في سكن مشترك', 'Furnished room in a shared flat'],
    others: ['غرفة نوم رئيسية في الدور العلوي'],
  },
  {
    types: HOMES,
    onlyWithoutBedrooms: true,
    words: opening(
      '(?:للبيع )?(?:قطعه ارض|ارض (?:سكنيه|تجاريه|خام|فضاء|بيضاء|للبيع))|(?:residential |commercial )?(?:plot|land) for sale|(?:a )?(?:vacant|raw|empty) land|plot of land',
    ),
    examples: ['قطعة أرض في موقع مميز', 'Vacant land near the park'],
    others: ['فيلا مساحة الأرض 300 متر'],
  },
  {
    types: FLATS,
    onlyWithoutBedrooms: true,
    words: opening(
      '(?:للبيع )?عماره (?:سكنيه|تجاريه|استثماريه|كامله|للبيع|من)|(?:residential|commercial|whole|entire) building',
    ),
    examples: ['عمارة سكنية للبيع من 9 شقق'],
    others: ['شقة في عمارة سكنية من 3 أدوار'],
  },
];

const CITY_NAMES = CITIES.flatMap(({ slug, name_ar, name_en }) =>
  [name_ar, name_en].map((name) => [foldedLines(name)[0] as string, slug] as const),
);
const CITY_OF = new Map(CITY_NAMES);
const ANY_CITY = CITY_NAMES.map(([name]) => name)
  .sort((a, b) => b.length - a.length)
  .join('|');
const LOCATED = wholeWords(
  `(?:(?:الموقع|العقار|الشقه|الفيلا)(?: يقع| تقع)?(?: في)?(?: مدينه)? |(?:في|ب) ?مدينه |(?:^|\\| )في )(?<ar>${ANY_CITY})|(?:(?:property|located|home|apartment|villa|flat)(?: is)?(?: located)? in |^in )(?<en>${ANY_CITY})`,
);
const MAYBE_LOCATED = /الموقع|العقار|الشق|الفيلا|مدين|في|\bin\b/i;

/**
 * Returns words that offer something else than the home in the fields: land, a building, a room, a right of use, an
 * unfinished home, or another city. Null if there are none. Pure.
 */
export function judgeKind(lines: readonly string[], ad: KindContext): TextReading | null {
  const rules = KIND_RULES.filter(
    ({ types, listingType = ad.listingType, onlyWithoutBedrooms }) =>
      types.includes(ad.type) && listingType === ad.listingType && !(onlyWithoutBedrooms && ad.bedrooms !== null),
  );
  if (rules.length === 0) return null;
  for (const line of lines) {
    for (const words of clausesOf(line)) {
      if (rules.some((one) => one.words.test(words)) || isElsewhere(words, ad.city))
        return { flag: 'text_contradicts', words: snippet([words]), amount: null };
    }
  }
  return null;
}

function isElsewhere(words: string, city: string): boolean {
  if (!MAYBE_LOCATED.test(words)) return false;
  const { ar, en } = LOCATED.exec(words)?.groups ?? {};
  const named = ar ?? en;
  return named !== undefined && CITY_OF.get(named) !== city;
}
