import { foldText } from '../fold.ts';
import { PROPERTY_TYPE_TABLE } from '../listings/vocabulary.ts';
import { Lexicon, wordsOf } from '../text/phrases.ts';
import {
  ADVERTISER_WORDS,
  AMENITY_WORDS,
  NOT_AMENITIES,
  PERIOD_WORDS,
  PURPOSE_WORDS,
  TYPE_WORDS,
} from '../text/word-lists.ts';

/** By `tag:value`: words that occur only in searches. Others come from the word lists of ingest. */
const PHRASES: Readonly<Record<string, string>> = {
  'purpose:rent': 'استئجار, أستأجر, استاجر, مستأجر, تستأجر, نستأجر, للإستئجار, renting, rented, to rent out',
  'purpose:sale': 'أشتري, اشتري, نشتري, تملك, للتملك, buying, purchasing, for purchase',

  'unit:rooms': `
    غرفة, غرف, غرفة نوم, غرف نوم, غرف النوم, عدد الغرف, عدد غرف, عدد غرف النوم, room, rooms, bedroom, bedrooms, bed room, bed rooms, bed, beds, br, brs, bd, bdr, bdrm, bhk, bedrm,
    bedroomed, sleeping rooms`,
  'unit:rooms2': 'غرفتين, غرفتان, غرفتين نوم, غرفتي نوم, غرفتا نوم',
  'unit:baths': `
    حمام, حمامات, دورة مياه, دورات مياه, دورات المياه, دورة المياه, دورة, دورات, bathroom, bathrooms, bath, baths, ba, bth, bathrm, toilet, toilets, wc,
    washroom, washrooms, restrooms`,
  'unit:baths2': 'حمامين, حمامان, دورتين, دورتين مياه, دورتي مياه, دورتا مياه',
  'unit:livings': 'صالة, صالات, صالة معيشة, غرفة معيشة, living room, living rooms, living, hall, halls, lounge room',
  'unit:livings2': 'صالتين, صالتان',
  'unit:sqm': `
    متر, أمتار, متر مربع, أمتار مربعة, م, م مربع, مترمربع, sqm, sq m, sq meter, sq meters, sq metre, sq metres, square meter, square meters,
    square metre, square metres, meter, meters, metre, metres, m, m sq, square m`,
  'unit:persqm': `
    للمتر, للمتر المربع, سعر المتر, سعر المتر المربع, per sqm, per square meter, per square metre, per meter, per metre, per m,
    a square meter, a meter, a metre, لكل متر, لكل متر مربع, على المتر, بالمتر, price per sqm`,
  'unit:sar':
    'ريال, ريالات, ريال سعودي, ر س, رس, sar, sr, riyal, riyals, saudi riyal, saudi riyals, rials, rial, sars, ﷼',
  'unit:years': 'سنة, سنوات, سنين, سنه, عام, أعوام, years, year, yrs, yr',
  'unit:years2': 'سنتين, سنتان, عامين',
  'unit:km': 'كم, كيلو, كيلومتر, كيلو متر, كيلومترات, km, kms, kilometer, kilometers, kilometre, kilometres',
  'unit:minutes': 'دقيقة, دقائق, دقايق, minutes, minute, mins',
  'unit:dollars': 'دولار, دولارات, usd, dollars, dollar, درهم, aed, euro, euros, يورو, dirham, dirhams',

  'label:area': 'مساحة, مساحتها, مساحته, المساحة, بمساحة, مساحات, area, size, sized, plot size, land area',
  'label:age': `
    عمر, عمره, عمرها, العمر, عمر البناء, عمر العقار, عمر المبنى, عمر البيت, old, years old, year old, yrs old, of age, age, aged,
    building age, built within, built in the last, في آخر, built in last, constructed in the last`,
  'label:price': `
    سعر, سعره, سعرها, السعر, بسعر, أسعار, بقيمة, قيمة, قيمتها, price, priced, prices, cost, costs, costing, rent of, for a price of, land price, سعر الأرض, بمبلغ,
    مبلغ, إيجارها, إيجاره`,
  'label:income': `
    دخل, دخله, دخلها, الدخل, دخلها السنوي, دخله السنوي, عائد, عائدها, عائده, العائد, مدخول, مدخولها, income, revenue, yield, yielding, earning, earns, generating, income of`,
  'label:budget': `
    ميزانية, ميزانيتي, ميزانيتنا, الميزانية, بميزانية, budget, my budget, my budget is, budget of, max budget, maximum budget, ميزانيه, عندي,
    معي, معاي, budget is, can pay, can afford, afford, can spend, spend, أقدر أدفع, يدفع, ادفع`,

  'label:year': `
    built, built in, built after, built since, built before, year built, construction year, year of construction, constructed, since, after, before, model, from year,
    بناء, بناء سنة, بناء عام, مبني, مبنية, مبنية سنة, سنة البناء, سنة بناء, تاريخ البناء, انبنت, بنيت, بعد, قبل, بعد سنة, بعد عام, من سنة, من عام, منذ, موديل`,
  'label:reference': `
    رقم, رقم الإعلان, رقم الترخيص, رقم الرخصة, رخصة, رخصة إعلان, ترخيص, فال, رقم الجوال, جوال, جوالي, رقمي, هاتف, تلفون, واتس, واتساب, للتواصل, تواصل, كلمني, اتصل, الرمز البريدي,
    صندوق بريد, مخطط, قطعة, بلك, بلوك, صك, رقم الصك, مرجع, call, call me, phone, phone number, mobile, tel, telephone, whatsapp, contact, number, license, licence, license number,
    ad license, ad number, id, ref, reference, code, postal code, zip code, plot, plot number, plan number, plan, block, deed, deed number, permit, house number, apartment number, #`,

  'label:dimension': `
    ارتفاع, ارتفاعه, ارتفاعها, ارتفاع السقف, بارتفاع, طول, طوله, طولها, بطول, عمق, واجهة, واجهتها, بواجهة, height, ceiling height, ceiling, length, depth, frontage`,

  'max:': `
    ألا يزيد عن, ألا يتجاوز, ألا تتجاوز, أقل من, اقل, تحت, تحت ال, دون, لا يزيد عن, لا تزيد عن, ما يزيد عن, ما تزيد عن, ما يزيد على, ما يطلع فوق, ما تطلع فوق, ما يطلع على, ما يتخطى, ما تتخطى, ما تفوق, ما يعدي, ما تعدي, مايزيد عن, ما يتعدى, ما تتعدى, مايتعدى, ما يتجاوز, لا يتجاوز,
    لا تتجاوز, ما تتجاوز, لا يتعدى, لا تتعدى, لحد, لين, حد أقصى, بحد أقصى, كحد أقصى, الحد الأقصى, أقصى حد, أقصاه, أقصاها, حتى, ما يزيد, لا يزيد, لا تزيد, مب أكثر من, مو أكثر من,
    ليس أكثر من, ما يطلع عن, ما يفوق, لا يفوق, بأقل من, لأقل من, باقل من, less than, under, below, up to, upto, at most, no more than, not more than,
    max, maximum, maximum of, max of, not exceeding, not exceed, cheaper than, within, not over, fewer than, not older than, no older than, ولا يزيد عن, ولا تزيد عن, ولا يزيد, ولا تزيد, ولا يتجاوز, ولا تتجاوز, ولا يتعدى, ولا تتعدى, وما يزيد عن, وما تزيد عن, younger than, newer than, <, ≤, lower than, or less, or under,
    أكثر شي, أكثر شيء, أقصى شي, أقصى شيء, أو أقل, فأقل, وأقل, واقل, فما دون, وتحت, as max, at max, or below, and below, and under, tops, or fewer, smaller than, أصغر من, أحدث من, أرخص من, ارخص من, until, till`,
  'min:': `
    أقل شي, أقل شيء, أغلى من, مو اقل من, مب اقل من, ليس اقل من, ما تقل, ما يقل, ألا يقل عن, ألا يقل, ألا تقل, ألا تقل عن, عالأقل, عالاقل, وطالع, أكثر من, اكثر من, فوق, فوق ال, لا يقل عن, لا تقل عن, ما يقل عن, ما تقل عن, مايقل عن, لا يقل, لا تقل, على الأقل, حد أدنى, بحد أدنى, كحد أدنى, الحد الأدنى, يبدأ من, تبدأ من,
    يبدا من, ابتداء من, أكبر من, اكبر من, أعلى من, من فوق, أكثر, more than, over, above, at least, no less than, not less than, min, minimum, minimum of, starting
    from, starting at, from at least, bigger than, larger than, greater than, exceeding, >, ≥, older than, أقدم من, or more, or above, and above, and up, plus, +, أو أكثر, فأكثر, وأكثر, واكثر, فما فوق, وفوق, وطالع, or larger, or bigger, or higher, upwards, and more`,
  'about:': `
    حوالي, حوالى, تقريبا, تقريبًا, بحدود, في حدود, حدود, في حدود ال, قرابة, نحو, ما يقارب, يقارب, بحوالي, بتقريب, around, about, approximately, approx, roughly, circa,
    ~, somewhere around, in the region of, أو حولها, بهالحدود, حول`,
  'between:': 'بين, ما بين, مابين, between, من بين',
  'to:': 'إلى, الى, to, -, ل, لين, until, لحد',

  'in:': 'في, بـ, in, at, inside, within the, ضمن, داخل, located in, at the, in the',
  'district:':
    'حي, الحي, بحي, لحي, أحياء, احياء, في حي, district, neighborhood, neighbourhood, districts, neighborhoods, hay, منطقة, بمنطقة, area of',
  'near:': `
    قريب من, قريبة من, قريبه من, قريب, قريبة, قرب, بالقرب من, القريبة من, القريب من, جنب, بجنب, بجانب, بجوار, جوار, حول, حوالين, near, nearby, near to, close to, next to,
    close by, not far from, مو بعيد عن, مب بعيد عن, around the, near the, walking distance to, walking distance from, beside, adjacent to, vicinity of, in the vicinity of,
    على بعد, بمسافة, على مسافة, مسافة, يبعد عن, تبعد عن, away from, from, من`,
  'except:': `
    ما عدا, ماعدا, عدا, إلا, الا, باستثناء, except, except for, excluding, but not, but not in, not in, other than, apart from, except in, مو في, مب في, ليس في, غير حي, ما ابي,
    ما أبي, ما ابغى, ما أبغى, ما ابغا, لا أريد, لا أبي, لا أبغى, لا أبغا, لا نبي, لا نبغى, outside, anywhere but, مابي, مابغى, مستثنى`,
  'street:':
    'شارع, بشارع, طريق, بطريق, ش, على شارع, على طريق, street, st, road, rd, avenue, ave, highway, streets, ممشى, boulevard, تقاطع, ميدان, دوار, مخرج, exit, مستشفى, مستوصف, مدرسة, مسجد, جامع, برج, hospital, clinic, school, schools, mosque, tower',
  'neg:': `
    بدون, من دون, بلا, من غير, بغير, ما فيها, ما فيه, مافيها, مافيه, لا يوجد, لا يوجد فيها, لا يوجد بها, ما يكون فيها, ما يكون فيه, ما تكون فيها, مو لازم, ما يكون, ما تكون, لا يكون, لا تكون,
    خالي من, خالية من, ما تطلع, ما يطلع, nothing, without, without a, without any, no, not, non, w/o, minus, lacking, doesn't have, does not have, ما ابي فيها, ما ابي, ما أبي,
    don't want, do not want, don't need, ما يحتاج, لا أريد, ما ابغى, ما أبغى, ما ابغا, مو, مب, غير, مهو, isn't, not have, with no, مابي, مابغى, وبدون, ومن دون, وبلا, ليس فيها, ليس فيه, ليس بها`,
  'or:': 'أو, ولا, والا, or, nor, او, /, يا, إما, أو حتى, aw, wala',
  'and:':
    'و, and, &, plus, wa, w, وبعد, كمان, وايضا, أيضا, also, with, with a, with an, مع, فيها, فيه, بها, به, includes, including, has, having, تحتوي على, يحتوي على, لها, له, مزود, مزودة ب, featuring, comes with, ومعها',

  'furnished:true':
    'مفروش, مفروشة, مفروشه, مؤثث, مؤثثة, مؤثثه, مع أثاث, مع عفش, بأثاث, بعفش, بالأثاث, furnished, fully furnished, with furniture',
  'furnished:false': `
    غير مفروش, غير مفروشة, بدون أثاث, بدون عفش, بدون فرش, بلا أثاث, فاضية, فاضيه, ما فيها عفش, مافيها عفش, ما فيه عفش, ما فيها أثاث, مافيها اثاث, من غير عفش, من غير أثاث, غير مؤثث, غير مؤثثة, مو مفروشة, مو مفروش, مب مفروشة, مب مفروش, مهي مفروشة, ليست مفروشة, unfurnished, not furnished, non furnished,
    without furniture, no furniture, unfurnised`,
  'advertiser:individual': `
    من المالك, من المالك مباشرة, مباشر من المالك, مباشرة من المالك, مباشره من المالك, من صاحب العقار, من مالك, من مالكها, من المالك نفسه, بدون وسطاء, بدون وسيط, بدون مكاتب, بدون مكتب, بلا وسطاء, بدون سماسرة, بدون سمسار, من غير وسطاء, by owner, from owner, from the owner,
    direct from owner, directly from the owner, directly from owner, direct from the owner, owner direct, no agents, no agent, no middlemen, no middleman, without middlemen, without a middleman, without commission, no commission, بدون سعي, بدون عمولة, no brokers, no broker, without agents, without a broker, without brokers, without broker, without agent, private seller, by the owner, individual advertiser, individual advertisers, من أفراد, من فرد, أفراد`,
  'advertiser:company':
    'من مكتب, من مكتب عقاري, من مكاتب, من شركة, من شركات, عن طريق مكتب, مكتب عقاري, مكاتب عقارية, شركات, من مطور, by company, from company, from a company, from an agency, from a broker, by agency, through an agency, via agency, real estate company, company advertiser, from companies, from agencies, from an agent, from agents',
  'verified:true':
    'موثق, موثقة, موثوق, موثوقة, متحقق منه, متحقق منها, verified, verified only, إعلانات موثقة, اعلان موثق, only verified, verified listings, verified ads',
  'compound:true':
    'كمباوند, كومباوند, مجمع سكني, في مجمع, داخل مجمع, داخل كمباوند, مجمع مغلق, compound, gated compound, gated community, in a compound, inside a compound, مجمع',
  'compound:false':
    'خارج المجمعات, خارج مجمع, خارج كمباوند, not in a compound, not in compound, outside compounds, outside a compound, مو في مجمع, بدون كمباوند, مب في مجمع',
  'category:residential': 'سكني, سكنية, سكنيه, residential, للسكن, عقارات سكنية',
  'category:commercial': 'تجاري, تجارية, تجاريه, commercial, عقارات تجارية',

  'sort:price_asc':
    'الأرخص, أرخص, الأرخص أولا, أرخص شي, ارخص شي, الأقل سعرا, أقل سعر, من الأرخص, من الأرخص للأغلى, cheapest, cheapest first, the cheapest, lowest price, lowest price first, lowest rent, least expensive, price low to high, low to high, sorted by price, sort by price, lowest priced, cheap first, مرتبة حسب السعر, الأقل سعر, بأرخص سعر, بأقل سعر',
  'sort:price_desc':
    'الأغلى, أغلى, الأغلى أولا, الأعلى سعرا, أعلى سعر, من الأغلى, most expensive, the most expensive, highest price, highest price first, price high to low, high to low, priciest, most expensive first, من الأغلى للأرخص, الأعلى سعر',
  'sort:newest':
    'الأحدث, أحدث, الأحدث أولا, أحدث الإعلانات, آخر الإعلانات, أحدث العروض, آخر العروض, newest, newest first, latest, most recent, the latest, newest listings, latest listings, newly listed, recently listed, recent first, مضافة حديثا, أحدث إعلان, اخر الاعلانات',
  'sort:price_drop':
    'نازل سعرها, نازل سعره, نازلة الأسعار, أكبر تخفيض, أكبر خصم, المخفضة, مخفضة السعر, نزل سعرها, نزل سعره, price drop, price drops, biggest price drop, reduced price, reduced, price reduced, biggest discount, largest price drop, مخفض, منزل سعرها',
  'age:new':
    'جديد, جديدة, جديده, جدد, حديث البناء, حديثة البناء, بناء جديد, new, brand new, newly built, new build, new construction, للسكن أول مرة, أول ساكن, لم تسكن, ما انسكنت, never lived in, حديثة, حديث, just built, newly constructed, new building',

  'floor:ground':
    'دور أرضي, الدور الأرضي, بالدور الأرضي, الدور الارضي, أرضي, أرضية, ground floor, ground, ground level, first level',
  'floor:upper':
    'دور علوي, الدور العلوي, علوي, علوية, دور ثاني علوي, upper floor, upper, top floor, upper level, دور أخير, الدور الأخير, high floor, upper floors',
  'floor:roof': 'دور روف, روف علوي, on the roof, rooftop apartment, في السطح, على السطح, بالسطح',
  'floor:basement': 'دور قبو, في القبو, بالقبو, basement floor, in the basement, في البدروم, basement level, بالبدروم',
  'ordinal:': `
    الدور الأول, الدور الثاني, الدور الثالث, الدور الرابع, الدور الخامس, دور أول, دور ثاني, دور ثالث, دور رابع, first floor, second floor, third floor, fourth floor, fifth floor,
    1 st floor, 2 nd floor, 3 rd floor, 4 th floor, 5 th floor, 6 th floor, 7 th floor, الطابق الأول, الطابق الثاني, الطابق الثالث, الطابق الرابع, ثاني دور, ثالث دور, middle floor`,
  'amenity:garden': 'حديقه, حدائق',
  'amenity:lift': 'اصانصير, اسانسير',
  'amenity:maid_room':
    'غرفة خدامة, خدامة, غرفة للخدامة, غرفة للخادمة, غرفة للشغالة, غرفة للعاملة, غرفه شغاله, servant room, helper room',
  'amenity:driver_room': 'غرفة للسائق, غرفة للسواق, غرفة سايق, سايق, سواق',
  'period:quarterly': '3 شهور, ثلاثة شهور, كل 3 شهور',
  'period:semiannually': '6 شهور, ستة شهور, ست شهور, كل 6 شهور',
  'amenity:parking':
    'موقفين, موقفين سيارات, مواقف خاصة, car parking, parking spot, parking spots, مدخل سيارات, مدخل سياره, كراج سيارة',
  'amenity:pets_allowed':
    'يسمحون بالحيوانات, الحيوانات مسموحة, تسمح بالحيوانات, تسمح بالحيوانات الأليفة, مسموح الحيوانات, allows pets, pets allowed, that allows pets',
  'amenity:security': 'secured, حراسه امنيه, أمنية',
  'amenity:playground': 'العاب للاطفال, العاب للأطفال, ألعاب أطفال, منطقة ألعاب',
  'type:villa': 'فيلتين, بيتين',
  'type:apartment': 'شقتين',
  'type:land': 'أرضين',
  'type:shop': 'محلين',
  'type:rest_house': 'استراحتين',
  'type:studio': 'استوديوهات, استديوهات, ستوديوهات',

  // Some are also names of districts, but only after "district".
  'landmark:': `
    بحر, البحر, كورنيش, الكورنيش, مدارس, المدارس, جامعة, الجامعة, جامعات, سوق, السوق, أسواق, مول, محطة, المحطة, مترو, مطار, المطار, الحرم,
    شغلي, دوامي, عملي, شمال, جنوب, شرق, غرب, وسط, شمالي, جنوبي, شرقي, غربي, شمالية, جنوبية, شرقية, غربية, موظفين, موظفات, طلاب, طالبات, عمال, عمالة, عوائل, عائلة, عزاب,
    sea, beach, corniche, university, souq, souk, station, metro, airport, haram, north, south, east, west, center, downtown, western, eastern, northern, southern`,
  // No filter expresses these. Listed, so that they are not corrected as misspellings.
  'none:': `
    دور واحد, عقد 6 أشهر, عقد 6 شهور, عقد 3 أشهر, 6 months contract, 6 month contract, six months contract, 3 months contract, 3 month contract, 6 months lease, 6 month lease, 3 months lease,
    3 month lease, deposit, no deposit, security deposit, بدون عربون, عربون,
    يوم السبت, يوم الأحد, يوم الاثنين, يوم الثلاثاء, يوم الأربعاء, يوم الخميس, يوم الجمعة, ليوم الخميس, ليوم الجمعة, ليلة الخميس, ليلة الجمعة, الخميس والجمعة,
    semi furnished, semi-furnished, partly furnished, part furnished, شبه مفروش, شبه مفروشة, نصف مفروش, نصف مفروشة,
    هادئ, هادئة, هادي, هادية, راقي, راقية, واسع, واسعة, فاخر, فاخرة, فخم, فخمة, ديلوكس, دي لوكس, سوبر لوكس, سوبر ديلوكس, لوكس, تشطيب, إطلالة, مطل, مطلة, قديم, قديمة, زاوية,
    نهاية الأسبوع, ويكند, weekend, weekends, صغير, صغيرة, كبير, كبيرة, quiet, small, large, big, spacious, bright, modern, luxury, luxurious, deluxe, story, storey, storeys, stories, loft, cool, view, views, old, cozy, clean, corner, facing`,
  'stop:': `
    abi, abgha, abghi, abga, abghaa, nabi, nabgha, adawer, adawwer, mumkin, law samaht, men, min al,
    أبي, ابي, معلن, المعلن, نطاق, يسعدكم, الله يسعدكم, عندنا, salam, team, أبغى, ابغى, ابغا, أبغا, بغيت, نبي, نبغى, ودي, أريد, اريد, نريد, أدور, ادور, أدور على, ندور, أبحث, ابحث, أبحث عن, محتاج, محتاجة, أحتاج, احتاج, نحتاج, مطلوب, مطلوبة, هل, يوجد, فيه, عندكم, ممكن, لو سمحت, لو سمحتوا,
    من فضلك, يكون, تكون, يكون فيها, تكون فيها, تكون فيه, يكون فيه, بشرط, بس, فقط, على, من, عن, عند, هذا, نفس, same, ان, أن, التي, الذي, اللي, شي, شيء, عقار, عقارات, عروض, إعلانات, اعلانات, إعلان, وش, ايش, ما هي, اعطني, أعطني, عطني, عطوني, ورني, وريني, اعرض, أعرض, لي, لنا, كل, جميع,
    أي, اي, مدينة, بمدينة, سكن, السكن, للسكن, يا, ايجاد, ابحثوا, اللي, اللهم, الله, يعافيك, تكفى, تكفون, السلام عليكم, مرحبا, مساء الخير, صباح الخير, شكرا, شاكرا, جزيل الشكر, ولكم جزيل الشكر, وشكرا, ورحمة الله, ورحمه الله وبركاته, أرجو, ارجو, متاحة, المتاحة, متوفر, متوفرة, تتوفر, لديكم, عندك, يعافيكم, لقطة, لازم, ضروري, ضروري يكون, ضروري تكون, وتكون, ويكون, منها, منه, هي, هو, لها, له, شرط, يفضل, بيوت, موقعها, موقعه, ويا, خلال, وحدة, وحده, وحدات, واحد,
    i, i'm, im, i'd, am, we, we're, you, me, my, our, us, want, wants, need, needs, looking, look, looking for, searching, search, search for, for, a, an, the, please, pls, find, show, show me, give, list, that, which, is, are, be, of, on, it, its, this, these, any, some, there, property, properties, listing, listings,
    home, homes, place, places, located, location, available, would, would like, like, could, can, get, do, does, preferably, prefer, only, just, hi, hello, thanks, thank you, city, in city, one, something, anything, options, option, unit, units, deals, offers, must, should, must have, should have, all, what, kind, have, want it, go, no matter, interested, interested in, them, first, sort, sorted, order, ordered, by, sort by, order by, sar only, good, nice, help, hey, want to, to, ads, as, who, if, possible, if possible, ideally, so, will, how, much, now, still, accommodation, housing, so far, somewhere, anywhere, ترتيب, رتب, مرتب, مرتبة, حسب, أولا, اولا, او, كذا, زي, مثل, بيت العمر, يعني`,
};

