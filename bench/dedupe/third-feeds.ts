import type { HomeTruth } from './judge.ts';
import type { OfflineAd } from './offline.ts';

// A data generator whose author had not read `ingest/identity`, so that its homes, words and noise are independent of
// the scoring.

/** An ad of the third generator. Only the scorer may use `truth`. */
interface ThirdAd {
  id: string;
  source: string;
  advertiser: string;
  language: Language;
  title: string;
  description: string;
  property_type: ThirdType;
  listing_type: 'sale' | 'rent';
  city: string;
  district: string | null;
  price: number;
  rent_period: Period | null;
  area: number;
  area_basis: 'plot' | 'built' | null;
  bedrooms: number | null;
  bathrooms: number | null;
  lat: number | null;
  lng: number | null;
  /** Day of publication, from 0 to 120. */
  day: number;
  photos: { sha: string; phash: string }[];
  truth: HomeTruth;
}

type Language = 'ar' | 'en';
type Period = 'daily' | 'monthly' | 'yearly';
type ThirdType = 'apartment' | 'villa' | 'floor';
type Words = readonly [arabic: string, english: string];
type District = readonly [...Words, lat: number, lng: number];

const DISTRICTS: readonly District[] = [
  ['الياسمين', 'Al Yasmin', 24.826, 46.642],
  ['النرجس', 'Al Narjis', 24.842, 46.667],
  ['الملقا', 'Al Malqa', 24.803, 46.604],
  ['حطين', 'Hittin', 24.762, 46.602],
  ['قرطبة', 'Qurtubah', 24.811, 46.749],
  ['المونسية', 'Al Munsiyah', 24.835, 46.775],
  ['اليرموك', 'Al Yarmuk', 24.808, 46.788],
  ['العارض', 'Al Arid', 24.882, 46.637],
  ['الربوة', 'Ar Rabwah', 24.693, 46.753],
  ['السويدي', 'As Suwaidi', 24.594, 46.663],
];
const TYPES: Readonly<Record<ThirdType, Words>> = {
  apartment: ['شقة', 'Apartment'],
  villa: ['فيلا', 'Villa'],
  floor: ['دور', 'Floor'],
};
const FLOORS: readonly Words[] = [
  ['أرضي', 'ground'],
  ['أول', 'first'],
  ['ثاني', 'second'],
  ['ثالث', 'third'],
];
const FEATURES: readonly Words[] = [
  ['مدخل خاص', 'private entrance'],
  ['مصعد', 'elevator'],
  ['مطبخ راكب', 'fitted kitchen'],
  ['مكيفات سبليت', 'split air conditioning'],
  ['غرفة خادمة', 'maid room'],
  ['غرفة سائق', 'driver room'],
  ['حوش', 'yard'],
  ['سطح خاص', 'private roof'],
  ['موقف في القبو', 'basement parking'],
  ['مستودع', 'storage room'],
  ['بلكونة', 'balcony'],
  ['دخول ذكي', 'smart entry'],
];
const FACES: readonly Words[] = [
  ['شمالية', 'north'],
  ['جنوبية', 'south'],
  ['شرقية', 'east'],
  ['غربية', 'west'],
];
const BROKER: readonly Words[] = [
  ['نستقبل عروضكم وطلباتكم العقارية ونخلص معاملات البنوك', 'We accept your offers and handle bank procedures'],
  ['جميع الضمانات متوفرة على السباكة والكهرباء والعوازل', 'All warranties on plumbing, wiring and insulation'],
  ['الموقع غير دقيق والتواصل واتساب فقط', 'The location is approximate, contact by WhatsApp only'],
];
const SOURCES: readonly (readonly [string, Language])[] = [
  ['north', 'ar'],
  ['souq', 'ar'],
  ['bayt', 'en'],
  ['direct', 'ar'],
  ['agents', 'en'],
];
const PERIODS_AR: Readonly<Record<Period, string>> = { daily: 'يومي', monthly: 'شهري', yearly: 'سنوي' };

