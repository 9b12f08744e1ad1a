import { type Box, COUNTRY } from '#domain/geography/country.ts';
import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { formatPolygon, POLYGON_POINTS, parsePolygon, polygonFault, RADIUS_M } from '#domain/geography/shapes.ts';

/** Filters of a search that states none. */
export const FIRST = { city: 'riyadh', listing_type: 'rent' } as const;
/** City in the address of a search in the whole country, which has no parameter `city`. */
export const EVERY_CITY = 'all';
/** Every plan allows this page size; a page costs 2 units. */
export const PAGE_SIZE = 20;

/** A position in search results, stored in the history entry. `y` is in pixels. */
export interface Position {
  pages: number;
  y: number;
}

/** Maximum number of pages that are reloaded. */
const MAX_PAGES = 10;

/** The state of a history entry can contain any value. */
export function readPosition(state: unknown): Position {
  const { pages, y } = (state ?? {}) as Partial<Record<keyof Position, unknown>>;
  return {
    pages: Number.isInteger(pages) ? Math.min(Math.max(pages as number, 1), MAX_PAGES) : 1,
    y: typeof y === 'number' && y > 0 ? y : 0,
  };
}

export const COUNTRY_BOX: Box = [COUNTRY.west, COUNTRY.south, COUNTRY.east, COUNTRY.north];
/** A closed line, longitude first. */
export type Ring = readonly (readonly [lng: number, lat: number])[];

/** Parses `min_lng,min_lat,max_lng,max_lat`; null if invalid. */
export function readBox(text: string | null): Box | null {
  const [west, south, east, north] = numbersIn(text, 4);
  const valid = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
  return valid ? [west, south, east, north] : null;
}

/** Returns that many numbers, which are NaN if the text has another number of them. */
function numbersIn(text: string | null, count: number): [number, number, number, number] {
  const numbers = (text ?? '').split(',').map((each) => (each === '' ? Number.NaN : Number(each)));
  return (numbers.length === count ? numbers : Array(4).fill(Number.NaN)) as [number, number, number, number];
}

export interface MapPosition extends LatLng {
  zoom: number;
}

/** Parses `lat,lng,zoom`; null if invalid. */
export function readMapPosition(text: string): MapPosition | null {
  const [lat, lng, zoom] = numbersIn(text, 3);
  return Math.abs(lat) <= 85 && Math.abs(lng) <= 180 && zoom >= 0 && zoom <= 22 ? { lat, lng, zoom } : null;
}

export const writeMapPosition = ({ lat, lng, zoom }: MapPosition): string =>
  [lat.toFixed(5), lng.toFixed(5), zoom.toFixed(2)].join();

const WORLD = 512;

/** Returns the box that a map of a size in pixels shows, in the Mercator projection. Pure. */
export function boxAt({ lat, lng, zoom }: MapPosition, [width, height]: readonly [number, number]): Box {
  const scale = WORLD * 2 ** zoom;
  const half = (180 * width) / scale;
  const center = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
  const latAt = (pixels: number): number =>
    (360 / Math.PI) * Math.atan(Math.exp(center + (2 * Math.PI * pixels) / scale)) - 90;
  return [lng - half, latAt(-height / 2), lng + half, latAt(height / 2)];
}

const CIRCLE_CORNERS = 72;

/** Parses `lat,lng`; null if invalid. */
export function readPoint(text: string | null): LatLng | null {
  const [lat, lng] = numbersIn(text, 2);
  return Math.abs(lat) < 90 && Number.isFinite(lng) ? { lat, lng } : null;
}

export const radiusOf = (values: URLSearchParams): number => Number(values.get('radius_m') ?? RADIUS_M.default);

/** Returns the outlines of the shapes of a search: polygon, circle and box. Ignores invalid values. Pure. */
export function ringsOf(values: URLSearchParams): Ring[] {
  const corners = parsePolygon(values.get('polygon') ?? '');
  const centers = [values.get('near'), ...(values.get('near_any')?.split(';') ?? [])].map(readPoint);
  const radius = radiusOf(values);
  const box = readBox(values.get('bbox'));
  return [
    ...(corners ? [closed(corners.map((corner) => [corner.lng, corner.lat] as const))] : []),
    ...centers.flatMap((center) => (center && radius > 0 ? [circle(center, radius)] : [])),
    ...(box ? [rectangle(box)] : []),
  ];
}

const closed = (ring: Ring): Ring => [...ring, ...ring.slice(0, 1)];

const circle = ({ lat, lng }: LatLng, radius: number): Ring =>
  Array.from({ length: CIRCLE_CORNERS + 1 }, (_, at) => {
    const angle = (at / CIRCLE_CORNERS) * 2 * Math.PI;
    return [
      lng + (radius / metersPerDegreeEast(lat)) * Math.cos(angle),
      lat + (radius / METERS_PER_DEGREE) * Math.sin(angle),
    ] as const;
  });

const rectangle = ([west, south, east, north]: Box): Ring =>
  closed([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);

export function boxAround(rings: readonly Ring[]): Box | null {
  const points = rings.flat();
  if (points.length === 0) return null;
  const lngs = points.map(([lng]) => lng);
  const lats = points.map(([, lat]) => lat);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

/**
 * Returns a box around the places with most listings, or most places if none has listings. 5% on each side are left
 * out, because a few distant places make a city appear small. Pure.
 */
export function boxOfMost(places: readonly (LatLng & { count: number })[]): Box | null {
  if (places.length === 0) return null;
  const hasListings = places.some(({ count }) => count > 0);
  const limits = (axis: 'lat' | 'lng'): [number, number] => {
    const values = places
      .flatMap((place) => Array<number>(hasListings ? place.count : 1).fill(place[axis]))
      .sort((a, b) => a - b);
    const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? 0;
    return [at(0.05), at(0.95)];
  };
  const [west, east] = limits('lng');
  const [south, north] = limits('lat');
  return [west, south, east, north];
}

/** Parts of a degree, about ten meters, to which the visible part is widened, so that URLs are short. */
const PARTS = 10_000;

/**
 * Returns the visible part of the country within the box of the search; null if it is empty. The edges of the search
 * are exact, because listings can be on them. Pure.
 */
export function searchedPart([west, south, east, north]: Box, searched: Box | null): Box | null {
  const down = (edge: number): number => Math.floor(edge * PARTS) / PARTS;
  const up = (edge: number): number => Math.ceil(edge * PARTS) / PARTS;
  const boxes: Box[] = [[down(west), down(south), up(east), up(north)], COUNTRY_BOX];
  if (searched) boxes.push(searched);
  const highest = (at: 0 | 1): number => Math.max(...boxes.map((box) => box[at]));
  const lowest = (at: 2 | 3): number => Math.min(...boxes.map((box) => box[at]));
  const part: Box = [highest(0), highest(1), lowest(2), lowest(3)];
  return part[0] < part[2] && part[1] < part[3] ? part : null;
}

export type DrawnPolygon = { polygon: string } | { fault: 'few' | 'crossing' };

/** Checks a drawn polygon. Coordinates are rounded to about a meter. Pure. */
export function readDrawn(corners: readonly LatLng[]): DrawnPolygon {
  const rounded = corners.map(({ lat, lng }) => ({ lat: Number(lat.toFixed(5)), lng: Number(lng.toFixed(5)) }));
  if (rounded.length < POLYGON_POINTS.min) return { fault: 'few' };
  return polygonFault(rounded) === null ? { polygon: formatPolygon(rounded) } : { fault: 'crossing' };
}

export const MAX_CORNERS = POLYGON_POINTS.max;
