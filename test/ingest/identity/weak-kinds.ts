import type { HomeTruth } from '#bench/dedupe/judge.ts';
import type { OfflineAd } from '#bench/dedupe/offline.ts';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';

/** How the second ad for a home differs from the first. */
export const KINDS = ['plot area', 'other language', 'other words', 'other photos', 'broker card'] as const;
type Kind = (typeof KINDS)[number];

export type WeakAd = OfflineAd & { truth: HomeTruth; kind: Kind };

/** Returns a function that yields the same numbers from 0 to 1 for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** Amenities as two texts state them, in Arabic and English. */
const AMENITIES = [
  ['غرفة خادمة', 'شغالة لها غرفة', 'maid room'],
  ['غرفة سائق', 'غرفة للسائق', 'driver room'],
  ['مصعد', 'اصنصير', 'elevator'],
  ['مسبح', 'مسبح خاص', 'swimming pool'],
  ['مطبخ راكب', 'المطبخ راكب', 'fitted kitchen'],
  ['مدخل خاص', 'مدخل مستقل', 'private entrance'],
  ['مكيفات راكبة', 'تكييف راكب', 'air conditioning'],
  ['حديقة', 'حديقه خارجية', 'garden'],
  ['مستودع', 'غرفة مستودع', 'storage room'],
  ['ملحق', 'ملحق علوي', 'annex'],
  ['بلكونة', 'بلكونه', 'balcony'],
  ['قبو', 'قبو واسع', 'basement'],
] as const;
const SIDES = [
  ['شمالية', 'north'],
  ['جنوبية', 'south'],
  ['شرقية', 'east'],
  ['غربية', 'west'],
] as const;
const SOURCES = ['north', 'souq', 'direct', 'agents'];
const OPENINGS = ['فرصة للبيع', 'يسرنا أن نقدم لكم', 'للجادين فقط', 'بسعر مغري', 'موقع مميز وقريب من الخدمات'];
const OPENINGS_EN = ['Great location close to services.', 'A rare opportunity.', 'For serious buyers only.'];
const CLOSINGS = ['للتواصل واتساب', 'السعر قابل للتفاوض', 'نقبل الكاش والبنك', 'المفتاح لدى المكتب'];

/** Makes ads for homes of Riyadh: most have one ad, the others two that differ in one of the ways of `KINDS`. */
export function weakAds(seed: number, homes: number): WeakAd[] {
  const random = randomOf(seed);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item;
  const places = NEIGHBORHOODS.filter(({ city, center }) => city === 'riyadh' && center !== null).slice(0, 12);
  const ads: WeakAd[] = [];
  for (let home = 0; home < homes; home++) {
    const kind = KINDS[home % KINDS.length] as Kind;
    const place = pick(places);
    const isVilla = kind === 'plot area' || random() < 0.4;
    const plot = isVilla ? pick([200, 250, 300, 312, 360, 375, 400, 420, 500, 600]) : 0;
    const area = isVilla ? Math.round(plot * (0.9 + random() * 0.7)) : between(85, 220);
    const beds = isVilla ? between(4, 7) : between(2, 5);
    const [baths, livings, age, side] = [beds + between(-1, 1), between(1, 2), between(0, 12), pick(SIDES)];
    const price = Math.round(((isVilla ? plot * 6_500 : area * 6_000) * (0.8 + random() * 0.5)) / 5_000) * 5_000;
    const amenities = AMENITIES.filter(() => random() < 0.35);
    const [lat, lng] = [place.center?.lat ?? 0, place.center?.lng ?? 0].map((at) => at + (random() - 0.5) * 0.02);
    const photos = Array.from({ length: between(3, 8) }, (_, at) => `${home}-${at}`);
    const broker = between(1, 40);
    const count = home % 3 === 0 ? 2 : 1;
    for (let ad = 0; ad < count; ad++) {
      const isSecond = ad === 1;
      const isEnglish = isSecond && kind === 'other language';
      const statesPlot = kind === 'plot area' && !isSecond;
      const stated = amenities.filter(() => random() < 0.8);
      const facts = [
        ...(random() < 0.5 ? [isEnglish ? `${side[1]} facing` : `الواجهة ${side[0]}`] : []),
        ...stated.map((names) => (isEnglish ? names[2] : isSecond ? names[1] : names[0])),
        isEnglish ? `${beds} bedrooms` : `${beds} غرف نوم`,
        ...(isVilla && random() < 0.6 ? [isEnglish ? `plot area ${plot} sqm` : `مساحة الأرض ${plot} م`] : []),
        ...(isVilla && random() < 0.4 ? [isEnglish ? `built area ${area} sqm` : `مساحة البناء ${area} م`] : []),
      ].toSorted(() => random() - 0.5);
      const opening = isEnglish ? pick(OPENINGS_EN) : pick(OPENINGS);
      const ending = isEnglish ? 'Call for details' : pick(CLOSINGS);
      const own = isSecond && kind !== 'broker card' ? photos.map((photo) => `${photo}-${kind}`) : photos;
      const shown =
        kind === 'other photos' || kind === 'broker card'
          ? isSecond
            ? own.map((photo) => `${photo}-again`)
            : own
          : isSecond
            ? random() < 0.6
              ? [...photos.slice(0, 2), ...own.slice(2)]
              : []
            : photos;
      const pinned = random() < 0.6 ? 0.0006 : 0.006;
      ads.push({
        source: SOURCES[(home + ad) % SOURCES.length] as string,
        kind,
        truth: { home_id: String(home), kind: 'ordinary', compound_id: null },
        raw: {
          source_listing_id: String(ads.length),
          title: isEnglish
            ? `${isVilla ? 'Villa' : 'Apartment'} for sale in ${place.name_en}`
            : `${isVilla ? 'فيلا' : 'شقة'} للبيع في حي ${place.name_ar}`,
          description: `${opening}\n${facts.join('\n')}\n${ending}`,
          purpose: 'sale',
          property_type: isVilla ? 'villa' : 'apartment',
          price: isSecond && random() < 0.4 ? Math.round((price * (0.97 + random() * 0.06)) / 1_000) * 1_000 : price,
          price_period: null,
          area: statesPlot ? plot : area,
          bedrooms: random() < 0.9 ? beds : null,
          bathrooms: random() < 0.7 ? baths : null,
          livings: random() < 0.5 ? livings : null,
          age_years: random() < 0.5 ? age : null,
          city: 'Riyadh',
          neighborhood: random() < 0.85 ? place.name_ar : null,
          lat: (lat as number) + (random() - 0.5) * pinned,
          lng: (lng as number) + (random() - 0.5) * pinned,
          advertiser_key: kind === 'broker card' ? `broker ${broker}` : `advertiser ${home}-${ad}`,
          photos: [...shown, ...(kind === 'broker card' ? [`card ${broker}`] : [])].map(
            (photo) => `https://photos.invalid/${photo.replaceAll(' ', '_')}.jpg`,
          ),
        },
      });
    }
  }
  return ads;
}
