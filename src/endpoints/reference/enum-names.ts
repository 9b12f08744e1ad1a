import { NAMES, type Names, named } from '#domain/listings/names.ts';
import type { TrendBasis } from '#queries/analytics/trends.ts';
import type { SortName } from '#queries/listings/sorts.ts';

const sorts: Readonly<Record<SortName, Names>> = {
  newest: named('Newest', 'الأحدث'),
  updated_asc: named('Updated longest ago', 'الأقدم تحديثًا'),
  price_drop: named('Largest price drop', 'أكبر انخفاض في السعر'),
  recommended: named('Recommended', 'المقترح'),
  price_asc: named('Lowest price', 'الأقل سعرًا'),
  price_desc: named('Highest price', 'الأعلى سعرًا'),
};

const trendBases: Readonly<Record<TrendBasis, Names>> = {
  on_market: named('On the market', 'المعروض'),
  new_listings: named('New listings', 'الإعلانات الجديدة'),
};

/** The names of every enumerated value in both languages, by the lists of `GET /enums`. */
export const ENUM_NAMES = { ...NAMES, sorts, trend_bases: trendBases } as const;
