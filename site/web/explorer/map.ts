import {
  type GeoJSONSource,
  Map as MapLibre,
  Marker,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { type Center, cellsOf } from '#site/cells.ts';
import { clustersOf } from '#site/clusters.ts';

interface Options {
  element: HTMLElement;
  language: string;
  worker: string;
  land: string;
  words: Words;
  /** Called with the visible area, `min_lng,min_lat,max_lng,max_lat`, after the visitor moved the map. */
  onMove(bbox: string): void;
}

interface NamedCenter extends Center {
  name: string;
}

interface NeighborhoodPrice {
  id: number;
  price: number | null;
  /** Number of listings in the neighborhood. */
  count: number;
  text: string;
}

/** Texts of the map. */
interface Words {
  number(value: number): string;
  /** Returns a circle's accessible name, with the number of listings and neighborhoods. */
  cluster(listings: number, neighborhoods: number): string;
}

interface PlacedListing {
  id: number;
  lat: number;
  lng: number;
  href: string;
  text: string;
  label: string;
}

export type MapView = Awaited<ReturnType<typeof openMap>>;

/** Number of colors of cells, from cheapest to most expensive neighborhood. */
const STEPS = 5;
/** Sizes in pixels: neighborhood label, price, and circle. */
const LABEL = { width: 78, height: 38 };
const PIN = { width: 48, height: 22 };
const CIRCLE = { width: 44, height: 44 };
/** Maximum number of neighborhood names shown without listings. */
const NAMES = 24;
/** Maximum zoom. At this zoom, prices are drawn even if they overlap. */
const NEAREST = 15;

/**
 * Opens a map of the country that shows land, neighborhoods colored by price, and listings. Loads no external tiles or
 * fonts.
 */
export async function openMap({ element, worker, land, words, onMove }: Options) {
  setWorkerUrl(worker);
  const layers = (): StyleSpecification['layers'] => layersIn((name) => resolveColor(element, name));
  const map = new MapLibre({
    container: element,
    style: {
      version: 8,
      sources: {
        land: { type: 'geojson', data: new URL(land, location.href).href },
        cells: { type: 'geojson', data: collection([]) },
        area: { type: 'geojson', data: collection([]) },
      },
      layers: layers(),
    },
    center: [45, 24],
    zoom: 4.2,
    minZoom: 3.5,
    maxZoom: NEAREST,
    attributionControl: false,
    cooperativeGestures: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  await map.once('load');

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const repaint = (): void => {
    for (const { id, paint = {} } of layers())
      for (const [property, value] of Object.entries(paint))
        map.setPaintProperty(id, property as never, value as never);
  };
  dark.addEventListener('change', repaint);

  let centers: readonly NamedCenter[] = [];
  /** Whether the map must still move to the selected city. */
  let elsewhere = true;
  let prices = new Map<number, NeighborhoodPrice & { step: number }>();
  let listings: readonly PlacedListing[] = [];
  let markers: Marker[] = [];
  let choose: (id: number) => void = () => {};
  /**
   * The search area. `reported` is the area to which the visitor moved the map; the map does not move to an equal area.
   */
  let area: Box | null = null;
  let reported = '';

  const drawCells = (): void => {
    const features = cellsOf(centers).map(({ id, ring }) => ({
      type: 'Feature' as const,
      properties: { id, step: prices.get(id)?.step ?? -1 },
      geometry: { type: 'Polygon' as const, coordinates: [ring.map(([lng, lat]) => [lng, lat])] },
    }));
    map.getSource<GeoJSONSource>('cells')?.setData(collection(features));
  };

  /** Markers are HTML elements, so that the browser renders their text, including Arabic. */
  const mark = (element: HTMLElement, at: { x: number; y: number }, anchor: 'center' | 'bottom' = 'center'): void => {
    markers.push(new Marker({ element, anchor }).setLngLat(map.unproject([at.x, at.y])).addTo(map));
  };

  /** Zooms in until the members of a cluster no longer overlap. Counts as a movement by the visitor. */
  const zoomToCluster = (members: readonly { lng: number; lat: number }[], event: Event): void => {
    const [west, east] = ends(members.map(({ lng }) => lng));
    const [south, north] = ends(members.map(({ lat }) => lat));
    map.getCanvas().focus();
    map.fitBounds([west, south, east, north], { padding: 80, maxZoom: NEAREST }, { originalEvent: event });
  };

  /**
   * Returns whether a point is visible. Clusters do not depend on visibility, so that they do not change when the map moves.
   */
  const inView = ({ x, y }: { x: number; y: number }): boolean =>
    x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;

  /**
   * Draws neighborhoods with their number of listings. Overlapping neighborhoods become one circle with the sum.
   * @returns the positions of the circles
   */
  const drawNeighborhoods = (): readonly { x: number; y: number }[] => {
    const placed = centers.map((center) => ({
      ...center,
      ...map.project(center),
      count: prices.get(center.id)?.count ?? 0,
    }));
    const clusters = clustersOf(
      placed.filter(({ count }) => count > 0),
      LABEL,
    );
    const circles: { x: number; y: number }[] = [];
    for (const cluster of clusters.filter(inView)) {
      const { members, count } = cluster;
      if (members.length === 1) {
        mark(nameLabel(members[0]), cluster);
        continue;
      }
      const button = markerButton('map-cluster', words.number(count));
      button.setAttribute('aria-label', words.cluster(count, members.length));
      button.dataset.size = String(Math.min(4, Math.floor(Math.log10(count)) + 1));
      button.addEventListener('click', (event) => zoomToCluster(members, event));
      mark(button, cluster);
      circles.push(cluster);
    }
    if (map.getZoom() < 8) return circles;
    // Adds the names of other neighborhoods if there is space.
    const taken: { x: number; y: number }[] = [...clusters];
    let names = 0;
    for (const place of placed.filter((each) => each.count === 0 && inView(each))) {
      if (names >= NAMES) break;
      const { x, y } = place;
      if (taken.some((other) => Math.abs(other.x - x) < LABEL.width && Math.abs(other.y - y) < LABEL.height)) continue;
      taken.push(place);
      names++;
      mark(nameLabel(place), place);
    }
    return circles;
  };

  const nameLabel = ({ id, name }: NamedCenter): HTMLButtonElement => {
    const button = markerButton('map-label', name);
    const price = prices.get(id);
    if (price) {
      const figures = document.createElement('small');
      figures.textContent = [price.text, words.number(price.count)].filter((part) => part !== '').join(' · ');
      button.append(figures);
    }
    button.addEventListener('click', () => choose(id));
    return button;
  };

  /**
   * Draws the listings on the page by price. Overlapping listings become one marker with the number of other listings.
   * Listings that overlap a circle are not drawn.
   */
  const drawListings = (circles: readonly { x: number; y: number }[]): void => {
    const placed = listings.map((listing) => ({ ...listing, ...map.project(listing), count: 1 }));
    const nearest = map.getZoom() >= NEAREST;
    for (const cluster of clustersOf(placed, nearest ? { width: 0, height: 0 } : PIN).filter(inView)) {
      const { members } = cluster;
      const [first] = members;
      // A price is drawn above its location.
      const [x, y] = [first.x, first.y - PIN.height / 2];
      const hides = (circle: { x: number; y: number }): boolean =>
        Math.abs(circle.x - x) < (CIRCLE.width + PIN.width) / 2 &&
        Math.abs(circle.y - y) < (CIRCLE.height + PIN.height) / 2;
      if (circles.some(hides)) continue;
      if (members.length === 1) {
        const link = document.createElement('a');
        link.className = 'map-pin';
        link.href = first.href;
        link.dir = 'auto';
        link.textContent = first.text;
        link.setAttribute('aria-label', first.label);
        mark(link, first, 'bottom');
        continue;
      }
      const button = markerButton('map-pin', `${first.text} \u2066+${members.length - 1}\u2069`);
      button.addEventListener('click', (event) => zoomToCluster(members, event));
      mark(button, first, 'bottom');
    }
  };

  const draw = (): void => {
    for (const marker of markers) marker.remove();
    markers = [];
    drawListings(drawNeighborhoods());
  };

  map.on('moveend', (event) => {
    draw();
    // Only movements by the visitor have an `originalEvent`.
    if (!('originalEvent' in event) || !event.originalEvent) return;
    const bounds = map.getBounds();
    reported = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()].map(digits).join(',');
    onMove(reported);
  });

  /** Moves to the area of the search, or to the area that contains most of the places. */
  const moveTo = (shown: readonly Center[]): void => {
    if (area) map.fitBounds(area, { padding: 16, animate: false });
    if (area || shown.length === 0) return;
    const [west, east] = most(shown.map(({ lng }) => lng));
    const [south, north] = most(shown.map(({ lat }) => lat));
    map.fitBounds([west, south, east, north], { padding: 60, maxZoom: 12, animate: false });
  };

  return {
    showNeighborhoods(shown: readonly NamedCenter[]): void {
      centers = shown;
      drawCells();
      elsewhere = true;
      moveTo(shown);
      draw();
    },

    showPrices(shown: readonly NeighborhoodPrice[], onChoose: (id: number) => void): void {
      choose = onChoose;
      const ranked = shown.filter(({ price }) => price !== null).sort((a, b) => (a.price ?? 0) - (b.price ?? 0));
      prices = new Map([
        ...shown.map((each) => [each.id, { ...each, step: -1 }] as const),
        ...ranked.map((each, at) => [each.id, { ...each, step: Math.floor((at / ranked.length) * STEPS) }] as const),
      ]);
      drawCells();
      // Moves to the listings once. Afterwards the visitor controls the map.
      const priced = centers.filter(({ id }) => prices.has(id));
      if (elsewhere && priced.length > 0) {
        moveTo(priced);
        elsewhere = false;
      }
      draw();
    },

    /** Outlines the area of a search. Moves to it unless the visitor selected it on the map. */
    showArea(box: Box | null): void {
      area = box;
      map.getSource<GeoJSONSource>('area')?.setData(collection(box ? [outlineOf(box)] : []));
      if (box && box.map(digits).join(',') !== reported) moveTo(centers);
    },

    showListings(shown: readonly PlacedListing[]): void {
      listings = shown;
      draw();
    },

    close(): void {
      dark.removeEventListener('change', repaint);
      map.remove();
    },
  };
}

/** Creates a clickable marker whose text direction depends on the text. */
function markerButton(className: string, text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.dir = 'auto';
  button.textContent = text;
  return button;
}

const digits = (value: number): string => value.toFixed(3);

type Box = [west: number, south: number, east: number, north: number];

const outlineOf = ([west, south, east, north]: Box): Features[number] => ({
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'LineString',
    coordinates: [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  },
});

const ends = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];

/**
 * Returns the range from the 10th to the 90th percentile, because a few distant places would make the city appear
 * small.
 */
function most(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.1), at(0.9)];
}

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>['features'];
const collection = (features: Features) => ({ type: 'FeatureCollection' as const, features });

/** Returns the map layers from bottom to top, in the colors of the stylesheet. */
function layersIn(color: (name: string) => string): StyleSpecification['layers'] {
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': color('--map-sea') } },
    {
      id: 'land',
      type: 'fill',
      source: 'land',
      paint: { 'fill-color': ['case', ['get', 'home'], color('--map-home'), color('--map-land')] },
    },
    { id: 'borders', type: 'line', source: 'land', paint: { 'line-color': color('--line'), 'line-width': 1 } },
    {
      id: 'cells',
      type: 'fill',
      source: 'cells',
      paint: {
        'fill-color': [
          'case',
          ['<', ['get', 'step'], 0],
          color('--map-none'),
          ['interpolate', ['linear'], ['get', 'step'], 0, color('--map-low'), STEPS - 1, color('--map-high')],
        ],
        'fill-opacity': 0.75,
      },
    },
    { id: 'cell-lines', type: 'line', source: 'cells', paint: { 'line-color': color('--ground'), 'line-width': 1 } },
    { id: 'area', type: 'line', source: 'area', paint: { 'line-color': color('--warm'), 'line-width': 2 } },
  ];
}

/** Resolves a color variable of the stylesheet, which differs between light and dark mode. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.className = 'map-color';
  element.append(probe);
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
