import { named } from '../named.ts';

/** A served id is never renamed or reused. */

export const PROJECT_STATUS_NAMES = {
  planned: named('Planned', 'مخطط له'),
  under_construction: named('Under construction', 'تحت الإنشاء'),
  completed: named('Completed', 'مكتمل'),
} as const;
export type ProjectStatus = keyof typeof PROJECT_STATUS_NAMES;
export const PROJECT_STATUSES = Object.keys(PROJECT_STATUS_NAMES) as ProjectStatus[];

/** Features of a whole development. Features of units are amenities. */
export const PROJECT_FEATURE_NAMES = {
  gated_community: named('Gated community', 'مجتمع مسوّر'),
  mosque: named('Mosque', 'مسجد'),
  school: named('School', 'مدرسة'),
  nursery: named('Nursery', 'حضانة'),
  clinic: named('Clinic', 'مركز صحي'),
  retail: named('Shops', 'محلات تجارية'),
  restaurants: named('Restaurants and cafes', 'مطاعم ومقاهٍ'),
  park: named('Park', 'حديقة عامة'),
  walking_track: named('Walking track', 'ممشى'),
  cycling_track: named('Cycling track', 'مسار دراجات'),
  clubhouse: named('Clubhouse', 'نادي اجتماعي'),
  sports_courts: named('Sports courts', 'ملاعب رياضية'),
  underground_parking: named('Underground parking', 'مواقف تحت الأرض'),
  concierge: named('Concierge', 'خدمة استقبال'),
  smart_systems: named('Smart systems', 'أنظمة ذكية'),
  green_building: named('Green building', 'مبنى أخضر'),
  waterfront: named('Waterfront', 'واجهة بحرية'),
  warranty: named('Construction warranty', 'ضمان البناء'),
} as const;
export type ProjectFeature = keyof typeof PROJECT_FEATURE_NAMES;
export const PROJECT_FEATURES = Object.keys(PROJECT_FEATURE_NAMES) as ProjectFeature[];

/** Banks that finance the units of a project. */
export const PROJECT_BANK_NAMES = {
  al_rajhi_bank: named('Al Rajhi Bank', 'مصرف الراجحي'),
  saudi_national_bank: named('Saudi National Bank', 'البنك الأهلي السعودي'),
  riyad_bank: named('Riyad Bank', 'بنك الرياض'),
  alinma_bank: named('Alinma Bank', 'مصرف الإنماء'),
  bank_albilad: named('Bank Albilad', 'بنك البلاد'),
  banque_saudi_fransi: named('Banque Saudi Fransi', 'البنك السعودي الفرنسي'),
  saudi_awwal_bank: named('Saudi Awwal Bank', 'البنك السعودي الأول'),
  arab_national_bank: named('Arab National Bank', 'البنك العربي الوطني'),
  bank_aljazira: named('Bank AlJazira', 'بنك الجزيرة'),
  saudi_investment_bank: named('Saudi Investment Bank', 'البنك السعودي للاستثمار'),
} as const;
export type ProjectBank = keyof typeof PROJECT_BANK_NAMES;
export const PROJECT_BANKS = Object.keys(PROJECT_BANK_NAMES) as ProjectBank[];
