import data from './gazetteer.json' with { type: 'json' };
import { type City, DIRECTIONS, type LatLng, type Neighborhood } from './places.ts';

type Point = readonly number[];

/** `center` is latitude and longitude in degrees, accurate to about half a kilometer. */
interface CityRecord {
  name_en: string;
  name_ar: string;
  center: Point;
  aliases: string[];
  /** Each city has a block of a thousand ids. */
  neighborhoods: readonly {
    id: number;
    slug: string;
    name_ar: string;
    direction?: string;
    /** Unknown for some neighborhoods, which are then found only by name. */
    center?: Point;
    aliases?: string[];
  }[];
}

const RECORDS = Object.entries<CityRecord>(data);
const DIRECTION_IDS = new Map(DIRECTIONS.map(({ slug, id }) => [slug, id]));

/** Cities by market size, largest first. */
export const CITIES: readonly City[] = RECORDS.map(([slug, { name_en, name_ar, center, aliases }]) => ({
  slug,
  name_en,
  name_ar,
  center: toPoint(center),
  aliases,
}));

export const NEIGHBORHOODS: readonly Neighborhood[] = RECORDS.flatMap(([city, { neighborhoods }]) =>
  neighborhoods.map(({ id, slug, name_ar, direction = '', center, aliases = [] }) => ({
    id,
    city,
    slug,
    name_en: slug
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' '),
    name_ar,
    direction_id: DIRECTION_IDS.get(direction) ?? null,
    center: center === undefined ? null : toPoint(center),
    aliases,
  })),
);

export const NEIGHBORHOODS_BY_ID: ReadonlyMap<number, Neighborhood> = new Map(
  NEIGHBORHOODS.map((neighborhood) => [neighborhood.id, neighborhood]),
);

const byCity = Map.groupBy(NEIGHBORHOODS, ({ city }) => city);

export function neighborhoodsOf(city: string): readonly Neighborhood[] {
  return byCity.get(city) ?? [];
}

function toPoint([lat = Number.NaN, lng = Number.NaN]: Point): LatLng {
  return { lat, lng };
}
