import type { Coverage } from '#domain/coverage.ts';
import { type NamesOf, named } from '#domain/named.ts';
import type { IndexSource } from '#domain/property-index/kinds.ts';
import type { directionOf, placementOf, Status } from '#domain/statistics/price-band.ts';

const noLocation = named('No location', 'بلا موقع');
const areaUnusable = named('Area missing or implausible', 'المساحة غير معروفة أو لا يعتمد عليها');
const tooFewComparables = named('Too few similar homes nearby', 'المساكن المشابهة القريبة قليلة جدًا');

/** Display names for the enumerations in statistics, including the reasons why figures are missing. */
export const STATISTICS_NAMES = {
  price_sources: {
    asking: named('Asking prices', 'أسعار معروضة'),
    registered: named('Registered prices', 'أسعار مسجلة'),
    developer: named('Prices stated by the developer', 'أسعار يذكرها المطور'),
  },
  price_bases: {
    yearly_rent: named('Yearly rent', 'الإيجار السنوي'),
    total_price: named('Total price', 'السعر الإجمالي'),
    price_per_sqm: named('Price per square meter', 'سعر المتر المربع'),
    yearly_rent_over_total_price: named('Yearly rent divided by total price', 'الإيجار السنوي إلى السعر الإجمالي'),
  },
  statistics: { mean: named('Mean', 'المتوسط الحسابي') },
  price_band_statuses: {
    available: named('Available', 'متاح'),
    insufficient_comparables: tooFewComparables,
    unsupported_cohort: named('Property type not supported', 'نوع عقار لا يقارن'),
    plot_area_only: named('Only the plot area is known', 'لا تعرف إلا مساحة الأرض'),
    area_unusable: areaUnusable,
    fields_unusable: named('Other details missing or implausible', 'بيانات أخرى غير معروفة أو لا يعتمد عليها'),
    not_residential: named('Not residential', 'ليس عقارًا سكنيًا'),
    multi_unit: named('Several units', 'يضم عدة وحدات'),
    no_price: named('No price', 'بلا سعر'),
    no_location: noLocation,
  } satisfies NamesOf<Status>,
  price_band_placements: {
    below_band: named('Below the band', 'دون النطاق'),
    within_band: named('Within the band', 'ضمن النطاق'),
    above_band: named('Above the band', 'فوق النطاق'),
  } satisfies NamesOf<ReturnType<typeof placementOf>>,
  price_band_directions: {
    below: named('Below the median', 'دون الوسيط'),
    above: named('Above the median', 'فوق الوسيط'),
    inconclusive: named('Inconclusive', 'غير محسوم'),
  } satisfies NamesOf<ReturnType<typeof directionOf>>,
  price_band_geographies: { radius: named('Radius', 'دائرة'), neighborhood: named('Neighborhood', 'الحي') },
  comparables_unavailable_reasons: {
    no_location: noLocation,
    area_unusable: areaUnusable,
    insufficient_comparables: tooFewComparables,
  },
  market_position_bases: { neighborhood: named('Neighborhood', 'الحي'), city: named('City', 'المدينة') },
  trend_coverages: {
    no_history: named('Before the history begins', 'قبل بداية السجل'),
    history_start: named('The history begins', 'بداية السجل'),
    complete: named('Complete', 'مكتمل'),
    in_progress: named('In progress', 'لم ينته بعد'),
  } satisfies NamesOf<Coverage>,
  property_index_sources: {
    regulator_rent_index: named(
      'Rental indicators of the Real Estate General Authority',
      'المؤشرات الإيجارية للهيئة العامة للعقار',
    ),
    justice_transactions: named('Real estate transactions of the Ministry of Justice', 'الصفقات العقارية لوزارة العدل'),
    regulator_rei: named(
      'Real estate indicators of the Real Estate General Authority',
      'المؤشرات العقارية للهيئة العامة للعقار',
    ),
    service_listings: named('Listings of this service', 'إعلانات هذه الخدمة'),
  } satisfies NamesOf<IndexSource>,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
