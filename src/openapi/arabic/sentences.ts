/**
 * Arabic translation for each English sentence in the OpenAPI document. When a sentence in a definition changes, change
 * its key here; a test reports sentences without a translation.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  // The document, its areas, and sentences that many operations share.
  'Saudi rental and sale listings, deduplicated to one listing per property, and market data.':
    'إعلانات الإيجار والبيع في السعودية، بإعلان واحد لكل عقار بعد دمج المكرر، مع بيانات السوق.',
  'Prices are asking prices.': 'جميع الأسعار معروضة من المعلنين.',
  'Send your key as `Authorization: Bearer <API_KEY>`.': 'أرسل مفتاحك بهذه الصيغة: `Authorization: Bearer <API_KEY>`.',
  'Reference data': 'البيانات المرجعية',
  Listings: 'الإعلانات',
  'Market data': 'بيانات السوق',
  Analytics: 'التحليلات',
  'Off-plan projects': 'المشاريع على الخارطة',
  'Official open data': 'البيانات المفتوحة الرسمية',
  Exports: 'عمليات التصدير',
  Administration: 'الإدارة',
  Service: 'الخدمة',
  'Valid parameter values (cities, neighborhoods and enumerations) and the limits of a key.':
    'قيم المعاملات المقبولة (المدن والأحياء والقوائم) وحدود المفتاح.',
  'Search, count and retrieve rental and sale listings.': 'البحث في إعلانات الإيجار والبيع وعدّها وعرض تفاصيلها.',
  'Statistics of asking prices, supply and vacancy by city and neighborhood.':
    'إحصاءات الأسعار والمعروض والشواغر حسب المدينة والحي.',
  'Valuation of a listing or property against comparable listings, and trends over time.':
    'مقارنة أسعار الإعلانات والعقارات بإعلانات مشابهة، واتجاهات الأسعار مع الوقت.',
  'Developments under construction, with their developers and units.': 'المشاريع قيد الإنشاء ومطوروها ووحداتها.',
  'Registered deals, rents and indexes published by public authorities.':
    'الصفقات والإيجارات المسجَّلة والمؤشرات التي تنشرها الجهات الحكومية.',
  'Complete datasets as files.': 'تنزيل مجموعات بيانات كاملة في ملفات.',
  'Manage the keys, members, usage, webhooks and audit events of an organization.':
    'إدارة مفاتيح المنشأة وأعضائها واستخدامها وإشعارات الويب وسجل التدقيق.',
  'Requires an admin key.': 'يتطلب مفتاحًا إداريًا.',
  'Health checks and the OpenAPI document.': 'فحص حالة الخدمة ووثيقة OpenAPI.',
  'Machine-readable details of the error; the properties depend on `code`.':
    'تفاصيل الخطأ للمعالجة البرمجية، وتختلف خصائصها بحسب `code`.',
  'New properties may be added.': 'وقد تُضاف تفاصيل جديدة.',
  Success: 'نجاح',
  'A data key, `svc_live_...`, or a test key, `svc_test_...`.':
    'مفتاح بيانات `svc_live_...`، أو مفتاح اختبار `svc_test_...`.',
  'An admin key, `svc_admin_...`.': 'مفتاح إداري `svc_admin_...`.',
  'Any data key can call this operation.': 'متاح لأي مفتاح بيانات.',
  'Requires the `listings` scope, which the Free plan and higher plans include.':
    'يتطلب الصلاحية `listings`، وهي متاحة ابتداءً من باقة Free.',
  'Requires the `market` scope, which the Starter plan and higher plans include.':
    'يتطلب الصلاحية `market`، وهي متاحة ابتداءً من باقة Starter.',
  'Requires the `analytics` scope, which the Growth plan and higher plans include.':
    'يتطلب الصلاحية `analytics`، وهي متاحة ابتداءً من باقة Growth.',
  'Requires the `projects` scope, which the Pro plan and higher plans include.':
    'يتطلب الصلاحية `projects`، وهي متاحة ابتداءً من باقة Pro.',
  'Costs 0 units.': 'التكلفة: 0 وحدة (مجاني).',
  'Costs 1 unit.': 'التكلفة: وحدة واحدة.',
  'Costs 10 units.': 'التكلفة: 10 وحدات.',
  'Costs 15 units.': 'التكلفة: 15 وحدة.',
  'Costs 1 unit per 10 results requested with `limit`.': 'التكلفة: وحدة واحدة لكل 10 نتائج مطلوبة في `limit`.',
  'Costs 2 units per 10 results requested with `limit`.': 'التكلفة: وحدتان لكل 10 نتائج مطلوبة في `limit`.',
  'Costs 1 unit per 10 ids.': 'التكلفة: وحدة واحدة لكل 10 معرّفات.',
  'Covers live listings updated in the last 30 days, except listings with an implausible price or size.':
    'يشمل الإعلانات النشطة المحدَّثة خلال آخر 30 يومًا، باستثناء الإعلانات غير المعقولة سعرًا أو مساحةً.',
  '`small_sample` is true for figures based on fewer than 10 listings.':
    'يشير `small_sample` إلى أن الأرقام مبنية على أقل من 10 إعلانات.',

  // Headers.
  'Request id, `req_<hex>`.': 'معرّف الطلب، بالصيغة `req_<hex>`.',
  'Rate limit of the key, in units per minute.': 'حد الوحدات في الدقيقة.',
  'Units that the key can use now without exceeding the rate limit.':
    'عدد الوحدات المتاحة للمفتاح الآن دون تجاوز حد المعدل.',
  'Seconds until more units are available.': 'عدد الثواني حتى تتوفر وحدات من جديد.',
  'Units charged for this request.': 'الوحدات المحتسبة على هذا الطلب.',
  'Monthly quota, in units; absent on unlimited plans.':
    'حد الوحدات في الشهر. لا تُرسل هذه الترويسة في الباقات غير المحدودة.',
  'Units of the quota that remain this month; absent on unlimited plans.':
    'الوحدات المتبقية هذا الشهر. لا تُرسل هذه الترويسة في الباقات غير المحدودة.',
  'Seconds until the quota resets at the end of the month (UTC); absent on unlimited plans.':
    'عدد الثواني حتى نهاية الشهر بالتوقيت العالمي (UTC). لا تُرسل هذه الترويسة في الباقات غير المحدودة.',
  'Seconds to wait before retrying.': 'عدد الثواني قبل إعادة المحاولة.',
  'Time of the deprecation of the operation or parameter, as `@` followed by epoch seconds (RFC 9745).':
    'وقت إعلان إيقاف العملية أو المعامل المستخدم في الطلب، بالعلامة `@` يليها وقت يونكس بالثواني (RFC 9745).',
  'Earliest time at which the deprecated operation or parameter may stop working (RFC 8594).':
    'أبكر وقت قد تتوقف فيه العملية أو المعامل المهمل عن العمل (RFC 8594).',
  'Link to the changelog entry about the deprecation.': 'رابط إعلان الإيقاف في سجل التغييرات.',

  // Errors.
  'Machine-readable error code.': 'رمز الخطأ، للمعالجة البرمجية.',
  'Codes are never renamed; new codes may be added.': 'لا تتغير الرموز، وقد تُضاف رموز جديدة.',
  'Description of the error for developers; the wording may change.': 'رسالة للمطورين، وقد يتغير نصها.',
  'Name of the invalid parameter.': 'اسم المعامل غير الصحيح.',

  // Reference data.
  'List cities': 'عرض المدن',
  'Returns the cities that the service covers.': 'يعيد المدن المشمولة بالخدمة.',
  'Pass `slug` as the `city` parameter of other operations.': 'استخدم قيمة `slug` في أي معامل `city`.',
  'City slug from `GET /cities`.': 'الاسم المختصر للمدينة من `GET /cities`.',
  'List neighborhoods of a city': 'عرض أحياء مدينة',
  'Returns the neighborhoods of a city with their stable ids, names and approximate centers.':
    'يعيد أحياء المدينة مع معرّفاتها الثابتة وأسمائها ومراكزها التقريبية.',
  'List directions of a city': 'عرض جهات مدينة',
  'Returns the directions, such as north or east, that group the neighborhoods of a city; `direction_id` of a neighborhood refers to them.':
    'يعيد جهات المدينة التي يشير إليها `direction_id` في بيانات الأحياء.',
  'List enums and their values': 'عرض القوائم وقيمها المقبولة',
  'Returns the allowed values of every enumerated filter and field.':
    'يعيد القيم المقبولة لكل عامل تصفية أو حقل ذي قيم محددة.',
  '`names` contains the Arabic and English name of each value under the same keys.':
    'تجد الاسم العربي والإنجليزي لكل قيمة في `names` تحت المفاتيح نفسها.',
  '`price_frequencies` lists the values of `price.as_posted.frequency`: `total` is a total sale price, and `per_sqm` a price per square meter.':
    'وتجد قيم `price.as_posted.frequency` في `price_frequencies`: القيمة `total` لسعر البيع الإجمالي، و`per_sqm` لسعر المتر المربع.',
  'Source names are not translated.': 'أسماء المصادر لا تُترجم.',
  '`webhook_filters` lists the filters that a webhook accepts: all filters except those whose matches change as time passes.':
    'يعرض `webhook_filters` عوامل التصفية المقبولة في إشعارات الويب، وهي كلها ما عدا ما تتغير نتائجه بمرور الوقت.',
  'Get the limits of the calling key': 'عرض حدود المفتاح',
  'Returns the plan, rate limit, monthly quota, page size, paging depth and permitted APIs of the calling key.':
    'يعيد باقة المفتاح وحد الوحدات في الدقيقة والحصة الشهرية وحجم الصفحة وعمق التصفح والأقسام المتاحة له.',
  '`free_calls_per_minute` is the maximum number of calls per minute that cost 0 units.':
    'يحدد `free_calls_per_minute` عدد الطلبات المجانية (0 وحدة) في الدقيقة.',
  '`free_bytes_per_minute` is the maximum number of compressed response bytes per minute of `GET` requests that cost 0 units.':
    'ويحدد `free_bytes_per_minute` حجم استجابات طلبات `GET` المجانية (0 وحدة) في الدقيقة، بالبايت بعد الضغط.',
  'Requests over either limit receive 429 `rate_limited` with `Retry-After`.':
    'وعند تجاوز أي من الحدين تكون الاستجابة 429 بالرمز `rate_limited` مع ترويسة `Retry-After`.',
  'Each server enforces these limits separately.': 'ويطبّق كل خادم هذه الحدود على حدة.',

  // Listings.
  'Search listings': 'البحث في الإعلانات',
  'Returns the listings of one city and listing type that match all filters, except listings with an implausible price or size.':
    'يعيد الإعلانات التي تطابق جميع عوامل التصفية في مدينة واحدة ونوع عرض واحد، باستثناء الإعلانات غير المعقولة سعرًا أو مساحةً.',
  'The response has no total count: use `GET /v1/listings/count` with the same filters.':
    'لا تتضمن الاستجابة العدد الإجمالي. استخدم `GET /v1/listings/count` بعوامل التصفية نفسها.',
  'Count listings by facet': 'عدّ الإعلانات حسب القيمة',
  'Returns the number of listings for each value of the given fields, most frequent values first, at most 2,000 values per field.':
    'يعيد عدد الإعلانات لكل قيمة من قيم الحقول المحددة، بدءًا بالأكثر تكرارًا، وبحد أقصى 2,000 قيمة لكل حقل.',
  'The count of a value equals `GET /v1/listings/count` with the same filters and only that value of the field: the property types are therefore counted by the price and size bounds of each type.':
    'ويساوي عدد كل قيمة نتيجة `GET /v1/listings/count` بعوامل التصفية نفسها مع تلك القيمة وحدها للحقل، ولذلك تُعدّ أنواع العقارات وفق حدود السعر والمساحة لكل نوع.',
  'Values of `amenities` are counted in addition to the given ones.':
    'وتُعدّ قيم `amenities` إضافةً إلى القيم المحددة في الطلب.',
  'Values without listings are omitted, and listings without a value are not counted.':
    'ولا تظهر القيم التي ليس لها إعلانات، ولا تُعدّ الإعلانات التي ليس لها قيمة.',
  '`total` equals `GET /v1/listings/count`.': 'وتساوي `total` نتيجة `GET /v1/listings/count`.',
  'Fields by whose values listings are counted.': 'الحقول التي تُعدّ الإعلانات حسب قيمها.',
  '`price` and `area` are counted by ranges with fixed borders, all others by value of the filter of the same name.':
    'تُعدّ `price` و`area` حسب نطاقات ثابتة الحدود، وبقية الحقول حسب قيم عامل التصفية الذي يحمل الاسم نفسه.',
  'Whether each field ignores the filter on itself, so that values that the filter excludes are counted too.':
    'هل يتجاهل كل حقل عامل التصفية الخاص به، فتُعدّ أيضًا القيم التي يستبعدها.',
  '`price` ignores `price_min` and `price_max`, `area` ignores `area_min` and `area_max`.':
    'يتجاهل `price` كلًّا من `price_min` و`price_max`، ويتجاهل `area` كلًّا من `area_min` و`area_max`.',
  'Value as the filter of the same name accepts it.': 'القيمة كما يقبلها عامل التصفية الذي يحمل الاسم نفسه.',
  'Lower border of the range, inclusive.': 'الحد الأدنى للنطاق، وهو مشمول فيه.',
  'Upper border of the range, exclusive.': 'الحد الأعلى للنطاق، وهو غير مشمول فيه.',
  'Null for the highest range.': 'قيمته null لأعلى نطاق.',
  'Get listings for a map': 'عرض الإعلانات على الخريطة',
  'Returns the listings in a box as `pins` if there are at most 400, otherwise as `clusters`, at most 400 cells of a grid with their number of listings and median price.':
    'يعيد الإعلانات داخل مستطيل في `pins` إذا لم تتجاوز 400 إعلان، وإلا ففي `clusters`، وهي خلايا شبكة لا تتجاوز 400 خلية، مع عدد إعلانات كل خلية ووسيط أسعارها.',
  '`total` is the number of pins, or the sum of the counts of the clusters, and equals `GET /v1/listings/count` with the same filters and `bbox`.':
    'و`total` عدد النقاط أو مجموع أعداد الخلايا، ويساوي نتيجة `GET /v1/listings/count` بعوامل التصفية نفسها و`bbox` نفسه.',
  'Listings without a location are excluded.': 'وتُستبعد الإعلانات التي ليس لها موقع.',
  '`city` is optional.': 'والمعامل `city` اختياري.',
  'Median prices of clusters are accurate to 1%.': 'ووسيط أسعار الخلية دقيق في حدود 1%.',
  'Bounding box of the map `min_lng,min_lat,max_lng,max_lat` in degrees, including its borders.':
    'مستطيل الخريطة `min_lng,min_lat,max_lng,max_lat` بالدرجات، شاملًا حدوده.',
  'It must cover at most 400 map tiles at `zoom`.': 'ويجب ألا يغطي أكثر من 400 مربع من مربعات الخريطة عند `zoom`.',
  'Zoom level of the map.': 'مستوى تكبير الخريطة.',
  'At 0 one tile of 256 pixels shows the world, and each level doubles the scale.':
    'عند 0 يعرض مربع واحد بمقاس 256 بكسل العالم كله، ويضاعف كل مستوى المقياس.',
  'Higher levels have smaller clusters.': 'وتصغر الخلايا كلما زاد المستوى.',
  'Cell of the cluster as `min_lng,min_lat,max_lng,max_lat` in degrees.':
    'خلية المجموعة بصيغة `min_lng,min_lat,max_lng,max_lat` بالدرجات.',
  'Latitude of the center of the cell.': 'خط عرض مركز الخلية.',
  'Longitude of the center of the cell.': 'خط طول مركز الخلية.',
  'The yearly rent, or the total sale price.': 'الإيجار السنوي، أو سعر البيع الإجمالي.',
  'Listing type: for rent or for sale.': 'نوع العرض: للإيجار أو للبيع.',
  'One or more neighborhood ids; matches any of them.': 'معرّفات الأحياء، ويكفي أن يقع الإعلان في أحدها.',
  'Listings without a neighborhood are excluded.': 'تُستبعد الإعلانات التي ليس لها حي محدد.',
  'Neighborhood ids to exclude.': 'معرّفات الأحياء المستبعدة.',
  'Listings without a neighborhood are included.': 'وتبقى الإعلانات التي ليس لها حي محدد.',
  'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees, including its borders.':
    'مستطيل على الخريطة `min_lng,min_lat,max_lng,max_lat` بالدرجات، شاملًا حدوده.',
  'Point `lat,lng` in degrees, latitude first; matches listings within `radius_m` meters of it.':
    'نقطة `lat,lng` بالدرجات، خط العرض أولًا؛ يطابق الإعلانات التي لا تبعد عنها أكثر من `radius_m` متر.',
  'Listings without coordinates are excluded.': 'تُستبعد الإعلانات بلا إحداثيات.',
  'Radius in meters around `near`, which it requires.': 'نصف القطر بالأمتار حول `near`، ولا يُقبل بدونه.',
  'Defaults to 2000.': 'القيمة الافتراضية 2000.',
  'Polygon of 3 to 100 points `lat,lng;lat,lng;...` in degrees, latitude first, in either direction; its edges must not cross or touch.':
    'مضلّع من 3 إلى 100 نقطة `lat,lng;lat,lng;...` بالدرجات، خط العرض أولًا، في أي من الاتجاهين؛ يجب ألا تتقاطع أضلاعه أو تتلامس.',
  'In JSON filters, a GeoJSON `Polygon` without holes, longitude first.':
    'وفي عوامل التصفية بصيغة JSON هو `Polygon` من GeoJSON بلا ثقوب، خط الطول أولًا.',
  'Name of the compound (gated community), or `true` for any compound, or `false` for listings outside of compounds.':
    'اسم المجمّع السكني، أو `true` لأي مجمّع، أو `false` لما هو خارج المجمّعات.',
  'Whether the listing is in a named compound (gated community).': 'يبيّن هل يقع العقار في مجمّع معروف الاسم.',
  'Listing category: residential or commercial.': 'تصنيف الإعلان: سكني أو تجاري.',
  'One or more property types; a listing of any of them matches.': 'أنواع العقار، ويكفي أن يكون الإعلان من أحدها.',
  'With exactly one type, implausible listings are excluded by the price and size bounds of that type, otherwise by the bounds of all types together.':
    'عند تحديد نوع واحد تُقاس معقولية السعر والمساحة بحدود هذا النوع، وإلا فبحدود الأنواع كلها معًا.',
  'Minimum price in SAR: the yearly rent, or the total sale price.':
    'الحد الأدنى للسعر بالريال: الإيجار السنوي أو إجمالي سعر البيع.',
  'Maximum price in SAR: the yearly rent, or the total sale price.':
    'الحد الأعلى للسعر بالريال: الإيجار السنوي أو إجمالي سعر البيع.',
  'One or more rent periods, as posted by the advertiser; a listing with any of them matches.':
    'دورية الإيجار كما نشرها المعلن.',
  'Minimum area in square meters.': 'الحد الأدنى للمساحة بالمتر المربع.',
  'Maximum area in square meters.': 'الحد الأعلى للمساحة بالمتر المربع.',
  'One or more exact numbers of bedrooms; `5` does not include listings with more.':
    'عدد غرف النوم بالضبط، ويمكن تحديد أكثر من عدد. القيمة `5` لا تشمل ما زاد عليها.',
  'One or more exact numbers of bathrooms; a listing with any of them matches.':
    'عدد دورات المياه بالضبط، ويمكن تحديد أكثر من عدد.',
  'Minimum number of bedrooms.': 'الحد الأدنى لعدد غرف النوم.',
  'Maximum number of bedrooms.': 'الحد الأعلى لعدد غرف النوم.',
  'Minimum number of bathrooms.': 'الحد الأدنى لعدد دورات المياه.',
  'Maximum number of bathrooms.': 'الحد الأعلى لعدد دورات المياه.',
  'Minimum number of living rooms.': 'الحد الأدنى لعدد الصالات.',
  'One or more required amenities; only listings with all of them match.': 'المزايا المطلوبة، ويجب أن تتوفر كلها.',
  'One or more excluded amenities; only listings with none of them match.':
    'المزايا المستبعدة، ويجب ألا تتوفر أي منها.',
  'Whether the listing is furnished; listings that do not state this match neither `true` nor `false`.':
    'مفروش أو غير مفروش. الإعلانات التي لا تذكر ذلك لا تطابق `true` ولا `false`.',
  'One or more floor classes; a listing on any of them matches.': 'الأدوار، ويكفي أن يكون العقار في أحدها.',
  'A listing can be both `ground` and `upper`, and a listing without a stated floor is neither.':
    'قد يطابق الإعلان `ground` و`upper` معًا، ولا يطابق أيًّا منهما إذا لم يُذكر دوره.',
  'Maximum age of the building in years.': 'الحد الأعلى لعمر المبنى بالسنوات.',
  'Whether the source marks the listing as verified.': 'موثّق لدى المصدر أو غير موثّق.',
  '`false` also matches listings whose source states nothing.':
    'وتشمل القيمة `false` الإعلانات التي لم يذكر مصدرها شيئًا.',
  'Earliest update time, inclusive, as `YYYY-MM-DDThh:mm:ssZ` with seconds.':
    'الإعلانات المحدَّثة في هذا الوقت أو بعده، بالصيغة `YYYY-MM-DDThh:mm:ssZ` مع الثواني.',
  'Minimum number of whole days since the service first found the listing.':
    'الحد الأدنى لعدد الأيام الكاملة منذ أول ظهور للإعلان في الخدمة.',
  'Maximum number of whole days since the service first found the listing.':
    'الحد الأعلى لعدد الأيام الكاملة منذ أول ظهور للإعلان في الخدمة.',
  'One or more sources by `source.name`; a listing from any of them matches.':
    'المصادر حسب `source.name`، ويكفي أن يكون الإعلان من أحدها.',
  'One or more sources to exclude, by `source.name`.': 'المصادر المستبعدة، حسب `source.name`.',
  'Unknown names are accepted and match no listing.': 'الأسماء غير المعروفة مقبولة ولا يطابقها أي إعلان.',
  'One or more advertiser types: company or individual; `advertiser.type` in the response repeats the wording of the source.':
    'نوع المعلن: شركة أو فرد. ويحتوي `advertiser.type` في الاستجابة على التسمية كما وردت في المصدر.',
  'Search text, matched against the title and description of the listing.': 'نص البحث في عنوان الإعلان ووصفه.',
  'All words must appear, in Arabic or English; a "quoted phrase" matches exactly; `|` between two terms matches either.':
    'يجب أن ترد جميع الكلمات بالعربية أو الإنجليزية. وتُطابَق العبارة الموضوعة بين علامتي التنصيص "" حرفيًا، والرمز `|` بين كلمتين يكفي معه ورود إحداهما.',
  'Place names match in both languages and common spellings, number words match digits, and a word that appears in no listing matches words that differ from it by one character.':
    'تتطابق أسماء الأماكن باللغتين وبطرق كتابتها الشائعة، وتطابق الأعداد المكتوبة بالحروف نظائرها بالأرقام، وتطابق الكلمة التي لا ترد في أي إعلان ما يختلف عنها بحرف واحد.',
  'A word that a listing negates, as in `no pool`, does not match; search for `no pool` to find these listings.':
    'لا تتطابق الكلمة إذا نفاها النص (`no pool`)، أما البحث عن `no pool` فيجد هذه النصوص.',
  'Stop words such as `the` and `في` are ignored; at least one other word is required.':
    'تُتجاهل الكلمات الشائعة مثل `the` و`في`، ويجب أن يحتوي البحث على كلمة أخرى على الأقل.',
  'Exclusions (`-`), wildcards (`*`) and field names are not supported.':
    'الاستبعاد (`-`) وأحرف البدل (`*`) وأسماء الحقول غير مدعومة.',
  'Order of the results: `newest` (most recently found first), `updated_asc` (least recently updated first), `price_drop` (largest price drop in percent first; only listings with a price drop), `recommended` (a ranking that changes between releases; not suitable for synchronization), `price_asc` (lowest yearly rent or total price first), `price_desc` (highest yearly rent or total price first).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `updated_asc` (الأقدم تحديثًا أولًا)، `price_drop` (أكبر انخفاض بالنسبة المئوية أولًا؛ للإعلانات التي انخفض سعرها فقط)، `recommended` (ترتيب يتغير من إصدار إلى آخر؛ لا تستخدمه للمزامنة)، `price_asc` (السعر القابل للمقارنة من الأدنى إلى الأعلى)، `price_desc` (السعر القابل للمقارنة من الأعلى إلى الأدنى).',
  'Order of the results: `newest` (most recently found first), `updated_asc` (least recently updated first), `modified_asc` (least recently modified first, up to `pagination.watermark`; use it with `modified_since` to synchronize a copy), `price_drop` (largest price drop in percent first; only listings with a price drop), `recommended` (a ranking that changes between releases; not suitable for synchronization), `price_asc` (lowest yearly rent or total price first), `price_desc` (highest yearly rent or total price first), `distance` (nearest to `near` first, which it requires).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `updated_asc` (الأقدم تحديثًا أولًا)، `modified_asc` (الأقدم تعديلًا أولًا، حتى `pagination.watermark`؛ استخدمه مع `modified_since` لإبقاء نسختك مطابقة تمامًا)، `price_drop` (أكبر انخفاض بالنسبة المئوية أولًا؛ للإعلانات التي انخفض سعرها فقط)، `recommended` (ترتيب يتغير من إصدار إلى آخر؛ لا تستخدمه للمزامنة)، `price_asc` (السعر القابل للمقارنة من الأدنى إلى الأعلى)، `price_desc` (السعر القابل للمقارنة من الأعلى إلى الأدنى)، `distance` (الأقرب إلى `near` أولًا، ولا يُقبل بدونه).',
  'Number of rows per page, up to the page size of the plan.':
    'عدد النتائج في الصفحة، ولا يتجاوز حجم الصفحة في الباقة.',
  'Value of `next_cursor` from the previous page; keep all other parameters unchanged.':
    'قيمة `next_cursor` من الصفحة السابقة، مع إبقاء المعاملات الأخرى دون تغيير.',
  'Count listings': 'عدّ الإعلانات',
  'Returns the number of listings that `GET /v1/listings` finds with the same filters.':
    'يعيد عدد الإعلانات التي يجدها `GET /v1/listings` بعوامل التصفية نفسها.',
  'Get boundaries of neighborhoods': 'حدود الأحياء',
  'Returns the neighborhoods of a city as a GeoJSON `FeatureCollection` (RFC 7946, longitude first).':
    'يعيد أحياء المدينة بصيغة `FeatureCollection` من GeoJSON (RFC 7946، خط الطول أولًا).',
  '`approximate` is `false` for surveyed boundaries.': 'قيمة `approximate` هي `false` للحدود الممسوحة.',
  'Otherwise the boundary is estimated: the area that is nearer to the center of the neighborhood than to any other.':
    'وفيما عدا ذلك تكون الحدود تقديرية: المساحة الأقرب إلى مركز الحي من مركز أي حي آخر.',
  '`geometry` is null if the location is unknown.': 'قيمة `geometry` هي null إذا كان الموقع غير معروف.',
  'Whether to remove corners for display on a map.': 'حذف بعض الزوايا لعرض الحدود على الخريطة.',
  'Simplified boundaries differ by at most 30 m and may overlap slightly.':
    'تختلف الحدود المبسطة بما لا يزيد على 30 مترًا وقد تتداخل قليلًا.',
  'Neighborhood id.': 'معرّف الحي.',
  'Suggest places, projects and developers': 'اقتراح أماكن ومشاريع ومطورين',
  'Returns cities, neighborhoods, compounds, projects and developers whose names begin with the typed text, best match first.':
    'يعيد المدن والأحياء والمجمعات والمشاريع والمطورين الذين تبدأ أسماؤهم بالنص المكتوب، والأقرب تطابقًا أولًا.',
  'Tolerates one typing error, other transliterations, a missing article and text typed on the other keyboard layout.':
    'ويتقبل خطأ كتابة واحدًا، واختلاف الكتابة بالحروف اللاتينية، وحذف أل التعريف، والنص المكتوب بتخطيط لوحة المفاتيح الآخر.',
  'Listing counts are refreshed every few minutes.': 'تُحدَّث أعداد الإعلانات كل بضع دقائق.',
  'Full name or the beginning of one, in Arabic or Latin script.': 'اسم أو بدايته، بحروف عربية أو لاتينية.',
  'The name of a city can precede or follow it.': 'ويجوز أن يسبقه اسم مدينة أو يليه.',
  'Only places of the city are returned.': 'ولا تُعاد إلا أماكن هذه المدينة.',
  'Maximum number of suggestions.': 'أقصى عدد للاقتراحات.',
  'Id of a neighborhood, project or developer.': 'معرّف الحي أو المشروع أو المطور.',
  'Slug of a city or neighborhood.': 'المعرّف النصي للمدينة أو الحي.',
  'City slug.': 'معرّف المدينة.',
  'Null for developers.': 'وقيمته null للمطورين.',
  'Number of listings on the market, for rent and for sale.': 'عدد الإعلانات المعروضة، للإيجار وللبيع.',
  'Extent of the listings, `[min_lng, min_lat, max_lng, max_lat]`.':
    'نطاق مواقع الإعلانات `[min_lng, min_lat, max_lng, max_lat]`.',
  'Null if no listing has a location.': 'وقيمته null إن لم يكن لأي إعلان موقع.',
  'Parse a search sentence': 'تحليل جملة بحث',
  'Converts a sentence in Arabic, English or both to the filters of `GET /v1/listings`.':
    'يعيد عوامل تصفية `GET /v1/listings` التي تذكرها جملة بالعربية أو الإنجليزية أو بكلتيهما.',
  'The sentence is parsed with word lists and rules, without a language model.':
    'تُقرأ الجملة بقوائم كلمات وقواعد دون نموذج لغوي.',
  'Words without a corresponding filter are listed in `not_understood`.':
    'وتظهر الكلمات التي لا يقابلها أي عامل تصفية في `not_understood`.',
  'An amount without a comparison is the maximum price, monthly and nightly amounts are converted to yearly ones, and rooms count as bedrooms.':
    'المبلغ الذي لا يُذكر معه حد هو أعلى سعر، وتُحوَّل المبالغ الشهرية واليومية إلى سنوية، والغرف هي غرف النوم.',
  'Search sentence.': 'جملة البحث.',
  'The words as written in `q`.': 'الكلمات كما كُتبت في `q`.',
  'Position of the first character in `q`, in `UTF-16` code units.': 'موضع الحرف الأول في `q`، بوحدات `UTF-16`.',
  'Position after the last character.': 'الموضع الذي يلي الحرف الأخير.',
  'Values by parameter, as `GET /v1/listings` accepts them.': 'القيم بحسب المعامل، كما يقبلها `GET /v1/listings`.',
  'Value of `sort`, or null if the sentence states no order.': 'قيمة `sort`، أو null إن لم تذكر الجملة ترتيبًا.',
  'Neighborhoods that an ambiguous name may refer to.': 'الأحياء التي قد يعنيها الاسم.',
  '`city` and `neighborhood_id` are set only if at least 90% of the listings with this name are in one city.':
    'لا يُحدَّد `city` و`neighborhood_id` إلا إذا كان 90% على الأقل من الإعلانات بهذا الاسم في مدينة واحدة.',
  'Required parameters that the sentence does not state.': 'المعاملات المطلوبة التي لا تذكرها الجملة.',
  'URL of the search, or null if a required parameter is missing.': 'رابط البحث، أو null إن نقص معامل مطلوب.',
  'Get a batch of listings by id': 'عرض مجموعة إعلانات بمعرّفاتها',
  'Returns up to 100 listings in the order of `ids`; `missing_ids` contains the ids without a live listing.':
    'يعيد ما يصل إلى 100 إعلان بترتيب `ids`، ويذكر في `missing_ids` معرّفات الإعلانات غير النشطة.',
  'Listings that search excludes because of an implausible price or size are returned with `in_search: false`.':
    'وتُعاد الإعلانات التي يستبعدها البحث لأنها غير معقولة مع `in_search: false`.',
  'Whether search returns the listing if `city` and `listing_type` are the only filters.':
    'يبيّن هل يظهر الإعلان في بحث لا يحدد إلا مدينته `city` ونوع عرضه `listing_type`.',
  'False for listings without a price, or with an implausible price or size.':
    'لا يشملها البحث إذا كانت بلا سعر، أو كان سعرها أو مساحتها غير معقولين.',
  'Listing ids.': 'معرّفات الإعلانات.',
  'Repeated ids return one listing.': 'إذا تكرر المعرّف يُعاد الإعلان مرة واحدة.',
  'Get a listing': 'عرض إعلان',
  'Returns a live listing by id, even if search excludes it because of an implausible price or size.':
    'يعيد إعلانًا نشطًا بمعرّفه، ويشمل ذلك الإعلانات التي يستبعدها البحث لأنها غير معقولة.',
  'Listing id.': 'معرّف الإعلان.',
  'Get the price history of a listing': 'عرض سجل أسعار إعلان',
  'Returns the first price of a live listing and every change, oldest first.':
    'يعيد السعر الأول للإعلان النشط وكل تغيير عليه، من الأقدم إلى الأحدث.',
  'The Free plan returns the last 90 days (`history_window_days`); paid plans return the complete history, with `history_window_days` null.':
    'تعرض باقة Free آخر 90 يومًا (`history_window_days`)، وتعرض الباقات المدفوعة السجل كاملًا وتكون قيمة `history_window_days` فيها null.',
  'Price in SAR, converted to a yearly rent or a total sale price.':
    'السعر بالريال محوّلًا إلى إيجار سنوي أو سعر بيع إجمالي.',
  'Null if no price was posted, or if the text shows that the posted amount does not cover the entire property; search excludes these listings.':
    'القيمة null إذا لم يُنشر سعر، أو إذا دلّ نص الإعلان على أن المبلغ لا يغطي العقار كاملًا. ولا يعيد البحث إعلانات بلا سعر.',
  'Quality flags that affect comparisons with other listings.': 'ملاحظات جودة تؤثر في مقارنة الإعلان بغيره.',
  'Empty for most listings; the guide on statistics explains each flag.':
    'تكون فارغة في معظم الإعلانات، ويشرح دليل الإحصاءات كل ملاحظة.',
  'One or more quality flags; a listing with any of them matches.': 'ملاحظات الجودة، ويكفي وجود إحداها في الإعلان.',
  'One or more quality flags to exclude; only listings with none of them match.':
    'ملاحظات الجودة المستبعدة، ويجب ألا توجد أي منها في الإعلان.',
  'Amount and period as posted by the advertiser; the frequency `total` is a total sale price, and `per_sqm` a price per square meter.':
    'المبلغ والدورية كما نشرهما المعلن. القيمة `total` لإجمالي سعر البيع، و`per_sqm` لسعر المتر المربع.',
  'Null if no price was posted.': 'القيمة null إذا لم يُنشر سعر.',
  'Null if the price has not changed.': 'القيمة null إذا لم يتغير السعر.',
  'Latitude in degrees.': 'خط العرض بالدرجات.',
  'Null if the source states no location.': 'القيمة null إذا لم يذكر المصدر الموقع.',
  'Longitude in degrees.': 'خط الطول بالدرجات.',

  // Market data.
  'Get a market summary': 'عرض ملخص السوق',
  'Returns prices, areas and prices per square meter of the listings that match the filters, their freshness, and their number by property type, by source, and in the ten neighborhoods with the most listings.':
    'يعيد الأسعار والمساحات وأسعار المتر المربع في مدينة أو حي أو شريحة منهما، ومدى حداثة الإعلانات، وعددها حسب نوع العقار وحسب المصدر وفي الأحياء العشرة الأكثر إعلانات.',
  'Get the price distribution': 'عرض توزيع الأسعار',
  'Returns a histogram of prices with bins of equal, rounded width, the percentiles and the mean.':
    'يعيد توزيع الأسعار على فئات متساوية بحدود مقرَّبة، مع المئينات والمتوسط.',
  'The lowest and highest 1% of the values can be in open-ended bins, whose `from` or `to` is null.':
    'وقد تقع أدنى القيم وأعلاها (1% من كل طرف) في فئات مفتوحة قيمة `from` أو `to` فيها null.',
  'Get the area distribution': 'عرض توزيع المساحات',
  'Returns a histogram of areas in square meters with bins of equal, rounded width, the percentiles and the mean.':
    'يعيد مدرَّجًا تكراريًا للمساحات بالمتر المربع بفئات متساوية ومقرَّبة العرض، مع المئينات والمتوسط الحسابي.',
  'Listings that state no area are excluded from these figures and counted in `without_area_count`.':
    'ولا تشمل هذه الأرقام الإعلانات التي لا تذكر المساحة، ويُذكر عددها في `without_area_count`.',
  'Get new supply': 'عرض حجم المعروض الجديد',
  'Returns the number of new listings in the last 7 days and the 7 days before, and in the last 30 days and the 30 days before.':
    'يعيد عدد الإعلانات الجديدة في آخر 7 أيام وفي 7 أيام قبلها، وفي آخر 30 يومًا وفي 30 يومًا قبلها.',
  'Get vacancy: days on market': 'عرض الشواغر: مدة بقاء الإعلانات في السوق',
  'Returns days on the market as a proxy for vacancy (see `method`): quartiles, mean, and the shares of listings advertised for 30, 60 and 90 days or more.':
    'يعيد أيام العرض في السوق مؤشرًا تقريبيًا للشغور (انظر `method`): الربيعيات والمتوسط، ونسب الإعلانات المعروضة منذ 30 و60 و90 يومًا أو أكثر.',
  'Rank neighborhoods by price': 'ترتيب الأحياء حسب السعر',
  'Returns every neighborhood of the city with listings that match the filters, highest median price first.':
    'يعيد أحياء المدينة التي فيها إعلانات من الشريحة، مرتبة من أعلى وسيط سعر إلى أدناه.',
  'Listings without a neighborhood are counted only in the total `sample_size`.':
    'ولا تُحسب الإعلانات التي ليس لها حي محدد إلا في `sample_size`.',

  // Analytics.
  'Get the price band of a listing': 'عرض النطاق السعري لإعلان',
  'Returns the quartiles of asking prices of similar homes nearby.':
    'يعيد ربيعيات الأسعار المعروضة للمساكن المشابهة القريبة.',
  '`direction` is `below` or `above` only if the price is outside of the 95% confidence interval of the median, otherwise `inconclusive`; the interval is a cluster bootstrap, with the ads of one building, compound or advertiser as a cluster.':
    'لا تكون قيمة `direction` هي `below` أو `above` إلا إذا كان السعر خارج فترة الثقة 95% للوسيط، المحسوبة بإعادة المعاينة العنقودية، وإلا فهي `inconclusive`. والعنقود هو إعلانات مبنى واحد أو مجمّع واحد أو معلن واحد.',
  '`limited_evidence` is true for bands based on little data.':
    'تشير العلامة `limited_evidence` إلى نطاق مبني على بيانات قليلة.',
  'If there is no band, `status` states the reason.': 'وإذا تعذّر حساب النطاق يذكر `status` السبب.',
  'The calculation is deterministic: the same listings always result in the same band.':
    'والإعلانات نفسها تعطي النطاق نفسه دائمًا.',
  'The band is not a valuation.': 'والنطاق السعري ليس تقييمًا عقاريًا.',
  'Get the market position of a listing': 'عرض موقع إعلان في السوق',
  'Compares the listing with all other live listings of the same city, listing type, property type and bedrooms updated in the last 30 days, in the entire neighborhood and in the entire city, for any area and distance.':
    'يقارن الإعلان بجميع الإعلانات النشطة الأخرى في المدينة نفسها، المطابقة له في نوع العرض ونوع العقار وعدد غرف النوم والمحدَّثة خلال آخر 30 يومًا، في الحي كله وفي المدينة كلها، مهما كانت المساحة والمسافة.',
  'Comparables and deals use nearby listings of about the same area; the price band uses even more similar homes.':
    'أما الإعلانات المشابهة والفرص فتعتمد على إعلانات قريبة بمساحة مقاربة، ويعتمد النطاق السعري على مساكن أكثر تشابهًا.',
  '`price_percentile` is the percentage of these listings with a lower asking price; a listing with an equal price counts as half.':
    'ويعرض `price_percentile` نسبة الإعلانات الأقل سعرًا من بينها، وتُحسب الأسعار المتساوية نصفًا.',
  '`listing_in_sample` states whether the listing itself meets these conditions and is therefore in the sample of other listings.':
    'ويبيّن `listing_in_sample` هل يستوفي الإعلان نفسه هذه الشروط ويدخل بذلك في مقارنات الإعلانات الأخرى.',
  '`basis` is the place that the top-level `price_percentile` and `diff_from_median_pct` refer to: the neighborhood if it has at least 10 listings, otherwise the city.':
    'ويبيّن `basis` المنطقة التي تخصها القيمتان `price_percentile` و`diff_from_median_pct` في أعلى الاستجابة: الحي إذا كان فيه 10 إعلانات على الأقل، وإلا فالمدينة.',
  'Find comparable listings': 'البحث عن إعلانات مشابهة',
  'Compares the listing with live listings of the same city, listing type and property type with two thirds to one and a half times the area, updated in the last 30 days: within 500 m and with the same number of bedrooms if there are at least 10, otherwise within larger radii up to 5 km and finally with any number of bedrooms (`criteria`).':
    'يقارن الإعلان بإعلانات نشطة في المدينة نفسها، مطابقة له في نوع العرض ونوع العقار، مساحتها من ثلثي مساحته إلى مرة ونصف مساحته، ومحدَّثة خلال آخر 30 يومًا: ضمن 500 م وبعدد غرف النوم نفسه إذا كان عددها 10 على الأقل، وإلا فضمن دوائر أوسع حتى 5 كم، ثم بأي عدد من غرف النوم (`criteria`).',
  'Listings with the same number of bedrooms come first, then the nearest in distance and area.':
    'تأتي أولًا الإعلانات التي لها عدد غرف النوم نفسه، ثم الأقرب مسافةً ومساحةً.',
  'If no comparison is possible, `unavailable_reason` states the reason.':
    'وإذا تعذّرت المقارنة يذكر `unavailable_reason` السبب.',
  'Maximum number of comparables to return.': 'أقصى عدد للإعلانات المشابهة في الاستجابة.',
  'The `summary` covers all comparables that meet the criteria.': 'ويشمل `summary` كل ما يستوفي المعايير.',
  'Get gross rental yields by neighborhood': 'عرض العائد الإيجاري الإجمالي حسب الحي',
  'Returns gross yields in percent, highest first: the median yearly rent divided by the median sale price of the same cohort.':
    'يعيد العائد الإجمالي بالنسبة المئوية من الأعلى إلى الأدنى: وسيط الإيجار السنوي مقسومًا على وسيط سعر البيع للشريحة نفسها.',
  'Expenses are not deducted.': 'ولا تُخصم منه المصاريف.',
  'A yield is calculated per property type; the yield of a city or neighborhood is their mean, weighted by the smaller of the rent and sale samples, and its medians are weighted the same way.':
    'يُحسب العائد لكل نوع عقار. وعائد المدينة أو الحي هو متوسط عوائد الأنواع مرجّحًا بالأصغر من عيّنتي الإيجار والبيع، ويُرجّح الوسيطان بالطريقة نفسها.',
  'Types with fewer than 10 listings for rent or for sale are excluded: `by_type` lists the included types, and sample sizes count only these.':
    'تُستبعد الأنواع التي تقل إعلاناتها للإيجار أو للبيع عن 10. ويعرض `by_type` الأنواع المشمولة، ولا تُحسب في أحجام العينات إلا إعلاناتها.',
  'A neighborhood without an included type is omitted and counted in `suppressed_neighborhoods`.':
    'لا يظهر الحي الذي ليس فيه أي نوع مشمول، ويُحسب في `suppressed_neighborhoods`.',
  'Included property types with their medians.': 'أنواع العقار المشمولة ووسيطا كل منها.',
  'Without `property_type`, yields cover homes (apartment, villa, floor, duplex, townhouse, studio), or all commercial types with `listing_category=commercial`; `property_types` counts the listings of each type for rent and for sale.':
    'بدون `property_type` يشمل العائد المساكن (شقة وفيلا ودور ودوبلكس وتاون هاوس واستوديو)، أو جميع الأنواع التجارية مع `listing_category=commercial`. ويعرض `property_types` عدد إعلانات كل نوع للإيجار وللبيع.',
  'Set `beds` to compare homes of the same size: homes for rent and homes for sale can differ in size.':
    'حدّد `beds` إذا اختلفت مساكن الإيجار عن مساكن البيع في الحجم، وإلا قورنت مساكن غير متماثلة.',
  'Compare neighborhoods': 'مقارنة الأحياء',
  'Returns prices, areas, amenities, bedrooms and property types of two to five neighborhoods, in the requested order.':
    'يعيد الأسعار والمساحات والمرافق وغرف النوم وأنواع العقار لحيّين إلى خمسة أحياء، بالترتيب المطلوب.',
  'For rentals, also returns the gross yield and its sample sizes, calculated as in `/market/rental-yield`: without `property_type`, only homes are included.':
    'ويعيد للإيجار أيضًا العائد الإجمالي وأحجام عيناته، محسوبًا كما في `/market/rental-yield`: بدون `property_type` لا يشمل إلا المساكن.',
  'Shares are percentages of the sample.': 'النسب محسوبة من العينة.',
  'Ids of the 2 to 5 neighborhoods to compare, each given once.':
    'معرّفات الأحياء المطلوب مقارنتها، من 2 إلى 5 أحياء دون تكرار.',
  'Get monthly price trends': 'عرض اتجاهات الأسعار الشهرية',
  'Returns the median and quartiles of asking prices and the median price per square meter for each month, oldest first, from the listings and prices of that month.':
    'يعيد لكل شهر، من الأقدم إلى الأحدث، وسيط الأسعار المعروضة وربيعياتها ووسيط سعر المتر المربع، من إعلانات ذلك الشهر وأسعاره.',
  'Withdrawn listings are included; prices that are implausible by current bounds are excluded.':
    'تشمل الأرقام الإعلانات المسحوبة، وتُستبعد الأسعار غير المعقولة حسب الحدود الحالية.',
  '`coverage` of a month is `no_history` before the history begins (figures are null, which does not mean zero listings), `history_start` if the history begins during the month (with `new_listings`, the entire initial stock counts as new), `complete`, or `in_progress` for the current month.':
    'قيمة `coverage` للشهر: `no_history` قبل بداية السجل (الأرقام null، ولا يعني ذلك عدم وجود إعلانات)، و`history_start` إذا بدأ السجل خلال الشهر (ومع `new_listings` تُحسب جميع إعلانات البداية جديدة)، و`complete` للشهر الكامل، و`in_progress` للشهر الحالي.',
  '`change_pct` of a month compares its median with the previous month; `change_pct` of a series compares its last complete month with its first complete month.':
    'يقارن `change_pct` للشهر وسيطه بوسيط الشهر السابق، وللسلسلة وسيط آخر شهر كامل بوسيط أول شهر كامل. ولا تُقارن إلا الأشهر الكاملة.',
  'Up to five neighborhood ids, each with its own series; defaults to one series of the city.':
    'معرّفات الأحياء، بحد أقصى خمسة، ولكل حي سلسلة. القيمة الافتراضية: سلسلة واحدة للمدينة.',
  'Listings that a month includes.': 'الإعلانات التي تُحسب في الشهر.',
  '`on_market`: listings that were live at any time in the month, at their price at the end of the month, or at their last price if they were withdrawn earlier.':
    '`on_market`: الإعلانات النشطة في أي وقت من الشهر، بسعرها في نهايته أو عند آخر ظهور لها إن سُحبت قبل ذلك.',
  '`new_listings`: listings first found in the month, at their first price.':
    '`new_listings`: الإعلانات التي ظهرت لأول مرة في الشهر، بسعرها الأول.',
  'Number of calendar months (UTC), including the current month.':
    'عدد الأشهر الميلادية بالتوقيت العالمي (UTC)، شاملة الشهر الحالي.',
  'Returns residential listings priced at least 20% below comparable homes (`comparison`), largest gap (`gap_pct`) first.':
    'يعيد الإعلانات السكنية التي تقل أسعارها عن `comparison` بنسبة 20% على الأقل، مرتبة من أكبر `gap_pct` إلى أصغره.',

  // Off-plan projects.
  'Search off-plan projects': 'البحث في مشاريع البيع على الخارطة',
  'Returns developments under construction or newly built that match all filters.':
    'يعيد المشاريع قيد الإنشاء أو حديثة البناء التي تطابق جميع عوامل التصفية.',
  'A development found on several sources is one project: `also_listed_on` names the other sources.':
    'المشروع الموجود في عدة مصادر يُعرض مرة واحدة، وتُذكر بقية المصادر في `also_listed_on`.',
  'Prices are stated by the developer.': 'الأسعار كما أعلنها المطوّر.',
  'Projects without a neighborhood are excluded.': 'تُستبعد المشاريع التي ليس لها حي محدد.',
  'One or more project statuses; a project with any of them matches.': 'حالات المشروع، ويكفي أن يكون في إحداها.',
  'One or more developer ids from `GET /developers`; a project of any of them matches.':
    'معرّفات المطورين من `GET /developers`، ويكفي أن يكون المشروع لأحدهم.',
  'Minimum price in SAR; matches projects whose price range ends at or above it.':
    'الحد الأدنى للسعر بالريال، ويطابق المشاريع التي لا يقل أعلى أسعارها عنه.',
  'Maximum price in SAR; matches projects whose price range starts at or below it.':
    'الحد الأعلى للسعر بالريال، ويطابق المشاريع التي لا يزيد أدنى أسعارها عليه.',
  'Earliest delivery month, `YYYY-MM`.': 'أول شهر للتسليم، بالصيغة `YYYY-MM`.',
  'Latest delivery month, `YYYY-MM`.': 'آخر شهر للتسليم، بالصيغة `YYYY-MM`.',
  'One or more required features; only projects with all of them match.':
    'المميزات المطلوبة، ويجب أن تتوفر كلها في المشروع.',
  'One or more banks; only projects whose units are financed by all of them match.':
    'البنوك المموّلة، ويجب أن تموّل كلها وحدات المشروع.',
  'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees; projects located in it match.':
    'مستطيل على الخريطة `min_lng,min_lat,max_lng,max_lat` بالدرجات يقع فيه موقع المشروع.',
  'Order of the results: `newest` (most recently found first), `delivery` (earliest delivery first; only projects with a delivery date), `price_asc` (lowest price first; only projects with a price), `price_desc` (highest price first; only projects with a price).':
    'ترتيب النتائج: `newest` (الأحدث ظهورًا أولًا)، `delivery` (الأقرب تسليمًا أولًا؛ للمشاريع التي لها تاريخ تسليم فقط)، `price_asc` (الأدنى سعرًا أولًا؛ للمشاريع التي لها سعر فقط)، `price_desc` (الأعلى سعرًا أولًا؛ للمشاريع التي لها سعر فقط).',
  'Null if no source names the developer.': 'القيمة null إذا لم يُذكر المطوّر في أي مصدر.',
  'Price range of a unit in SAR, as stated by the developer.': 'نطاق سعر الوحدة بالريال كما أعلنه المطوّر.',
  'Planned delivery date, `YYYY-MM-DD`.': 'تاريخ التسليم المتوقع، بالصيغة `YYYY-MM-DD`.',
  'Get an off-plan project': 'عرض مشروع على الخارطة',
  'Returns a project with its description, its boundary as GeoJSON, its amenities, and a summary of the units currently on the market.':
    'يعيد المشروع بنصوصه وحدوده بصيغة GeoJSON ومزاياه وملخص وحداته المعروضة حاليًا.',
  'Project prices are stated by the developer; prices in `unit_summary` are asking prices of listings.':
    'أسعار المشروع كما أعلنها المطوّر، وأسعار `unit_summary` هي الأسعار المعروضة في الإعلانات.',
  'Project id.': 'معرّف المشروع.',
  'GeoJSON (RFC 7946), longitude first; null if no source gives a valid boundary.':
    'بصيغة GeoJSON (RFC 7946)، خط الطول أولًا. القيمة null إذا لم يوفر أي مصدر حدودًا صحيحة.',
  'Units of the project currently on the market, at asking prices, as returned by `GET /v1/projects/{id}/units`.':
    'وحدات المشروع المعروضة حاليًا بأسعار الإعلانات، كما يعيدها `GET /v1/projects/{id}/units`.',
  'List units of an off-plan project': 'عرض وحدات مشروع على الخارطة',
  'Returns listings, for sale and for rent, that are units of the project.':
    'يعيد إعلانات البيع والإيجار لوحدات المشروع.',
  'Implausible listings are excluded, as in every search.': 'وتُستبعد الإعلانات غير المعقولة كما في كل بحث.',
  'Search units of off-plan projects': 'البحث في وحدات مشاريع البيع على الخارطة',
  'Returns listings of one city that are units of an off-plan project, filtered by properties of the listing and of its project.':
    'يعيد إعلانات وحدات المشاريع في مدينة واحدة، مع التصفية بخصائص الإعلان وخصائص مشروعه.',
  'One or more project ids; a unit of any of them matches.': 'معرّفات المشاريع، ويكفي أن تكون الوحدة من أحدها.',
  'List developers of off-plan projects': 'عرض مطوري مشاريع البيع على الخارطة',
  'Returns developers with at least one project, most projects first, with the number of projects by status and by city.':
    'يعيد المطورين الذين لهم مشروع واحد على الأقل، من الأكثر مشاريع إلى الأقل، مع عدد المشاريع حسب الحالة والمدينة.',
  'City slug from `GET /cities`; matches developers with a project in this city.':
    'الاسم المختصر للمدينة من `GET /cities`، ويطابق المطورين الذين لهم مشروع فيها.',
  'Number of projects by city, highest number first.': 'الأكثر مشاريع أولًا.',

  // Official open data.
  'List registered sale transactions': 'عرض صفقات البيع المسجَّلة',
  'Returns the sale deals in one city, as registered and published by the Ministry of Justice, newest month first.':
    'يعيد صفقات البيع في مدينة واحدة التي سجلتها وزارة العدل ونشرتها، من أحدث شهر إلى أقدمه.',
  'Deal dates are precise to the month.': 'يُذكر تاريخ الصفقة بالشهر.',
  'Ministry districts are matched to neighborhoods; a deal in an unmatched district has only `ministry_district_ar`.':
    'تُربط أحياء الوزارة بأحياء الخدمة، والصفقة التي لم يُربط حيها تحتوي على `ministry_district_ar` فقط.',
  'Plan, parcel and deed numbers are not stored.': 'لا تُحفظ أرقام المخططات والقطع والصكوك.',
  'Open government data, available on every plan.': 'بيانات حكومية مفتوحة متاحة في كل الباقات.',
  'Publish the `attribution` with the data.': 'يجب إبقاء `attribution` مع البيانات.',
  'Deals whose district is not matched to a neighborhood are excluded.': 'تُستبعد الصفقات التي لم يُربط حيها.',
  'One or more registered land uses; a deal with any of them matches.':
    'استخدامات الأرض المسجَّلة، ويكفي أن يطابق الاستخدام أحدها.',
  'First month of registration, `YYYY-MM`.': 'أول شهر للتسجيل، بالصيغة `YYYY-MM`.',
  'Last month of registration, `YYYY-MM`.': 'آخر شهر للتسجيل، بالصيغة `YYYY-MM`.',
  'Minimum price in SAR.': 'الحد الأدنى للسعر بالريال.',
  'Maximum price in SAR.': 'الحد الأعلى للسعر بالريال.',
  'Minimum price per square meter in SAR.': 'الحد الأدنى لسعر المتر المربع بالريال.',
  'Maximum price per square meter in SAR.': 'الحد الأعلى لسعر المتر المربع بالريال.',
  'Get statistics of registered sale transactions': 'عرض إحصاءات صفقات البيع المسجَّلة',
  'Returns the number of deals and the median and quartiles of price and price per square meter, by calendar quarter and land-use class, for a city, for a set of neighborhoods together (`neighborhood_id`), or for each neighborhood (`group_by=neighborhood`, which omits deals without a matched neighborhood).':
    'يعيد عدد الصفقات ووسيط السعر ووسيط سعر المتر المربع وربيعياتهما، حسب ربع السنة وتصنيف استخدام الأرض، لمدينة، أو لمجموعة أحياء معًا (`neighborhood_id`)، أو لكل حي (`group_by=neighborhood`، ولا يشمل الصفقات التي لم يُربط حيها).',
  'A response can be several megabytes: send `Accept-Encoding: br` or `gzip`; `GET /limits` returns the limit of the key in bytes per minute.':
    'قد يبلغ حجم الاستجابة عدة ميغابايت: أرسل `Accept-Encoding: br` أو `gzip`. وتعرض العملية `GET /limits` عدد البايتات المسموح به للمفتاح في الدقيقة.',
  'A quartile is the value at its rank, or the mean of the two adjacent values if the rank falls between them.':
    'والربيع هو القيمة الواقعة عند رتبته، أو متوسط القيمتين المتجاورتين إذا وقعت الرتبة بينهما.',
  'Cells with fewer deals than `min_sample_size` contain the number of deals but no prices.':
    'والخلية التي تقل صفقاتها عن `min_sample_size` تعرض العدد دون الأسعار.',
  'Grouping of the cells, in addition to quarter and land-use class.':
    'تقسيم الخلايا، إضافة إلى الربع وفئة استخدام الأرض.',
  '`city`: one cell for all matching deals.': '`city`: خلية واحدة لجميع الصفقات المطابقة.',
  '`neighborhood`: one cell per neighborhood.': '`neighborhood`: خلية لكل حي.',
  'First quarter, `YYYY-Qn`.': 'أول ربع سنة في المدة، بالصيغة `YYYY-Qn`.',
  'Defaults to 11 quarters before `quarter_to`, a range of 12 quarters.':
    'القيمة الافتراضية: 11 ربعًا قبل `quarter_to`، أي مدة من 12 ربعًا.',
  'The range is limited to 40 quarters.': 'والحد الأقصى للمدة 40 ربعًا.',
  'Last quarter, `YYYY-Qn`.': 'آخر ربع سنة في المدة، بالصيغة `YYYY-Qn`.',
  'Defaults to the latest published quarter.': 'القيمة الافتراضية: أحدث ربع سنة منشور.',
  'Minimum number of deals or contracts for which a cell contains prices or rents, at least 5.':
    'الحد الأدنى لعدد الصفقات أو العقود في الخلية حتى تُعرض مبالغها، ولا يقل عن 5.',
  'Get registered land prices by quarter': 'عرض أسعار الأراضي المسجَّلة حسب ربع السنة',
  'Returns the median price per square meter of residential or commercial plots per calendar quarter, for a city or for up to 20 neighborhoods, with the change from the previous quarter and from the same quarter of the previous year, in percent.':
    'يعيد وسيط سعر المتر المربع للأراضي السكنية أو التجارية لكل ربع سنة، لمدينة أو لما يصل إلى 20 حيًا، مع نسبة التغيّر عن الربع السابق وعن الربع نفسه من السنة السابقة.',
  'Changes are calculated between points that have a price and the same `coverage_flag`, never from or to an `incomplete` quarter.':
    'ويُحسب التغيّر بين نقطتين لكل منهما سعر ولهما قيمة `coverage_flag` نفسها، ولا يُحسب من ربع `incomplete` ولا إليه.',
  'Quarters whose source files state no land-use class have no point: `coverage.notes` lists them.':
    'ولا توجد نقاط للأرباع التي لا تذكر ملفات مصدرها تصنيف استخدام الأرض، ويذكر `coverage.notes` هذه الأرباع.',
  'Neighborhood ids, up to 20, each with its own series.': 'معرّفات الأحياء، بحد أقصى 20 حيًا، ولكل حي سلسلة.',
  'Defaults to one series of the city.': 'القيمة الافتراضية: سلسلة واحدة للمدينة.',
  'Registered land use of the plots.': 'الاستخدام المسجَّل للأراضي.',
  'Get registered rents': 'عرض الإيجارات المسجَّلة',
  'Returns the mean yearly rents of contracts that the Real Estate General Authority registered and published, by town or neighborhood and property type, for one quarter.':
    'يعيد متوسط الإيجار السنوي للعقود التي سجلتها الجهة المنظِّمة ونشرتها، حسب البلدة أو الحي ونوع العقار، لربع سنة واحد.',
  'Figures are means, not medians, and each includes its number of contracts.':
    'والأرقام متوسطات حسابية وليست وسيطات، ومعها عدد العقود.',
  'Rents for offices, shops and showrooms are published per square meter: `mean_rent_sar` is null for them, and `mean_rent_per_sqm_sar` is the yearly rent per square meter.':
    'وتنشر الجهة المنظِّمة إيجار المكاتب والمحلات والمعارض للمتر المربع: قيمة `mean_rent_sar` لها null، وقيمة `mean_rent_per_sqm_sar` هي الإيجار السنوي للمتر المربع.',
  'Cells with fewer contracts than `min_sample_size` are not returned, but counted in `coverage`.':
    'ولا تُعاد الخلايا التي يقل عدد عقودها عن `min_sample_size`، ويذكر `coverage` عددها.',
  '`city_totals` include the contracts of these cells; totals of fewer than 5 contracts have no means.':
    'وتشمل `city_totals` عقود هذه الفئات أيضًا. ولا يُعرض متوسط للإجماليات التي يقل عدد عقودها عن 5.',
  'If a cell is not matched to a neighborhood, the place names are those of the publisher.':
    'والخلية التي لم يُربط حيها تحمل الأسماء كما وردت من الجهة الناشرة.',
  'Neighborhood ids.': 'معرّفات الأحياء.',
  'Cells without a matched neighborhood are not returned.': 'ولا تُعاد الخلايا التي لم يُربط حيها.',
  'Property types.': 'أنواع العقارات.',
  'Defaults to all.': 'القيمة الافتراضية: الكل.',
  'Quarter, `YYYY-Qn`.': 'ربع السنة، بالصيغة `YYYY-Qn`.',
  'Get the official real-estate price index': 'عرض المؤشر الرسمي لأسعار العقارات',
  'Returns the quarterly real-estate price index of the General Authority for Statistics for the region of `city`, or for the entire Kingdom if `city` is absent.':
    'يعيد المؤشر الربعي لأسعار العقارات الصادر عن هيئة الإحصاء لمنطقة المدينة، أو للمملكة كلها بدون `city`.',
  'Values are relative to `base_year` = 100 and comparable only within one base.':
    'والقيم منسوبة إلى `base_year` = 100 ولا تُقارن إلا ضمن سنة الأساس نفسها.',
  'Changes are as published, in percent.': 'ونسب التغيّر المئوية كما نُشرت.',
  'Every published point has the `coverage_flag` `full`; `coverage.notes` lists missing quarters.':
    'قيمة `coverage_flag` لكل نقطة منشورة هي `full`، وتُذكر الأرباع الناقصة في `coverage.notes`.',
  'City slug from `GET /cities`, which selects the region of the city.':
    'الاسم المختصر للمدينة من `GET /cities`، ويحدد منطقتها.',
  'Defaults to the Kingdom.': 'القيمة الافتراضية: المملكة كلها.',
  'One or more items of the index, such as `villa`.': 'بند أو أكثر من بنود المؤشر، مثل `villa`.',
  'Defaults to all items published for the region.': 'القيمة الافتراضية: جميع البنود المنشورة للمنطقة.',
  'Get a release of the property index': 'عرض إصدار من مؤشر العقار',
  'Returns a release of the price and rent index of this service, which is published once a month and never changes; a correction is a new revision with a `note`.':
    'يعيد مؤشر الأسعار والإيجارات الذي تنشره هذه الخدمة مرة في الشهر في إصدار مرقّم لا يتغير أبدًا. ويُنشر التصحيح في مراجعة جديدة تتضمن `note`.',
  'Each series is an index of matched neighborhoods: only neighborhoods with deals in both periods are compared, so that a change in the mix does not change the index.':
    'كل سلسلة مؤشر للأحياء المشتركة: لا تُقارن إلا الأحياء التي فيها صفقات في الفترتين معًا، فلا يؤثر تغيّر تركيبة الصفقات في المؤشر.',
  '`method` states how periods are linked: `chained_tornqvist` links each period to the previous one, and `geks_tornqvist` compares each period with every other and has no chain drift.':
    'يبيّن `method` طريقة ربط الفترات: `chained_tornqvist` تربط كل فترة بالتي قبلها، و`geks_tornqvist` تقارن كل فترة بجميع الفترات الأخرى ولا يتراكم فيها انحراف التسلسل.',
  'Version of the method of this series.': 'إصدار الطريقة المستخدمة في هذه السلسلة.',
  'Points of different versions are not comparable.': 'لا تصح المقارنة بين نقاط إصدارين مختلفين.',
  'Changes in this version; null for a first version.': 'التغييرات في هذا الإصدار. القيمة null في الإصدار الأول.',
  'The index is 100 in `base_period`.': 'قيمة المؤشر 100 في `base_period`.',
  '`rent_registered`: Contracted rent of apartments (`rent_index`).':
    '`rent_registered`: إيجار الشقق في العقود (`rent_index`).',
  '`land_registered`: Registered prices of residential and commercial plots per square meter: unit values, not quality-adjusted (`land_price_index`).':
    '`land_registered`: الأسعار المسجَّلة للمتر المربع من الأراضي السكنية والتجارية، وهي متوسط قيمة المتر دون تعديل حسب الجودة (`land_price_index`).',
  '`home_registered`: Registered prices of apartments and floors per square meter of deed area (`home_price_index`).':
    '`home_registered`: الأسعار المسجَّلة للشقق والأدوار، للمتر المربع من مساحة الصك (`home_price_index`).',
  '`residential_land_registered`: Prices per square meter of deals in the residential class of the ministry, as in `/transactions`: unit values, not quality-adjusted (`land_price_index`).':
    '`residential_land_registered`: سعر المتر المربع في الصفقات التي تصنفها الوزارة سكنية، كما في `/transactions`، وهو متوسط قيمة المتر دون تعديل حسب الجودة (`land_price_index`).',
  "`rent_asking`: Asking rent of apartments among this service's listings (`rent_index`).":
    '`rent_asking`: الإيجار المعروض للشقق في إعلانات هذه الخدمة (`rent_index`).',
  "`price_source` is `asking` when every series returned is built on this service's listings, otherwise `registered`; each series has its own `price_source`.":
    'قيمة `price_source` هي `asking` إذا كانت جميع السلاسل في الاستجابة مبنية على إعلانات هذه الخدمة، وإلا فهي `registered`. ولكل سلسلة `price_source` خاص بها.',
  '`interval` is the 95% confidence interval, from resampling neighborhoods.':
    'و`interval` هي فترة الثقة 95%، محسوبة بإعادة معاينة الأحياء.',
  'A city has a land or home series only with at least 500 deals in every quarter and a stable index: its changes have a margin of at most 10% on average, and it ends within 10% of a direct comparison of its first and last period (`chain_drift_pct`); `cities_without_series` lists the other cities, and the national series include every city.':
    'لا تُنشر سلسلة أراضٍ أو مساكن لمدينة إلا إذا بلغت صفقاتها 500 على الأقل في كل ربع سنة وكان مؤشرها مستقرًا: لا يزيد هامش تغيّراته على 10% في المتوسط، ولا تبتعد نهايته أكثر من 10% عن المقارنة المباشرة بين أول فترة وآخر فترة (`chain_drift_pct`). ويعرض `cities_without_series` المدن الأخرى، وتدخل جميع المدن في السلاسل الوطنية.',
  '`sample_size` counts all deals (contracts, listings) of a period, `matched_sample_size` the compared ones.':
    'ويعرض `sample_size` عدد صفقات الفترة كلها (أو عقودها أو إعلاناتها)، ويعرض `matched_sample_size` عدد ما قورن منها.',
  "`attribution` is null when every series returned is built on the regulator's indicators or on this service's listings.":
    'وقيمة `attribution` هي null إذا كانت كل السلاسل في الاستجابة مبنية على مؤشرات الجهة المنظِّمة أو على إعلانات هذه الخدمة.',
  'Month, for example `2026-11`, which selects its latest revision, or a revision, for example `2026-11-r1`.':
    'شهر مثل `2026-11` لآخر مراجعة له، أو مراجعة محددة مثل `2026-11-r1`.',
  'Defaults to the latest release.': 'القيمة الافتراضية: أحدث إصدار.',
  'Scope of the series: national or by city.': 'يحدد السلاسل الوطنية أو سلاسل المدن.',
  'Defaults to both.': 'القيمة الافتراضية: الوطنية والمدن معًا.',
  'Only series of this city are returned.': 'يحدد سلاسل هذه المدينة.',
  'One or more kinds of series.': 'أنواع السلاسل.',
  'One or more property classes of the series.': 'العقارات التي تشملها السلاسل.',

  // Exports.
  'Create an export': 'إنشاء عملية تصدير',
  'Exports a complete dataset to gzipped files of at most 25,000 rows, up to 2,000,000 rows in total.':
    'يصدّر مجموعة بيانات كاملة إلى ملفات مضغوطة (gzip) لا يزيد كل منها على 25,000 صف، وبحد أقصى 2,000,000 صف في المجموع.',
  'Exports start within about a minute; poll the export by its id until `status` is `completed`.':
    'يبدأ التصدير خلال دقيقة تقريبًا. تابعه بمعرّفه حتى تصبح قيمة `status` هي `completed`.',
  'Listing datasets need the Enterprise plan and cost 100 units per 1,000 rows, rounded up: rows are counted before writing, and units count against the monthly quota, not the rate limit.':
    'تتطلب مجموعات الإعلانات باقة Enterprise وتكلفتها 100 وحدة لكل 1,000 صف بالتقريب إلى الأعلى: تُعدّ الصفوف قبل الكتابة، وتُحتسب الوحدات من الحصة الشهرية لا من حد الدقيقة.',
  'Open-data datasets are free and available to any data key.':
    'مجموعات البيانات المفتوحة مجانية ومتاحة لأي مفتاح بيانات.',
  'Failed exports are free.': 'عمليات التصدير الفاشلة مجانية.',
  'At most 2 exports of an organization run at the same time, and 20 can be created per day.':
    'الحد الأقصى لكل منشأة تصديران متزامنان و20 تصديرًا في اليوم.',
  'Rows of `ndjson` equal the items that the matching endpoint returns in `data`; `csv` has a column per field, with dots in the names of nested fields.':
    'صفوف `ndjson` مطابقة لعناصر `data` في العملية المقابلة، وفي `csv` عمود لكل حقل، وتفصل النقاط بين أجزاء اسم الحقل المتداخل.',
  '`listings`: every active listing that matches the filters of `GET /v1/listings`, given as JSON numbers, booleans and strings, with arrays for several values.':
    '`listings`: كل إعلان نشط يطابق عوامل تصفية `GET /v1/listings`، وتُكتب بصيغة JSON أعدادًا وقيمًا منطقية ونصوصًا، وتُكتب القيم المتعددة في مصفوفة.',
  '`listing_changes`: every created, price_changed and delisted event of a range of at most 366 days, each with the current listing, or null.':
    '`listing_changes`: كل حدث created أو price_changed أو delisted ضمن مدة لا تزيد على 366 يومًا، ومع كل حدث الإعلان بحالته الحالية، أو null.',
  'Events are selected by the time when they happened (`at`, from `from` to before `to`), or, to synchronize a copy, by the time when they were released (`released_at`, from `released_from` to before `released_to`).':
    'تُحدَّد الأحداث بوقت حدوثها (`at`، من `from` وقبل `to`)، أو بوقت نشرها لتحديث نسختك (`released_at`، من `released_from` وقبل `released_to`).',
  '`to` and `released_to` default to now; `city`, `listing_type`, `property_type` and `neighborhood_id` filter the events.':
    'القيمة الافتراضية لكل من `to` و`released_to` هي الوقت الحالي. وتُصفّى الأحداث باستخدام `city` و`listing_type` و`property_type` و`neighborhood_id`.',
  'Start of the range of `at`, inclusive.': 'بداية المدة حسب `at`، وهي مشمولة.',
  'End of the range of `at`, exclusive.': 'نهاية المدة حسب `at`، وهي غير مشمولة.',
  'Defaults to now.': 'القيمة الافتراضية: الوقت الحالي.',
  'Start of the range of `released_at`, inclusive: the `watermark` of the previous export.':
    'بداية المدة حسب `released_at`، وهي مشمولة: قيمة `watermark` من التصدير السابق.',
  'End of the range of `released_at`, exclusive.': 'نهاية المدة حسب `released_at`، وهي غير مشمولة.',
  'Defaults to all released events.': 'القيمة الافتراضية: جميع الأحداث المنشورة.',
  'One or more quarters, `YYYY-Qn`; matches any of them.': 'أرباع السنة، بالصيغة `YYYY-Qn`، ويكفي تطابق أحدها.',
  'Minimum number of contracts per cell.': 'الحد الأدنى لعدد العقود في الخلية.',
  '`city` and `listing_type` take several values and default to all; `modified_since` exports only changes since the `watermark` of the previous manifest; `updated_since` filters by `updated_at`.':
    'يقبل `city` و`listing_type` عدة قيم، وبدونهما يشمل التصدير الكل. ويقصر `modified_since` التصدير على ما تغيّر منذ `watermark` في ملف البيان السابق، ويصفّي `updated_since` حسب `updated_at`.',
  '`registered_transactions`: registered sale deals, with the filters of `GET /v1/transactions` as JSON; `city` takes several values and defaults to all.':
    '`registered_transactions`: صفقات البيع المسجَّلة، بعوامل تصفية `GET /v1/transactions` بصيغة JSON. ويقبل `city` عدة قيم، وبدونه يشمل التصدير جميع المدن.',
  '`registered_rents`: cells of registered rents, each with its city and period; `city`, `neighborhood_id`, `property_type` and `period` take several values and default to all, `min_sample_size` can be raised.':
    '`registered_rents`: خلايا الإيجارات المسجَّلة، كل منها مع مدينتها وفترتها. وتقبل `city` و`neighborhood_id` و`property_type` و`period` عدة قيم، وبدونها يشمل التصدير الكل، ويمكن رفع `min_sample_size`.',
  'Returns the exports of the organization, newest first, without links.':
    'يعيد عمليات تصدير المنشأة من الأحدث إلى الأقدم، دون روابط.',
  'Records are retained for 90 days.': 'تُحفظ السجلات 90 يومًا.',
  'List exports': 'عرض عمليات التصدير',
  'Get an export': 'عرض عملية تصدير',
  'Returns the progress of an export and, once it is completed, a link for each of its files.':
    'يعيد تقدم التصدير، ورابطًا لكل ملف بعد اكتماله.',
  'Links expire after one hour; repeat the request for new links.':
    'تنتهي صلاحية الروابط بعد ساعة. أعد الطلب للحصول على روابط جديدة.',
  'Files are deleted 7 days after completion; `files` is empty from then on.':
    'تُحذف الملفات بعد 7 أيام من الاكتمال، وتصبح `files` فارغة.',
  '`units` is the number of units charged.': 'يعرض `units` عدد الوحدات المحتسبة.',
  'Id of the export.': 'معرّف التصدير.',

  // Administration.
  'Get your organization': 'عرض المنشأة',
  'Returns the organization of the calling admin key, with the limits of its plan and its usage this month.':
    'يعيد منشأة المفتاح الإداري وحدود باقتها واستخدامها هذا الشهر.',
  'List keys': 'عرض المفاتيح',
  'Returns the keys of the organization, newest first, without their secrets.':
    'يعيد مفاتيح المنشأة من الأحدث إلى الأقدم، دون قيمها السرية.',
  '`must_rotate` marks a key that was sent in a URL.':
    'تشير العلامة `must_rotate` إلى مفتاح أُرسل في رابط الطلب ويجب استبداله.',
  'Create a key': 'إنشاء مفتاح',
  'Creates a data key or a test key.': 'ينشئ مفتاح بيانات أو مفتاح اختبار.',
  '`secret` is returned only in this response.': 'لا تظهر القيمة السرية `secret` إلا في هذه الاستجابة.',
  'Send an `Idempotency-Key`, so that a retry does not create a second key.':
    'أرسل الترويسة `Idempotency-Key` حتى لا تنشئ إعادة المحاولة مفتاحًا ثانيًا.',
  'Owners create admin keys outside of the API.': 'ينشئ المالك المفاتيح الإدارية خارج الواجهة البرمجية.',
  'Creating an admin key returns 403 `forbidden_action`.':
    'ويُرفض طلب إنشاء مفتاح إداري بالحالة 403 والرمز `forbidden_action`.',
  'Scopes that the key is limited to; null or absent for all scopes of the plan.':
    'الصلاحيات التي يقتصر عليها المفتاح. إذا كانت القيمة null أو لم تُرسل يشمل المفتاح جميع صلاحيات الباقة.',
  'ISO 8601 date-time with seconds.': 'تاريخ ووقت بصيغة ISO 8601 مع الثواني.',
  'Revoke a key': 'إلغاء مفتاح',
  'Revokes a key immediately.': 'يلغي المفتاح فورًا.',
  'Revoking a revoked key has no effect.': 'وإلغاء مفتاح ملغى لا أثر له.',
  'Id of the key.': 'معرّف المفتاح.',
  'List projects': 'عرض مشاريع المفاتيح',
  'Returns the projects that group keys, with their monthly unit caps and their usage this month.':
    'يعيد المشاريع التي تجمع المفاتيح مع سقوف وحداتها الشهرية واستخدامها هذا الشهر.',
  'Get usage': 'عرض الاستخدام',
  'Returns calls and units by UTC day, key, endpoint and result class for the last 7, 30 or 90 days including today, latest day first.':
    'يعيد عدد الطلبات والوحدات حسب اليوم (UTC) والمفتاح والعملية ونوع النتيجة لآخر 7 أو 30 أو 90 يومًا شاملة اليوم، من الأحدث إلى الأقدم.',
  'Number of days, including today.': 'عدد الأيام، شاملة اليوم.',
  'Operation id.': 'معرّف العملية.',
  'The `route` filter of request logs accepts it.': 'ويقبله معامل `route` في سجل الطلبات.',
  'List members': 'عرض الأعضاء',
  'Returns the members of the organization and their roles, newest first.':
    'يعيد أعضاء المنشأة وأدوارهم، من الأحدث إلى الأقدم.',
  'List audit events': 'عرض سجل التدقيق',
  'Returns the changes made in the organization and who made them, latest first.':
    'يعيد التغييرات في المنشأة ومن أجراها، من الأحدث إلى الأقدم.',
  'List request logs': 'عرض سجل الطلبات',
  'Returns the calls of the organization within its retention window (7, 30 or 90 days), latest first.':
    'يعيد طلبات المنشأة ضمن مدة الحفظ (7 أو 30 أو 90 يومًا)، من الأحدث إلى الأقدم.',
  '`request_id` looks up one call and ignores all other filters.':
    'يعيد `request_id` طلبًا واحدًا وتُتجاهل معه عوامل التصفية الأخرى.',
  'Failed calls include the error message and the invalid parameter, unless request details are disabled.':
    'وتتضمن الطلبات الفاشلة رسالة الخطأ والمعامل غير الصحيح، إلا إذا أُوقف حفظ تفاصيل الطلبات.',
  'Calls appear within a few seconds.': 'ويظهر الطلب في السجل خلال ثوانٍ.',
  'Request id of one call; all other filters are ignored.': 'معرّف طلب واحد، وتُتجاهل معه عوامل التصفية الأخرى.',
  'Id of the key that sent the request.': 'معرّف المفتاح الذي أُرسل به الطلب.',
  'Endpoint of the call: its path template, with or without the version segment, or its operation id, as in `endpoint` of the usage response.':
    'العملية المطلوبة: قالب مسارها مع جزء الإصدار أو بدونه، أو معرّفها كما في `endpoint` ضمن بيانات الاستخدام.',
  'HTTP status of the response.': 'رمز حالة HTTP للاستجابة.',
  'Start of the time range, inclusive.': 'بداية المدة، وهي مشمولة.',
  'End of the time range, exclusive.': 'نهاية المدة، وهي غير مشمولة.',
  'List webhook endpoints': 'عرض نقاط استقبال إشعارات الويب',
  'Returns the webhook endpoints of the organization, newest first, without their secrets.':
    'يعيد نقاط استقبال المنشأة من الأحدث إلى الأقدم، دون قيمها السرية.',
  '`last_sequence` is the sequence number of the last delivery created for an endpoint; sequence numbers have no gaps.':
    'ويعرض `last_sequence` الرقم التسلسلي لآخر إشعار أُنشئ لنقطة الاستقبال، ولا فجوات بين الأرقام التسلسلية.',
  '`lag` describes pending deliveries; `lag.behind` is true if deliveries of recent events have not been created yet, for example after an update with more than 500 events.':
    'يصف `lag` الإشعارات المعلّقة؛ ويشير `lag.behind` إلى أحداث حديثة لم تُنشأ إشعاراتها بعد، مثلًا بعد تحديث فيه أكثر من 500 حدث.',
  '`lag.missed_until` is set if events up to this time were never sent, because they reached the retention period of 400 days first.':
    'وتُذكر قيمة `lag.missed_until` إذا لم تُرسل أحداث وقعت حتى هذا الوقت، لأن مدة حفظها البالغة 400 يوم انتهت قبل إرسالها.',
  '`success_rate_pct` is the share of completed deliveries that the receiver accepted; replays do not count separately.':
    'ويعرض `success_rate_pct` نسبة الإشعارات المكتملة التي قبلها المستقبِل، ولا تُحسب إعادة الإرسال إشعارًا مستقلًا.',
  '`exhausted_since_enabled` is the number of retained deliveries that failed after the endpoint was last enabled and have not been accepted since.':
    'ويعرض `exhausted_since_enabled` عدد الإشعارات المحفوظة التي فشلت بعد تفعيل نقطة الاستقبال ولم تُقبل بعد ذلك.',
  'Create a webhook endpoint': 'إنشاء نقطة استقبال',
  'Creates a webhook endpoint: a URL that receives future events of the listings that match `filters`.':
    'يسجّل رابطًا لاستقبال الأحداث القادمة للإعلانات التي تطابق `filters`.',
  '`secret` signs the deliveries and is returned only in this response.':
    'تُوقّع الإشعارات بالقيمة السرية `secret`، ولا تظهر إلا في هذه الاستجابة.',
  'The URL must be `https://` on the default port, and its host must resolve to public IP addresses, now and before every delivery; redirects are not followed.':
    'يجب أن يكون الرابط من نوع `https://` على المنفذ الافتراضي، وأن يشير اسم المضيف إلى عناوين IP عامة الآن وقبل كل إرسال. ولا تُتبع عمليات إعادة التوجيه.',
  'An organization can have up to 25 webhook endpoints.': 'الحد الأقصى 25 نقطة استقبال لكل منشأة.',
  'URL that events are sent to.': 'الرابط الذي تُرسل إليه الأحداث.',
  'Event types to send.': 'أنواع الأحداث المطلوبة.',
  'Filters of `GET /v1/listings`, given as JSON numbers, booleans and strings, with arrays for several values.':
    'عوامل تصفية `GET /v1/listings`، وتُكتب بصيغة JSON أعدادًا وقيمًا منطقية ونصوصًا، وتُكتب القيم المتعددة في مصفوفة.',
  '`city` is required; `city` and `listing_type` take several values.':
    'المعامل `city` مطلوب؛ ويقبل `city` و`listing_type` عدة قيم.',
  'The filters `updated_since`, `modified_since`, `days_on_market_min`, `days_on_market_max` are not accepted, because their matches change as time passes.':
    'ولا تشمل `updated_since` و`modified_since` و`days_on_market_min` و`days_on_market_max`، لأن نتائجها تتغير بمرور الوقت.',
  'Earliest modification time, inclusive; to synchronize, pass `modified_at` of the last row received, or `pagination.watermark`.':
    'الإعلانات المعدَّلة في هذا الوقت أو بعده. أرسل `modified_at` لآخر صف وصلك، أو `pagination.watermark`.',
  'Accepts up to six fractional digits, `YYYY-MM-DDThh:mm:ss.ffffffZ`.':
    'يقبل حتى ست خانات لكسور الثانية، بالصيغة `YYYY-MM-DDThh:mm:ss.ffffffZ`.',
  'Time up to which all modified listings are included; present only with `sort=modified_asc`.':
    'مع `sort=modified_asc` فقط: تشمل النتائج جميع الإعلانات المعدَّلة حتى هذا الوقت.',
  'After the last page, continue with this value as `modified_since`.':
    'بعد قراءة الصفحة الأخيرة تابع بهذه القيمة في `modified_since`.',
  'Time of the last update at the source.': 'وقت آخر تحديث لدى المصدر.',
  'If the source states no time, or its time does not reflect a change, the time when the service detected the change.':
    'وإذا لم يذكر المصدر وقتًا، أو ذكر وقتًا لا يعكس التغيير، فهو وقت اكتشاف الخدمة للتغيير.',
  'Time when the service last changed its data for the listing, with microsecond precision.':
    'آخر وقت غيّرت فيه الخدمة بيانات الإعلان، بدقة الميكروثانية.',
  'The value is unique to the listing.': 'لا تتكرر القيمة بين الإعلانات.',
  'Delete a webhook endpoint': 'حذف نقطة استقبال',
  'Deletes a webhook endpoint and its delivery history; no more events are sent to it.':
    'يحذف نقطة الاستقبال وسجل إشعاراتها، ولا يُرسل إليها شيء بعد ذلك.',
  'Deletion cannot be undone.': 'ولا يمكن التراجع عن الحذف.',
  'Id of the webhook endpoint.': 'معرّف نقطة الاستقبال.',
  'Send a test event': 'إرسال حدث تجريبي',
  'Sends an event with sample data and `"test": true`, signed and retried like any other event.':
    'يرسل حدثًا ببيانات تجريبية مع `"test": true`، ويُوقَّع وتُعاد محاولة إرساله كأي حدث آخر.',
  'The delivery is sent even if the endpoint was disabled because of failures.':
    'ويُرسل حتى لو عُطّلت نقطة الاستقبال بسبب تكرار الفشل.',
  'At most 60 test events can be sent per hour.': 'الحد الأقصى 60 حدثًا تجريبيًا في الساعة.',
  'Event type; defaults to the first event type of the endpoint.':
    'نوع الحدث. القيمة الافتراضية: أول نوع في أنواع أحداث نقطة الاستقبال.',
  'List deliveries of a webhook endpoint': 'عرض إشعارات نقطة استقبال',
  'Returns the deliveries of a webhook endpoint, latest first, with the response of the receiver to each attempt: status, duration and the first 500 characters of the body.':
    'يعيد إشعارات نقطة الاستقبال من الأحدث إلى الأقدم، مع استجابة المستقبِل في كل محاولة: الحالة والمدة وأول 500 حرف من المحتوى.',
  'Deliveries are retained for 30 days after completion.': 'يُحفظ الإشعار 30 يومًا بعد اكتماله.',
  'Delivery status: waiting for an attempt (`pending`), accepted (`delivered`), or failed after all attempts (`failed`).':
    'حالة الإشعار: بانتظار محاولة (`pending`)، أو مقبول (`delivered`)، أو فشلت جميع محاولاته (`failed`).',
  'Replay a delivery': 'إعادة إرسال إشعار',
  'Resends a completed delivery with the same event id and body, with up to six new attempts.':
    'يعيد إرسال إشعار مكتمل بمعرّف الحدث والمحتوى نفسيهما، وبحد أقصى ست محاولات جديدة.',
  'Replaying a pending delivery returns 409 `conflict`.':
    'ويُرفض طلب إعادة إرسال إشعار معلّق بالحالة 409 والرمز `conflict`.',
  'Id of the delivery.': 'معرّف الإشعار.',

  // The service itself.
  'Get the OpenAPI document': 'عرض وثيقة OpenAPI',
  'Returns the OpenAPI 3.1 document of this API.': 'يعيد وثيقة OpenAPI 3.1 لهذه الواجهة البرمجية.',
  'No key is required.': 'لا يتطلب مفتاحًا.',
  'Liveness check': 'فحص التشغيل',
  'Returns 200 while the process runs.': 'يعيد 200 ما دام الخادم يعمل.',
  'Does not query datastores.': 'ولا يستعلم من أي قاعدة بيانات.',
  'Readiness check': 'فحص الجاهزية',
  'Returns 200 when this node can serve reads, and 503 with the `reason` when it cannot.':
    'يعيد 200 إذا كان الخادم قادرًا على خدمة طلبات القراءة، وإلا يعيد 503 مع السبب في `reason`.',
  'The result is cached for a second; the endpoint has no rate limit.':
    'تُحفظ النتيجة مؤقتًا لمدة ثانية، ولا حد لمعدل الطلبات.',
  'The node cannot serve reads.': 'الخادم غير قادر على خدمة طلبات القراءة.',
  'Compares the listing with other live homes of the same city, listing type, property type and bedrooms, within 25% of the area and updated in the last 90 days.':
    'يقارن الإعلان بالمساكن المعروضة الأخرى في المدينة نفسها، المطابقة له في نوع العرض ونوع العقار وعدد غرف النوم، التي لا تختلف مساحتها بأكثر من 25% والمحدَّثة خلال آخر 90 يومًا.',
  'The first of these cohorts with enough homes is used: homes of the same age class (0 to 2 years, 3 to 6 years, 7 to 14 years, 15 years and more) within 1.5 km, then 3 km; homes of all ages within the same distances; homes of the same age class, then of all ages, within 5 km.':
    'وتُستخدم أول مجموعة فيها عدد كافٍ من المساكن: المساكن من فئة العمر نفسها (من 0 إلى 2 سنة، ومن 3 إلى 6 سنوات، ومن 7 إلى 14 سنة، و15 سنة فأكثر) ضمن 1.5 كم ثم 3 كم، ثم المساكن من كل الأعمار ضمن المسافتين نفسيهما، ثم ضمن 5 كم المساكن من فئة العمر نفسها ثم من كل الأعمار.',
  'A listing without a location is compared with the homes of its neighborhood (`cohort.geography`).':
    'والإعلان الذي ليس له موقع يُقارَن بمساكن حيه (`cohort.geography`).',
  'Area of the comparison: a radius around the listing, or its neighborhood if it has no location.':
    'منطقة المقارنة: دائرة حول الإعلان، أو حيه إذا لم يكن له موقع.',
  'Radius in meters; 0 if `geography` is `neighborhood`.':
    'نصف القطر بالمتر، والقيمة 0 إذا كانت قيمة `geography` هي `neighborhood`.',
  'Radius in meters; 0 if the listing has no location and is compared with its neighborhood.':
    'نصف القطر بالمتر، والقيمة 0 إذا لم يكن للإعلان موقع، فيُقارَن بمساكن حيه.',
  'Each home counts once, and daily and weekly rents are excluded.':
    'يُحسب كل مسكن مرة واحدة، وتُستبعد الإيجارات اليومية والأسبوعية.',
  'Comparables use a wider range of areas and a shorter period; market position compares with the entire neighborhood and city, for any area.':
    'تشمل الإعلانات المشابهة نطاقًا أوسع من المساحات ومدة أقصر. أما موقع الإعلان في السوق فيعتمد على الحي كله والمدينة كلها مهما كانت المساحة.',
  'Age range of the compared homes.': 'فئة أعمار المساكن المقارَن بها.',
  'Null if homes of all ages are compared: the listing states no age, or too few homes of its age are nearby.':
    'القيمة null إذا كانت المقارنة بمساكن من كل الأعمار: لا يذكر الإعلان عمر العقار، أو المساكن القريبة من فئة عمره قليلة.',
  'Market position compares with the entire neighborhood and city, for any area; the price band and deals only with homes within 25% of the area, over 90 days, excluding daily and weekly rents.':
    'يعتمد موقع الإعلان في السوق على الحي كله والمدينة كلها مهما كانت المساحة. أما النطاق السعري والفرص فلا تعتمد إلا على المساكن التي لا تختلف مساحتها بأكثر من 25% خلال 90 يومًا، دون الإيجارات اليومية والأسبوعية.',
  'Find deals: listings priced below their price band': 'عرض الفرص: إعلانات أسعارها أقل من نطاقها السعري',
  'Compares each listing with the homes of its price band, as of the last ingest run: `/listings/{id}/price-band` returns the same median and quartiles.':
    'يقارن كل إعلان بمساكن نطاقه السعري حسب آخر قراءة للمصادر: تعيد `/listings/{id}/price-band` الوسيط نفسه والربيعيات نفسها.',
  'A deal is from 20% to 45% below the median and below the lower quartile, in price and in price per square meter, and at least 10% below the lower end of the interval of the median.':
    'الفرصة إعلان يقل عن الوسيط بنسبة من 20% إلى 45% ويقل عن الربيع الأدنى، في السعر وفي سعر المتر المربع، ويقل عن الحد الأدنى لفترة الثقة للوسيط بنسبة 10% على الأقل.',
  'A listing further below is treated as an error, not a deal.': 'وما يقل عن ذلك يُعدّ خطأً وليس فرصة.',
  'A listing that states its age is compared only with homes of its age, and several ads for one home are one deal.':
    'والإعلان الذي يذكر عمر العقار يُقارَن بمساكن من فئة عمره فقط، وتُعدّ الإعلانات المتعددة لمسكن واحد فرصة واحدة.',
  'Listings whose text states that the price does not cover the entire home are not deals.':
    'والإعلان الذي يدل نصه على أن السعر لا يشمل المسكن كاملًا لا يُعدّ فرصة.',
  'Types without a price band, such as land, farms, chalets and rooms, have no deals.':
    'ولا توجد فرص في الأنواع التي ليس لها نطاق سعري، مثل الأراضي والمزارع والشاليهات والغرف.',
  'The gap is the smaller of the gaps in price and in price per square meter.':
    'الفارق هو الأصغر بين فارق السعر وفارق سعر المتر المربع.',
  'Prices are asking prices; a deal is not a valuation.': 'الأسعار معروضة من المعلنين، والفرصة ليست تقييمًا عقاريًا.',
  'Null if the listing states no age and is compared with homes of all ages.':
    'القيمة null إذا لم يذكر الإعلان عمر العقار، فيُقارَن بمساكن من كل الأعمار.',
};