/** Arabic in Latin letters. A digit inside a word separates it: `sha2a`. */
const IN_LATIN_LETTERS: Readonly<Record<string, string>> = {
  'type:apartment':
    'shaqqa, shaqa, shaqah, shaqqah, shagga, shagah, shigga, shuqqa, shoqa, sha 2 a, sha 2 ah, shuqaq, shigag, shogag',
  'floor:ground': 'dor ardi, dor ardhi, dor arthi, dor ardy, ardi, ardhi',
  'type:villa': 'vila, fila, filla, fella, vella, filal, beit, bayt, bait, manzil',
  'type:floor': 'dor, dour, dawr, dohr',
  'type:land': 'ard, ardh, arth, aradi, ardiya, ard sakaniya',
  'type:rest_house': 'istiraha, istirahah, esteraha, istra 7 a, estera 7 a',
  'type:residential_building': 'imara, imarah, emara, emarah, 3 imara, 3 mara',
  'type:office': 'maktab',
  'type:shop': 'mahal, ma 7 al, mahall, mahal tijari',
  'type:warehouse': 'mustawda, mostawda, mustawda 3, mostawda 3',
  'type:farm': 'mazra, mazraa, mazraah, mazra 3 a',
  'type:chalet': 'shaleh, shalih, shaleeh',
  'purpose:rent':
    'ejar, ijar, eejar, iijar, lil ejar, lel ejar, lil ijar, lel ijar, lil eejar, lil iijar, lilejar, lilijar, lelejar, lel eejar',
  'purpose:sale':
    'lil bay 3, lil bai 3, lil bei 3, lel bay 3, lel bai 3, lel bee 3, lil bee 3, lil bay, lil bai, lel bay, lel bai, lilbay, lilbai, lelbay, bay 3',
  'unit:rooms': 'ghuraf, ghoraf, ghorfa, ghurfa, ghorfah, ghurfah, ghuraf nom, ghoraf nom, ghuraf nawm',
  'unit:rooms2': 'ghurfatain, ghurfatayn, ghorfatain, ghurftain, ghorftain, ghorfteen, ghurfeten, ghoriftein',
  'unit:baths': 'hammam, hamam, hammamat, hamamat, 7 ammam, 7 amam',
  'unit:livings': 'sala, salah, saala, salon, salet',
  'furnished:true': 'mafrosha, mafroosha, mafrusha, mafroushah, mafroushe, mafrush, mafroosh, mafroush',
  'furnished:false': 'ghair mafrosha, ghair mafrusha, mo mafrosha, ghayr mafrusha',
  'neg:': 'bedoon, bidun, bidoon, bdoon, bedon, bdun',
  'near:':
    'qareeb min, gareeb min, qarib min, gareb men, qareeb men, qareeba min, gareeba min, janb, jamb, gareeb, qareeb, qareb men',
  'in:': 'fi, fee, bel, bil, bi, fel, fil',
  'district:': 'hayy, 7 ay',
  'street:': 'share 3, shari, shari 3, tareeq, tariq',
  'max:': 'taht, ta 7 t, aqal min, agal min, agal men, aqal men, la yazid an',
  'min:': 'akthar min, akthar men, foq, fog',
  'period:yearly': 'sanawi, sanawy, bel sana, bil sana, fil sana, fel sana, bel sanah, bil sanah, sana, sanah',
  'period:monthly': 'shahri, shahry, bel shahr, bil shahr, fil shahr, fel shahr',
  'period:daily': 'yawmi, yomi, bel yom, bil yawm',
  'amenity:pool': 'masbah, masba 7, masbeh',
  'amenity:lift': 'masad, mas 3 ad, assanseer, asanseer, asansir',
  'amenity:kitchen': 'matbakh, mutbakh',
  'amenity:ac': 'mukayyaf, mokayef, mkayyaf',
  'amenity:garden': 'hadiqa, hadeeqa, 7 adiqa',
  'and:': 'ma 3, maa, feeha, fiha',
  'sort:price_asc': 'arkhas, al arkhas, arkhas shay',
};

