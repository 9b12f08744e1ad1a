import type { AdvertiserType, Amenity, ListingType, PropertyType, RentFrequency } from '../listings/vocabulary.ts';

/** Words by value, in both languages, besides the value itself. Spellings with the same folded form are one word. */
export type WordList<Value extends string> = Readonly<Record<Value, string>>;

export const PURPOSE_WORDS: WordList<ListingType> = {
  rent: `
    rent, for rent, to rent, to let, rental, rentals, lease, for lease, leasing, r, إيجار, للإيجار, الإيجار,
    تأجير, للتأجير, أجار, للأجار, كراء, للكراء`,
  sale: `
    sale, for sale, sell, selling, sales, buy, to buy, purchase, s, بيع, للبيع, البيع, تمليك, للتمليك, شراء,
    للشراء, مبيع, للمبيع`,
};

export const PERIOD_WORDS: WordList<RentFrequency> = {
  daily: `
    daily, day, per day, a day, night, nightly, per night, a night, d, يومي, يوميا, يومية, يوم, اليوم, باليوم, في اليوم,
    ليلة, لليلة, ليلي`,
  weekly: `
    weekly, week, per week, a week, w, أسبوعي, أسبوعيا, أسبوعية, أسبوع, الأسبوع, بالأسبوع, في الأسبوع`,
  monthly: `
    monthly, month, per month, a month, mo, m, pcm, p/m, per m, per mo, شهري, شهريا, شهرية, شهر, الشهر, بالشهر, في الشهر,
    كل شهر`,
  quarterly: `
    quarterly, quarter, per quarter, 3 months, three months, every 3 months, q, ربع سنوي, ربع سنويا, ربع سنوية,
    كل ثلاثة أشهر, كل ثلاث شهور, كل ثلاثة شهور, كل 3 أشهر, كل 3 شهور, 3 أشهر, ثلاثة أشهر, ثلاث شهور, ربعي`,
  semiannually: `
    semiannually, semi annually, semi annual, semiannual, half yearly, half year, biannual, biannually,
    bi annually, 6 months, six months, every 6 months, h, نصف سنوي, نصف سنويا, نصف سنوية, نصف سنة, كل ستة أشهر,
    كل ستة شهور, كل ست شهور, كل 6 أشهر, كل 6 شهور, 6 أشهر, ستة أشهر, ستة شهور, نصفي`,
  yearly: `
    yearly, year, per year, a year, annual, annually, per annum, pa, p.a., yr, y, per yr, per y, سنوي, سنويا, سنوية, سنة,
    السنة, بالسنة, في السنة, عام, العام, كل سنة`,
};

export const TYPE_WORDS: WordList<PropertyType> = {
  apartment: `
    apartments, flat, flats, apt, penthouse, hotel apartment, serviced apartment, furnished apartment, شقق,
    شقة سكنية, شقة تمليك, شقة مفروشة, شقق مفروشة, شقة فندقية, بنتهاوس, ملحق, شقه`,
  villa: `
    villas, house, houses, home, palace, mansion, detached house, compound villa, traditional house, فله, فلة,
    فلل, فيلات, فيلا سكنية, بيت, منزل, قصر, بيت شعبي, بيت عربي, فيلا درج صالة`,
  floor: `
    floors, villa floor, whole floor, full floor, floor in villa, أدوار, دور في فيلا, دور فيلا, دور أرضي,
    دور علوي, دور كامل, دور سكني, طابق`,
  duplex: `
    duplexes, duplex villa, duplex apartment, دبلكس, دوبلكسات, دوبليكس, دبلوكس, فيلا دوبلكس, شقة دوبلكس`,
  townhouse: 'townhouses, town house, town houses, row house, تاونهاوس, تاون هاوسات, فيلا تاون هاوس',
  studio: 'studios, studio apartment, bedsit, ستوديو, أستديو, ستديو, شقة استوديو, غرفة استوديو',
  room: 'rooms, single room, shared room, driver room, غرف, غرفة مفردة, غرفة سائق, غرفة عزاب',
  residential_building: `
    building, buildings, apartment building, tower, residential tower, whole building, عمارة, عمارات,
    عمارات سكنية, عمائر, عمائر سكنية, مبنى, مبنى سكني, بناية, برج سكني, عمارة للبيع`,
  rest_house: 'resthouse, rest houses, istiraha, istirahah, lounge, camp, استراحات, مخيم',
  chalet: 'chalets, cabin, holiday home, شاليهات, شالية, كوخ, منتجع',
  farm: `
    farms, farmhouse, agriculture plot, agricultural land, farm land, مزارع, أرض زراعية, أراضي زراعية`,
  land: `
    lands, plot, plots, residential land, residential lands, residential plot, land plot, raw land,
    أراضي, قطعة أرض, أرض سكنية, أراضي سكنية, أرض خام`,
  commercial_land: `
    commercial lands, commercial plot, mixed use land, industrial land, commercial residential land,
    أراضي تجارية, أرض تجارية سكنية, أرض سكنية تجارية, أرض صناعية, قطعة تجارية`,
  commercial_building: `
    commercial buildings, commercial tower, office building, mall, hotel, commercial center, عمائر تجارية,
    مبنى تجاري, مركز تجاري, مجمع تجاري, برج تجاري, برج مكاتب, فندق, عمارة تجارية سكنية`,
  office: `
    offices, office space, clinic, workspace, commercial office, مكاتب, مكتب تجاري, مكتب إداري, عيادة`,
  shop: `
    shops, retail, retail shop, store, kiosk, restaurant, cafe, commercial shop, محلات, محل تجاري,
    محلات تجارية, دكان, كشك, مطعم, بقالة`,
  showroom: 'showrooms, show room, commercial showroom, معارض, معرض تجاري, صالة عرض',
  warehouse: `
    warehouses, storage, depot, factory, workshop, hangar, industrial warehouse, مستودعات, مخزن, هنقر, هنجر,
    مصنع, ورشة, مستودع تجاري`,
};

