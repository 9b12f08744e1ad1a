import type { Actor, AuditAction } from '#accounts/audit.ts';
import type { KeyRecord } from '#accounts/key-store.ts';
import type { KeyKind } from '#accounts/keys.ts';
import type { Role } from '#accounts/roles.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { ErrorType } from '#domain/errors.ts';
import type { EventType } from '#domain/listings/events.ts';
import { type NamesOf, named } from '#domain/named.ts';
import type { Format } from '#exports/files.ts';
import type { ExportStatus } from '#exports/store.ts';
import type { ResultClass } from '#observability/request-log.ts';
import type { DeliveryStatus } from '#webhooks/deliveries.ts';
import type { EndpointRecord } from '#webhooks/endpoints.ts';

/** Display names for the enumerations in keys, organizations, exports and webhooks. */
export const ADMINISTRATION_NAMES = {
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
