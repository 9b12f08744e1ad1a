/**
 * What the OpenAPI document says, sentence by sentence: in English as the definitions say it, and the same in Arabic. A sentence
 * that changes in a definition has no Arabic any more, and a test names it.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  // The document, its areas, and what many operations say.
  'Saudi rental and sale listings, deduplicated to one a property, with market data on top.':
    'إعلانات الإيجار والبيع في السعودية، إعلان واحد لكل عقار بعد حذف المكرر، ومعها بيانات السوق.',
  'Prices are asking prices.': 'الأسعار هي الأسعار المعروضة.',
  'Send your key as `Authorization: Bearer <API_KEY>`.': 'أرسل مفتاحك هكذا: `Authorization: Bearer <API_KEY>`.',
  'Reference data': 'البيانات المرجعية',
  Listings: 'الإعلانات',
  'Market data': 'بيانات السوق',
  Analytics: 'التحليلات',
  'Off-plan projects': 'المشاريع على الخارطة',
  'Official open data': 'البيانات المفتوحة الرسمية',
  Exports: 'عمليات التصدير',
  Administration: 'الإدارة',
  Service: 'الخدمة',
  'Valid values of parameters: cities, neighborhoods and enumerations, and the limits of a key.':
    'القيم المقبولة في المعاملات: المدن والأحياء والقوائم الثابتة، وحدود المفتاح.',
  'Search, count and read rental and sale listings.': 'البحث في إعلانات الإيجار والبيع وعدّها وقراءتها.',
  'Statistics of asking prices, supply and vacancy by city and neighborhood.':
    'إحصاءات الأسعار المعروضة والمعروض والشواغر حسب المدينة والحي.',
  'Valuation of a listing or property against comparable listings, and trends over time.':
    'تقييم إعلان أو عقار مقارنةً بإعلانات مشابهة، واتجاهات الأسعار مع الوقت.',
  'Developments under construction, their developers and their units.': 'مشاريع قيد الإنشاء ومطوروها ووحداتها.',
  'Registered deals, rents and indexes that public authorities publish.':
    'الصفقات والإيجارات المسجَّلة والمؤشرات التي تنشرها الجهات الحكومية.',
  'Whole datasets as files.': 'مجموعات بيانات كاملة في ملفات.',
  'Keys, members, usage, webhooks and audit events of an organization.':
    'مفاتيح المنشأة وأعضاؤها واستخدامها وإشعاراتها وسجل عملياتها.',
  'Takes an admin key.': 'تتطلب مفتاحًا إداريًا.',
  'Health of the service and its description.': 'حالة الخدمة ووصفها.',
  'Facts for programs, by code.': 'بيانات يعتمد عليها البرنامج في معالجة الخطأ، بحسب رمزه.',
  'New details may be added.': 'وقد تضاف بيانات جديدة.',
  Success: 'نجح الطلب',
  'A data key, `svc_live_...`, or a test key, `svc_test_...`.':
    'مفتاح بيانات `svc_live_...`، أو مفتاح اختبار `svc_test_...`.',
  'An admin key, `svc_admin_...`.': 'مفتاح إداري `svc_admin_...`.',
  'Any data key.': 'يكفي أي مفتاح بيانات.',
  'Scope `listings`, from the Free plan.': 'الصلاحية `listings`، بدءًا من باقة Free.',
  'Scope `market`, from the Starter plan.': 'الصلاحية `market`، بدءًا من باقة Starter.',
  'Scope `analytics`, from the Growth plan.': 'الصلاحية `analytics`، بدءًا من باقة Growth.',
  'Scope `projects`, from the Pro plan.': 'الصلاحية `projects`، بدءًا من باقة Pro.',
  'Costs 0 units.': 'التكلفة بالوحدات: 0.',
  'Costs 1 unit.': 'التكلفة بالوحدات: 1.',
  'Costs 10 units.': 'التكلفة بالوحدات: 10.',
  'Costs 15 units.': 'التكلفة بالوحدات: 15.',
  'Costs 1 unit per 10 results asked for with `limit`.': 'التكلفة بالوحدات: 1 لكل 10 نتائج مطلوبة في `limit`.',
  'Costs 2 units per 10 results asked for with `limit`.': 'التكلفة بالوحدات: 2 لكل 10 نتائج مطلوبة في `limit`.',
  'Costs 1 unit per 10 ids.': 'التكلفة بالوحدات: 1 لكل 10 معرّفات.',
  'Of live listings updated in the last 30 days, without those whose price or size is implausible.':
    'من الإعلانات القائمة التي حُدّثت خلال آخر 30 يومًا، دون ما كان سعره أو مساحته غير معقول.',
  '`small_sample` marks figures that rest on few listings.':
    'تدل العلامة `small_sample` على أن الأرقام تستند إلى إعلانات قليلة.',

  // Headers.
  'Id of the request, `req_<hex>`.': 'معرّف الطلب، وصيغته `req_<hex>`.',
  'Units a minute.': 'عدد الوحدات في الدقيقة.',
  'Units left in the last minute.': 'الوحدات المتبقية في الدقيقة الأخيرة.',
  'Seconds until units come back.': 'الثواني إلى أن تعود الوحدات.',
  'Units this request was charged.': 'الوحدات التي احتُسبت على هذا الطلب.',
  'Units a month; absent on unlimited plans.': 'عدد الوحدات في الشهر؛ ولا تُرسل في الباقات غير المحدودة.',
  'Units left this month; absent on unlimited plans.': 'الوحدات المتبقية هذا الشهر؛ ولا تُرسل في الباقات غير المحدودة.',
  'Seconds until the month ends (UTC); absent on unlimited plans.':
    'الثواني إلى نهاية الشهر (بالتوقيت العالمي)؛ ولا تُرسل في الباقات غير المحدودة.',
  'Seconds to wait before trying again.': 'الثواني التي ينبغي انتظارها قبل المحاولة من جديد.',
  'Where something that was asked for is deprecated: since when, as `@` and epoch seconds (RFC 9745).':
    'إذا كان شيء مما طُلب في طور الإيقاف التدريجي: منذ متى، وذلك علامة `@` تتبعها ثواني يونكس (RFC 9745).',
  'Until when it works at least (RFC 8594).': 'إلى متى يعمل على الأقل (RFC 8594).',
  'Where in the changelog that is explained.': 'موضع شرح ذلك في سجل التغييرات.',

  // Errors.
  'Branch on this.': 'ابنِ قرارك على هذا.',
  'Codes are never renamed; new ones may come.': 'الرموز لا يتغير اسمها أبدًا، وقد تضاف رموز جديدة.',
  'For people; may change.': 'مكتوبة للناس وقد تتغير.',
  'The parameter at fault.': 'المعامل الذي فيه الخطأ.',

  // Reference data.
  Cities: 'المدن',
  'The cities covered.': 'المدن المشمولة.',
  '`slug` is what every `city` parameter takes.': 'والاسم المختصر `slug` هو ما يقبله كل معامل `city`.',
  'City slug from `GET /cities`.': 'الاسم المختصر للمدينة من `GET /cities`.',
  'Neighborhoods of a city': 'أحياء مدينة',
  'The neighborhoods of a city with their stable ids, names and approximate centers.':
    'أحياء المدينة بمعرّفاتها الثابتة وأسمائها ومراكزها التقريبية.',
  'Sides of a city': 'جهات مدينة',
  "The sides of a city that its neighborhoods' `direction_id` name.":
    'جهات المدينة التي يشير إليها `direction_id` في أحيائها.',
  'Allowed values': 'القيم المقبولة',
  'The allowed values of every enumerated filter and field.': 'القيم المقبولة لكل مرشح أو حقل قيمُه محصورة.',
  '`names` has their names in both languages under the same keys; `price_frequencies` are those of `price.as_posted`, where `total` is the price of a sale and `per_sqm` a price for each square meter.':
    'في `names` أسماؤها باللغتين تحت المفاتيح نفسها؛ أما `price_frequencies` فهي قيم `price.as_posted`، حيث `total` سعر البيع كاملًا و`per_sqm` سعر المتر المربع.',
  'Sources are named as they are.': 'تُذكر المصادر بأسمائها كما هي.',
  '`webhook_filters` are the filters that a webhook may have: all but those whose result changes with time alone.':
    'أما `webhook_filters` فهي المرشحات التي يمكن أن تكون لإشعار الويب، وهي كل المرشحات إلا ما تتغير نتيجته بمرور الوقت وحده.',
  'Limits of the calling key': 'حدود المفتاح المستعمل',
  'The plan, rate limit, monthly quota, page size and paging depth of the calling key, and the APIs it can reach.':
    'باقة المفتاح الذي أُرسل به الطلب، وحده في الدقيقة، وحصته الشهرية، وحجم صفحته، وعمق تصفحه، وأجزاء الواجهة التي يصل إليها.',
  '`free_calls_per_minute` limits the calls of the key that cost 0 units.':
    'يحدد `free_calls_per_minute` عدد طلبات المفتاح التي تكلف 0 وحدة.',
  '`free_bytes_per_minute` limits the bytes that its `GET` requests of 0 units receive, after compression.':
    'ويحدد `free_bytes_per_minute` عدد البايتات التي تستلمها طلبات `GET` التي تكلف 0 وحدة، بعد الضغط.',
  'Requests over either limit receive 429 `rate_limited` with `Retry-After`.':
    'وعند تجاوز أي من الحدين يعود الرد 429 بالرمز `rate_limited` مع `Retry-After`.',
  'Each server of the service counts separately.': 'ويحسب كل خادم من خوادم الخدمة على حدة.',

  // Listings.
  'Search listings': 'البحث في الإعلانات',
  'Listings of one city and listing type that match all filters, without those whose price or size is implausible.':
    'إعلانات مدينة واحدة ونوع عرض واحد تطابق كل المرشحات، دون ما كان سعره أو مساحته غير معقول.',
  'There is no total: use `GET /v1/listings/count` with the same filters.':
    'لا يُذكر العدد الكلي، فاستعمل `GET /v1/listings/count` بالمرشحات نفسها.',
  'Whether the property is to rent or for sale.': 'هل العقار للإيجار أم للبيع.',
  'Any of these neighborhoods.': 'أي حي من هذه الأحياء.',
  'Listings with no neighborhood are dropped.': 'وتُستبعد الإعلانات التي لا حي لها.',
  'None of these neighborhoods.': 'ليس في أي حي من هذه الأحياء.',
  'Listings with no neighborhood are kept.': 'وتبقى الإعلانات التي لا حي لها.',
  'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees, borders included.':
    'مستطيل على الخريطة `min_lng,min_lat,max_lng,max_lat` بالدرجات، وحدوده منه.',
  'The literal `true` for any compound, `false` for none, otherwise a compound name.':
    'الكلمة `true` لأي مجمّع، و`false` لما ليس في مجمّع، وما عداهما اسم مجمّع.',
  'Whether the listing lies in a named compound.': 'هل يقع العقار في مجمّع له اسم.',
  'Residential or commercial.': 'سكني أو تجاري.',
  'Any of these property types.': 'أي نوع من أنواع العقار هذه.',
  'With exactly one, plausibility is calibrated for that type; otherwise over all types together.':
    'إذا ذُكر نوع واحد فقط قيست معقولية السعر والمساحة على ذلك النوع، وإلا فعلى الأنواع كلها معًا.',
  'Lowest comparable price in SAR: yearly rent, or the total of a sale.':
    'أدنى سعر للمقارنة بالريال: الإيجار السنوي، أو سعر البيع كاملًا.',
  'Highest comparable price in SAR: yearly rent, or the total of a sale.':
    'أعلى سعر للمقارنة بالريال: الإيجار السنوي، أو سعر البيع كاملًا.',
  'The period that the advertiser posted the rent for.': 'المدة التي نشر المعلن الإيجار عنها.',
  'Smallest area in square meters.': 'أصغر مساحة بالمتر المربع.',
  'Largest area in square meters.': 'أكبر مساحة بالمتر المربع.',
  'Exact number of bedrooms, one or several: 5 does not mean five or more.':
    'عدد غرف النوم بالضبط، قيمة واحدة أو عدة قيم: 5 لا تعني خمسًا فأكثر.',
  'Exact number of bathrooms, one or several.': 'عدد دورات المياه بالضبط، قيمة واحدة أو عدة قيم.',
  'Fewest bedrooms.': 'أقل عدد لغرف النوم.',
  'Most bedrooms.': 'أكثر عدد لغرف النوم.',
  'Fewest bathrooms.': 'أقل عدد لدورات المياه.',
  'Most bathrooms.': 'أكثر عدد لدورات المياه.',
  'Fewest living rooms.': 'أقل عدد للصالات.',
  'Amenities that must all be there.': 'مزايا يجب أن توجد كلها.',
  'Amenities none of which may be there.': 'مزايا يجب ألا توجد أي منها.',
  'Furnished or not, as stated; a listing that does not say is in neither.':
    'مفروش أو غير مفروش كما ذُكر؛ والإعلان الذي لا يذكر ذلك ليس من هذا ولا ذاك.',
  'Any of these floors.': 'أي دور من هذه الأدوار.',
  '`ground` and `upper` do not partition: a listing may be both, and one with no stated floor is in neither.':
    'القيمتان `ground` و`upper` ليستا قسمين متباينين: قد يكون الإعلان من كليهما، وما لم يُذكر دوره ليس من أي منهما.',
  'Greatest age of the building in years.': 'أكبر عمر للمبنى بالسنوات.',
  'Marked verified by its source.': 'وضع عليه مصدره علامة التوثيق.',
  '`false` means not marked, including listings the source said nothing about.':
    'والقيمة `false` تعني أنه بلا علامة، ومنه ما لم يقل المصدر عنه شيئًا.',
  'Updated at or after this moment, `YYYY-MM-DDThh:mm:ssZ` with seconds.':
    'حُدّث في هذه اللحظة أو بعدها، بالصيغة `YYYY-MM-DDThh:mm:ssZ` مع الثواني.',
  'Fewest whole days since the service first saw the listing.':
    'أقل عدد من الأيام الكاملة منذ أن رأت الخدمة الإعلان أول مرة.',
  'Most whole days since the service first saw the listing.':
    'أكثر عدد من الأيام الكاملة منذ أن رأت الخدمة الإعلان أول مرة.',
  "Any of these sources (the listing's own `source.name`).": 'أي مصدر من هذه المصادر (وهو `source.name` في الإعلان).',
  "None of these sources (the listing's own `source.name`).":
    'ليس من أي مصدر من هذه المصادر (وهو `source.name` في الإعلان).',
  'Names are not validated.': 'ولا يُتحقق من الأسماء.',
  "Whether a company or an individual advertises; `advertiser.type` keeps the source's own wording.":
    'هل المعلن شركة أم فرد؛ ويحتفظ `advertiser.type` بعبارة المصدر نفسها.',
  "Searches the advertiser's title and description.": 'يبحث في عنوان المعلن ووصفه.',
  'All words must appear, in either language; a "quoted phrase" matches whole; `|` between two terms means either.':
    'يجب أن ترد الكلمات كلها، بأي من اللغتين؛ و"العبارة بين علامتي تنصيص" تُطابق كاملة؛ و`|` بين كلمتين تعني أيًّا منهما.',
  'Names of places match in both languages and in their usual spellings, numbers in words match digits, and a word that appears nowhere matches within one edit.':
    'تُطابَق أسماء الأماكن باللغتين وبطرق كتابتها المعتادة، والأعداد المكتوبة بالحروف تطابق الأرقام، والكلمة التي لا ترد في أي إعلان تُطابَق مع اختلاف حرف واحد.',
  'A word that the text mentions as absent (`no pool`) does not match; `no pool` finds those texts.':
    'ولا تُطابَق كلمة يذكر النص أنها غير موجودة (`no pool`)، و`no pool` تجد تلك النصوص.',
  'Stop words such as `the` and `في` are ignored, so at least one other word is required.':
    'تُهمل كلمات الوقف مثل `the` و`في`، لذلك تلزم كلمة أخرى واحدة على الأقل.',
  'Exclusions (`-`), wildcards (`*`) and field names are not supported.':
    'لا يُدعم الاستبعاد (`-`) ولا أحرف البدل (`*`) ولا أسماء الحقول.',
  'Order of the results: `newest` (first seen latest first), `updated_asc` (updated longest ago first), `price_drop` (largest fall in percent first; only listings whose price fell), `recommended` (a ranking retuned between releases; do not sync with it), `price_asc` (lowest comparable price first), `price_desc` (highest comparable price first).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `updated_asc` (الأقدم تحديثًا أولًا)، `price_drop` (أكبر انخفاض بالنسبة المئوية أولًا؛ وفيه ما انخفض سعره فقط)، `recommended` (ترتيب يُضبط من إصدار إلى آخر؛ لا تزامن به)، `price_asc` (الأدنى سعرًا للمقارنة أولًا)، `price_desc` (الأعلى سعرًا للمقارنة أولًا).',
  'Order of the results: `newest` (first seen latest first), `updated_asc` (updated longest ago first), `modified_asc` (modified longest ago first, up to `pagination.watermark`; keeps an exact copy with `modified_since`), `price_drop` (largest fall in percent first; only listings whose price fell), `recommended` (a ranking retuned between releases; do not sync with it), `price_asc` (lowest comparable price first), `price_desc` (highest comparable price first).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `updated_asc` (الأقدم تحديثًا أولًا)، `modified_asc` (الأقدم تعديلًا أولًا، حتى `pagination.watermark`؛ وبه وبالمعامل `modified_since` تبقى نسختك مطابقة تمامًا)، `price_drop` (أكبر انخفاض بالنسبة المئوية أولًا؛ وفيه ما انخفض سعره فقط)، `recommended` (ترتيب يُضبط من إصدار إلى آخر؛ لا تزامن به)، `price_asc` (الأدنى سعرًا للمقارنة أولًا)، `price_desc` (الأعلى سعرًا للمقارنة أولًا).',
  "Rows a page, at most the plan's page size.": 'عدد الصفوف في الصفحة، وأقصاه حجم الصفحة في الباقة.',
  '`next_cursor` of the page before, with all other parameters as they were.':
    'قيمة `next_cursor` من الصفحة السابقة، وسائر المعاملات كما كانت.',
  'Count listings': 'عدّ الإعلانات',
  'How many listings a search with the same filters returns in all.':
    'كم إعلانًا يعيد البحث بالمرشحات نفسها في المجموع.',
  'Several listings by id': 'عدة إعلانات بمعرّفاتها',
  'Up to 100 listings in the order of `ids`; `missing_ids` lists those that are not live.':
    'حتى 100 إعلان بترتيب `ids`؛ وفي `missing_ids` ما لم يعد قائمًا منها.',
  'Listings that search excludes as implausible are returned with `in_search: false`.':
    'وتُعاد الإعلانات التي يستبعدها البحث لأنها غير معقولة وفيها `in_search: false`.',
  "Whether a search by the listing's `city` and `listing_type` alone returns it.":
    'هل يعيد البحثُ الإعلانَ بمدينته `city` ونوعه `listing_type` وحدهما.',
  '`false` for listings that search excludes as implausible or because they have no price.':
    'والقيمة `false` للإعلانات التي يستبعدها البحث لأنها غير معقولة أو بلا سعر.',
  'Listing ids.': 'معرّفات الإعلانات.',
  'One that is given twice is answered once.': 'والمعرّف المكرر يُجاب عنه مرة واحدة.',
  'One listing': 'إعلان واحد',
  'A live listing by id, also one that search leaves out as implausible.':
    'إعلان قائم بمعرّفه، وإن كان البحث يتركه لأنه غير معقول.',
  'Listing id.': 'معرّف الإعلان.',
  'Price history of a listing': 'تاريخ سعر الإعلان',
  'Every price a live listing has had, oldest first: the first one, then each change.':
    'كل سعر كان للإعلان القائم، الأقدم أولًا: السعر الأول ثم كل تغير.',
  'The Free plan sees the last 90 days (`history_window_days`); on paid plans the history is whole and `history_window_days` is null.':
    'ترى باقة Free آخر 90 يومًا (`history_window_days`)؛ أما في الباقات المدفوعة فالتاريخ كامل وقيمة `history_window_days` هي null.',
  'The comparable price in SAR: the rent of a year, or the total of a sale.':
    'السعر الصالح للمقارنة بالريال: إيجار سنة، أو سعر البيع كاملًا.',
  'Null when no price was posted, or the text shows that the posted amount is not the price of the whole; search never returns such a listing.':
    'وقيمته null إذا لم يُنشر سعر، أو إذا بيّن نص الإعلان أن المبلغ المنشور ليس سعر العقار كاملًا؛ ولا يعيد البحث إعلانًا كهذا أبدًا.',
  'What the service found that matters when the listing is compared with others.':
    'ما وجدته الخدمة في الإعلان مما يؤثر في مقارنته بغيره.',
  'Empty for most listings; the guide on statistics explains each value.':
    'وتكون فارغة لمعظم الإعلانات؛ ويشرح دليل الإحصاءات كل قيمة.',
  'Listings with any of these quality flags.': 'الإعلانات التي عليها أي من ملاحظات الجودة هذه.',
  'Listings with none of these quality flags.': 'الإعلانات التي ليس عليها أي من ملاحظات الجودة هذه.',
  "The advertiser's own amount and period; `total` is the price of a sale, `per_sqm` a price for each square meter.":
    'مبلغ المعلن ومدته كما كتبهما؛ `total` سعر البيع كاملًا، و`per_sqm` سعر المتر المربع.',
  'Null when no price was posted.': 'والقيمة null إذا لم يُنشر سعر.',
  'Null when the price has not changed.': 'القيمة null إذا لم يتغير السعر.',
  'Null, with `lng`, when the source gives no point.': 'القيمة null هنا وفي `lng` إذا لم يحدد المصدر نقطة.',
  'Null, with `lat`, when the source gives no point.': 'القيمة null هنا وفي `lat` إذا لم يحدد المصدر نقطة.',

  // Market data.
  'A market at a glance': 'السوق في لمحة',
  'Prices, areas and prices per square meter of a city, a neighborhood or any cohort of one, how fresh the listings are, and how many they are by property type, in the ten neighborhoods with most of them, and by source.':
    'الأسعار والمساحات وأسعار المتر المربع في مدينة أو حي أو أي شريحة منهما، ومدى حداثة الإعلانات، وعددها حسب نوع العقار، وفي الأحياء العشرة الأكثر إعلانات، وحسب المصدر.',
  'How prices are spread': 'توزع الأسعار',
  'Bins of one round width with percentiles and the mean.': 'فئات متساوية العرض بأرقام مقرَّبة، مع المئينات والمتوسط.',
  'The one in a hundred at either end may be in a bin that is open at that end (`from` or `to` null).':
    'وقد يقع الواحد من المئة عند كل طرف في فئة مفتوحة من ذلك الطرف (قيمة `from` أو `to` فيها null).',
  'How areas are spread': 'توزع المساحات',
  'Bins of one round width in square meters with percentiles and the mean, of the listings that state an area; `without_area_count` says how many do not, and shares are of those that do.':
    'فئات متساوية العرض بالمتر المربع بأرقام مقرَّبة، مع المئينات والمتوسط، للإعلانات التي تذكر مساحة؛ وفي `without_area_count` عدد ما لا يذكرها، والنسب مما يذكرها.',
  'New supply': 'المعروض الجديد',
  'New listings of the last 7 days beside the 7 before, and of the last 30 beside the 30 before.':
    'الإعلانات الجديدة في آخر 7 أيام إلى جانب الأيام 7 التي قبلها، وفي آخر 30 يومًا إلى جانب الأيام 30 التي قبلها.',
  'How long listings stay': 'مدة بقاء الإعلانات',
  'Days on the market as a proxy of vacancy (`method` says so): quartiles, the mean, and the shares of listings that have been advertised for 30, 60 and 90 days or more.':
    'أيام العرض في السوق بديلًا عن الشغور (كما يذكر `method`): الربيعيات والمتوسط، ونسب الإعلانات المعروضة منذ 30 و60 و90 يومًا أو أكثر.',
  'Neighborhoods by price': 'الأحياء حسب السعر',
  'Every neighborhood of the city that has listings of the cohort, the highest median price first.':
    'كل حي في المدينة فيه إعلانات من الشريحة، الأعلى وسيطًا للسعر أولًا.',
  'Listings without a neighborhood count in `sample_size` only.':
    'والإعلانات التي لا حي لها تدخل في `sample_size` فقط.',

  // Analytics.
  'What similar homes near a listing ask': 'أسعار المساكن المشابهة القريبة من إعلان',
  'The quartiles of asking prices of similar homes nearby.': 'ربيعيات الأسعار المعروضة للمساكن المشابهة القريبة.',
  '`direction` is `below` or `above` only when the 95% cluster-bootstrap interval of the median excludes the price, otherwise `inconclusive`; clusters are ads of one building, compound or advertiser.':
    'لا تكون قيمة `direction` هي `below` أو `above` إلا إذا كان السعر خارج فترة الثقة 95% للوسيط، المحسوبة بإعادة معاينة العناقيد، وإلا فهي `inconclusive`؛ والعنقود إعلانات مبنى واحد أو مجمّع واحد أو معلن واحد.',
  '`limited_evidence` marks bands that rest on little.': 'تدل العلامة `limited_evidence` على نطاق يستند إلى القليل.',
  'Where there is no band, `status` says why.': 'وحيث لا يوجد نطاق يذكر `status` السبب.',
  'The same listings give the same band.': 'والإعلانات نفسها تعطي النطاق نفسه.',
  'Not a valuation.': 'وليس تقييمًا عقاريًا.',
  'Where a listing stands in its market': 'موقع الإعلان من سوقه',
  'Compares with all other live listings of the same city, listing type, property type and bedrooms updated in the last 30 days, in the whole neighborhood and in the whole city, whatever their area and distance.':
    'المقارنة مع كل الإعلانات القائمة الأخرى في المدينة نفسها، من نوع العرض ونوع العقار نفسيهما وبعدد غرف النوم نفسه، التي حُدّثت خلال آخر 30 يومًا، في الحي كله وفي المدينة كلها، مهما كانت مساحتها وبُعدها.',
  'Comparables and deals look at listings nearby of about the same area; the price band at still more similar homes.':
    'أما المقارنات والفرص فتنظر إلى إعلانات قريبة بمساحة مقاربة؛ والنطاق السعري إلى مساكن أكثر شبهًا.',
  '`price_percentile` is the share of them that ask less, equals counted half.':
    'و`price_percentile` نسبة ما سعره أقل منها، ويُحسب المساوي نصفًا.',
  '`listing_in_sample` says whether the listing itself meets those conditions, so that it counts for others.':
    'ويبيّن `listing_in_sample` هل يستوفي الإعلان نفسه تلك الشروط، فيدخل في حساب غيره.',
  '`basis` says which of the two the first figures are of: the neighborhood where it has at least 10 listings, otherwise the city.':
    'ويبيّن `basis` عن أيهما الأرقام الأولى: الحي إن كان فيه 10 إعلانات على الأقل، وإلا فالمدينة.',
  'Listings like this one nearby': 'إعلانات مشابهة قريبة',
  'Compares with live listings of the same city, listing type and property type with two thirds to one and a half of the area, updated in the last 30 days: within 500 m and with as many bedrooms where there are at least 10, otherwise in wider circles up to 5 km and at last whatever their bedrooms (`criteria`).':
    'المقارنة مع إعلانات قائمة في المدينة نفسها، من نوع العرض ونوع العقار نفسيهما، مساحتها من ثلثي المساحة إلى مرة ونصف منها، وحُدّثت خلال آخر 30 يومًا: ضمن 500 م وبعدد غرف النوم نفسه إن كان فيها 10 على الأقل، وإلا ففي دوائر أوسع حتى 5 كم، ثم مهما كان عدد غرف النوم (`criteria`).',
  'The most alike come first: those with as many bedrooms, then by distance and area.':
    'والأشبه أولًا: ما فيه عدد غرف النوم نفسه، ثم حسب المسافة والمساحة.',
  'Where nothing can be compared, `unavailable_reason` says why.':
    'وحيث لا يمكن مقارنة شيء يذكر `unavailable_reason` السبب.',
  'Comparables to list.': 'عدد المقارنات المعروضة.',
  '`summary` counts all that meet the criteria.': 'أما `summary` فعن كل ما يستوفي المعايير.',
  'Gross rental yield by neighborhood': 'عائد الإيجار الإجمالي حسب الحي',
  'The median yearly rent over the median price of the same cohort for sale, in percent, highest first.':
    'وسيط الإيجار السنوي مقسومًا على وسيط سعر البيع للشريحة نفسها، بالنسبة المئوية، الأعلى أولًا.',
  'Before any costs.': 'وهو قبل أي تكاليف.',
  'Each property type has a yield of its own; the yield of a place is their mean, weighted by the smaller of the two samples, and its medians are weighted the same way.':
    'ولكل نوع عقار عائده؛ وعائد المكان متوسط عوائد أنواعه مرجحًا بالعينة الأصغر من الاثنتين، ويُرجَّح وسيطاه بالطريقة نفسها.',
  'Types with fewer than 10 listings to rent or for sale are left out: `by_type` states those that took part, and the sample sizes are theirs.':
    'ولا يدخل نوع فيه أقل من 10 إعلانات للإيجار أو للبيع: يذكر `by_type` الأنواع الداخلة، وأحجام العينات أحجام عيناتها.',
  'A neighborhood without a type is left out, and counted in `suppressed_neighborhoods`.':
    'ويُترك الحي الذي لا يدخل فيه نوع، ويُحسب في `suppressed_neighborhoods`.',
  'Property types that took part, each with its own medians.': 'أنواع العقار الداخلة، ولكل منها وسيطاه.',
  'Without a `property_type` it is of homes (apartment, villa, floor, duplex, townhouse, studio), or of everything commercial with `listing_category=commercial`; `property_types` says how many of each type are on either side.':
    'وبلا `property_type` يكون عن المساكن (شقة وفيلا ودور ودوبلكس وتاون هاوس واستوديو)، أو عن كل ما هو تجاري مع `listing_category=commercial`؛ وفي `property_types` عدد كل نوع في كل جانب.',
  'Give `beds` where it differs: otherwise the homes to rent are others than those for sale.':
    'واذكر `beds` حيث تختلف: فبغير ذلك تكون المساكن المعروضة للإيجار غير المعروضة للبيع.',
  'Neighborhoods side by side': 'مقارنة الأحياء',
  'Prices, areas, amenities, bedrooms and property types of two to five neighborhoods, in the order asked; for rentals the gross yield too, of the same listings as in `/market/rental-yield`: without a `property_type` of homes, by type (`rent_sample_size`, `sale_sample_size`).':
    'أسعار حيين إلى خمسة أحياء ومساحاتها ومزاياها وغرف النوم وأنواع العقار فيها، بالترتيب الذي طُلبت به؛ وللإيجار عائده الإجمالي أيضًا، من الإعلانات نفسها التي في `/market/rental-yield`: وبلا `property_type` من المساكن، لكل نوع وحده (`rent_sample_size` و`sale_sample_size`).',
  'Shares are of the sample.': 'والنسب من العينة.',
  'The 2 to 5 neighborhoods to compare, each once.': 'الأحياء التي تُقارن، من 2 إلى 5، كل منها مرة واحدة.',
  'Monthly medians from the listing history': 'الوسيط الشهري من سجل الإعلانات',
  'Month by month, oldest first: the median and quartiles of asking prices, and the median price per square meter, of listings as they were then.':
    'شهرًا شهرًا، الأقدم أولًا: وسيط الأسعار المعروضة وربيعياتها، ووسيط سعر المتر المربع، للإعلانات كما كانت وقتها.',
  'Withdrawn listings count; implausible prices do not, by the bounds of today.':
    'وتُحسب الإعلانات المسحوبة، ولا تُحسب الأسعار غير المعقولة بحدود اليوم.',
  "A month's `coverage` is `no_history` before the history begins (no data, which is not zero listings: its figures are null), `history_start` where it begins in the middle of the month (under `new_listings` the whole initial stock counts as new), `complete`, or `in_progress` for the current month.":
    'قيمة `coverage` للشهر هي `no_history` قبل بداية السجل (لا بيانات، وليس ذلك صفرًا من الإعلانات: أرقامه null)، و`history_start` إذا بدأ السجل في منتصفه (ومع `new_listings` يُحسب كل ما كان موجودًا حينها جديدًا)، و`complete` للكامل، و`in_progress` للشهر الحالي.',
  "`change_pct` of a month is its median against that of the month before, of a series the last complete month's against the first one's; only complete months are compared.":
    'و`change_pct` للشهر هو وسيطه قياسًا إلى وسيط الشهر الذي قبله، وللسلسلة وسيط آخر شهر كامل قياسًا إلى وسيط أول شهر كامل؛ ولا تُقارن إلا الأشهر الكاملة.',
  'One series for each of these neighborhoods, up to five; without it one series of the city.':
    'سلسلة لكل حي من هذه الأحياء، حتى خمسة؛ وبدونه سلسلة واحدة للمدينة.',
  '`on_market`: listings live at any point of a month, at their price when the month ended, or when last seen if they went earlier.':
    '`on_market`: الإعلانات التي كانت قائمة في أي وقت من الشهر، بسعرها في نهايته، أو عند آخر ظهور لها إن زالت قبل ذلك.',
  '`new_listings`: listings first seen in a month, at their first price.':
    '`new_listings`: الإعلانات التي ظهرت أول مرة في الشهر، بسعرها الأول.',
  'Calendar months (UTC) up to the current one, which counts as one.':
    'عدد الأشهر الميلادية (بالتوقيت العالمي) حتى الشهر الحالي، وهو واحد منها.',
  'Residential listings at least 20% below their `comparison`, biggest `gap_pct` first.':
    'إعلانات سكنية تقل 20% على الأقل عن `comparison`، والأكبر `gap_pct` أولًا.',

  // Off-plan projects.
  'Search off-plan projects': 'البحث في المشاريع على الخارطة',
  'Developments under construction or newly built that match all filters.':
    'مشاريع تطوير قيد الإنشاء أو حديثة البناء تطابق كل المرشحات.',
  'One development is one project, on however many sources it is found: `also_listed_on` names the others.':
    'والتطوير العقاري الواحد مشروع واحد، في أي عدد من المصادر وُجد: وفي `also_listed_on` أسماء بقيتها.',
  'Prices are those that the developer names.': 'الأسعار هي ما يذكره المطوّر.',
  'Projects with no neighborhood are dropped.': 'وتُستبعد المشاريع التي لا حي لها.',
  'Any of these statuses of the project.': 'أي حالة من حالات المشروع هذه.',
  'Any of these developers, from `GET /developers`.': 'أي مطوّر من هؤلاء المطورين، من `GET /developers`.',
  'Projects with units at this price in SAR or above, by the range that the developer names.':
    'مشاريع فيها وحدات بهذا السعر بالريال أو أعلى، حسب المدى الذي يذكره المطوّر.',
  'Projects with units at this price in SAR or below, by the range that the developer names.':
    'مشاريع فيها وحدات بهذا السعر بالريال أو أقل، حسب المدى الذي يذكره المطوّر.',
  'Delivered in this month or later, `YYYY-MM`.': 'التسليم في هذا الشهر أو بعده، بالصيغة `YYYY-MM`.',
  'Delivered in this month or earlier, `YYYY-MM`.': 'التسليم في هذا الشهر أو قبله، بالصيغة `YYYY-MM`.',
  'Features that the project must all have.': 'خصائص يجب أن تكون كلها في المشروع.',
  'Banks that must all finance units of the project.': 'بنوك يجب أن تموّل كلها وحدات المشروع.',
  'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees that the point of the project lies in.':
    'مستطيل على الخريطة `min_lng,min_lat,max_lng,max_lat` بالدرجات تقع فيه نقطة المشروع.',
  'Order of the results: `newest` (first seen latest first), `delivery` (earliest delivery first; only projects with a delivery date), `price_asc` (lowest price first; only projects with a price), `price_desc` (highest price first; only projects with a price).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `delivery` (الأقرب تسليمًا أولًا؛ وفيه ما له تاريخ تسليم فقط)، `price_asc` (الأدنى سعرًا أولًا؛ وفيه ما له سعر فقط)، `price_desc` (الأعلى سعرًا أولًا؛ وفيه ما له سعر فقط).',
  'Null where no source names one.': 'القيمة null حيث لا يذكره أي مصدر.',
  'The range that the developer names, in SAR, of a whole unit.': 'المدى الذي يذكره المطوّر بالريال للوحدة كاملة.',
  'The day by which it is to be delivered, `YYYY-MM-DD`.': 'اليوم الذي يُسلَّم المشروع حتى حلوله، بالصيغة `YYYY-MM-DD`.',
  'One off-plan project': 'مشروع واحد على الخارطة',
  'A project with its texts, its boundary as GeoJSON, its amenities, and a summary of the units that are on the market now.':
    'مشروع بنصوصه، وحدوده بصيغة GeoJSON، ومزاياه، وملخص الوحدات المعروضة منه الآن.',
  'Prices of the project are those that the developer names; those in `unit_summary` are asking prices of listings.':
    'أسعار المشروع هي ما يذكره المطوّر؛ أما ما في `unit_summary` فهو الأسعار المعروضة في الإعلانات.',
  'Project id.': 'معرّف المشروع.',
  'GeoJSON (RFC 7946), longitude first; null where no source gives a valid one.':
    'بصيغة GeoJSON (RFC 7946)، خط الطول أولًا؛ والقيمة null حيث لا يعطي أي مصدر حدودًا صحيحة.',
  "The project's units on the market now, at asking prices: what `GET /v1/projects/{id}/units` returns.":
    'وحدات المشروع المعروضة الآن بأسعارها المعروضة: ما تعيده `GET /v1/projects/{id}/units`.',
  'Units of one off-plan project': 'وحدات مشروع واحد على الخارطة',
  'Listings that are units of the project, for sale and to rent.': 'إعلانات هي وحدات من المشروع، للبيع وللإيجار.',
  'They are left out when implausible, as in any search.': 'ويُترك منها غير المعقول كما في أي بحث.',
  'Search units of off-plan projects': 'البحث في وحدات المشاريع على الخارطة',
  'Listings of one city that are units of an off-plan project, by what they are themselves and by what their project is.':
    'إعلانات مدينة واحدة هي وحدات من مشروع على الخارطة، بصفاتها هي وبصفات مشروعها.',
  'Any of these projects.': 'أي مشروع من هذه المشاريع.',
  'Developers of off-plan projects': 'مطورو المشاريع على الخارطة',
  'Developers with projects that are served, most projects first, with how many there are of each status and in each city.':
    'المطورون الذين لهم مشاريع متاحة، الأكثر مشاريع أولًا، مع عددها في كل حالة وفي كل مدينة.',
  'City slug from `GET /cities`: developers with a project there.':
    'الاسم المختصر للمدينة من `GET /cities`: من له مشروع فيها من المطورين.',
  'Most projects first.': 'الأكثر مشاريع أولًا.',

  // Official open data.
  'Registered sale deals': 'صفقات البيع المسجَّلة',
  'Sale deals of one city as the justice ministry registered and published them, newest month first.':
    'صفقات البيع في مدينة واحدة كما سجلتها وزارة العدل ونشرتها، الشهر الأحدث أولًا.',
  'A deal is dated to the month.': 'تاريخ الصفقة هو شهرها.',
  'Districts are matched to neighborhoods; where that was not possible `ministry_district_ar` is all there is.':
    'وتُطابق المناطق في بيانات الوزارة مع الأحياء؛ وحيث لم يمكن ذلك لا يوجد إلا `ministry_district_ar`.',
  'Plan, parcel and deed numbers are not kept.': 'ولا تُحفظ أرقام المخططات والقطع والصكوك.',
  'Open government data, available on every plan.': 'بيانات حكومية مفتوحة متاحة في كل الباقات.',
  'Keep the `attribution` with the data.': 'أبقِ `attribution` مع البيانات.',
  'Deals whose district is not matched to one are dropped.': 'وتُستبعد الصفقات التي لم تُطابق منطقتها مع حي.',
  'What the land is registered for: any of these.': 'ما سُجّلت الأرض له: أي مما يُذكر.',
  'Registered in this month or later, `YYYY-MM`.': 'سُجّلت في هذا الشهر أو بعده، بالصيغة `YYYY-MM`.',
  'Registered in this month or earlier, `YYYY-MM`.': 'سُجّلت في هذا الشهر أو قبله، بالصيغة `YYYY-MM`.',
  'Lowest price in SAR.': 'أدنى سعر بالريال.',
  'Highest price in SAR.': 'أعلى سعر بالريال.',
  'Lowest price per square meter in SAR.': 'أدنى سعر للمتر المربع بالريال.',
  'Highest price per square meter in SAR.': 'أعلى سعر للمتر المربع بالريال.',
  'Registered sale deals by quarter and land-use class': 'صفقات البيع المسجَّلة حسب الربع وتصنيف استعمال الأرض',
  'Number of deals, and median and quartiles of price and price per square meter, per calendar quarter and land-use class: of a city, of a set of neighborhoods together (`neighborhood_id`), or of each neighborhood (`group_by=neighborhood`; deals without a matched neighborhood are in none).':
    'عدد الصفقات، ووسيط السعر وسعر المتر المربع وربيعياتهما، لكل ربع ميلادي وتصنيف لاستعمال الأرض: لمدينة، أو لمجموعة أحياء معًا (`neighborhood_id`)، أو لكل حي (`group_by=neighborhood`؛ والصفقات التي لم تُطابق مع حي ليست في أي منها).',
  'A response can have megabytes: send `Accept-Encoding: br` or `gzip`, as `GET /limits` states how many bytes a key receives in a minute.':
    'قد يبلغ حجم الرد عدة ميغابايت: أرسل `Accept-Encoding: br` أو `gzip`، فالنقطة `GET /limits` تذكر عدد البايتات المسموح بها للمفتاح في الدقيقة.',
  'A quartile is the value at its rank, and the mean of two where the rank falls between them.':
    'والربيع هو القيمة عند رتبته، ومتوسط القيمتين إذا وقعت الرتبة بينهما.',
  'Cells under `min_sample_size` keep the count and have no prices.':
    'والخلايا التي دون `min_sample_size` تحتفظ بالعدد ولا أسعار فيها.',
  '`city`: one cell for all deals that are asked for.': '`city`: خلية واحدة لكل الصفقات المطلوبة.',
  '`neighborhood`: one for each neighborhood.': '`neighborhood`: خلية لكل حي.',
  'First quarter, `YYYY-Qn`.': 'الربع الأول بالصيغة `YYYY-Qn`.',
  'Defaults to a range of 12 quarters.': 'القيمة الافتراضية مدى من 12 ربعًا.',
  'The range is limited to 40 quarters.': 'والحد الأقصى للمدى 40 ربعًا.',
  'Last quarter, `YYYY-Qn`.': 'الربع الأخير، بالصيغة `YYYY-Qn`.',
  'Defaults to the latest published quarter.': 'القيمة الافتراضية أحدث ربع منشور.',
  'Minimum number of deals or contracts of a cell with amounts, at least 5.':
    'أدنى عدد للصفقات أو العقود في الخلية التي تُعرض مبالغها، ولا يقل عن 5.',
  'Registered land prices by quarter': 'أسعار الأراضي المسجَّلة حسب الربع',
  'Returns the median price per square meter of residential or commercial plots per calendar quarter, for a city or for up to 20 neighborhoods, with the change from the previous quarter and from the same quarter of the previous year, in percent.':
    'يعيد وسيط سعر المتر المربع للأراضي السكنية أو التجارية لكل ربع ميلادي، لمدينة أو لما يصل إلى 20 حيًّا، مع نسبة التغير عن الربع السابق وعن الربع نفسه من السنة السابقة.',
  'Changes are calculated between points that have a price and the same `coverage_flag`, never from or to an `incomplete` quarter.':
    'ويُحسب التغير بين نقطتين لكل منهما سعر ولهما `coverage_flag` نفسه، ولا يُحسب من ربع `incomplete` ولا إليه.',
  'Quarters whose source files state no land-use class have no point: `coverage.notes` lists them.':
    'ولا نقطة للأرباع التي لا تذكر ملفات مصدرها تصنيف استعمال الأرض، وهي مذكورة في `coverage.notes`.',
  'Neighborhood ids, up to 20, each with its own series.': 'معرّفات أحياء، حتى 20 حيًّا، لكل منها سلسلة.',
  'Defaults to one series of the city.': 'القيمة الافتراضية سلسلة واحدة للمدينة.',
  'Registered use of the plots.': 'الاستعمال المسجَّل للأراضي.',
  'Registered rents': 'الإيجارات المسجَّلة',
  'Returns the mean yearly rents of contracts that the regulator registered and published, by town or neighborhood and property type, for one quarter.':
    'يعيد متوسط الإيجار السنوي للعقود التي سجلتها الجهة المنظِّمة ونشرتها، حسب البلدة أو الحي ونوع العقار، لربع واحد.',
  'Figures are means, not medians, with the number of contracts.': 'والأرقام متوسطات لا وسيطات، ومعها عدد العقود.',
  'The regulator publishes offices, shops and showrooms per square meter: `mean_rent_sar` is null for them, and `mean_rent_per_sqm_sar` is the yearly rent per square meter.':
    'وتنشر الجهة المنظِّمة إيجار المكاتب والمحلات والمعارض للمتر المربع: فتكون `mean_rent_sar` لها null، وتكون `mean_rent_per_sqm_sar` الإيجار السنوي للمتر المربع.',
  'Cells of fewer than `min_sample_size` contracts are not returned, and `coverage` counts them.':
    'ولا تُعاد الخلايا التي يقل عدد عقودها عن `min_sample_size`، ويذكر `coverage` عددها.',
  '`city_totals` cover every contract counted and do not depend on `min_sample_size`; totals of fewer than 5 contracts have no means.':
    'وتشمل `city_totals` كل عقد محسوب ولا تتأثر بقيمة `min_sample_size`؛ ولا متوسط للإجماليات التي يقل عدد عقودها عن 5.',
  "A cell without a matched neighborhood has the publisher's own names.":
    'والخلية التي لم يُطابَق حيها تحمل الأسماء كما نشرها الناشر.',
  'Neighborhood ids.': 'معرّفات أحياء.',
  'Cells without a matched neighborhood are not returned.': 'ولا تُعاد الخلايا التي لم يُطابَق حيها.',
  'Property types.': 'أنواع العقارات.',
  'Defaults to all.': 'القيمة الافتراضية الكل.',
  'Quarter, `YYYY-Qn`.': 'ربع سنة بالصيغة `YYYY-Qn`.',
  "The statistics office's real-estate price index": 'مؤشر أسعار العقار من هيئة الإحصاء',
  'Returns the quarterly real-estate price index of the statistics office for the region of the city, or for the Kingdom without `city`.':
    'يعيد مؤشر أسعار العقار الربعي لهيئة الإحصاء لمنطقة المدينة، أو للمملكة بدون `city`.',
  'Values are relative to `base_year` = 100 and comparable only within one base.':
    'والقيم منسوبة إلى `base_year` = 100 ولا تُقارن إلا ضمن سنة الأساس نفسها.',
  'Changes are as published, in percent.': 'والتغيرات كما نُشرت، بالنسبة المئوية.',
  "The index is not calculated from the ministry's deals: every published point is `full`, and `coverage.notes` lists missing quarters.":
    'ولا يُحسب المؤشر من صفقات الوزارة: فكل نقطة منشورة `full`، وتُذكر الأرباع الناقصة في `coverage.notes`.',
  'City slug, which selects its region.': 'الاسم المختصر للمدينة، ويحدد منطقتها.',
  'Defaults to the Kingdom.': 'القيمة الافتراضية المملكة.',
  'Items of the index.': 'بنود المؤشر.',
  'Defaults to all items published for the region.': 'القيمة الافتراضية كل البنود المنشورة للمنطقة.',
  'Published releases of the property index': 'الإصدارات المنشورة لمؤشر العقار',
  "The service's own index of prices and rents, published once a month as a numbered release that never changes; a correction is a new revision with a `note`.":
    'مؤشر الخدمة نفسها للأسعار والإيجارات، يُنشر مرة في الشهر إصدارًا مرقّمًا لا يتغير أبدًا؛ والتصحيح مراجعة جديدة معها `note`.',
  'Each series is an index of matched neighborhoods: only neighborhoods with deals in both periods are compared, so that a change of mix is no change of price.':
    'كل سلسلة مؤشر للأحياء المتناظرة: لا يُقارن إلا الحي الذي فيه صفقات في الفترتين معًا، فلا يظهر تغيّر المزيج كأنه تغيّر في السعر.',
  '`method` states how periods are linked: `chained_tornqvist` links each period to the one before, `geks_tornqvist` compares each with every other and has no chain drift.':
    'يبيّن `method` طريقة ربط الفترات: `chained_tornqvist` يربط كل فترة بالتي قبلها، و`geks_tornqvist` يقارن كل فترة بجميع الفترات الأخرى ولا ينحرف بالتسلسل.',
  'Version of the method of this series.': 'إصدار الطريقة المستخدمة في هذه السلسلة.',
  'Points of different versions are not comparable.': 'لا تصح المقارنة بين نقاط إصدارين مختلفين.',
  'What this version changes; null for a first version.': 'ما الذي يغيّره هذا الإصدار؛ وقيمته null في الإصدار الأول.',
  'It is 100 in `base_period`.': 'وقيمته 100 في `base_period`.',
  '`rent_registered`: Contracted rent of apartments (`rent_index`).':
    '`rent_registered`: إيجار الشقق في العقود (`rent_index`).',
  '`land_registered`: Registered prices of residential and commercial plots per square meter: unit values, not quality-adjusted (`land_price_index`).':
    '`land_registered`: الأسعار المسجَّلة لمتر الأراضي السكنية والتجارية: قيم متوسطة للمتر غير معدَّلة بحسب الجودة (`land_price_index`).',
  '`home_registered`: Registered prices of apartments and floors, a square meter of deed area (`home_price_index`).':
    '`home_registered`: الأسعار المسجَّلة للشقق والأدوار، للمتر المربع من مساحة الصك (`home_price_index`).',
  "`residential_land_registered`: Prices per square meter of the deals in the ministry's class residential, as `/transactions` serves them: unit values, not quality-adjusted (`land_price_index`).":
    '`residential_land_registered`: سعر المتر في الصفقات المصنفة سكنية لدى الوزارة كما تعرضها `/transactions`: قيم متوسطة للمتر غير معدَّلة بحسب الجودة (`land_price_index`).',
  "`rent_asking`: Asking rent of apartments among this service's listings (`rent_index`).":
    '`rent_asking`: الإيجار المعروض للشقق في إعلانات هذه الخدمة (`rent_index`).',
  "`price_source` is `asking` when every series returned is built on this service's listings, otherwise `registered`; each series states its own.":
    'وتكون `price_source` بقيمة `asking` إذا كانت كل السلاسل المعادة مبنية على إعلانات هذه الخدمة، وإلا فهي `registered`؛ ولكل سلسلة مصدرها.',
  '`interval` is the 95% interval by sampling of neighborhoods.': 'و`interval` هي فترة الثقة 95% بمعاينة الأحياء.',
  'A city has a land or home series only with at least 500 deals in every quarter and a stable index, that is, one whose changes are known to within 10% on average and that ends within 10% of a direct comparison of its first and last period (`chain_drift_pct`); `cities_without_series` says which have none, and every city counts in the national series.':
    'لا تُنشر سلسلة أراضٍ أو مساكن لمدينة إلا إذا بلغت صفقاتها 500 على الأقل في كل ربع وكان مؤشرها مستقرًا، أي أن تغيّراته معروفة بهامش 10% في المتوسط وينتهي ضمن 10% من مقارنة مباشرة بين أول فترة وآخرها (`chain_drift_pct`)؛ ويبيّن `cities_without_series` المدن التي لا سلسلة لها، وتدخل جميع المدن في السلسلة الوطنية.',
  '`sample_size` are all deals (contracts, listings) of a period, `matched_sample_size` those that were compared.':
    'و`sample_size` كل صفقات الفترة (أو عقودها أو إعلاناتها)، و`matched_sample_size` ما قورن منها.',
  "`attribution` is null when every series returned is built on the regulator's indicators or on this service's listings.":
    'وقيمة `attribution` هي null إذا كانت كل السلاسل في الجواب مبنية على مؤشرات الجهة المنظِّمة أو على إعلانات هذه الخدمة.',
  'Month, for example `2026-11`, which selects its last revision, or one revision, for example `2026-11-r1`.':
    'شهر، مثل `2026-11`، ويعني آخر مراجعة له، أو مراجعة بعينها، مثل `2026-11-r1`.',
  'Defaults to the latest release.': 'القيمة الافتراضية أحدث إصدار.',
  'Selects the national series or those of cities.': 'السلاسل الوطنية أو سلاسل المدن.',
  'Defaults to both.': 'القيمة الافتراضية كلتاهما.',
  'Selects the series of this city.': 'سلاسل هذه المدينة فقط.',
  'Kinds of series.': 'أنواع السلاسل.',
  'Properties of the series.': 'العقارات التي تشملها السلاسل.',

  // Exports.
  'Create an export': 'إنشاء تصدير',
  'Has a whole dataset written to files of at most 25,000 rows, gzipped, 2,000,000 rows in all.':
    'تُكتب مجموعة بيانات كاملة في ملفات مضغوطة بصيغة gzip، لا يزيد كل منها على 25,000 صف، و2,000,000 صف في المجموع.',
  'It starts within about a minute; ask for it by its id until its `status` is `completed`.':
    'يبدأ التصدير خلال نحو دقيقة؛ فاسأل عنه بمعرّفه حتى يصبح `status` هو `completed`.',
  'Listing datasets need the Enterprise plan and cost 100 units per 1,000 rows, begun or full, once: rows are counted before writing, and units are taken from the month and not from the minute.':
    'تحتاج مجموعات الإعلانات إلى باقة Enterprise وتكلف 100 وحدة لكل 1,000 صف، تامة أو غير تامة، مرة واحدة: تُعدّ الصفوف قبل الكتابة، وتؤخذ الوحدات من الشهر لا من الدقيقة.',
  'Open-data datasets are free and for any data key.': 'ومجموعات البيانات المفتوحة مجانية لأي مفتاح بيانات.',
  'A failed export costs nothing.': 'والتصدير الذي يفشل لا يكلف شيئًا.',
  'At most 2 exports of an organization are under way at a time, and 20 are created a day.':
    'ولا يجري للمنشأة أكثر من 2 في الوقت نفسه، ولا يُنشأ أكثر من 20 في اليوم.',
  'A row of `ndjson` is exactly what the matching endpoint returns in `data`; `csv` has a column for each of its fields, with dots where it lies deeper.':
    'الصف في `ndjson` هو تمامًا ما تعيده العملية المقابلة في `data`؛ وفي `csv` عمود لكل حقل منه، وفي اسمه نقاط إذا كان الحقل أعمق.',
  '`listings`: every active listing that matches the filters of `GET /v1/listings`, written as JSON: numbers and booleans as such, several values as an array.':
    '`listings`: كل إعلان قائم يطابق مرشحات `GET /v1/listings` مكتوبة بصيغة JSON: الأعداد والقيم المنطقية كما هي، والقيم المتعددة مصفوفة.',
  '`listing_changes`: every created, price_changed and delisted event of a range of at most 366 days, each with the listing as it is now, or null.':
    '`listing_changes`: كل حدث created أو price_changed أو delisted ضمن مدة لا تزيد على 366 يومًا، ومع كل منها الإعلان كما هو الآن، أو null.',
  'Either the changes that happened at or after `from` and before `to` (`at` of the events), or those that were released at or after `released_from` and before `released_to` (`released_at`), for keeping a copy.':
    'إما التغيّرات التي حدثت عند `from` أو بعدها وقبل `to` (بحسب `at` في الأحداث)، وإما التي نُشرت عند `released_from` أو بعدها وقبل `released_to` (بحسب `released_at`) لتحديث نسخة لديك.',
  '`to` and `released_to` default to now; `city`, `listing_type`, `property_type` and `neighborhood_id` narrow it.':
    'القيمة الافتراضية لكل من `to` و`released_to` هي الآن، ويضيّق النتيجة `city` و`listing_type` و`property_type` و`neighborhood_id`.',
  'Start of the range of `at`, included.': 'بداية مدة `at`، وتدخل في النتيجة.',
  'End of the range of `at`, excluded.': 'نهاية مدة `at`، ولا تدخل في النتيجة.',
  'Defaults to now.': 'القيمة الافتراضية: الآن.',
  'Start of the range of `released_at`, included: the `watermark` of the previous export.':
    'بداية مدة `released_at`، وتدخل في النتيجة: قيمة `watermark` من التصدير السابق.',
  'End of the range of `released_at`, excluded.': 'نهاية مدة `released_at`، ولا تدخل في النتيجة.',
  'Defaults to all that is released.': 'القيمة الافتراضية: كل ما نُشر.',
  'Any of these quarters, `YYYY-Qn`.': 'أي من هذه الأرباع، بصيغة `YYYY-Qn`.',
  'Minimum number of contracts of a cell.': 'أقل عدد لعقود الخلية.',
  '`city` and `listing_type` take several values and default to all; `modified_since` makes an incremental snapshot, from the `watermark` of the manifest before; `updated_since` makes one by `updated_at`.':
    'يقبل `city` و`listing_type` عدة قيم، وبدونهما فالكل؛ و`modified_since` يقصر الملف على ما تغيّر منذ `watermark` في الملف التعريفي السابق؛ و`updated_since` يقصره بحسب `updated_at`.',
  '`registered_transactions`: registered sale deals, with the filters of `GET /v1/transactions` as JSON; `city` takes several values and defaults to all.':
    '`registered_transactions`: صفقات البيع المسجَّلة، بمرشحات `GET /v1/transactions` بصيغة JSON؛ ويقبل `city` عدة قيم، وبدونه فالكل.',
  '`registered_rents`: cells of registered rents, each with its city and period; `city`, `neighborhood_id`, `property_type` and `period` take several values and default to all, `min_sample_size` can be raised.':
    '`registered_rents`: خلايا الإيجارات المسجَّلة، كل منها مع مدينتها وفترتها؛ وتقبل `city` و`neighborhood_id` و`property_type` و`period` عدة قيم، وبدونها فالكل، ويمكن رفع `min_sample_size`.',
  'The exports of the organization, newest first, without links.': 'عمليات تصدير المنشأة، الأحدث أولًا، دون روابط.',
  'Records are kept for 90 days.': 'تُحفظ سجلاتها 90 يومًا.',
  'One export': 'عملية تصدير واحدة',
  'How far an export is and, once it is completed, a link for each of its files.':
    'إلى أين وصل التصدير، ورابط لكل ملف من ملفاته بعد أن يكتمل.',
  'A link works for one hour; ask again for fresh ones.':
    'الرابط صالح ساعة واحدة؛ فاسأل مرة أخرى للحصول على روابط جديدة.',
  'Files are deleted 7 days after completion, and `files` is empty from then on.':
    'تُحذف الملفات بعد 7 أيام من اكتمالها، وتكون `files` خالية من ذلك الحين.',
  '`units` is what was charged.': 'و`units` ما احتُسب من الوحدات.',
  'Id of the export.': 'معرّف التصدير.',

  // Administration.
  'Your organization': 'منشأتك',
  'The organization of the calling admin key with the numbers of its plan and what it has used this month.':
    'المنشأة التي يتبعها المفتاح الإداري المستعمل، بأرقام باقتها وما استعملته هذا الشهر.',
  Keys: 'المفاتيح',
  'The keys of the organization, newest first, without their secrets.': 'مفاتيح المنشأة، الأحدث أولًا، دون أسرارها.',
  '`must_rotate` marks a key that was sent in a URL.': 'تدل العلامة `must_rotate` على مفتاح أُرسل في عنوان.',
  'Create a key': 'إنشاء مفتاح',
  'Makes a data key or a test key.': 'تنشئ مفتاح بيانات أو مفتاح اختبار.',
  '`secret` is shown in this answer only.': 'لا يظهر السر `secret` إلا في هذا الجواب.',
  'Send an `Idempotency-Key`, so that a retry does not make a second key.':
    'أرسل الترويسة `Idempotency-Key`، فلا تنشئ الإعادة مفتاحًا ثانيًا.',
  'Admin keys are made by an owner, not over the API.': 'المفاتيح الإدارية ينشئها المالك، لا الواجهة البرمجية.',
  'An admin key gives 403 `forbidden_action`.': 'طلب مفتاح إداري جوابه 403 بالرمز `forbidden_action`.',
  'The APIs the key is limited to; null or absent: all that the plan has.':
    'أجزاء الواجهة التي يقتصر عليها المفتاح؛ وإن كانت القيمة null أو لم تُرسل فكل ما في الباقة.',
  'ISO 8601 date-time with seconds.': 'تاريخ ووقت بصيغة ISO 8601 مع الثواني.',
  'Revoke a key': 'إلغاء مفتاح',
  'The key stops working at once.': 'يتوقف المفتاح عن العمل فورًا.',
  'Revoking it again changes nothing.': 'وإلغاؤه مرة أخرى لا يغير شيئًا.',
  'Id of the key.': 'معرّف المفتاح.',
  Projects: 'مشاريع المفاتيح',
  'The projects that group keys, with their monthly unit caps and what they have used this month.':
    'المشاريع التي تجمع المفاتيح، بسقوف وحداتها الشهرية وما استعملته هذا الشهر.',
  Usage: 'الاستعمال',
  'Calls and units by UTC day, key, endpoint and result class, the latest day first, over the last 7, 30 or 90 days with today.':
    'الطلبات والوحدات حسب اليوم (بالتوقيت العالمي) والمفتاح والعملية وصنف النتيجة، اليوم الأحدث أولًا، خلال آخر 7 أيام أو 30 أو 90 يومًا، ومنها اليوم.',
  'How many days back.': 'عدد الأيام إلى الوراء.',
  'Operation id.': 'معرّف العملية.',
  'The `route` of request logs takes it.': 'ويقبله المعامل `route` في سجل الطلبات.',
  Members: 'الأعضاء',
  'The people of the organization and their roles, the newest first.': 'أفراد المنشأة وأدوارهم، الأحدث أولًا.',
  'Audit events': 'سجل التدقيق',
  'Who changed what in the organization, the latest first.': 'من غيّر ماذا في المنشأة، الأحدث أولًا.',
  'Request logs': 'سجل الطلبات',
  'The calls of the organization within its retention window (7, 30 or 90 days), the latest first.':
    'طلبات المنشأة ضمن مدة حفظها (7 أيام أو 30 أو 90 يومًا)، الأحدث أولًا.',
  '`request_id` looks up one call and ignores all other filters.':
    'يبحث `request_id` عن طلب واحد ويتجاهل سائر المرشحات.',
  'Failed calls carry the message and parameter at fault, unless request details are turned off.':
    'ومع الطلبات الفاشلة الرسالة والمعامل الذي فيه الخطأ، إلا إذا أُوقف حفظ تفاصيل الطلبات.',
  'A call appears within a few seconds.': 'ويظهر الطلب خلال ثوانٍ.',
  'One call by its id; all other filters are ignored.': 'طلب واحد بمعرّفه؛ وتُهمل سائر المرشحات.',
  'Calls made with this key.': 'الطلبات التي أُرسلت بهذا المفتاح.',
  'Calls of this endpoint: its path template, with or without the version segment, or its operation id, as `endpoint` of usage has it.':
    'طلبات هذه العملية: قالب مسارها، مع جزء الإصدار أو بدونه، أو معرّفها كما في `endpoint` ضمن الاستعمال.',
  'Calls answered with this HTTP status.': 'الطلبات التي أُجيبت بحالة HTTP هذه.',
  'At or after this moment.': 'في هذه اللحظة أو بعدها.',
  'Before this moment.': 'قبل هذه اللحظة.',
  'Webhook endpoints': 'نقاط استقبال إشعارات الويب',
  'The webhook endpoints of the organization, newest first, without their secrets.':
    'نقاط استقبال المنشأة، الأحدث أولًا، دون أسرارها.',
  '`last_sequence` is the sequence number of the last delivery made for an endpoint: they have no gap.':
    'و`last_sequence` الرقم التسلسلي لآخر تسليم أُعدّ للنقطة: ولا فجوة في الأرقام.',
  '`lag` says what waits to be delivered; `lag.behind` that events have gone out which it has not been given yet, as after more than 500 of one run; `lag.missed_until` that it was so far behind that events up to this moment, then 400 days old, were deleted before it was given all of them.':
    'ويبيّن `lag` ما ينتظر التسليم؛ و`lag.behind` أن أحداثًا صدرت ولم تُعطَ للنقطة بعد، كما يحدث بعد أكثر من 500 حدث في قراءة واحدة؛ و`lag.missed_until` أنها تأخرت حتى حُذفت أحداث وقعت حتى هذه اللحظة، وقد مضى عليها 400 يوم، قبل أن تُعطى لها كلها.',
  '`success_rate_pct` is the share of ended deliveries that the receiver accepted, each counted once however often it was replayed.':
    'و`success_rate_pct` نسبة ما قبله المستقبِل من التسليمات المنتهية، ويُحسب كل تسليم مرة واحدة مهما تكررت إعادته.',
  '`exhausted_since_enabled` counts the deliveries that have failed since the endpoint was enabled, were not accepted since, and are kept.':
    'و`exhausted_since_enabled` عدد التسليمات التي أخفقت منذ تفعيل النقطة ولم تُقبل بعد ذلك وما زالت محفوظة.',
  'Create a webhook endpoint': 'إنشاء نقطة استقبال',
  'Subscribes an address to events of the listings that match `filters`, from now on.':
    'تشترك لعنوان في أحداث الإعلانات التي تطابق `filters`، من الآن فصاعدًا.',
  '`secret` signs what is sent and is shown in this answer only.':
    'بالسر `secret` يُوقَّع ما يُرسل، ولا يظهر إلا في هذا الجواب.',
  'The address is `https://` on the default port, and its name must resolve to public addresses, now and before every delivery; redirects are not followed.':
    'العنوان من نوع `https://` على المنفذ المعتاد، ويجب أن يؤدي اسمه إلى عناوين عامة، الآن وقبل كل تسليم؛ ولا تُتبع التحويلات.',
  'An organization has at most 25.': 'وللمنشأة 25 نقطة على الأكثر.',
  'Where events are sent.': 'حيث تُرسل الأحداث.',
  'Types of events to send.': 'أنواع الأحداث المُرسلة.',
  'Those of `GET /v1/listings` as JSON: numbers and booleans as such, several values as an array.':
    'هي مرشحات `GET /v1/listings` بصيغة JSON: الأعداد والقيم المنطقية كما هي، والقيم المتعددة مصفوفة.',
  '`city` is required; `city` and `listing_type` take several values.':
    'المعامل `city` مطلوب؛ ويقبل `city` و`listing_type` عدة قيم.',
  'Not `updated_since`, `modified_since`, `days_on_market_min`, `days_on_market_max`: what they match changes with time alone.':
    'وليس منها `updated_since` ولا `modified_since` ولا `days_on_market_min` ولا `days_on_market_max`: فما تطابقه يتغير بمرور الوقت وحده.',
  'Modified at or after this moment: `modified_at` of the last row read, or `pagination.watermark`.':
    'ما عُدّل في هذه اللحظة أو بعدها: `modified_at` لآخر صف قُرئ، أو `pagination.watermark`.',
  'Takes up to six digits of fraction, `YYYY-MM-DDThh:mm:ss.ffffffZ`.':
    'يقبل حتى ستة أرقام لكسور الثانية، `YYYY-MM-DDThh:mm:ss.ffffffZ`.',
  'With `sort=modified_asc` only: every listing modified at or before this moment is served now.':
    'مع `sort=modified_asc` فقط: كل إعلان عُدّل في هذه اللحظة أو قبلها معروض الآن.',
  'Once the last page is read, go on from `modified_since` with this value.':
    'بعد قراءة الصفحة الأخيرة تابع بهذه القيمة في `modified_since`.',
  'The last update at the source.': 'آخر تحديث لدى المصدر.',
  'Where the source states no time, or none that shows a change, when the service found the change.':
    'وإذا لم يذكر المصدر وقتًا، أو ذكر وقتًا لا يبيّن التغيير، فهو وقت اكتشاف الخدمة للتغيير.',
  'When the service last changed what it serves of the listing, in microseconds.':
    'آخر وقت غيّرت فيه الخدمة ما تعرضه من الإعلان، بدقة الميكروثانية.',
  'Unique among listings.': 'لا تتكرر القيمة بين الإعلانات.',
  'Delete a webhook endpoint': 'حذف نقطة استقبال',
  'Nothing more is sent, and the endpoint is gone with its history.': 'لا يُرسل شيء بعد ذلك، وتزول النقطة مع سجلها.',
  'It cannot be brought back.': 'ولا يمكن استرجاعها.',
  'Id of the webhook endpoint.': 'معرّف نقطة الاستقبال.',
  'Send a test event': 'إرسال حدث تجريبي',
  'Sends an event with made-up contents and `"test": true` beside them, signed and retried like any other.':
    'ترسل حدثًا محتواه مصطنع ومعه `"test": true`، موقَّعًا ومكررًا عند الفشل كأي حدث.',
  'It is sent even where the endpoint was disabled for its failures.': 'ويُرسل حتى لو أُوقفت النقطة لكثرة إخفاقاتها.',
  'At most 60 an hour.': 'بحد أقصى 60 في الساعة.',
  "The type of the event; the first of the endpoint's own where it is left out.":
    'نوع الحدث؛ وإذا تُرك فأول أنواع النقطة نفسها.',
  'Deliveries of a webhook endpoint': 'تسليمات نقطة استقبال',
  'What was sent, the latest first, and what the receiver answered to each attempt: its status, how long it took and the first 500 characters of its reply.':
    'ما أُرسل، الأحدث أولًا، وما أجاب به المستقبِل في كل محاولة: الحالة والمدة وأول 500 حرف من رده.',
  'A delivery is kept for 30 days once it has ended.': 'يُحفظ التسليم 30 يومًا بعد انتهائه.',
  'Only deliveries that wait for an attempt (`pending`), were accepted (`delivered`), or have used up their attempts (`failed`).':
    'التسليمات التي تنتظر محاولة فقط (`pending`)، أو التي قُبلت (`delivered`)، أو التي استنفدت محاولاتها (`failed`).',
  'Replay a delivery': 'إعادة تسليم',
  'Sends a delivery that has ended once more, with the same event id and body, and again up to six attempts.':
    'ترسل تسليمًا انتهى مرة أخرى، بمعرّف الحدث والجسم نفسيهما، وبست محاولات على الأكثر من جديد.',
  'One that has not ended gives 409 `conflict`.': 'والتسليم الذي لم ينته جوابه 409 بالرمز `conflict`.',
  'Id of the delivery.': 'معرّف التسليم.',

  // The service itself.
  'OpenAPI description': 'وصف OpenAPI',
  'This API as OpenAPI 3.1.': 'هذه الواجهة البرمجية بصيغة OpenAPI 3.1.',
  'Needs no key.': 'لا تحتاج إلى مفتاح.',
  Liveness: 'هل البرنامج يعمل',
  'Returns 200 while the process runs.': 'تعيد 200 ما دامت العملية تعمل.',
  'Queries no datastore.': 'ولا تستعلم من أي مخزن بيانات.',
  Readiness: 'هل الخدمة جاهزة',
  'Returns 200 when this node can serve reads, and 503 with the `reason` when it cannot.':
    'تعيد 200 إذا كان الخادم قادرًا على خدمة طلبات القراءة، و503 مع السبب في `reason` إذا تعذّر ذلك.',
  'The result is cached for a second; the endpoint has no rate limit.':
    'تُحفظ النتيجة لمدة ثانية، ولا حد لمعدل الطلبات على هذه النقطة.',
  'The node cannot serve reads.': 'تعذّر على الخادم خدمة طلبات القراءة.',
  'Compares with other live homes of the same city, listing type, property type and bedrooms, within 25% of the area and updated in the last 90 days.':
    'يقارن بالمنازل المعروضة الأخرى في المدينة نفسها ومن نوع الإعلان ونوع العقار وعدد غرف النوم نفسها، بمساحة لا تختلف أكثر من 25%، والمحدَّثة في آخر 90 يومًا.',
  'Homes of the same age class (0 to 2 years, 3 to 6 years, 7 to 14 years, 15 years and more) within 1.5 km or 3 km come first, then homes of all ages within the same distance, then both within 5 km.':
    'تأتي أولًا المنازل من فئة العمر نفسها (من 0 إلى 2 سنة، من 3 إلى 6 سنوات، من 7 إلى 14 سنة، 15 سنة فأكثر) ضمن 1.5 كم أو 3 كم، ثم المنازل بكل أعمارها ضمن المسافة نفسها، ثم كلتاهما ضمن 5 كم.',
  'A listing without a location is compared with the homes of its neighborhood (`cohort.geography`).':
    'والإعلان الذي لا موقع له يُقارَن بمنازل حيه (`cohort.geography`).',
  'What the homes are compared within: a radius around the listing, or its neighborhood where it has no location.':
    'ما تُقارَن المنازل ضمنه: دائرة حول الإعلان، أو حيه إن لم يكن له موقع.',
  '0 where `geography` is `neighborhood`.': 'القيمة 0 عندما يكون `geography` هو `neighborhood`.',
  '0 where the listing has no location: it is compared with its neighborhood.':
    'القيمة 0 عندما لا يكون للإعلان موقع: يُقارَن بحيه.',
  'Each home counts once, and rents by the day or week are left out.':
    'يُحسب كل منزل مرة واحدة، وتُستبعد الإيجارات اليومية والأسبوعية.',
  'Comparables take a wider range of areas and a shorter time; market position compares with a whole neighborhood and city whatever the area.':
    'تشمل الإعلانات المشابهة نطاقًا أوسع من المساحات ومدة أقصر؛ أما الموقع في السوق فيقارن بالحي كله وبالمدينة كلها أيًّا كانت المساحة.',
  'The ages of the compared homes.': 'أعمار المنازل المقارَن بها.',
  'Null where homes of all ages are compared: the listing states no age, or too few homes of its age are near.':
    'القيمة null عندما تُقارَن المنازل بكل أعمارها: لا يذكر الإعلان عمرًا، أو أن القريب منه من فئة عمره قليل.',
  'Market position compares with a whole neighborhood and city whatever the area; the price band and deals only with homes within 25% of the area, over 90 days, without rents by the day or week.':
    'الموقع في السوق يقارن بالحي كله وبالمدينة كلها أيًّا كانت المساحة؛ أما النطاق السعري والصفقات فتقارن فقط بالمنازل التي لا تختلف مساحتها أكثر من 25%، خلال 90 يومًا، دون الإيجارات اليومية والأسبوعية.',
  'Listings priced below their price band': 'إعلانات أسعارها أقل من نطاقها السعري',
  'Compares each listing with the homes of its price band, as of the last ingest run: `/listings/{id}/price-band` returns the same median and quartiles.':
    'يقارن كل إعلان بمنازل نطاقه السعري كما كانت في آخر عملية جمع: يُرجع `/listings/{id}/price-band` الوسيط والربيعين أنفسهما.',
  'A deal is from 20% to 45% below the median and below the lower quartile, in price and in price per square meter, and at least 10% below the lower end of the interval of the median.':
    'الصفقة أقل من الوسيط بنسبة من 20% إلى 45% وأقل من الربيع الأدنى، في السعر وفي سعر المتر المربع، وأقل من الحد الأدنى لفترة ثقة الوسيط بنسبة 10% على الأقل.',
  'A listing that is further below is taken for a mistake and is not a deal.':
    'والإعلان الأقل من ذلك يُعدّ خطأً وليس صفقة.',
  'A listing that states its age is compared with homes of its age only, and several ads of one home are one deal.':
    'والإعلان الذي يذكر عمره يُقارَن بمنازل من فئة عمره فقط، والإعلانات المتعددة لمنزل واحد صفقة واحدة.',
  'Listings whose text says that the price is not the price of the whole home are not deals.':
    'والإعلانات التي يدل نصها على أن السعر ليس سعر المنزل كاملًا ليست صفقات.',
  'Types without a price band, such as land, farms, chalets and rooms, have no deals.':
    'ولا صفقات للأنواع التي لا نطاق سعريًا لها، مثل الأراضي والمزارع والشاليهات والغرف.',
  'The gap is the smaller of those in price and in price per square meter.':
    'الفرق هو الأصغر من فرقي السعر وسعر المتر المربع.',
  'Prices are asking prices; a deal is not a valuation.': 'الأسعار هي الأسعار المطلوبة؛ والصفقة ليست تقييمًا.',
  'Null where the listing states no age: it is compared with homes of all ages.':
    'القيمة null عندما لا يذكر الإعلان عمرًا، فيُقارَن بمنازل من كل الأعمار.',
};
