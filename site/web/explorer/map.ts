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
  /** Told of the area in view, `min_lng,min_lat,max_lng,max_lat`, when the visitor has moved the map. */
  onMove(bbox: string): void;
}

interface NamedCenter extends Center {
  name: string;
}

interface NeighborhoodPrice {
  id: number;
  price: number | null;
  /** Listings of the neighborhood. */
  count: number;
  text: string;
}

/** What the map says. */
interface Words {
  number(value: number): string;
  /** How a circle is read out: so many listings in so many neighborhoods. */
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

/** Shares of the ranking at which the color of a cell changes, from the cheapest to the dearest. */
const STEPS = 5;
/** Pixels that the name of a neighborhood with its figures takes, and a price. */
const LABEL = { width: 78, height: 38 };
const PIN = { width: 48, height: 22 };
const CIRCLE = { width: 44, height: 44 };
/** Names of neighborhoods without listings that are shown at once. */
const NAMES = 24;
/** As near as one gets: from here, prices are drawn even where they lie over each other. */
const NEAREST = 15;

/** Opens a map of the country: land, cells of neighborhoods colored by price, and listings. No tiles, no fonts, nothing from outside. */
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
  /** Whether the map has yet to be moved to the city that is shown. */
  let elsewhere = true;
  let prices = new Map<number, NeighborhoodPrice & { step: number }>();
  let listings: readonly PlacedListing[] = [];
  let markers: Marker[] = [];
  let choose: (id: number) => void = () => {};
  /** The area of the search, and the one the visitor has moved the map to, which needs no movement. */
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

  /** Markers are elements of the page, so that the browser's own fonts write them, in Arabic as well. */
  const mark = (element: HTMLElement, at: { x: number; y: number }, anchor: 'center' | 'bottom' = 'center'): void => {
    markers.push(new Marker({ element, anchor }).setLngLat(map.unproject([at.x, at.y])).addTo(map));
  };

  /** Goes where the members of a cluster no longer lie over each other, as the visitor's own movement. */
  const lookCloser = (members: readonly { lng: number; lat: number }[], event: Event): void => {
    const [west, east] = ends(members.map(({ lng }) => lng));
    const [south, north] = ends(members.map(({ lat }) => lat));
    map.getCanvas().focus();
    map.fitBounds([west, south, east, north], { padding: 80, maxZoom: NEAREST }, { originalEvent: event });
  };

  /** What lies in view. Where it lies does not depend on that, so that moving the map leaves the clusters as they are. */
  const inView = ({ x, y }: { x: number; y: number }): boolean =>
    x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;

  /**
   * Neighborhoods with their listings, those that would lie over each other as one circle with the sum.
   * @returns where the circles are
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
      button.addEventListener('click', (event) => lookCloser(members, event));
      mark(button, cluster);
      circles.push(cluster);
    }
    if (map.getZoom() < 8) return circles;
    // Names of the others where there is room.
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
   * Listings of the page by their prices, those that would lie over each other as one with how many more there are. One that
   * would lie over a circle is counted in it.
   */
  const drawListings = (circles: readonly { x: number; y: number }[]): void => {
    const placed = listings.map((listing) => ({ ...listing, ...map.project(listing), count: 1 }));
    const nearest = map.getZoom() >= NEAREST;
    for (const cluster of clustersOf(placed, nearest ? { width: 0, height: 0 } : PIN).filter(inView)) {
      const { members } = cluster;
      const [first] = members;
      // A price stands above its place.
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
      button.addEventListener('click', (event) => lookCloser(members, event));
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
    // Only a movement of the visitor's has an event of theirs.
    if (!('originalEvent' in event) || !event.originalEvent) return;
    const bounds = map.getBounds();
    reported = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()].map(digits).join(',');
    onMove(reported);
  });

  /** To the area of the search, or else to most of the places. */
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
      // To where the listings are, once: what the visitor looks at afterwards is theirs to choose.
      const priced = centers.filter(({ id }) => prices.has(id));
      if (elsewhere && priced.length > 0) {
        moveTo(priced);
        elsewhere = false;
      }
      draw();
    },

    /** Outlines the area of a search, and opens the map on it unless the visitor has chosen it here. */
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

/** A marker that does something. Its words run as they do in their own language. */
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

/** From where to where most of the values lie: a few places far out would make the city small. */
function most(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.1), at(0.9)];
}

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>['features'];
const collection = (features: Features) => ({ type: 'FeatureCollection' as const, features });

/** What is drawn, from the bottom up, in the colors of the stylesheet. */
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

/** A color of the stylesheet as the map takes it: the variables differ between light and dark. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.className = 'map-color';
  element.append(probe);
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