const OTHERWISE = new Set(
  wordsOf(
    `private, person, business, professional, office, مكتب, developer, agent, owner, home, room, rooms, غرف, غرفة, حارس, hall, period, day, night, year, month, week, يوم, اليوم,
    عمارة للبيع, دور أرضي, دور علوي, furnished apartment, شقة تمليك, compound villa, شركة, شركات, company, companies, شقة مفروشة, شقق مفروشة, وكيل, مدخل سيارة خاص, center, سنة, عام, السنة, العام, yr, year, yearly rent`,
  ),
);

/** If several lists contain a phrase, the first one applies. */
export const DICTIONARY = buildDictionary();

function buildDictionary(): Lexicon<string> {
  const dictionary = new Lexicon<string>({} as Record<string, string>, NOT_AMENITIES);
  for (const [meaning, names] of [...Object.entries(PHRASES), ...Object.entries(IN_LATIN_LETTERS)])
    for (const name of names.split(',')) dictionary.add(name, meaning);
  const lists = {
    purpose: PURPOSE_WORDS,
    type: TYPE_WORDS,
    amenity: AMENITY_WORDS,
    period: PERIOD_WORDS,
    advertiser: ADVERTISER_WORDS,
  };
  for (const [type, { name_ar, name_en }] of Object.entries(PROPERTY_TYPE_TABLE))
    for (const name of [name_ar, name_en]) dictionary.add(name, `type:${type}`);
  for (const [tag, list] of Object.entries(lists))
    for (const [value, names] of Object.entries(list))
      for (const name of [value, ...names.split(',')])
        if (!OTHERWISE.has(foldText(name))) dictionary.add(name, `${tag}:${value}`);
  return dictionary;
}
