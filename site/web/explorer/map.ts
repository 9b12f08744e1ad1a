import {
  type GeoJSONSource,
  Map as MapLibre,
  Marker,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { type Center, cellsOf } from '#site/cells.ts';

interface Options {
  element: HTMLElement;
  language: string;
  worker: string;
  land: string;
  /** Told of the area in view, `min_lng,min_lat,max_lng,max_lat`, when the visitor has moved the map. */
  onMove(bbox: string): void;
}

interface NamedCenter extends Center {
  name: string;
}

interface NeighborhoodPrice {
  id: number;
  price: number | null;
  text: string;
  count: string;
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
/** Labels of neighborhoods that are shown at once; more would lie over each other. */
const LABELS = 24;

/** Opens a map of the country: land, cells of neighborhoods colored by price, and listings. No tiles, no fonts, nothing from outside. */
export async function openMap({ element, worker, land, onMove }: Options) {
  setWorkerUrl(worker);
  const layers = (): StyleSpecification['layers'] => layersIn((name) => resolveColor(element, name));
  const map = new MapLibre({
    container: element,
    style: {
      version: 8,
      sources: {
        land: { type: 'geojson', data: new URL(land, location.href).href },
        cells: { type: 'geojson', data: collection([]) },
      },
      layers: layers(),
    },
    center: [45, 24],
    zoom: 4.2,
    minZoom: 3.5,
    maxZoom: 15,
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
  let labels: Marker[] = [];
  let pins: Marker[] = [];
  let choose: (id: number) => void = () => {};

  const drawCells = (): void => {
    const features = cellsOf(centers).map(({ id, ring }) => ({
      type: 'Feature' as const,
      properties: { id, step: prices.get(id)?.step ?? -1 },
      geometry: { type: 'Polygon' as const, coordinates: [ring.map(([lng, lat]) => [lng, lat])] },
    }));
    map.getSource<GeoJSONSource>('cells')?.setData(collection(features));
  };

  /** Labels are elements of the page, so that the browser's own fonts write them, in Arabic as well. */
  const drawLabels = (): void => {
    for (const label of labels) label.remove();
    labels = [];
    if (map.getZoom() < 8) return;
    const bounds = map.getBounds();
    const seen = centers.filter(({ lng, lat }) => bounds.contains([lng, lat]));
    const ranked = seen.sort((a, b) => Number(prices.has(b.id)) - Number(prices.has(a.id)));
    const taken: { x: number; y: number }[] = [];
    for (const { id, name, lng, lat } of ranked) {
      if (labels.length >= LABELS) break;
      const { x, y } = map.project([lng, lat]);
      if (taken.some((other) => Math.abs(other.x - x) < 84 && Math.abs(other.y - y) < 40)) continue;
      taken.push({ x, y });
      const price = prices.get(id);
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'map-label';
      button.dir = 'auto';
      button.textContent = name;
      if (price) {
        const figures = document.createElement('small');
        figures.textContent = `${price.text} · ${price.count}`;
        button.append(figures);
      }
      button.addEventListener('click', () => choose(id));
      labels.push(new Marker({ element: button }).setLngLat([lng, lat]).addTo(map));
    }
  };

  map.on('moveend', (event) => {
    drawLabels();
    // Only a movement of the visitor's has an event of theirs.
    if (!('originalEvent' in event) || !event.originalEvent) return;
    const bounds = map.getBounds();
    const digits = (value: number): string => value.toFixed(3);
    onMove([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()].map(digits).join(','));
  });

  const moveTo = (shown: readonly Center[]): void => {
    if (shown.length === 0) return;
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
      drawLabels();
    },

    showPrices(shown: readonly NeighborhoodPrice[], onChoose: (id: number) => void): void {
      choose = onChoose;
      const ranked = shown.filter(({ price }) => price !== null).sort((a, b) => (a.price ?? 0) - (b.price ?? 0));
      prices = new Map(
        ranked.map((each, at) => [each.id, { ...each, step: Math.floor((at / Math.max(1, ranked.length)) * STEPS) }]),
      );
      drawCells();
      // To where the listings are, once: what the visitor looks at afterwards is theirs to choose.
      const priced = centers.filter(({ id }) => prices.has(id));
      if (elsewhere && priced.length > 0) {
        moveTo(priced);
        elsewhere = false;
      }
      drawLabels();
    },

    showListings(shown: readonly PlacedListing[]): void {
      for (const pin of pins) pin.remove();
      pins = shown.map(({ lng, lat, href, text, label }) => {
        const link = document.createElement('a');
        link.className = 'map-pin';
        link.href = href;
        link.dir = 'auto';
        link.textContent = text;
        link.setAttribute('aria-label', label);
        return new Marker({ element: link, anchor: 'bottom' }).setLngLat([lng, lat]).addTo(map);
      });
    },

    close(): void {
      dark.removeEventListener('change', repaint);
      map.remove();
    },
  };
}

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
