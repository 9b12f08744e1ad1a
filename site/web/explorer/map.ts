import {
  type GeoJSONSource,
  Map as MapLibre,
  Marker,
  NavigationControl,
  Popup,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { type Cluster, clustersOf } from '#site/clusters.ts';
import { type Box, boxAround, boxOfMost, type MapPosition, type Ring, writeMapPosition } from '#site/explorer-place.ts';
import { createPen, type Drawing } from './pen.ts';
import type { MapData } from './responses.ts';

interface Options {
  element: HTMLElement;
  worker: string;
  land: string;
  words: Words;
  /** Returns the path of a listing's page. */
  pathOf(id: number): string;
  /** Called after every movement, with the key of the target to which the map moved last. */
  onView(view: View): void;
  /** Called with the position after the visitor moved the map. */
  onMove(position: string): void;
  /** Called with the id of the listing whose price has the pointer or the focus, or null. */
  onPoint(id: number | null): void;
  /** Called with the id of a neighborhood whose name was clicked. */
  onChoose(id: number): void;
  /** Called while the visitor draws a polygon. Null when drawing has ended. */
  onDrawing(drawing: Drawing | null): void;
  /** Called with a drawn polygon and the position of the map. */
  onDrawn(polygon: string, position: string): void;
}

/** Visible part of the map. */
export interface View {
  box: Box;
  /** Zoom level for tiles of 256 pixels, as in the API. */
  zoom: number;
  position: string;
  targetKey: string;
}

/** Place that a search is about. */
export interface Target {
  key: string;
  /** Exact position, if known. It takes precedence. */
  position: MapPosition | null;
  rings: readonly Ring[];
  /** Ids of the neighborhoods to show if there are no rings. Empty for all. */
  neighborhoods: readonly number[];
}

interface NamedCenter {
  id: number;
  lat: number;
  lng: number;
  name: string;
  /** Number of listings. */
  count: number;
}

/** A part of a neighborhood. */
interface Area {
  id: number;
  ring: Ring;
}

/** Texts of the map. */
interface Words {
  /** Names of the controls, by the keys of MapLibre. */
  controls: Readonly<Record<string, string>>;
  /** Returns a count for a circle. */
  number(value: number): string;
  /** Returns a short price. */
  price(value: number | null): string;
  /** Returns a circle's description. */
  cluster(listings: number, medianPrice: number | null): string;
  /** Returns a pin's accessible name, which starts with the short price. */
  pin(id: number, price: number): string;
}

interface PlacedListing {
  id: number;
  lat: number | null;
  lng: number | null;
}

/** Listings that are drawn as one circle. */
interface Circle {
  lat: number;
  lng: number;
  count: number;
  medianPrice: number | null;
  box: Box;
  /** The listings, if they are known. */
  members: readonly MapData['pins'][number][];
}

export type MapView = Awaited<ReturnType<typeof openMap>>;

/** Sizes in pixels of a neighborhood's name, and of a price or circle. */
const LABEL = { width: 96, height: 30 };
const MARKER = { width: 62, height: 44 };
/** Maximum number of neighborhood names, and the zoom from which they are shown. */
const NAMES = 24;
const NAMES_ZOOM = 8;
const NEAREST = 17;

/**
 * Opens a map of the country that shows land, neighborhoods, and the listings of a search as prices or circles. Loads no
 * external tiles or fonts.
 */
export async function openMap(options: Options) {
  const { element, worker, land, words, pathOf, onView, onMove, onPoint, onChoose } = options;
  setWorkerUrl(worker);
  const layers = (): StyleSpecification['layers'] => layersIn((name) => resolveColor(element, name));
  const map = new MapLibre({
    container: element,
    style: {
      version: 8,
      sources: {
        land: { type: 'geojson', data: new URL(land, location.href).href },
        cells: { type: 'geojson', data: collection([]) },
        shapes: { type: 'geojson', data: collection([]) },
        drawing: { type: 'geojson', data: collection([]) },
      },
      layers: layers(),
    },
    center: [45, 24],
    zoom: 4.2,
    minZoom: 3.5,
    maxZoom: NEAREST,
    attributionControl: false,
    locale: words.controls,
    // On a touch screen, one finger scrolls the page and two fingers move the map.
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
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
  let areas: readonly Area[] = [];
  let data: MapData | null = null;
  let markers: Marker[] = [];
  let popup: Popup | null = null;
  /** The markers of listings. */
  let drawn: { element: HTMLElement; shows(listing: PlacedListing): boolean }[] = [];
  let targetKey = '';

  /** Markers are HTML elements, so that the browser renders their text, including Arabic. */
  const mark = (element: HTMLElement, at: { lng: number; lat: number }): void => {
    markers.push(new Marker({ element }).setLngLat(at).addTo(map));
  };

  const place = <Item extends { lng: number; lat: number }>(item: Item) => ({ ...item, ...map.project(item) });

  /** Returns whether a point is visible. */
  const inView = ({ x, y }: { x: number; y: number }): boolean =>
    x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;

  /** Zooms in on the listings of a circle, or lists them if they are at one place. Counts as a movement by the visitor. */
  const openCircle = ({ box, lat, lng, members }: Circle, event: Event): void => {
    const [west, south, east, north] = box;
    const isPlace = map.project([west, south]).dist(map.project([east, north])) < 1;
    // A click on the map closes the list.
    event.stopPropagation();
    map.getCanvas().focus();
    if (members.length > 0 && (isPlace || map.getZoom() >= NEAREST)) {
      popup?.remove();
      const opened = new Popup({ focusAfterOpen: true, offset: 22 })
        .setLngLat([lng, lat])
        .setDOMContent(listOf(members))
        .addTo(map);
      opened.getElement().addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') opened.remove();
      });
      opened.on('close', () => {
        // The focused link no longer exists.
        if (document.activeElement === document.body) map.getCanvas().focus();
      });
      popup = opened;
      return;
    }
    map.fitBounds([west, south, east, north], { padding: 60, maxZoom: NEAREST }, { originalEvent: event });
  };

  const listOf = (members: Circle['members']): HTMLElement => {
    const list = document.createElement('ul');
    list.className = 'map-list';
    list.append(
      ...members.map((member) => {
        const item = document.createElement('li');
        item.append(pinLink(member, 'map-link'));
        return item;
      }),
    );
    return list;
  };

  const pinLink = ({ id, price_sar }: MapData['pins'][number], className: string): HTMLAnchorElement => {
    const link = document.createElement('a');
    link.className = className;
    link.href = pathOf(id);
    link.dir = 'auto';
    link.textContent = words.price(price_sar);
    link.setAttribute('aria-label', words.pin(id, price_sar));
    for (const event of ['pointerenter', 'focus']) link.addEventListener(event, () => onPoint(id));
    for (const event of ['pointerleave', 'blur']) link.addEventListener(event, () => onPoint(null));
    return link;
  };

  const circleButton = (circle: Circle): HTMLButtonElement => {
    const button = markerButton('map-cluster', words.number(circle.count));
    if (circle.medianPrice !== null) {
      const price = document.createElement('small');
      price.textContent = words.price(circle.medianPrice);
      button.append(price);
    }
    button.title = words.cluster(circle.count, circle.medianPrice);
    button.addEventListener('click', (event) => openCircle(circle, event));
    return button;
  };

  /**
   * Draws the listings. Prices that overlap become one circle, so that every listing in view is drawn or counted once.
   * @returns the positions of the markers
   */
  const drawListings = (): { x: number; y: number }[] => {
    const { clusters = [], pins = [] } = data ?? {};
    const near = clustersOf(
      pins.map((pin) => ({ ...place(pin), count: 1 })),
      MARKER,
    );
    const alone = near.filter(({ members }) => members.length === 1);
    const circles = [
      ...near.filter(({ members }) => members.length > 1).map((cluster) => circleOf(cluster)),
      ...clusters.map(({ bbox, median_price_sar, ...rest }) => ({
        ...rest,
        medianPrice: median_price_sar,
        box: bbox,
        members: [],
      })),
    ];
    for (const {
      members: [pin],
    } of alone) {
      const link = pinLink(pin, 'map-pin');
      mark(link, pin);
      drawn.push({ element: link, shows: ({ id }) => id === pin.id });
    }
    for (const circle of circles) {
      const button = circleButton(circle);
      mark(button, circle);
      drawn.push({ element: button, shows: (listing) => isInCircle(listing, circle) });
    }
    return [...alone, ...circles.map(place)];
  };

  /** Draws names of neighborhoods where there is space. */
  const drawNames = (drawn: readonly { x: number; y: number }[]): void => {
    if (map.getZoom() < NAMES_ZOOM) return;
    const hides = (width: number, height: number, a: { x: number; y: number }, b: { x: number; y: number }): boolean =>
      Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height;
    const names: { x: number; y: number }[] = [];
    const [width, height] = [(LABEL.width + MARKER.width) / 2, (LABEL.height + MARKER.height) / 2];
    for (const center of centers.map(place).filter(inView)) {
      if (names.length >= NAMES) break;
      if (names.some((other) => hides(LABEL.width, LABEL.height, other, center))) continue;
      if (drawn.some((other) => hides(width, height, other, center))) continue;
      names.push(center);
      const button = markerButton('map-label', center.name);
      button.addEventListener('click', () => onChoose(center.id));
      mark(button, center);
    }
  };

  const draw = (): void => {
    const hadFocus = markers.some((marker) => marker.getElement() === document.activeElement);
    for (const marker of markers) marker.remove();
    markers = [];
    drawn = [];
    drawNames(drawListings());
    // The focused marker no longer exists.
    if (hadFocus) map.getCanvas().focus();
  };

  const viewOf = (): View => {
    const bounds = map.getBounds();
    const { lat, lng } = map.getCenter();
    return {
      box: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
      // Tiles of the map have 512 pixels.
      zoom: Math.floor(map.getZoom()) + 1,
      position: writeMapPosition({ lat, lng, zoom: map.getZoom() }),
      targetKey,
    };
  };

  map.on('moveend', (event) => {
    draw();
    const view = viewOf();
    onView(view);
    // Only movements by the visitor have an `originalEvent`.
    if ('originalEvent' in event && event.originalEvent) onMove(view.position);
  });

  const pen = createPen(map, {
    onChange: options.onDrawing,
    onDrawn: (polygon) => options.onDrawn(polygon, viewOf().position),
  });

  /** Moves to a place without animation. */
  const moveTo = ({ position, rings, neighborhoods }: Target): void => {
    if (position) {
      map.jumpTo({ center: position, zoom: position.zoom });
      return;
    }
    const chosen = areas.filter(({ id }) => neighborhoods.includes(id)).map(({ ring }) => ring);
    const box = boxAround(rings.length > 0 ? rings : chosen) ?? boxOfMost(centers);
    if (box) map.fitBounds(box, { padding: 40, maxZoom: 14, animate: false });
  };

  return {
    pen,

    showNeighborhoods(shown: readonly NamedCenter[], bounded: readonly Area[]): void {
      centers = shown;
      areas = bounded;
    },

    /** Moves to the place of a search and outlines it. */
    showTarget(target: Target): void {
      const isNew = targetKey !== target.key;
      targetKey = target.key;
      const isChosen = ({ id }: Area): boolean => target.neighborhoods.includes(id);
      const outlined = areas.map((each) => area(each.ring, { chosen: isChosen(each) }));
      map.getSource<GeoJSONSource>('cells')?.setData(collection(outlined));
      map.getSource<GeoJSONSource>('shapes')?.setData(collection(target.rings.map((ring) => area(ring, {}))));
      if (!target.position || writeMapPosition(target.position) !== viewOf().position) moveTo(target);
      else if (isNew) map.fire('moveend');
    },

    /** Draws the listings of a search. Null if they are not loaded. */
    showListings(shown: MapData | null): void {
      data = shown;
      popup?.remove();
      draw();
    },

    /** Emphasizes the price or circle of a listing. Null for none. */
    point(listing: PlacedListing | null): void {
      for (const { element, shows } of drawn) element.classList.toggle('pointed', listing !== null && shows(listing));
    },

    close(): void {
      dark.removeEventListener('change', repaint);
      map.remove();
    },
  };
}

/** Returns whether a circle contains a listing. The members of clusters are unknown, so their cells decide. */
function isInCircle({ id, lat, lng }: PlacedListing, { members, box: [west, south, east, north] }: Circle): boolean {
  if (members.length > 0) return members.some((member) => member.id === id);
  return lat !== null && lng !== null && lng >= west && lng < east && lat >= south && lat < north;
}

/** Combines prices that overlap. */
function circleOf({ members }: Cluster<MapData['pins'][number] & { x: number; y: number; count: number }>): Circle {
  const prices = members.map(({ price_sar }) => price_sar).sort((a, b) => a - b);
  const middle = prices.length >> 1;
  const above = prices[middle] ?? 0;
  const below = prices.length % 2 === 0 ? (prices[middle - 1] ?? above) : above;
  const [{ lat, lng }] = members;
  const box = boxAround([members.map((member) => [member.lng, member.lat] as const)]) ?? [lng, lat, lng, lat];
  return { lat, lng, count: members.length, medianPrice: (above + below) / 2, box, members };
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

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>['features'];
const collection = (features: Features) => ({ type: 'FeatureCollection' as const, features });

const area = (ring: Ring, properties: Readonly<Record<string, boolean>>): Features[number] => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring.map(([lng, lat]) => [lng, lat])] },
});

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
        'fill-color': ['case', ['get', 'chosen'], color('--map-chosen'), color('--map-cell')],
        'fill-opacity': 0.75,
      },
    },
    { id: 'cell-lines', type: 'line', source: 'cells', paint: { 'line-color': color('--ground'), 'line-width': 1 } },
    {
      id: 'chosen-lines',
      type: 'line',
      source: 'cells',
      filter: ['get', 'chosen'],
      paint: { 'line-color': color('--accent'), 'line-width': 2 },
    },
    {
      id: 'shapes',
      type: 'fill',
      source: 'shapes',
      paint: { 'fill-color': color('--warm'), 'fill-opacity': 0.1 },
    },
    { id: 'shape-lines', type: 'line', source: 'shapes', paint: { 'line-color': color('--warm'), 'line-width': 2 } },
    { id: 'drawn-lines', type: 'line', source: 'drawing', paint: { 'line-color': color('--warm'), 'line-width': 2 } },
    {
      id: 'drawn-corners',
      type: 'circle',
      source: 'drawing',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': color('--warm'), 'circle-radius': 5 },
    },
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
