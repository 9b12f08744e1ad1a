import { NAMES } from '#domain/listings/vocabulary.ts';
import { type NamesOf, named } from '#domain/named.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES } from '#domain/off-plan/vocabulary.ts';
import type { CoverageFlag } from '#domain/official/rules.ts';
import {
  type IndexItem,
  type LandUseClass,
  RENT_PROPERTY_TYPES,
  type RentPropertyType,
} from '#domain/official/vocabulary.ts';
import type { FREQUENCIES, INDEX_PROPERTIES, Kind, METHODS } from '#domain/property-index/kinds.ts';
import type { NoSeriesReason, SCOPES, WithheldReason } from '#domain/property-index/schema.ts';
import type { SuggestionKind } from '#domain/suggestions/place-index.ts';
import type { TrendBasis } from '#queries/analytics/trends.ts';
import type { SortName } from '#queries/listings/sorts.ts';
import type { ProjectSortName } from '#queries/off-plan/projects.ts';
import type { CellGroup } from '../official/market-transactions.ts';
import { ADMINISTRATION_NAMES } from './administration-names.ts';
import { STATISTICS_NAMES } from './statistics-names.ts';

const sorts: NamesOf<SortName> = {
  newest: named('Newest', 'الأحدث'),
  updated_asc: named('Least recently updated', 'الأقدم تحديثًا'),
  modified_asc: named('Least recently modified', 'الأقدم تعديلًا'),
  price_drop: named('Largest price drop', 'أكبر انخفاض في السعر'),
  recommended: named('Recommended', 'المقترح'),
  price_asc: named('Lowest price', 'الأقل سعرًا'),
  price_desc: named('Highest price', 'الأعلى سعرًا'),
  distance: named('Nearest', 'الأقرب'),
};

const rentPropertyTypes = Object.fromEntries(
  RENT_PROPERTY_TYPES.map((type) => [type, NAMES.property_types[type]]),
) as NamesOf<RentPropertyType>;

/** Display names in both languages for all enumerated values, grouped by the lists in `GET /enums`. */
export const ENUM_NAMES = {
  ...NAMES,
  sorts,
  trend_bases: {
    on_market: named('On the market', 'المعروض'),
    new_listings: named('New listings', 'الإعلانات الجديدة'),
  } satisfies NamesOf<TrendBasis>,
  land_use_classes: {
    residential: named('Residential', 'سكني'),
    commercial: named('Commercial', 'تجاري'),
    agricultural: named('Agricultural', 'زراعي'),
    industrial: named('Industrial', 'صناعي'),
    mixed_use: named('Mixed use', 'متعدد الاستخدام'),
    other: named('Other', 'أخرى'),
  } satisfies NamesOf<LandUseClass>,
  registered_rent_property_types: rentPropertyTypes,
  // Names that the statistics office uses for these items.
  price_index_items: {
    general: named('General index', 'الرقم القياسي العام'),
    residential: named('Residential', 'القطاع السكني'),
    residential_land: named('Residential land', 'قطعة أرض سكنية'),
    residential_building: named('Residential building', 'عمارة سكنية'),
    villa: named('Villa', 'فيلا'),
    apartment: named('Apartment', 'شقة'),
    house: named('House', 'بيت'),
    commercial: named('Commercial', 'القطاع التجاري'),
    commercial_land: named('Commercial land', 'قطعة أرض تجارية'),
    commercial_building: named('Commercial building', 'عمارة تجارية'),
    shop: named('Shop', 'محل'),
    commercial_center: named('Commercial center', 'مركز تجاري'),
    agricultural: named('Agricultural', 'القطاع الزراعي'),
    agricultural_land: named('Agricultural land', 'أرض زراعية'),
    floor: named('Floor', 'دور سكني'),
  } satisfies NamesOf<IndexItem>,
  coverage_flags: {
    full: named('Full coverage', 'تغطية كاملة'),
    notary_only: named('Notary deals only', 'صفقات كتابات العدل فقط'),
    incomplete: named('Not yet complete', 'غير مكتملة'),
  } satisfies NamesOf<CoverageFlag>,
  property_index_kinds: {
    rent_registered: named('Registered rent of apartments', 'إيجارات الشقق المسجلة'),
    land_registered: named('Registered prices of plots', 'أسعار الأراضي المسجلة'),
    home_registered: named('Registered prices of homes', 'أسعار المساكن المسجلة'),
    residential_land_registered: named('Registered prices of residential plots', 'أسعار الأراضي السكنية المسجلة'),
    rent_asking: named('Asking rent of apartments', 'إيجارات الشقق المعروضة'),
  } satisfies NamesOf<Kind>,
  property_index_properties: {
    apartment: named('Apartment', 'شقة'),
    land: named('Land', 'أرض'),
    home: named('Home', 'مسكن'),
    residential_land: named('Residential land', 'أرض سكنية'),
  } satisfies NamesOf<(typeof INDEX_PROPERTIES)[number]>,
  property_index_scopes: {
    national: named('National', 'المملكة'),
    city: named('City', 'مدينة'),
  } satisfies NamesOf<(typeof SCOPES)[number]>,
  property_index_frequencies: {
    quarterly: named('Quarterly', 'ربع سنوي'),
    monthly: named('Monthly', 'شهري'),
  } satisfies NamesOf<(typeof FREQUENCIES)[number]>,
  property_index_methods: {
    chained_tornqvist: named('Chained index', 'مؤشر متسلسل'),
    geks_tornqvist: named('Multilateral index', 'مؤشر متعدد الأطراف'),
  } satisfies NamesOf<(typeof METHODS)[number]>,
  property_index_withheld_reasons: {
    not_published: named('Not published by the source', 'لم ينشره المصدر'),
    incomplete: named('Not yet complete', 'غير مكتمل'),
    excluded: named('Excluded by a rule', 'مستبعد بحسب القواعد'),
    too_few_neighborhoods: named('Too few neighborhoods', 'عدد الأحياء غير كافٍ'),
  } satisfies NamesOf<WithheldReason>,
  property_index_no_series_reasons: {
    too_few_deals: named('Too few deals', 'عدد الصفقات غير كافٍ'),
    not_stable: named('Not stable', 'غير مستقر'),
    too_few_neighborhoods: named('Too few neighborhoods', 'عدد الأحياء غير كافٍ'),
  } satisfies NamesOf<NoSeriesReason>,
  transaction_groups: {
    city: named('By city', 'حسب المدينة'),
    neighborhood: named('By neighborhood', 'حسب الحي'),
  } satisfies NamesOf<CellGroup>,
  project_statuses: PROJECT_STATUS_NAMES,
  project_features: PROJECT_FEATURE_NAMES,
  project_banks: PROJECT_BANK_NAMES,
  project_sorts: {
    newest: named('Newest', 'الأحدث'),
    delivery: named('Earliest delivery', 'الأقرب تسليمًا'),
    price_asc: named('Lowest price', 'الأقل سعرًا'),
    price_desc: named('Highest price', 'الأعلى سعرًا'),
  } satisfies NamesOf<ProjectSortName>,
  suggestion_kinds: {
    city: named('City', 'مدينة'),
    neighborhood: named('Neighborhood', 'حي'),
    compound: named('Compound', 'مجمّع'),
    project: named('Project', 'مشروع'),
    developer: named('Developer', 'مطور'),
  } satisfies NamesOf<SuggestionKind>,
  ...STATISTICS_NAMES,
  ...ADMINISTRATION_NAMES,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
