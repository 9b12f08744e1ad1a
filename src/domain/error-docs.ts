import type { ErrorCode, RequestErrorOptions } from './errors.ts';

interface ErrorText {
  cause: string;
  remedy: string;
}

/** Documentation for an error code. */
export interface ErrorDoc {
  en: ErrorText;
  ar: ErrorText;
  /** Fields of the example response that differ from the error code's defaults. */
  example?: Pick<RequestErrorOptions, 'message' | 'param' | 'details'>;
}

/** Cause, remedy and example for each error code. */
export const ERROR_DOCS: Readonly<Record<ErrorCode, ErrorDoc>> = {
  invalid_value: {
    en: {
      cause: 'A parameter has a value that it does not accept, or two parameters contradict each other.',
      remedy: 'Correct the parameter in `param`. The message states the accepted values.',
    },
    ar: {
      cause: 'لأحد المعاملات قيمة غير مقبولة، أو يتعارض معاملان.',
      remedy: 'صحّح المعامل المذكور في `param`. تبيّن الرسالة القيم المقبولة.',
    },
    example: {
      param: 'bbox',
      message:
        '`bbox` has latitude before longitude. The order is min_lng,min_lat,max_lng,max_lat: use 46.6,24.6,46.8,24.9.',
    },
  },
  missing_parameter: {
    en: {
      cause: 'The request does not have a parameter that the operation requires.',
      remedy: 'Add the parameter in `param`.',
    },
    ar: { cause: 'ينقص الطلبَ معاملٌ تشترطه العملية.', remedy: 'أضف المعامل المذكور في `param`.' },
    example: { param: 'city', message: '`city` is required.' },
  },
  unknown_parameter: {
    en: {
      cause: 'The request has a query parameter that the operation does not have. Unknown parameters are not ignored.',
      remedy: 'Remove the parameter, or use the name that the message suggests.',
    },
    ar: {
      cause: 'في الطلب معامل لا تعرفه العملية. المعاملات غير المعروفة لا تُتجاهل.',
      remedy: 'احذف المعامل، أو استعمل الاسم الذي تقترحه الرسالة.',
    },
    example: { param: 'bed', message: 'This endpoint has no parameter `bed`. Did you mean `beds`?' },
  },
  invalid_body: {
    en: {
      cause: 'The request body is not valid JSON, or does not match the schema of the operation.',
      remedy: 'Correct the property in `param`. Send `Content-Type: application/json`.',
    },
    ar: {
      cause: 'جسم الطلب ليس JSON صحيحًا، أو لا يطابق مخطط العملية.',
      remedy: 'صحّح الحقل المذكور في `param`، وأرسل `Content-Type: application/json`.',
    },
    example: { param: 'name', message: '`name` is required.' },
  },
  unknown_city: {
    en: {
      cause: 'The value of `city` is not the slug of a covered city. Slugs are lowercase English, such as `riyadh`.',
      remedy: 'Use a slug from `GET /cities`.',
    },
    ar: {
      cause: 'قيمة `city` ليست معرّف مدينة مشمولة. المعرّفات بأحرف لاتينية صغيرة، مثل `riyadh`.',
      remedy: 'استعمل معرّفًا من `GET /cities`.',
    },
    example: { param: 'city' },
  },
  result_window_exceeded: {
    en: {
      cause: 'The page exceeds the paging depth of your plan.',
      remedy: 'Narrow the filters. To read everything, sync with `sort=modified_asc` and `modified_since`.',
    },
    ar: {
      cause: 'الصفحة أبعد من عمق التصفح في باقتك.',
      remedy: 'ضيّق المرشحات. ولقراءة كل الإعلانات زامن باستعمال `sort=modified_asc` و`modified_since`.',
    },
    example: { param: 'cursor', details: { paging_depth: 500 } },
  },
  limit_reached: {
    en: {
      cause: 'The organization has reached the limit of resources of this kind.',
      remedy: 'Delete a resource that you no longer need. `details.limit` states the limit.',
    },
    ar: {
      cause: 'بلغت المنشأة أقصى عدد مسموح من هذا النوع من الموارد.',
      remedy: 'احذف ما لم تعد تحتاج إليه. الحد مذكور في `details.limit`.',
    },
    example: {
      message: 'An organization can have up to 25 webhook endpoints. Delete one first.',
      details: { limit: 25 },
    },
  },
  invalid_cursor: {
    en: {
      cause: 'The cursor is malformed or modified, or comes from a query with other filters or another sort.',
      remedy: 'Start again without `cursor`, and do not change filters or sort while paging.',
    },
    ar: {
      cause: 'المؤشر تالف أو معدَّل، أو من طلب بمرشحات أو ترتيب آخر.',
      remedy: 'ابدأ من جديد بدون `cursor`، ولا تغيّر المرشحات أو الترتيب أثناء التصفح.',
    },
    example: { param: 'cursor' },
  },
  missing_api_key: {
    en: {
      cause: 'The request has no `Authorization` header with a bearer key.',
      remedy: 'Send `Authorization: Bearer <API_KEY>`.',
    },
    ar: {
      cause: 'ليس في الطلب ترويسة `Authorization` تحمل مفتاحًا.',
      remedy: 'أرسل `Authorization: Bearer <API_KEY>`.',
    },
  },
  invalid_api_key: {
    en: {
      cause: 'No key matches: the key is incomplete, mistyped, or from another installation.',
      remedy: 'Copy the whole key again. If it is lost, create another one.',
    },
    ar: {
      cause: 'لا يوجد مفتاح مطابق: المفتاح ناقص أو مكتوب خطأ أو من بيئة أخرى.',
      remedy: 'انسخ المفتاح كاملًا من جديد، وإن ضاع فأنشئ غيره.',
    },
  },
  revoked_api_key: {
    en: { cause: 'The key was revoked, or replaced by a rotation.', remedy: 'Use another key of your organization.' },
    ar: { cause: 'أُلغي المفتاح أو حلّ محله مفتاح جديد.', remedy: 'استعمل مفتاحًا آخر لمنشأتك.' },
  },
  expired_api_key: {
    en: { cause: 'The key is past its `expires_at`.', remedy: 'Create a key, and replace keys before they expire.' },
    ar: {
      cause: 'مضى تاريخ `expires_at` للمفتاح.',
      remedy: 'أنشئ مفتاحًا جديدًا، واستبدل المفاتيح قبل انتهاء صلاحيتها.',
    },
  },
  api_key_in_query: {
    en: {
      cause: 'The URL contains an API key. Logs and proxies keep URLs, so the key is no longer secret.',
      remedy: 'Rotate the key, and send the new one in the `Authorization` header.',
    },
    ar: {
      cause: 'في عنوان الطلب مفتاح. تحفظ السجلات والخوادم الوسيطة العناوين، فلم يعد المفتاح سريًّا.',
      remedy: 'بدّل المفتاح، وأرسل الجديد في الترويسة `Authorization`.',
    },
    example: { param: 'api_key' },
  },
  scope_not_in_plan: {
    en: {
      cause: 'Your plan does not include the scope of the operation or dataset.',
      remedy: 'Upgrade to the plan in the message, or use an operation of your plan. `GET /limits` lists your scopes.',
    },
    ar: {
      cause: 'لا تشمل باقتك نطاق العملية أو مجموعة البيانات.',
      remedy: 'رقِّ إلى الباقة المذكورة في الرسالة، أو استعمل عملية في باقتك. نطاقاتك في `GET /limits`.',
    },
    example: {
      message: 'The starter plan does not include the `analytics` scope. The lowest plan that includes it is Growth.',
    },
  },
  scope_not_in_key: {
    en: {
      cause: 'The key is limited to scopes that do not include the one the operation or dataset requires.',
      remedy: 'Use a key with this scope, or create one.',
    },
    ar: {
      cause: 'المفتاح محصور في نطاقات ليس منها النطاق الذي تتطلبه العملية أو مجموعة البيانات.',
      remedy: 'استعمل مفتاحًا يشمل هذا النطاق، أو أنشئه.',
    },
    example: {
      message:
        'This key is limited to `listings`, and the call requires the `market` scope. Create a key that includes it.',
    },
  },
  admin_key_required: {
    en: {
      cause: 'The operation administers an organization, and the request has a data key.',
      remedy: 'Use an admin key (`svc_admin_...`).',
    },
    ar: {
      cause: 'العملية من إدارة المنشأة، والمفتاح المرسل مفتاح بيانات.',
      remedy: 'استعمل مفتاحًا إداريًا يبدأ بـ `svc_admin_`.',
    },
  },
  admin_key_not_allowed: {
    en: {
      cause: 'The operation returns data, and the request has an admin key.',
      remedy: 'Use a data key (`svc_live_...` or `svc_test_...`).',
    },
    ar: {
      cause: 'العملية تعيد بيانات، والمفتاح المرسل مفتاح إداري.',
      remedy: 'استعمل مفتاح بيانات يبدأ بـ `svc_live_` أو `svc_test_`.',
    },
  },
  forbidden_action: {
    en: {
      cause: 'Your role or kind of key does not permit this action.',
      remedy: 'Follow the message, or contact an owner of the organization.',
    },
    ar: {
      cause: 'لا يسمح دورك أو نوع مفتاحك بهذا الإجراء.',
      remedy: 'اتبع ما تذكره الرسالة، أو تواصل مع مالك حساب المنشأة.',
    },
    example: { param: 'kind' },
  },
  cr_outside_allowlist: {
    en: {
      cause: 'The commercial registration is not on the allowlist.',
      remedy: 'Check the registration number, or contact support to have it added.',
    },
    ar: {
      cause: 'السجل التجاري ليس في قائمة السجلات المسموحة.',
      remedy: 'راجع رقم السجل، أو تواصل مع الدعم لإضافته.',
    },
  },
  ip_not_allowed: {
    en: {
      cause: 'The request comes from an address that is not on the IP allowlist of your organization.',
      remedy: 'Call from an allowed address, or have an owner add this one.',
    },
    ar: {
      cause: 'أتى الطلب من عنوان شبكة ليس في قائمة العناوين المسموحة لمنشأتك.',
      remedy: 'أرسل الطلب من عنوان مسموح، أو اطلب من مالك الحساب إضافة هذا العنوان.',
    },
  },
  client_suspended: {
    en: { cause: 'The account is suspended.', remedy: 'Contact support.' },
    ar: { cause: 'الحساب موقوف.', remedy: 'تواصل مع الدعم.' },
  },
  client_expired: {
    en: { cause: 'The term of the account has ended.', remedy: 'Renew the contract, or contact support.' },
    ar: { cause: 'انتهت مدة الحساب.', remedy: 'جدّد الاشتراك، أو تواصل مع الدعم.' },
  },
  not_found: {
    en: {
      cause: 'Your organization has no resource with this id.',
      remedy: 'Check the id in the list of the resources. Ids of another organization are not found either.',
    },
    ar: {
      cause: 'ليس لمنشأتك مورد بهذا المعرّف.',
      remedy: 'راجع المعرّف في قائمة الموارد. معرّفات المنشآت الأخرى لا تُوجد كذلك.',
    },
    example: { param: 'webhook_id' },
  },
  city_not_found: {
    en: {
      cause: 'The city in the path is not the slug of a covered city.',
      remedy: 'Use a slug from `GET /cities`.',
    },
    ar: { cause: 'المدينة في المسار ليست معرّف مدينة مشمولة.', remedy: 'استعمل معرّفًا من `GET /cities`.' },
    example: { param: 'city' },
  },
  route_not_found: {
    en: {
      cause: 'No endpoint has this path. Paths are lowercase, begin with `/v1` and have no trailing slash.',
      remedy: 'Use the path in the message, or one from `GET /v1/openapi.json`.',
    },
    ar: {
      cause: 'لا توجد عملية بهذا المسار. المسارات بأحرف صغيرة، وتبدأ بـ `/v1`، ولا تنتهي بشرطة مائلة.',
      remedy: 'استعمل المسار المذكور في الرسالة، أو أحد مسارات `GET /v1/openapi.json`.',
    },
    example: { message: 'No endpoint has this path. Did you mean `GET /v1/listings`?' },
  },
  listing_not_found: {
    en: {
      cause: 'No live listing has this id: it was withdrawn, merged into another one, or never existed.',
      remedy: 'Remove the listing from your copy. `GET /listings/batch` reads many ids at the same time.',
    },
    ar: {
      cause: 'لا يوجد إعلان قائم بهذا المعرّف: سُحب أو دُمج في إعلان آخر أو لم يوجد قط.',
      remedy: 'احذف الإعلان من نسختك. تقرأ `GET /listings/batch` معرّفات كثيرة في طلب واحد.',
    },
    example: { param: 'id' },
  },
  neighborhood_not_found: {
    en: {
      cause: 'A neighborhood id does not exist, or belongs to another city than `city`.',
      remedy: 'Use ids from `GET /cities/{city}/neighborhoods` of the same city.',
    },
    ar: {
      cause: 'معرّف الحي غير موجود، أو هو لحي في مدينة غير `city`.',
      remedy: 'استعمل معرّفات من `GET /cities/{city}/neighborhoods` للمدينة نفسها.',
    },
    example: {
      param: 'neighborhood_id',
      message:
        '`neighborhood_id` 2001 (Al Shati) is in `jeddah`, not in `riyadh`. GET /cities/riyadh/neighborhoods lists the ids of `riyadh`.',
    },
  },
  project_not_found: {
    en: { cause: 'No off-plan project has this id.', remedy: 'Use an id from `GET /projects`.' },
    ar: { cause: 'لا يوجد مشروع على الخارطة بهذا المعرّف.', remedy: 'استعمل معرّفًا من `GET /projects`.' },
    example: { param: 'id' },
  },
  period_not_found: {
    en: {
      cause: 'The source has no data for the requested period.',
      remedy: 'Use one of the periods in `details.available_periods`.',
    },
    ar: {
      cause: 'ليس لدى المصدر بيانات للفترة المطلوبة.',
      remedy: 'استعمل إحدى الفترات المذكورة في `details.available_periods`.',
    },
    example: { param: 'period', details: { available_periods: ['2025-Q1', '2025-Q2'] } },
  },
  release_not_found: {
    en: {
      cause: 'No published release of the index matches.',
      remedy: 'Use one of the releases in `details.available_releases`, or leave the parameter out for the latest one.',
    },
    ar: {
      cause: 'لا يوجد إصدار منشور للمؤشر يطابق الطلب.',
      remedy: 'استعمل أحد الإصدارات المذكورة في `details.available_releases`، أو اترك المعامل لأحدث إصدار.',
    },
    example: { param: 'release', details: { available_releases: ['2026-09-r1', '2026-10-r1'] } },
  },
  export_not_found: {
    en: { cause: 'Your organization has no export with this id.', remedy: 'Use an id from `GET /exports`.' },
    ar: { cause: 'ليس لمنشأتك تصدير بهذا المعرّف.', remedy: 'استعمل معرّفًا من `GET /exports`.' },
    example: { param: 'export_id' },
  },
  method_not_allowed: {
    en: {
      cause: 'The path exists, but not with this method.',
      remedy: 'Use one of the methods in the `Allow` header.',
    },
    ar: { cause: 'المسار موجود، لكن ليس بهذه الطريقة.', remedy: 'استعمل إحدى الطرق المذكورة في الترويسة `Allow`.' },
  },
  conflict: {
    en: {
      cause: 'The current state of the resource does not permit the request, or the same request is still running.',
      remedy: 'Read the resource, and send the request that fits its state. Repeat it where `Retry-After` is set.',
    },
    ar: {
      cause: 'لا تسمح حالة المورد بالطلب، أو ما زال الطلب نفسه قيد التنفيذ.',
      remedy: 'اقرأ المورد، ثم أرسل ما يناسب حالته. وأعد الطلب إن وُجدت الترويسة `Retry-After`.',
    },
    example: { message: 'Only an active key that has not been rotated can be rotated.' },
  },
  idempotency_key_reuse: {
    en: {
      cause: 'This `Idempotency-Key` was used with another body.',
      remedy: 'Use a new key for every new request, and the same key only to repeat a request unchanged.',
    },
    ar: {
      cause: 'استُعمل `Idempotency-Key` هذا مع جسم آخر.',
      remedy: 'استعمل مفتاحًا جديدًا لكل طلب جديد، والمفتاح نفسه لإعادة الطلب دون تغيير فقط.',
    },
    example: { param: 'Idempotency-Key' },
  },
  key_limit: {
    en: {
      cause: 'The organization has the maximum number of active keys of its plan.',
      remedy: 'Revoke a key that is no longer in use, or upgrade the plan.',
    },
    ar: {
      cause: 'بلغت المفاتيح الفعالة للمنشأة حد الباقة.',
      remedy: 'ألغِ مفتاحًا لم يعد مستعملًا، أو رقِّ الباقة.',
    },
    example: { message: 'The organization already has 25 active keys. Revoke a key first.', details: { limit: 25 } },
  },
  project_limit: {
    en: {
      cause: 'The organization has the maximum number of projects of its plan.',
      remedy: 'Use an existing project, or upgrade the plan.',
    },
    ar: { cause: 'بلغ عدد مشاريع المنشأة حد الباقة.', remedy: 'استعمل مشروعًا قائمًا، أو رقِّ الباقة.' },
    example: { message: 'The plan allows 5 projects.', details: { limit: 5 } },
  },
  name_taken: {
    en: { cause: 'Another resource of this kind has the name.', remedy: 'Choose another name.' },
    ar: { cause: 'الاسم مستعمل لمورد آخر من النوع نفسه.', remedy: 'اختر اسمًا آخر.' },
    example: { param: 'name', message: 'A key with this name already exists.' },
  },
  export_limit: {
    en: {
      cause: 'Too many exports of the organization are in progress or were created today (UTC).',
      remedy:
        'Wait until one completes, or until the next day. `details` states the limit and whether it applies to running exports or to a day.',
    },
    ar: {
      cause: 'عمليات التصدير الجارية أو المنشأة اليوم (بالتوقيت العالمي) أكثر من المسموح.',
      remedy: 'انتظر اكتمال إحداها أو اليوم التالي. يبيّن `details` الحد وعلى ماذا يُحسب.',
    },
    example: {
      message: 'The limit of 2 running exports is reached. Wait until one completes.',
      details: { limit: 2, per: 'concurrent' },
    },
  },
  rate_limited: {
    en: {
      cause: 'The units of the last minute exceed the rate of your plan or key.',
      remedy:
        'Wait for the seconds in `Retry-After`. Spread requests evenly: `RateLimit-Remaining` is the number of units left.',
    },
    ar: {
      cause: 'تجاوزت وحدات الدقيقة الأخيرة حد باقتك أو مفتاحك.',
      remedy: 'انتظر عدد الثواني المذكور في `Retry-After`. وزّع الطلبات، والمتبقي في `RateLimit-Remaining`.',
    },
    example: {
      message:
        'The rate limit of 30 units per minute on the free plan is exceeded. Retry after the number of seconds in the Retry-After header.',
    },
  },
  monthly_quota_exceeded: {
    en: {
      cause: 'The monthly quota is used up, and the plan has no extra usage.',
      remedy: 'Wait for the next UTC month, upgrade, or have an owner set a spend cap.',
    },
    ar: {
      cause: 'استُهلكت حصة الشهر، ولا استعمال إضافي في الباقة.',
      remedy: 'انتظر الشهر القادم بالتوقيت العالمي، أو رقِّ الباقة، أو اطلب من مالك الحساب تحديد سقف إنفاق.',
    },
    example: {
      message:
        'The quota of 250 units per month on the free plan is used up. It resets at the start of the next UTC month.',
    },
  },
  spend_cap_reached: {
    en: {
      cause: 'Extra usage has reached the monthly spend cap.',
      remedy: 'Have an owner raise the cap, or wait for the next UTC month.',
    },
    ar: {
      cause: 'بلغ الاستعمال الإضافي سقف الإنفاق الشهري.',
      remedy: 'اطلب من مالك الحساب رفع السقف، أو انتظر الشهر القادم بالتوقيت العالمي.',
    },
  },
  project_cap_exceeded: {
    en: {
      cause: "The key's project has reached its monthly unit cap.",
      remedy: 'Raise the cap of the project, or use a key of another project.',
    },
    ar: {
      cause: 'بلغ مشروع المفتاح سقف وحداته الشهري.',
      remedy: 'ارفع سقف المشروع، أو استعمل مفتاحًا لمشروع آخر.',
    },
  },
  internal_error: {
    en: {
      cause: 'The service failed (500), or a datastore is unavailable (503). The request was not charged.',
      remedy:
        'Retry with exponential backoff, and wait at least the seconds in `Retry-After`. Report the `request_id`.',
    },
    ar: {
      cause: 'تعطّلت الخدمة (500)، أو تعذّر الوصول إلى أحد مخازن البيانات (503). لم يُحتسب الطلب.',
      remedy: 'أعد المحاولة مع انتظار يطول في كل مرة، وبما لا يقل عن `Retry-After`. واذكر `request_id` عند الإبلاغ.',
    },
  },
};