interface Compound {
  id: string;
  d: District;
  deal: 'sale' | 'rent';
  areas: number[];
  beds: number[];
  perM: number;
  next: number;
  lat: number;
  lng: number;
  features: number[];
  photos: string[];
  name: Words;
}

interface Home {
  id: string;
  kind: 'ordinary' | 'compound';
  compound: string | undefined;
  type: ThirdType;
  d: District;
  deal: 'sale' | 'rent';
  area: number;
  plot: number | null;
  beds: number;
  baths: number;
  price: number;
  floor: number | null;
  unit: number | null;
  street: number;
  face: number;
  age: number;
  lat: number;
  lng: number;
  features: number[];
  photos: string[];
  owner: string;
  project: Words | undefined;
}

interface Written {
  title: string;
  description: string;
}

/** Generates ads with their ground truth, reproducible by seed and size. */
export function thirdAds({ seed, homes }: { seed: number; homes: number }): ThirdAd[] {
  let state = seed >>> 0;
  const rnd = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (a: number, b: number): number => a + Math.floor(rnd() * (b - a + 1));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rnd() * list.length)] as T;
  const p = (share: number): boolean => rnd() < share;
  const shuffle = <T>(list: T[]): T[] => {
    for (let i = list.length - 1; i > 0; i--) {
      const j = int(0, i);
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
    return list;
  };
  const hex = (): string => Array.from({ length: 16 }, () => '0123456789abcdef'[int(0, 15)]).join('');
  const digits = (n: number): string =>
    p(0.3) ? String(n).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] as string) : String(n);

  const home = (i: number, base?: Compound): Home => {
    const type = base ? 'apartment' : pick<ThirdType>(['apartment', 'apartment', 'apartment', 'villa', 'floor']);
    const d = base ? base.d : pick(DISTRICTS);
    const area = base ? pick(base.areas) : type === 'villa' ? int(220, 480) : int(85, 260);
    const deal = base ? base.deal : pick(['sale', 'sale', 'rent'] as const);
    const beds = base
      ? (base.beds[base.areas.indexOf(area)] as number)
      : Math.max(1, Math.min(7, Math.round(area / 50) + int(-1, 1)));
    const perM = (type === 'villa' ? int(4500, 8000) : int(4000, 9000)) * (deal === 'rent' ? 0.055 : 1);
    return {
      id: `h${i}`,
      kind: base ? 'compound' : 'ordinary',
      compound: base?.id,
      type,
      d,
      deal,
      area,
      plot: type === 'apartment' ? null : Math.round(area * (type === 'villa' ? 0.8 + rnd() * 0.7 : 1.3 + rnd())),
      beds,
      baths: Math.max(1, beds + int(-1, 1)),
      price: Math.round((base ? area * base.perM * (1 + int(-2, 3) / 100) : area * perM) / 1000) * 1000,
      floor: type === 'apartment' ? int(0, 3) : type === 'floor' ? int(0, 1) : null,
      unit: base ? base.next++ : type === 'apartment' && p(0.5) ? int(1, 16) : null,
      street: pick([10, 12, 15, 18, 20, 25, 30, 36, 40]),
      face: int(0, 3),
      age: base ? 0 : int(0, 20),
      lat: base ? base.lat : d[2] + (rnd() - 0.5) * 0.02,
      lng: base ? base.lng : d[3] + (rnd() - 0.5) * 0.02,
      features: base ? shuffle([...base.features]).slice(0, 5) : shuffle([...FEATURES.keys()]).slice(0, int(2, 6)),
      photos: [...(base ? base.photos : []), ...Array.from({ length: base ? int(0, 3) : int(1, 9) }, hex)],
      owner: `adv${int(1, 9000)}`,
      project: base?.name,
    };
  };

  const write = (
    h: Home,
    language: Language,
    price: number,
    period: Period | null,
    area: number,
    terse: boolean,
  ): Written => {
    const L = language === 'en' ? 1 : 0;
    const n = (x: number): string => (L ? String(x) : digits(x));
    const s: string[] = [];
    const deal = h.deal === 'sale' ? ['للبيع', 'for sale'][L] : ['للإيجار', 'for rent'][L];
    const title = L
      ? pick([
          `${TYPES[h.type][1]} ${deal} in ${h.d[1]}`,
          `${h.beds} bedroom ${TYPES[h.type][1].toLowerCase()}, ${h.d[1]}`,
        ])
      : pick([`${TYPES[h.type][0]} ${deal} حي ${h.d[0]}`, `${deal} ${TYPES[h.type][0]} ${h.d[0]} ${n(area)} متر`]);
    if (h.project) s.push(L ? `Project ${h.project[1]}` : `مشروع ${h.project[0]}`);
    if (p(0.8))
      s.push(
        L
          ? pick([`Area ${n(area)} sqm`, `${n(area)} square meters`])
          : pick([`المساحة ${n(area)} م`, `مساحتها ${n(area)} متر مربع`]),
      );
    if (h.plot && p(0.5)) s.push(L ? `plot ${n(h.plot)} sqm` : `مساحة الأرض ${n(h.plot)} م`);
    if (h.floor !== null && p(terse ? 0.4 : 0.75)) {
      const [arabic, english] = FLOORS[h.floor] as Words;
      s.push(L ? `${english} floor` : pick([`الدور ${arabic}`, `دور ${arabic}`]));
    }
    if (h.unit !== null && p(h.kind === 'compound' ? 0.75 : 0.5))
      s.push(L ? `unit no. ${n(h.unit)}` : `شقة رقم ${n(h.unit)}`);
    s.push(
      L
        ? `${n(h.beds)} bedrooms and ${n(h.baths)} bathrooms`
        : pick([
            `${n(h.beds)} غرف نوم و${n(h.baths)} دورات مياه`,
            `مجلس وصالة و ${n(h.beds)} غرف ${n(h.baths)} حمامات`,
          ]),
    );
    if (!terse) {
      const [arabic, english] = FACES[h.face] as Words;
      s.push(L ? `facing ${english}, street ${n(h.street)} m` : `الواجهة ${arabic} شارع ${n(h.street)}`);
      if (p(0.6)) s.push(h.age ? (L ? `age ${n(h.age)} years` : `عمر العقار ${n(h.age)}`) : L ? 'brand new' : 'جديدة');
    }
    for (const f of shuffle([...h.features]).slice(0, terse ? 2 : 9)) s.push((FEATURES[f] as Words)[L]);
    if (p(0.6))
      s.push(
        L
          ? `SAR ${n(price)}${period ? ` ${period}` : ''}`
          : `السعر ${n(price)} ريال${period ? ` ${PERIODS_AR[period]}` : ''}`,
      );
    const body = p(0.5) ? shuffle(s) : s;
    if (p(0.4)) body.push(pick(BROKER)[L]);
    return { title, description: body.join(pick([' ', ', ', '\n', ' - '])) };
  };

  const adsOf = (h: Home): ThirdAd[] => {
    const count = pick([1, 1, 1, 2, 2, 3, 4, p(0.1) ? 16 : 2]);
    const out: ThirdAd[] = [];
    let copy: { language: Language; period: Period | null; written: Written } | null = null;
    for (let k = 0; k < count; k++) {
      const [source, language] = pick(SOURCES);
      let price = h.price;
      if (k && p(0.55)) price = Math.round((price * (1 + (p(0.7) ? -1 : 1) * (0.02 + rnd() * 0.06))) / 500) * 500;
      let period: Period | null = null;
      if (h.deal === 'rent') {
        period = pick<Period>(['yearly', 'yearly', 'monthly', 'daily']);
        if (period !== 'yearly')
          price = Math.round(price / (period === 'monthly' ? 12 / (1 + rnd() * 0.15) : 365 / (1.2 + rnd() * 0.8)));
      }
      const usePlot = h.plot && k && p(0.4);
      const area = usePlot ? (h.plot as number) : p(0.25) ? h.area + int(-2, 2) : h.area;
      const written: Written =
        copy && copy.language === language && copy.period === period && p(0.3)
          ? copy.written
          : write(h, language, price, period, h.area, p(0.25));
      copy ??= { language, period, written };
      const m = k || h.kind === 'compound' ? 50 + rnd() * 350 : 0;
      const a = rnd() * 2 * Math.PI;
      const blind = p(0.12);
      const photos = p(0.15)
        ? []
        : shuffle([...h.photos])
            .slice(0, int(1, h.photos.length))
            .map((id) => ({ id, reencoded: p(0.5) }));
      const off = (x: number): number => (p(0.12) ? Math.max(1, x + pick([-1, 1])) : x);
      out.push({
        id: `${h.id}-${k}`,
        source,
        advertiser: p(0.2) ? h.owner : `adv${int(1, 9000)}`,
        language,
        ...written,
        property_type: h.type,
        listing_type: h.deal,
        city: 'Riyadh',
        district: p(0.08) ? null : h.d[language === 'en' ? 1 : 0],
        price,
        rent_period: period,
        area,
        area_basis: usePlot ? 'plot' : p(0.4) ? null : 'built',
        bedrooms: off(h.beds),
        bathrooms: off(h.baths),
        lat: blind ? null : +(h.lat + (Math.cos(a) * m) / 111000).toFixed(6),
        lng: blind ? null : +(h.lng + (Math.sin(a) * m) / 101000).toFixed(6),
        day: int(0, 120),
        photos: photos.map(({ id, reencoded }) => {
          const flips = reencoded ? int(0, 5) : 0;
          let value = BigInt(`0x${id}`);
          for (let f = 0; f < flips; f++) value ^= 1n << BigInt(int(0, 63));
          return { sha: reencoded ? hex() : id, phash: value.toString(16).padStart(16, '0') };
        }),
        truth: { home_id: h.id, kind: h.kind, compound_id: h.compound ?? null },
      });
    }
    return out;
  };

  const list: ThirdAd[] = [];
  let i = 0;
  let compounds = 0;
  while (i < homes) {
    if (!p(0.02)) {
      list.push(...adsOf(home(i++)));
      continue;
    }
    const d = pick(DISTRICTS);
    const areas = Array.from({ length: int(1, 4) }, () => int(95, 210));
    const no = int(2, 120);
    const base: Compound = {
      id: `c${compounds++}`,
      d,
      deal: pick(['sale', 'rent'] as const),
      areas,
      beds: areas.map((x) => Math.max(2, Math.round(x / 48))),
      perM: 0,
      next: 1,
      lat: d[2] + (rnd() - 0.5) * 0.02,
      lng: d[3] + (rnd() - 0.5) * 0.02,
      features: shuffle([...FEATURES.keys()]).slice(0, 6),
      photos: Array.from({ length: int(3, 8) }, hex),
      name: [`واحة ${no}`, `Waha ${no}`],
    };
    base.perM = base.deal === 'sale' ? int(5000, 8500) : int(280, 480);
    for (let unit = int(6, 24); unit > 0 && i < homes; unit--) list.push(...adsOf(home(i++, base)));
  }
  return shuffle(list);
}

/** Returns the ad as it appears in a feed, without ground truth. */
export function thirdAsFed(ad: ThirdAd, at: number): OfflineAd {
  return {
    source: ad.source,
    raw: {
      source_listing_id: String(at),
      title: ad.title,
      description: ad.description,
      purpose: ad.listing_type,
      property_type: ad.property_type,
      price: ad.price,
      price_period: ad.rent_period,
      area: ad.area,
      bedrooms: ad.bedrooms,
      bathrooms: ad.bathrooms,
      city: ad.city,
      neighborhood: ad.district,
      lat: ad.lat,
      lng: ad.lng,
      advertiser_key: ad.advertiser,
    },
    photos: ad.photos,
  };
}