export const ADVERTISER_WORDS: WordList<AdvertiserType> = {
  company: `
    company, agency, agencies, agent, real estate agent, broker, brokerage, developer, office, marketer,
    normal marketer, exclusive marketer, real estate office, real estate company, establishment, business,
    property manager, corporate, dealer, professional, شركة, شركة عقارية, مكتب, مكتب عقاري, وسيط, وسيط عقاري,
    مسوق, مسوق عقاري, مطور, مطور عقاري, مؤسسة, منشأة, وكالة, مدير أملاك`,
  individual: `
    individual, owner, individual owner, landlord, private, private owner, person, by owner, homeowner, مالك,
    المالك, فرد, أفراد, مالك العقار, المالك مباشرة, من المالك, مؤجر, صاحب العقار, وكيل المالك, وكيل`,
};

export const AMENITY_WORDS: WordList<Amenity> = {
  ac: `
    air conditioning, air conditioner, air conditioned, a/c, central ac, split ac, aircon, مكيف, مكيفات, تكييف,
    تكييف مركزي, مكيفات سبليت, مكيفات راكبة, مكيف راكب`,
  kitchen: `
    fitted kitchen, equipped kitchen, kitchen installed, built in kitchen, مطبخ, مطبخ راكب, مطبخ مجهز, المطبخ`,
  balcony: 'balconies, terrace, بلكونة, شرفة, بلكون, تراس, بلكونات',
  keyless_entry: `
    smart lock, smart entry, keyless, electronic lock, digital lock, دخول ذكي, قفل ذكي, قفل إلكتروني,
    دخول بدون مفتاح, بصمة`,
  parking: `
    car park, garage, car entrance, private parking, covered parking, parking space, parking spaces, موقف,
    مواقف, موقف سيارة, موقف خاص, كراج, مدخل سيارة, مواقف سيارات, موقف سيارات`,
  lift: 'elevator, lifts, elevators, مصعد, أصنصير, مصاعد, المصعد',
  pool: `
    swimming pool, private pool, shared pool, pools, مسبح, مسبح خاص, مسبح مشترك, حوض سباحة, مسابح`,
  gym: `
    fitness, fitness center, gymnasium, health club, نادي, نادي رياضي, صالة رياضية, جيم, نادي صحي`,
  garden: `
    yard, front yard, frontyard, backyard, lawn, courtyard, حديقة, حوش, فناء, حديقة خاصة, مسطحات خضراء`,
  maid_room: `
    maid room, maids room, maid's room, housemaid room, maid, غرفة خادمة, غرفة عاملة, غرفة خدم, غرفة شغالة,
    خادمة`,
  driver_room: "driver room, drivers room, driver's room, driver, غرفة سائق, غرفة السائق, سائق, غرفة سواق",
  laundry_room: 'laundry, laundry room, washing room, غرفة غسيل, مغسلة ملابس, غسيل',
  storage: 'storage room, store room, storeroom, storage, مستودع, مخزن, غرفة تخزين, تخزين',
  basement: 'cellar, قبو, بدروم, سرداب',
  roof: 'rooftop, roof terrace, private roof, shared roof, سطح, سطح خاص, روف, سطح مستقل',
  annex: 'annexe, extra unit, outbuilding, roof annex, ملحق, ملحق علوي, ملحق خارجي',
  private_entrance: `
    private entrance, separate entrance, own entrance, two entrances, مدخل خاص, مدخل مستقل, مدخلين, بمدخل خاص`,
  security: `
    security guard, guard, cctv, 24 7 security, surveillance, security cameras, أمن, حراسة, حارس, حارس أمن,
    كاميرات مراقبة, كاميرات, أمن وحراسة`,
  playground: `
    kids area, children play area, play area, kids play area, ملعب, ملعب أطفال, ألعاب أطفال, منطقة ألعاب,
    منطقة ألعاب أطفال`,
  fireplace: 'fire place, مدفأة, مشب, وجار',
  internal_stairs: `
    stairs, internal staircase, staircase, inner stairs, درج داخلي, درج, درج صالة, درج بالصالة`,
  majlis: 'guest room, sitting room, diwaniya, مجلس, مجلس رجال, مجلس نساء, مجلس ضيوف, ديوانية',
  fibre: `
    fiber, fiber optic, fibre optic, fibre optics, fiber optics, internet, optical fiber, high speed internet,
    ألياف, ألياف بصرية, ألياف ضوئية, فايبر, إنترنت`,
  smart_home: `
    smart home system, smart house, home automation, منزل ذكي, نظام ذكي, بيت ذكي, سمارت هوم, نظام المنزل الذكي`,
  pets_allowed: `
    pets, pet friendly, pets ok, pets welcome, حيوانات أليفة, يسمح بالحيوانات, مسموح بالحيوانات الأليفة,
    يسمح بالحيوانات الأليفة`,
};

/** Phrases that contain an amenity word but mean no amenity. */
export const NOT_AMENITIES = `
  security deposit, deposit, security check, pool table, carpool, parking fee, parking fees, parking fine, driver license,
  driving license, internet cafe, garden view, pool view, city gym, storage heater, roof tiles, roof tile, clothes storage, مخزن ملابس,
  مخزن للملابس, مستودع ملابس, غرفة تخزين ملابس, تخزين ملابس, خزانة ملابس`;
