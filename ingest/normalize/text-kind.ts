import { CITIES } from '#domain/geography/gazetteer.ts';
import type { ListingType, PropertyType } from '#domain/listings/vocabulary.ts';
import { clausesOf, foldedLines, snippet } from './stated-amounts.ts';
import type { TextReading } from './text-price.ts';

export interface KindContext {
  listingType: ListingType;
  type: PropertyType;
  bedrooms: number | null;
  city: string;
}

const HOUSES: ReadonlySet<PropertyType> = new Set(['villa', 'townhouse', 'duplex']);
const HOMES: ReadonlySet<PropertyType> = new Set([...HOUSES, 'apartment', 'floor', 'studio']);

const phrase = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
/** Elsewhere in a clause, the same words describe a home's surroundings. */
const opening = (source: string): RegExp => new RegExp(`^(?:${source})(?![\\p{L}\\p{N}])`, 'u');

interface Rule {
  words: RegExp;
  of: (ad: KindContext) => boolean;
}

const isSale = ({ listingType }: KindContext): boolean => listingType === 'sale';
/** With bedrooms, these words describe the plot or building. */
const hasNoRooms = ({ bedrooms }: KindContext): boolean => bedrooms === null;

/** A right to use it comes with the home. */
const PART_AR = '(?:ال)?(?:سطح|اسطح|روف|حوش|فناء|حديقه|ارتداد|موقف|مواقف|ملحق|مسبح|مرافق|خدمات|بدروم|قبو)';
const PART_EN = '(?:the |a |its )?(?:roof|garden|yard|terrace|parking|pool|basement|facilities)';
const USE_AR = `(?<!${PART_AR} )حق (?:ال)?(?:انتفاع|منفعه)(?! (?:ب|في |علي |من |لل|ل)${PART_AR})`;

const RULES: readonly Rule[] = [
  {
    words: phrase(
      `(?<!(?:ليس|ليست|بدون|لا) )(?:${USE_AR}|عقد (?:ال)?انتفاع)|(?<!(?:not|no) (?:a )?)(?:usufruct|leasehold|right of use)(?! (?:of|for|to|over) ${PART_EN})`,
    ),
    of: isSale,
  },
  {
    words: opening(
      `(?:(?:للبيع )?(?:فيلا|فله|فلل|دور|شقه|دوبلكس|تاون هاوس|بيت|villas?|house|duplex|townhouse) )?(?:عظم|عضم)(?: (?:بدون|غير|فقط|للبيع).*)?$|(?:ال)?تسليم عظم|هيكل انشا[يئ]ي (?:غير مشطب|بدون تشطيب|فقط)|shell and core|concrete structure only|(?:an? )?unfinished (?:structure|villa|house|building)`,
    ),
    of: isSale,
  },
  {
    words: phrase(
      'يباع (?:ك)?ارض|(?:بيت|فيلا|منزل|مبني)(?: \\p{L}+){0,2} (?:للهدم|هدد)|(?:السعر )?سعر ال?ارض فقط|والسعر سعر الارض|land value(?: only)?|(?:for|needs) demolition|tear ?-?down|price of the land',
    ),
    of: (ad) => isSale(ad) && HOUSES.has(ad.type),
  },
  { words: opening('هدد'), of: (ad) => isSale(ad) && HOUSES.has(ad.type) },
  {
    words: opening(
      '(?:للايجار )?(?:غرفه(?: \\p{L}+){0,2} (?:في|داخل|ضمن) (?:شقه|فيلا|سكن)|سكن مشترك|سرير (?:في|داخل))|(?:a |one |single |private |furnished )*(?:room|bed ?space)(?: \\p{L}+){0,2} in (?:a |an )?shared|shared (?:accommodation|flat|apartment)|bed ?space',
    ),
    of: ({ listingType, type }) => listingType === 'rent' && type !== 'studio',
  },
  {
    words: opening(
      '(?:للبيع )?(?:قطعه ارض|ارض (?:سكنيه|تجاريه|خام|فضاء|بيضاء|للبيع))|(?:residential |commercial )?(?:plot|land) for sale|(?:a )?(?:vacant|raw|empty) land|plot of land',
    ),
    of: hasNoRooms,
  },
  {
    words: opening(
      '(?:للبيع )?عماره (?:سكنيه|تجاريه|استثماريه|كامله|للبيع|من)|(?:residential|commercial|whole|entire) building',
    ),
    of: (ad) => hasNoRooms(ad) && !HOUSES.has(ad.type),
  },
];

const CITY_NAMES = CITIES.flatMap(({ slug, name_ar, name_en }) =>
  [name_ar, name_en].map((name) => [foldedLines(name)[0] as string, slug] as const),
);
const CITY_OF = new Map(CITY_NAMES);
const ANY_CITY = CITY_NAMES.map(([name]) => name)
  .sort((a, b) => b.length - a.length)
  .join('|');
const LOCATED = phrase(
  `(?:(?:الموقع|العقار|الشقه|الفيلا)(?: يقع| تقع)?(?: في)?(?: مدينه)? |(?:في|ب) ?مدينه |(?:^|\\| )في )(?<ar>${ANY_CITY})|(?:(?:property|located|home|apartment|villa|flat)(?: is)?(?: located)? in |^in )(?<en>${ANY_CITY})`,
);
const MAYBE_LOCATED = /الموقع|العقار|الشق|الفيلا|مدين|في|\bin\b/i;

/**
 * Returns words that offer something else than the home in the fields: land, a building, a room, a right of use, an
 * unfinished home, or another city. Pure.
 */
export function judgeKind(text: string, ad: KindContext): TextReading | null {
  const rules = HOMES.has(ad.type) ? RULES.filter((rule) => rule.of(ad)) : [];
  if (rules.length === 0) return null;
  for (const line of foldedLines(text)) {
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
