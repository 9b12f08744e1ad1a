import type { Actor, AuditAction } from '#accounts/audit.ts';
import type { KeyRecord } from '#accounts/key-store.ts';
import type { KeyKind } from '#accounts/keys.ts';
import type { Role } from '#accounts/roles.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { Coverage } from '#domain/coverage.ts';
import type { ErrorType } from '#domain/errors.ts';
import type { EventType } from '#domain/listings/events.ts';
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
import type { FREQUENCIES, INDEX_PROPERTIES, IndexSource, Kind, METHODS } from '#domain/property-index/kinds.ts';
import type { NoSeriesReason, SCOPES, WithheldReason } from '#domain/property-index/schema.ts';
import type { directionOf, placementOf, Status } from '#domain/statistics/price-band.ts';
import type { SuggestionKind } from '#domain/suggestions/place-index.ts';
import type { Format } from '#exports/files.ts';
import type { ExportStatus } from '#exports/store.ts';
import type { ResultClass } from '#observability/request-log.ts';
import type { TrendBasis } from '#queries/analytics/trends.ts';
import type { SortName } from '#queries/listings/sorts.ts';
import type { ProjectSortName } from '#queries/off-plan/projects.ts';
import type { DeliveryStatus } from '#webhooks/deliveries.ts';
import type { EndpointRecord } from '#webhooks/endpoints.ts';
import type { CellGroup } from '../official/market-transactions.ts';

const noLocation = named('No location', 'بلا موقع');
const areaUnusable = named('Area missing or implausible', 'المساحة غير معروفة أو لا يعتمد عليها');
const tooFewComparables = named('Too few similar homes nearby', 'المساكن المشابهة القريبة قليلة جدًا');

