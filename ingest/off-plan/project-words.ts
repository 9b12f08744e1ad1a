import { memoize } from '#domain/memoize.ts';
import {
  PROJECT_BANK_NAMES,
  PROJECT_BANKS,
  PROJECT_FEATURE_NAMES,
  PROJECT_FEATURES,
  PROJECT_STATUS_NAMES,
  type ProjectBank,
  type ProjectFeature,
  type ProjectStatus,
} from '#domain/off-plan/project-vocabulary.ts';
import { clausesOf, Lexicon } from '#domain/text/phrases.ts';
import type { WordList } from '#domain/text/word-lists.ts';

/** Words that sources use, as in `domain/text/word-lists.ts`. Vocabulary names are added automatically. */
const STATUS_WORDS: WordList<ProjectStatus> = {
  planned: 'announced, coming soon, launching soon, pre launch, upcoming, قريبا, مخطط, تحت التخطيط, سيطلق قريبا',
  under_construction:
    'off plan, offplan, in progress, ongoing, building, being built, على الخارطة, قيد الإنشاء, قيد التنفيذ, جاري التنفيذ, تحت التنفيذ',
  completed: 'ready, finished, delivered, handed over, ready to move, جاهز, جاهزة, مكتملة, تم التسليم, منتهي',
};

const FEATURE_WORDS: WordList<ProjectFeature> = {
  gated_community: 'gated, gated compound, walled, مجمع مغلق, مسور, بوابات',
  mosque: 'masjid, prayer room, جامع, مصلى',
  school: 'schools, مدارس',
  nursery: 'kindergarten, daycare, روضة, رياض أطفال',
  clinic: 'medical center, health center, عيادة, مستوصف, عيادات',
  retail: 'retail shops, shopping, mall, commercial strip, محلات, معارض تجارية, مركز تجاري',
  restaurants: 'restaurants, cafes, dining, مطاعم, مقاهي, كافيهات',
  park: 'parks, green areas, gardens, حدائق, مسطحات خضراء, حديقة',
  walking_track: 'jogging track, walking path, walkway, مضمار مشي, مسار مشي',
  cycling_track: 'bike path, cycling path, مسار للدراجات',
  clubhouse: 'club, community center, نادي, نادي صحي واجتماعي',
  sports_courts: 'sports facilities, courts, ملاعب',
  underground_parking: 'basement parking, مواقف سفلية, قبو مواقف',
  concierge: 'reception, lobby service, استقبال, كونسيرج',
  smart_systems: 'smart home system, smart building, منازل ذكية, نظام ذكي',
  green_building: 'sustainable, leed, mostadam, مستدام, استدامة',
  waterfront: 'sea view, seafront, corniche, إطلالة بحرية, واجهة مائية, كورنيش',
  warranty: 'guarantee, guarantees, ضمان, ضمانات, ضمان إنشائي',
};

const BANK_WORDS: WordList<ProjectBank> = {
  al_rajhi_bank: 'al rajhi, rajhi, alrajhi bank, الراجحي, بنك الراجحي',
  saudi_national_bank: 'snb, ncb, al ahli, alahli, الأهلي, البنك الأهلي, بنك الأهلي',
  riyad_bank: 'riyadh bank, بنك الرياض',
  alinma_bank: 'alinma, inma, الإنماء, بنك الإنماء',
  bank_albilad: 'albilad, al bilad, البلاد',
  banque_saudi_fransi: 'bsf, saudi fransi, السعودي الفرنسي, الفرنسي',
  saudi_awwal_bank: 'sab, sabb, alawwal, ساب, الأول, البنك الأول',
  arab_national_bank: 'anb, العربي, البنك العربي',
  bank_aljazira: 'aljazira, al jazira, الجزيرة',
  saudi_investment_bank: 'saib, السعودي للاستثمار',
};

function lexiconOf<Value extends string>(
  words: WordList<Value>,
  names: Readonly<Record<Value, { name_en: string; name_ar: string }>>,
): Lexicon<Value> {
  const lexicon = new Lexicon(words);
  for (const value of Object.keys(names) as Value[]) {
    lexicon.add(value, value);
    lexicon.add(names[value].name_en, value);
    lexicon.add(names[value].name_ar, value);
  }
  return lexicon;
}

function reader<Value extends string>(lexicon: Lexicon<Value>): (text: string) => Value | null {
  return memoize((text) => lexicon.whole(text) ?? lexicon.mentions(clausesOf(text))[0]?.value ?? null);
}

/** Creates a function that returns the recognized values of a list, distinct and in vocabulary order. */
function listReader<Value extends string>(read: (text: string) => Value | null, order: readonly Value[]) {
  return (words: readonly string[] | null | undefined): Value[] => {
    if (!Array.isArray(words)) return [];
    const found = new Set(words.map((word) => (typeof word === 'string' ? read(word) : null)));
    return order.filter((value) => found.has(value));
  };
}

export const readStatus = reader(lexiconOf(STATUS_WORDS, PROJECT_STATUS_NAMES));
export const readFeatures = listReader(reader(lexiconOf(FEATURE_WORDS, PROJECT_FEATURE_NAMES)), PROJECT_FEATURES);
export const readBanks = listReader(reader(lexiconOf(BANK_WORDS, PROJECT_BANK_NAMES)), PROJECT_BANKS);
