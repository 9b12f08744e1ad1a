import { DAMMAM_KHOBAR } from './cities/dammam_khobar.ts';
import { JEDDAH } from './cities/jeddah.ts';
import { MAKKAH_MADINAH } from './cities/makkah_madinah.ts';
import { OTHERS } from './cities/others.ts';
import { RIYADH } from './cities/riyadh.ts';
import type { City, LatLng, Neighborhood } from './places.ts';

/** Rows: `slug|name_en|name_ar|lat,lng|other spellings`. Spellings are separated by `;`. */
const CITY_ROWS = `
riyadh|Riyadh|الرياض|24.711,46.675|Ar Riyadh;Riyad;مدينة الرياض
jeddah|Jeddah|جدة|21.543,39.173|Jedda;Jiddah;Jidda;جده
makkah|Makkah|مكة المكرمة|21.423,39.826|Mecca;Makkah Al Mukarramah;Makkah Al Mukaramah;مكة
madinah|Madinah|المدينة المنورة|24.468,39.611|Madina;Medina;Al Madinah Al Munawwarah;Al Madinah;المدينة
dammam|Dammam|الدمام|26.434,50.103|Al Dammam;Damam
khobar|Khobar|الخبر|26.279,50.208|Al Khobar;Khabar;Al Khubar;Al Khabar
dhahran|Dhahran|الظهران|26.305,50.130|Al Dhahran;Zahran;Az Zahran
taif|Taif|الطائف|21.275,40.406|Al Taif;At Taif;Ta'if;الطايف
buraidah|Buraidah|بريدة|26.326,43.975|Buraydah;Buraida;Buraydah Al Qassim Region
tabuk|Tabuk|تبوك|28.384,36.566|Tabouk;Tabook
abha|Abha|أبها|18.217,42.505|
khamis_mushait|Khamis Mushait|خميس مشيط|18.306,42.729|Khamis Mushayt;Khamees Mushait;خميس
hail|Hail|حائل|27.521,41.690|Ha'il;Hayil;Haail;حايل
jubail|Jubail|الجبيل|27.060,49.600|Al Jubail;Al Jubayl;Jubail Industrial City;الجبيل الصناعية
ahsa|Al Ahsa|الأحساء|25.370,49.586|Hofuf;Al Hofuf;Hufuf;Al Hufuf;Al Hafuf;Al Hasa;Al Hofuf Eastern Region;Mubarraz;Al Mubarraz;الهفوف;الهفوف والمبرز;المبرز;الحساء
qatif|Qatif|القطيف|26.560,50.010|Al Qatif;Al Qateef;Qateef
yanbu|Yanbu|ينبع|24.088,38.063|Yanbo;Yanbu Al Bahr;ينبع البحر
kharj|Al Kharj|الخرج|24.150,47.310|Kharj;Al Kharj Riyadh Region
jazan|Jazan|جازان|16.889,42.561|Jizan;Gizan;Jazan City;جيزان
`;

/** Rows: `id|slug|name_ar|direction|lat,lng|other spellings`. Each city has a block of a thousand ids. */
const NEIGHBORHOOD_ROWS: Readonly<Record<string, string>> = {
  ...RIYADH,
  ...JEDDAH,
  ...MAKKAH_MADINAH,
  ...DAMMAM_KHOBAR,
  ...OTHERS,
};

const DIRECTION_IDS: Readonly<Record<string, number>> = { N: 1, S: 2, E: 3, W: 4, C: 5 };

/** Largest market first. */
export const CITIES: readonly City[] = rows(CITY_ROWS).map((row) => {
  const [slug, name_en, name_ar, point, aliases] = fields(row, 5);
  const center = parsePoint(point);
  if (center === null) throw new Error(`gazetteer: city ${slug} has no center`);
  return { slug, name_en, name_ar, center, aliases: list(aliases) };
});

/** One without a center is found only by name. */
export const NEIGHBORHOODS: readonly Neighborhood[] = CITIES.flatMap((city) =>
  rows(NEIGHBORHOOD_ROWS[city.slug] ?? '').map((row) => {
    const [id, slug, name_ar, direction, point, aliases] = fields(row, 6);
    return {
      id: Number(id),
      city: city.slug,
      slug,
      name_en: slug
        .split('_')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(' '),
      name_ar,
      direction_id: DIRECTION_IDS[direction] ?? null,
      center: parsePoint(point),
      aliases: list(aliases),
    };
  }),
);

export const NEIGHBORHOODS_BY_ID: ReadonlyMap<number, Neighborhood> = new Map(
  NEIGHBORHOODS.map((neighborhood) => [neighborhood.id, neighborhood]),
);

const byCity = Map.groupBy(NEIGHBORHOODS, ({ city }) => city);

/** An empty list for an unknown slug. */
export function neighborhoodsOf(city: string): readonly Neighborhood[] {
  return byCity.get(city) ?? [];
}

function rows(table: string): string[] {
  return table.split('\n').filter((line) => line !== '');
}

function fields(row: string, count: 5): [string, string, string, string, string];
function fields(row: string, count: 6): [string, string, string, string, string, string];
function fields(row: string, count: number): string[] {
  const cells = row.split('|');
  if (cells.length !== count) throw new Error(`gazetteer: ${count} fields expected in "${row}"`);
  return cells;
}

function list(cell: string): string[] {
  return cell === '' ? [] : cell.split(';');
}

function parsePoint(cell: string): LatLng | null {
  if (cell === '') return null;
  const [lat, lng] = cell.split(',').map(Number);
  if (lat === undefined || lng === undefined || !Number.isFinite(lat + lng))
    throw new Error(`gazetteer: unreadable point "${cell}"`);
  return { lat, lng };
}
