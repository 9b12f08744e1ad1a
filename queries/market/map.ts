import type { Box } from '#domain/geography/country.ts';
import { boxOfTile, countTiles, roundDegrees } from '#domain/geography/tiles.ts';
import { rounded } from '#domain/statistics/figures.ts';
import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import { medianOf, type PercentilesResult } from '#domain/statistics/quantiles.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import type { Clause } from '../clause.ts';
import { boxInCountry } from '../filters/checks.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import type { FilterValues } from '../filters/table.ts';
import { countBody } from '../listings/search.ts';
import { type ColumnsResult, columnsClause, columnsOf } from './collected.ts';

export const MAX_ELEMENTS = 400;

export const MAX_ZOOM = 22;

/** At this zoom and below, where a cell would cover several cities, clusters are cities. */
export const CITY_ZOOM = 7;
/** Cities of a cluster, those with the most listings. */
const MAX_CITIES = 10;

/** Zoom levels of the cells above that of the map: 16 cells per map tile. */
const FINER = 2;

/** Requires a box that overlaps Saudi Arabia and covers at most `MAX_ELEMENTS` map tiles at the requested zoom. */
export const boxOfMap: ValueCheck<Box> = {
  code: 'invalid_value',
  refuse: (box, context) => {
    const refusal = boxInCountry.refuse(box, context);
    if (refusal !== null) return refusal;
    const { name, values } = context;
    const [west, south, east, north] = box;
    if (west === east || south === north)
      return () => `\`${name}\` has no area: each minimum must be less than its maximum.`;
    const zoom = Number(values.zoom ?? 0);
    const tiles = countTiles(box, zoom);
    if (tiles <= MAX_ELEMENTS) return null;
    let fitting = zoom;
    while (countTiles(box, fitting) > MAX_ELEMENTS) fitting--;
    return () =>
      `\`${name}\` covers ${tiles.toLocaleString('en')} map tiles at \`zoom\` ${zoom}, more than ${MAX_ELEMENTS}. Use a smaller box, or \`zoom\` ${fitting} or less.`;
  },
};

/** Returns the highest zoom at which at most `MAX_ELEMENTS` tiles cover the box. */
function cellZoom(box: Box, zoom: number): number {
  let cells = zoom + FINER;
  while (cells > zoom && countTiles(box, cells) > MAX_ELEMENTS) cells--;
  return cells;
}

/**
 * The median price, accurate to 1% if the engine computes it. HDR with two significant digits is exact in rank and takes a few kilobytes; digests
 * would merge the prices of small cells. Prices outside of the range are mistakes, and HDR fails if the largest price
 * is 3.6e16 times the smallest.
 */
const MEDIAN_PRICE = {
  filter: { range: { 'filter.price': { gte: 1, lte: 1e12 } } },
  aggs: {
    median: {
      percentiles: {
        field: 'filter.price',
        percents: MEDIAN_PERCENTS,
        keyed: false,
        hdr: { number_of_significant_value_digits: 2 },
      },
    },
  },
};

/** A cluster is drawn where its listings are: the center of a cell may be in the sea. */
const CENTROID = { lat: { avg: { field: 'filter.lat' } }, lng: { avg: { field: 'filter.lng' } } };

/** Cells of a grid, or the cities of the box. */
function clustersOf(box: Box, zoom: number): Clause {
  if (zoom <= CITY_ZOOM)
    return {
      terms: { field: 'filter.city', size: MAX_ELEMENTS },
      aggs: { price: MEDIAN_PRICE, ...CENTROID, bounds: { geo_bounds: { field: 'filter.location' } } },
    };
  return {
    geotile_grid: { field: 'filter.location', precision: cellZoom(box, zoom), size: MAX_ELEMENTS },
    aggs: { price: MEDIAN_PRICE, ...CENTROID, cities: { terms: { field: 'filter.city', size: MAX_CITIES } } },
  };
}

export type MapFilters = FilterValues & { readonly bbox: Box };

const PINNED = [
  { field: 'filter.id', type: 'Longs' },
  { field: 'filter.lat', type: 'Doubles' },
  { field: 'filter.lng', type: 'Doubles' },
  { field: 'filter.price', type: 'Doubles' },
] as const;

export function mapBody(filters: MapFilters, zoom: number, context: ClauseContext): Record<string, unknown> {
  return {
    ...countBody(filters, context),
    aggs: {
      cells: clustersOf(filters.bbox, zoom),
      sample: { sampler: { shard_size: MAX_ELEMENTS }, aggs: { pins: columnsClause(PINNED) } },
    },
  };
}

interface Corner {
  lat: number;
  lon: number;
}

interface Bounds {
  top_left: Corner;
  bottom_right: Corner;
}

interface Bucket {
  key: string;
  doc_count: number;
  price: { median: PercentilesResult };
  lat: { value: number };
  lng: { value: number };
  /** Present in buckets of cities. */
  bounds?: { bounds: Bounds };
  /** Present in buckets of cells. */
  cities?: { buckets: readonly { key: string }[] };
}

export interface MapResponse {
  approximate: boolean;
  hits: { total: { value: number } };
  aggregations: {
    cells: { buckets: readonly Bucket[] };
    sample: { pins: ColumnsResult };
  };
}

/** Returns pins, newest first, or clusters, largest first. */
export function readMap({ hits, approximate, aggregations: { cells, sample } }: MapResponse) {
  const total = hits.total.value;
  return total <= MAX_ELEMENTS
    ? { total, approximate: false, clusters: [], pins: pinsOf(sample.pins) }
    : { total, approximate, clusters: cells.buckets.map(clusterOf), pins: [] };
}

function clusterOf({ key, doc_count, price, lat, lng, bounds, cities }: Bucket) {
  return {
    bbox: bounds ? boxOfBounds(bounds.bounds) : boxOfTile(key),
    lat: roundDegrees(lat.value),
    lng: roundDegrees(lng.value),
    count: doc_count,
    cities: cities ? cities.buckets.map((city) => city.key) : [key],
    median_price_sar: rounded(medianOf(price.median)),
  };
}

const boxOfBounds = ({ top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } }: Bounds): Box => [
  roundDegrees(west),
  roundDegrees(south),
  roundDegrees(east),
  roundDegrees(north),
];

function pinsOf(columns: ColumnsResult) {
  const [ids = [], lats = [], lngs = [], prices = []] = columnsOf(columns, PINNED.length);
  return ids
    .map((id, at) => ({
      id: Number(id),
      lat: Number(lats[at]),
      lng: Number(lngs[at]),
      price_sar: Number(prices[at]),
    }))
    .sort((a, b) => b.id - a.id);
}