/** Display names in both languages for all enumerated values, grouped by the lists in `GET /enums`. */
export const ENUM_NAMES = {
  ...NAMES,
  sorts: {
    newest: named('Newest', 'الأحدث'),
    updated_asc: named('Least recently updated', 'الأقدم تحديثًا'),
    modified_asc: named('Least recently modified', 'الأقدم تعديلًا'),
    price_drop: named('Largest price drop', 'أكبر انخفاض في السعر'),
    recommended: named('Recommended', 'المقترح'),
    price_asc: named('Lowest price', 'الأقل سعرًا'),
    price_desc: named('Highest price', 'الأعلى سعرًا'),
    distance: named('Nearest', 'الأقرب'),
  } satisfies NamesOf<SortName>,
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
  registered_rent_property_types: Object.fromEntries(
    RENT_PROPERTY_TYPES.map((type) => [type, NAMES.property_types[type]]),
  ) as NamesOf<RentPropertyType>,
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

  // Statistics, with the reasons why figures are missing.
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

  // Keys, organizations, exports and webhooks.
  key_kinds: {
    live: named('Data key', 'مفتاح بيانات'),
    admin: named('Admin key', 'مفتاح إداري'),
    test: named('Test key', 'مفتاح اختبار'),
  } satisfies NamesOf<KeyKind>,
  key_statuses: {
    active: named('Active', 'فعال'),
    expired: named('Expired', 'منتهي الصلاحية'),
    revoked: named('Revoked', 'ملغى'),
  } satisfies NamesOf<KeyRecord['status']>,
  apis: {
    reference: named('Reference data', 'البيانات المرجعية'),
    listings: named('Listings', 'الإعلانات'),
    market: named('Market data', 'بيانات السوق'),
    analytics: named('Analytics', 'التحليلات'),
    projects: named('Projects', 'المشاريع على الخارطة'),
    official: named('Official open data', 'البيانات المفتوحة الرسمية'),
    exports: named('Exports', 'عمليات التصدير'),
  } satisfies NamesOf<Scope>,
  member_roles: {
    owner: named('Owner', 'مالك'),
    admin: named('Administrator', 'مدير'),
    developer: named('Developer', 'مطور برمجيات'),
    billing: named('Billing', 'محاسب'),
    viewer: named('Viewer', 'مطلع'),
  } satisfies NamesOf<Role>,
  audit_actors: {
    key: named('Key', 'مفتاح'),
    operator: named('Operator of the service', 'مشغل الخدمة'),
    system: named('The service itself', 'الخدمة نفسها'),
  } satisfies NamesOf<Actor['type']>,
  audit_actions: {
    'organization.created': named('Organization created', 'إنشاء المنشأة'),
    'organization.plan_changed': named('Plan changed', 'تغيير الباقة'),
    'organization.suspended': named('Organization suspended', 'تعليق المنشأة'),
    'organization.resumed': named('Organization resumed', 'رفع تعليق المنشأة'),
    'organization.settings_changed': named('Settings changed', 'تغيير الإعدادات'),
    'member.added': named('Member added', 'إضافة فرد'),
    'member.role_changed': named('Member role changed', 'تغيير دور فرد'),
    'member.removed': named('Member removed', 'إزالة فرد'),
    'project.created': named('Project created', 'إنشاء مشروع'),
    'project.cap_changed': named('Project cap changed', 'تغيير سقف مشروع'),
    'key.created': named('Key created', 'إنشاء مفتاح'),
    'key.rotated': named('Key rotated', 'تبديل مفتاح'),
    'key.revoked': named('Key revoked', 'إلغاء مفتاح'),
    'key.exposed': named('Key exposed', 'انكشاف مفتاح'),
    'export.created': named('Export created', 'إنشاء تصدير'),
    'export.canceled': named('Export canceled', 'إلغاء تصدير'),
    'export.retried': named('Export retried', 'إعادة تصدير'),
    'webhook.created': named('Webhook endpoint created', 'إنشاء نقطة استقبال'),
    'webhook.deleted': named('Webhook endpoint deleted', 'حذف نقطة استقبال'),
    'webhook.tested': named('Webhook endpoint tested', 'اختبار نقطة استقبال'),
    'webhook.replayed': named('Delivery replayed', 'إعادة إرسال إشعار'),
    'webhook.secret_rotated': named('Signing secret rotated', 'تبديل سر التوقيع'),
    'webhook.enabled': named('Webhook endpoint enabled', 'تفعيل نقطة استقبال'),
    'webhook.disabled': named('Webhook endpoint disabled', 'تعطيل نقطة استقبال'),
  } satisfies NamesOf<AuditAction>,
  usage_results: {
    '2xx': named('Success', 'نجح الطلب'),
    '4xx': named('Client error', 'خطأ في الطلب'),
    '429': named('Limit exceeded', 'تجاوز أحد الحدود'),
    '5xx': named('Server error', 'خطأ في الخدمة'),
  } satisfies NamesOf<ResultClass>,
  error_types: {
    invalid_request: named('Invalid request', 'طلب غير صالح'),
    authentication_error: named('Authentication failed', 'لم يعرف صاحب الطلب'),
    permission_error: named('Permission denied', 'غير مسموح'),
    not_found: named('Not found', 'غير موجود'),
    method_not_allowed: named('Method not allowed', 'طريقة غير مسموحة'),
    conflict: named('Conflict', 'تعارض'),
    rate_limit_error: named('Limit exceeded', 'تجاوز أحد الحدود'),
    api_error: named('Server error', 'خطأ في الخدمة'),
  } satisfies NamesOf<ErrorType>,
  export_datasets: {
    listings: named('Listings', 'الإعلانات'),
    listing_changes: named('Listing changes', 'تغيرات الإعلانات'),
    registered_transactions: named('Registered deals', 'الصفقات المسجلة'),
    registered_rents: named('Registered rents', 'الإيجارات المسجلة'),
  },
  export_formats: {
    ndjson: named('One JSON object per line', 'كائن في كل سطر'),
    csv: named('Comma-separated values', 'قيم تفصل بينها فواصل'),
  } satisfies NamesOf<Format>,
  export_statuses: {
    queued: named('Queued', 'في الانتظار'),
    running: named('Running', 'قيد التنفيذ'),
    completed: named('Completed', 'مكتمل'),
    failed: named('Failed', 'فشل'),
    canceled: named('Canceled', 'ملغى'),
  } satisfies NamesOf<ExportStatus>,
  webhook_events: {
    'listing.created': named('New listing', 'إعلان جديد'),
    'listing.price_changed': named('Price changed', 'تغير السعر'),
    'listing.delisted': named('Listing withdrawn', 'إزالة الإعلان'),
  } satisfies NamesOf<EventType>,
  webhook_statuses: {
    enabled: named('Enabled', 'مفعلة'),
    disabled: named('Disabled', 'معطلة'),
  } satisfies NamesOf<EndpointRecord['status']>,
  webhook_disabled_reasons: {
    exhausted: named('Too many failed deliveries', 'كثرة الإشعارات التي فشل إرسالها'),
    operator: named('Disabled by the operator', 'من مشغل الخدمة'),
  } satisfies NamesOf<NonNullable<EndpointRecord['disabled_reason']>>,
  delivery_statuses: {
    pending: named('Pending', 'بانتظار الإرسال'),
    delivered: named('Delivered', 'وصل'),
    failed: named('Failed', 'فشل'),
  } satisfies NamesOf<DeliveryStatus>,
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
