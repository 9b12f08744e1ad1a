import type { Actor, AuditAction } from '#accounts/audit.ts';
import type { KeyRecord } from '#accounts/key-store.ts';
import type { KeyKind } from '#accounts/keys.ts';
import type { Role } from '#accounts/roles.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { ERRORS } from '#domain/errors.ts';
import type { EventType } from '#domain/listings/events.ts';
import { type Names, named } from '#domain/listings/names.ts';
import type { Format } from '#exports/files.ts';
import type { ExportStatus } from '#exports/store.ts';
import type { ResultClass } from '#observability/request-log.ts';
import type { DeliveryStatus } from '#webhooks/deliveries.ts';
import type { EndpointRecord } from '#webhooks/endpoints.ts';

const keyKinds: Readonly<Record<KeyKind, Names>> = {
  live: named('Data key', 'مفتاح بيانات'),
  admin: named('Admin key', 'مفتاح إداري'),
  test: named('Test key', 'مفتاح اختبار'),
};

const keyStatuses: Readonly<Record<KeyRecord['status'], Names>> = {
  active: named('Active', 'فعال'),
  expired: named('Expired', 'منتهي الصلاحية'),
  revoked: named('Revoked', 'ملغى'),
};

const apis: Readonly<Record<Scope, Names>> = {
  reference: named('Reference data', 'البيانات المرجعية'),
  listings: named('Listings', 'الإعلانات'),
  market: named('Market data', 'بيانات السوق'),
  analytics: named('Analytics', 'التحليلات'),
  projects: named('Projects', 'المشاريع على الخارطة'),
  official: named('Official open data', 'البيانات المفتوحة الرسمية'),
  exports: named('Exports', 'عمليات التصدير'),
};

const memberRoles: Readonly<Record<Role, Names>> = {
  owner: named('Owner', 'مالك'),
  admin: named('Administrator', 'مدير'),
  developer: named('Developer', 'مطور برمجيات'),
  billing: named('Billing', 'محاسب'),
  viewer: named('Viewer', 'مطلع'),
};

const auditActors: Readonly<Record<Actor['type'], Names>> = {
  key: named('Key', 'مفتاح'),
  operator: named('Operator of the service', 'مشغل الخدمة'),
  system: named('The service itself', 'الخدمة نفسها'),
};

const auditActions: Readonly<Record<AuditAction, Names>> = {
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
};

const usageResults: Readonly<Record<ResultClass, Names>> = {
  '2xx': named('Success', 'نجح الطلب'),
  '4xx': named('Client error', 'خطأ في الطلب'),
  '429': named('Limit exceeded', 'تجاوز أحد الحدود'),
  '5xx': named('Server error', 'خطأ في الخدمة'),
};

const errorTypes: Readonly<Record<(typeof ERRORS)[keyof typeof ERRORS]['type'], Names>> = {
  invalid_request: named('Invalid request', 'طلب غير صالح'),
  authentication_error: named('Authentication failed', 'لم يعرف صاحب الطلب'),
  permission_error: named('Permission denied', 'غير مسموح'),
  not_found: named('Not found', 'غير موجود'),
  method_not_allowed: named('Method not allowed', 'طريقة غير مسموحة'),
  conflict: named('Conflict', 'تعارض'),
  rate_limit_error: named('Limit exceeded', 'تجاوز أحد الحدود'),
  api_error: named('Server error', 'خطأ في الخدمة'),
};

const exportFormats: Readonly<Record<Format, Names>> = {
  ndjson: named('One JSON object per line', 'كائن في كل سطر'),
  csv: named('Comma-separated values', 'قيم تفصل بينها فواصل'),
};

const exportStatuses: Readonly<Record<ExportStatus, Names>> = {
  queued: named('Queued', 'في الانتظار'),
  running: named('Running', 'قيد التنفيذ'),
  completed: named('Completed', 'مكتمل'),
  failed: named('Failed', 'فشل'),
  canceled: named('Canceled', 'ملغى'),
};

const webhookEvents: Readonly<Record<EventType, Names>> = {
  'listing.created': named('New listing', 'إعلان جديد'),
  'listing.price_changed': named('Price changed', 'تغير السعر'),
  'listing.delisted': named('Listing withdrawn', 'إزالة الإعلان'),
};

const webhookStatuses: Readonly<Record<EndpointRecord['status'], Names>> = {
  enabled: named('Enabled', 'مفعلة'),
  disabled: named('Disabled', 'معطلة'),
};

const disabledReasons: Readonly<Record<NonNullable<EndpointRecord['disabled_reason']>, Names>> = {
  exhausted: named('Too many failed deliveries', 'كثرة الإشعارات التي فشل إرسالها'),
  operator: named('Disabled by the operator', 'من مشغل الخدمة'),
};

const deliveryStatuses: Readonly<Record<DeliveryStatus, Names>> = {
  pending: named('Pending', 'بانتظار الإرسال'),
  delivered: named('Delivered', 'وصل'),
  failed: named('Failed', 'فشل'),
};

/** Display names of the enumerations of keys, organizations, exports and webhooks. */
export const ADMINISTRATION_NAMES = {
  key_kinds: keyKinds,
  key_statuses: keyStatuses,
  apis,
  member_roles: memberRoles,
  audit_actors: auditActors,
  audit_actions: auditActions,
  usage_results: usageResults,
  error_types: errorTypes,
  export_datasets: {
    listings: named('Listings', 'الإعلانات'),
    listing_changes: named('Listing changes', 'تغيرات الإعلانات'),
    registered_transactions: named('Registered deals', 'الصفقات المسجلة'),
    registered_rents: named('Registered rents', 'الإيجارات المسجلة'),
  },
  export_formats: exportFormats,
  export_statuses: exportStatuses,
  webhook_events: webhookEvents,
  webhook_statuses: webhookStatuses,
  webhook_disabled_reasons: disabledReasons,
  delivery_statuses: deliveryStatuses,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Names>>>>;
