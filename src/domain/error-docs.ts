import type { ErrorCode, RequestErrorOptions } from './errors.ts';

/** Cause of an error, remedy and example response. */
interface ErrorDoc {
  cause_en: string;
  remedy_en: string;
  cause_ar: string;
  remedy_ar: string;
  /** Fields of the example response that differ from the error code's defaults. */
  example?: Pick<RequestErrorOptions, 'message' | 'param' | 'details'>;
}

/** Cause, remedy and example for each error code. */
export const ERROR_DOCS: Readonly<Record<ErrorCode, ErrorDoc>> = {
  invalid_value: {
    cause_en: 'A parameter has a value that it does not accept, or two parameters contradict each other.',
    remedy_en: 'Correct the parameter in `param`. The message states the accepted values.',
    cause_ar: 'لأحد المعاملات قيمة غير مقبولة، أو يتعارض معاملان.',
    remedy_ar: 'صحّح المعامل المذكور في `param`. تبيّن الرسالة القيم المقبولة.',
    example: {
      param: 'bbox',
      message:
        '`bbox` has latitude before longitude. The order is min_lng,min_lat,max_lng,max_lat: use 46.6,24.6,46.8,24.9.',
    },
  },
  missing_parameter: {
    cause_en: 'The request does not have a parameter that the operation requires.',
    remedy_en: 'Add the parameter in `param`.',
    cause_ar: 'ينقص الطلبَ معاملٌ تشترطه العملية.',
    remedy_ar: 'أضف المعامل المذكور في `param`.',
    example: { param: 'city', message: '`city` is required.' },
  },
  unknown_parameter: {
    cause_en: 'The request has a query parameter that the operation does not have. Unknown parameters are not ignored.',
    remedy_en: 'Remove the parameter, or use the name that the message suggests.',
    cause_ar: 'في الطلب معامل لا تعرفه العملية. المعاملات غير المعروفة لا تُتجاهل.',
    remedy_ar: 'احذف المعامل، أو استعمل الاسم الذي تقترحه الرسالة.',
    example: { param: 'bed', message: 'This endpoint has no parameter `bed`. Did you mean `beds`?' },
  },
  invalid_body: {
    cause_en: 'The request body is not valid JSON, or does not match the schema of the operation.',
    remedy_en: 'Correct the property in `param`. Send `Content-Type: application/json`.',
    cause_ar: 'جسم الطلب ليس JSON صحيحًا، أو لا يطابق مخطط العملية.',
    remedy_ar: 'صحّح الحقل المذكور في `param`، وأرسل `Content-Type: application/json`.',
    example: { param: 'name', message: '`name` is required.' },
  },
  unknown_city: {
    cause_en: 'The value of `city` is not the slug of a covered city. Slugs are lowercase English, such as `riyadh`.',
    remedy_en: 'Use a slug from `GET /cities`.',
    cause_ar: 'قيمة `city` ليست معرّف مدينة مشمولة. المعرّفات بأحرف لاتينية صغيرة، مثل `riyadh`.',
    remedy_ar: 'استعمل معرّفًا من `GET /cities`.',
    example: { param: 'city' },
  },
  result_window_exceeded: {
    cause_en: 'The page exceeds the paging depth of your plan.',
    remedy_en: 'Narrow the filters. To read everything, sync with `sort=modified_asc` and `modified_since`.',
    cause_ar: 'الصفحة أبعد من عمق التصفح في باقتك.',
    remedy_ar: 'ضيّق المرشحات. ولقراءة كل الإعلانات زامن باستعمال `sort=modified_asc` و`modified_since`.',
    example: { param: 'cursor', details: { paging_depth: 500 } },
  },
  limit_reached: {
    cause_en: 'The organization has reached the limit of resources of this kind.',
    remedy_en: 'Delete a resource that you no longer need. `details.limit` states the limit.',
    cause_ar: 'بلغت المنشأة أقصى عدد مسموح من هذا النوع من الموارد.',
    remedy_ar: 'احذف ما لم تعد تحتاج إليه. الحد مذكور في `details.limit`.',
    example: {
      message: 'An organization can have up to 25 webhook endpoints. Delete one first.',
      details: { limit: 25 },
    },
  },
  invalid_cursor: {
    cause_en: 'The cursor is malformed or modified, or comes from a query with other filters or another sort.',
    remedy_en: 'Start again without `cursor`, and do not change filters or sort while paging.',
    cause_ar: 'المؤشر تالف أو معدَّل، أو من طلب بمرشحات أو ترتيب آخر.',
    remedy_ar: 'ابدأ من جديد بدون `cursor`، ولا تغيّر المرشحات أو الترتيب أثناء التصفح.',
    example: { param: 'cursor' },
  },
  missing_api_key: {
    cause_en: 'The request has no `Authorization` header with a bearer key.',
    remedy_en: 'Send `Authorization: Bearer <API_KEY>`.',
    cause_ar: 'ليس في الطلب ترويسة `Authorization` تحمل مفتاحًا.',
    remedy_ar: 'أرسل `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    cause_en: 'No key matches: the key is incomplete, mistyped, or from another installation.',
    remedy_en: 'Copy the whole key again. If it is lost, create another one.',
    cause_ar: 'لا يوجد مفتاح مطابق: المفتاح ناقص أو مكتوب خطأ أو من بيئة أخرى.',
    remedy_ar: 'انسخ المفتاح كاملًا من جديد، وإن ضاع فأنشئ غيره.',
  },
  revoked_api_key: {
    cause_en: 'The key was revoked, or replaced by a rotation.',
    remedy_en: 'Use another key of your organization.',
    cause_ar: 'أُلغي المفتاح أو حلّ محله مفتاح جديد.',
    remedy_ar: 'استعمل مفتاحًا آخر لمنشأتك.',
  },
  expired_api_key: {
    cause_en: 'The key is past its `expires_at`.',
    remedy_en: 'Create a key, and replace keys before they expire.',
    cause_ar: 'مضى تاريخ `expires_at` للمفتاح.',
    remedy_ar: 'أنشئ مفتاحًا جديدًا، واستبدل المفاتيح قبل انتهاء صلاحيتها.',
  },
  api_key_in_query: {
    cause_en: 'The URL contains an API key. Logs and proxies keep URLs, so the key is no longer secret.',
    remedy_en: 'Rotate the key, and send the new one in the `Authorization` header.',
    cause_ar: 'في عنوان الطلب مفتاح. تحفظ السجلات والخوادم الوسيطة العناوين، فلم يعد المفتاح سريًّا.',
    remedy_ar: 'بدّل المفتاح، وأرسل الجديد في الترويسة `Authorization`.',
    example: { param: 'api_key' },
  },
  scope_not_in_plan: {
    cause_en: 'Your plan does not include the scope of the operation or dataset.',
    remedy_en: 'Upgrade to the plan in the message, or use an operation of your plan. `GET /limits` lists your scopes.',
    cause_ar: 'لا تشمل باقتك نطاق العملية أو مجموعة البيانات.',
    remedy_ar: 'رقِّ إلى الباقة المذكورة في الرسالة، أو استعمل عملية في باقتك. نطاقاتك في `GET /limits`.',
    example: {
      message: 'The starter plan does not include the `analytics` scope. The lowest plan that includes it is Growth.',
    },
  },
  scope_not_in_key: {
    cause_en: 'The key is limited to scopes that do not include the one the operation or dataset requires.',
    remedy_en: 'Use a key with this scope, or create one.',
    cause_ar: 'المفتاح محصور في نطاقات ليس منها النطاق الذي تتطلبه العملية أو مجموعة البيانات.',
    remedy_ar: 'استعمل مفتاحًا يشمل هذا النطاق، أو أنشئه.',
    example: {
      message:
        'This key is limited to `listings`, and the call requires the `market` scope. Create a key that includes it.',
    },
  },
  admin_key_required: {
    cause_en: 'The operation administers an organization, and the request has a data key.',
    remedy_en: 'Use an admin key (`svc_admin_...`).',
    cause_ar: 'العملية من إدارة المنشأة، والمفتاح المرسل مفتاح بيانات.',
    remedy_ar: 'استعمل مفتاحًا إداريًا يبدأ بـ `svc_admin_`.',
  },
  admin_key_not_allowed: {
    cause_en: 'The operation returns data, and the request has an admin key.',
    remedy_en: 'Use a data key (`svc_live_...` or `svc_test_...`).',
    cause_ar: 'العملية تعيد بيانات، والمفتاح المرسل مفتاح إداري.',
    remedy_ar: 'استعمل مفتاح بيانات يبدأ بـ `svc_live_` أو `svc_test_`.',
  },
  forbidden_action: {
    cause_en: 'Your role or kind of key does not permit this action.',
    remedy_en: 'Follow the message, or contact an owner of the organization.',
    cause_ar: 'لا يسمح دورك أو نوع مفتاحك بهذا الإجراء.',
    remedy_ar: 'اتبع ما تذكره الرسالة، أو تواصل مع مالك حساب المنشأة.',
    example: { param: 'kind' },
  },
  cr_outside_allowlist: {
    cause_en: 'The commercial registration is not on the allowlist.',
    remedy_en: 'Check the registration number, or contact support to have it added.',
    cause_ar: 'السجل التجاري ليس في قائمة السجلات المسموحة.',
    remedy_ar: 'راجع رقم السجل، أو تواصل مع الدعم لإضافته.',
  },
  ip_not_allowed: {
    cause_en: 'The request comes from an address that is not on the IP allowlist of your organization.',
    remedy_en: 'Call from an allowed address, or have an owner add this one.',
    cause_ar: 'أتى الطلب من عنوان شبكة ليس في قائمة العناوين المسموحة لمنشأتك.',
    remedy_ar: 'أرسل الطلب من عنوان مسموح، أو اطلب من مالك الحساب إضافة هذا العنوان.',
  },
  client_suspended: {
    cause_en: 'The account is suspended.',
    remedy_en: 'Contact support.',
    cause_ar: 'الحساب موقوف.',
    remedy_ar: 'تواصل مع الدعم.',
  },
  client_expired: {
    cause_en: 'The term of the account has ended.',
    remedy_en: 'Renew the contract, or contact support.',
    cause_ar: 'انتهت مدة الحساب.',
    remedy_ar: 'جدّد الاشتراك، أو تواصل مع الدعم.',
  },
  not_found: {
    cause_en: 'Your organization has no resource with this id.',
    remedy_en: 'Check the id in the list of the resources. Ids of another organization are not found either.',
    cause_ar: 'ليس لمنشأتك مورد بهذا المعرّف.',
    remedy_ar: 'راجع المعرّف في قائمة الموارد. معرّفات المنشآت الأخرى لا تُوجد كذلك.',
    example: { param: 'webhook_id' },
  },
  city_not_found: {
    cause_en: 'The city in the path is not the slug of a covered city.',
    remedy_en: 'Use a slug from `GET /cities`.',
    cause_ar: 'المدينة في المسار ليست معرّف مدينة مشمولة.',
    remedy_ar: 'استعمل معرّفًا من `GET /cities`.',
    example: { param: 'city' },
  },
  route_not_found: {
    cause_en: 'No endpoint has this path. Paths are lowercase, begin with `/v1` and have no trailing slash.',
    remedy_en: 'Use the path in the message, or one from `GET /v1/openapi.json`.',
    cause_ar: 'لا توجد عملية بهذا المسار. المسارات بأحرف صغيرة، وتبدأ بـ `/v1`، ولا تنتهي بشرطة مائلة.',
    remedy_ar: 'استعمل المسار المذكور في الرسالة، أو أحد مسارات `GET /v1/openapi.json`.',
    example: { message: 'No endpoint has this path. Did you mean `GET /v1/listings`?' },
  },
  listing_not_found: {
    cause_en: 'No live listing has this id: it was withdrawn, merged into another one, or never existed.',
    remedy_en: 'Remove the listing from your copy. `GET /listings/batch` reads many ids at the same time.',
    cause_ar: 'لا يوجد إعلان قائم بهذا المعرّف: سُحب أو دُمج في إعلان آخر أو لم يوجد قط.',
    remedy_ar: 'احذف الإعلان من نسختك. تقرأ `GET /listings/batch` معرّفات كثيرة في طلب واحد.',
    example: { param: 'id' },
  },
  neighborhood_not_found: {
    cause_en: 'A neighborhood id does not exist, or belongs to another city than `city`.',
    remedy_en: 'Use ids from `GET /cities/{city}/neighborhoods` of the same city.',
    cause_ar: 'معرّف الحي غير موجود، أو هو لحي في مدينة غير `city`.',
    remedy_ar: 'استعمل معرّفات من `GET /cities/{city}/neighborhoods` للمدينة نفسها.',
    example: {
      param: 'neighborhood_id',
      message:
        '`neighborhood_id` 2001 (Al Shati) is in `jeddah`, not in `riyadh`. GET /cities/riyadh/neighborhoods lists the ids of `riyadh`.',
    },
  },
  project_not_found: {
    cause_en: 'No off-plan project has this id.',
    remedy_en: 'Use an id from `GET /projects`.',
    cause_ar: 'لا يوجد مشروع على الخارطة بهذا المعرّف.',
    remedy_ar: 'استعمل معرّفًا من `GET /projects`.',
    example: { param: 'id' },
  },
  period_not_found: {
    cause_en: 'The source has no data for the requested period.',
    remedy_en: 'Use one of the periods in `details.available_periods`.',
    cause_ar: 'ليس لدى المصدر بيانات للفترة المطلوبة.',
    remedy_ar: 'استعمل إحدى الفترات المذكورة في `details.available_periods`.',
    example: { param: 'period', details: { available_periods: ['2025-Q1', '2025-Q2'] } },
  },
  release_not_found: {
    cause_en: 'No published release of the index matches.',
    remedy_en:
      'Use one of the releases in `details.available_releases`, or leave the parameter out for the latest one.',
    cause_ar: 'لا يوجد إصدار منشور للمؤشر يطابق الطلب.',
    remedy_ar: 'استعمل أحد الإصدارات المذكورة في `details.available_releases`، أو اترك المعامل لأحدث إصدار.',
    example: { param: 'release', details: { available_releases: ['2026-09-r1', '2026-10-r1'] } },
  },
  export_not_found: {
    cause_en: 'Your organization has no export with this id.',
    remedy_en: 'Use an id from `GET /exports`.',
    cause_ar: 'ليس لمنشأتك تصدير بهذا المعرّف.',
    remedy_ar: 'استعمل معرّفًا من `GET /exports`.',
    example: { param: 'export_id' },
  },
  method_not_allowed: {
    cause_en: 'The path exists, but not with this method.',
    remedy_en: 'Use one of the methods in the `Allow` header.',
    cause_ar: 'المسار موجود، لكن ليس بهذه الطريقة.',
    remedy_ar: 'استعمل إحدى الطرق المذكورة في الترويسة `Allow`.',
  },
  conflict: {
    cause_en: 'The current state of the resource does not permit the request, or the same request is still running.',
    remedy_en: 'Read the resource, and send the request that fits its state. Repeat it where `Retry-After` is set.',
    cause_ar: 'لا تسمح حالة المورد بالطلب، أو ما زال الطلب نفسه قيد التنفيذ.',
    remedy_ar: 'اقرأ المورد، ثم أرسل ما يناسب حالته. وأعد الطلب إن وُجدت الترويسة `Retry-After`.',
    example: { message: 'Only an active key that has not been rotated can be rotated.' },
  },
  idempotency_key_reuse: {
    cause_en: 'This `Idempotency-Key` was used with another body.',
    remedy_en: 'Use a new key for every new request, and the same key only to repeat a request unchanged.',
    cause_ar: 'استُعمل `Idempotency-Key` هذا مع جسم آخر.',
    remedy_ar: 'استعمل مفتاحًا جديدًا لكل طلب جديد، والمفتاح نفسه لإعادة الطلب دون تغيير فقط.',
    example: { param: 'Idempotency-Key' },
  },
  key_limit: {
    cause_en: 'The organization has the maximum number of active keys of its plan.',
    remedy_en: 'Revoke a key that is no longer in use, or upgrade the plan.',
    cause_ar: 'بلغت المفاتيح الفعالة للمنشأة حد الباقة.',
    remedy_ar: 'ألغِ مفتاحًا لم يعد مستعملًا، أو رقِّ الباقة.',
    example: { message: 'The organization already has 25 active keys. Revoke a key first.', details: { limit: 25 } },
  },
  project_limit: {
    cause_en: 'The organization has the maximum number of projects of its plan.',
    remedy_en: 'Use an existing project, or upgrade the plan.',
    cause_ar: 'بلغ عدد مشاريع المنشأة حد الباقة.',
    remedy_ar: 'استعمل مشروعًا قائمًا، أو رقِّ الباقة.',
    example: { message: 'The plan allows 5 projects.', details: { limit: 5 } },
  },
  name_taken: {
    cause_en: 'Another resource of this kind has the name.',
    remedy_en: 'Choose another name.',
    cause_ar: 'الاسم مستعمل لمورد آخر من النوع نفسه.',
    remedy_ar: 'اختر اسمًا آخر.',
    example: { param: 'name', message: 'A key with this name already exists.' },
  },
  export_limit: {
    cause_en: 'Too many exports of the organization are in progress or were created today (UTC).',
    remedy_en:
      'Wait until one completes, or until the next day. `details` states the limit and whether it applies to running exports or to a day.',
    cause_ar: 'عمليات التصدير الجارية أو المنشأة اليوم (بالتوقيت العالمي) أكثر من المسموح.',
    remedy_ar: 'انتظر اكتمال إحداها أو اليوم التالي. يبيّن `details` الحد وعلى ماذا يُحسب.',
    example: {
      message: 'The limit of 2 running exports is reached. Wait until one completes.',
      details: { limit: 2, per: 'concurrent' },
    },
  },
  rate_limited: {
    cause_en: 'The units of the last minute exceed the rate of your plan or key.',
    remedy_en:
      'Wait for the seconds in `Retry-After`. Spread requests evenly: `RateLimit-Remaining` is the number of units left.',
    cause_ar: 'تجاوزت وحدات الدقيقة الأخيرة حد باقتك أو مفتاحك.',
    remedy_ar: 'انتظر عدد الثواني المذكور في `Retry-After`. وزّع الطلبات، والمتبقي في `RateLimit-Remaining`.',
    example: {
      message:
        'The rate limit of 30 units per minute on the free plan is exceeded. Retry after the number of seconds in the Retry-After header.',
    },
  },
  monthly_quota_exceeded: {
    cause_en: 'The monthly quota is used up, and the plan has no extra usage.',
    remedy_en: 'Wait for the next UTC month, upgrade, or have an owner set a spend cap.',
    cause_ar: 'استُهلكت حصة الشهر، ولا استعمال إضافي في الباقة.',
    remedy_ar: 'انتظر الشهر القادم بالتوقيت العالمي، أو رقِّ الباقة، أو اطلب من مالك الحساب تحديد سقف إنفاق.',
    example: {
      message:
        'The quota of 250 units per month on the free plan is used up. It resets at the start of the next UTC month.',
    },
  },
  spend_cap_reached: {
    cause_en: 'Extra usage has reached the monthly spend cap.',
    remedy_en: 'Have an owner raise the cap, or wait for the next UTC month.',
    cause_ar: 'بلغ الاستعمال الإضافي سقف الإنفاق الشهري.',
    remedy_ar: 'اطلب من مالك الحساب رفع السقف، أو انتظر الشهر القادم بالتوقيت العالمي.',
  },
  project_cap_exceeded: {
    cause_en: "The key's project has reached its monthly unit cap.",
    remedy_en: 'Raise the cap of the project, or use a key of another project.',
    cause_ar: 'بلغ مشروع المفتاح سقف وحداته الشهري.',
    remedy_ar: 'ارفع سقف المشروع، أو استعمل مفتاحًا لمشروع آخر.',
  },
  internal_error: {
    cause_en: 'The service failed (500), or a datastore is unavailable (503). The request was not charged.',
    remedy_en:
      'Retry with exponential backoff, and wait at least the seconds in `Retry-After`. Report the `request_id`.',
    cause_ar: 'تعطّلت الخدمة (500)، أو تعذّر الوصول إلى أحد مخازن البيانات (503). لم يُحتسب الطلب.',
    remedy_ar: 'أعد المحاولة مع انتظار يطول في كل مرة، وبما لا يقل عن `Retry-After`. واذكر `request_id` عند الإبلاغ.',
  },
};

/** Returns cause and remedy of an error in a language. */
export function errorText(code: ErrorCode, language: 'en' | 'ar'): { cause: string; remedy: string } {
  const { cause_en, remedy_en, cause_ar, remedy_ar } = ERROR_DOCS[code];
  return language === 'ar' ? { cause: cause_ar, remedy: remedy_ar } : { cause: cause_en, remedy: remedy_en };
}
