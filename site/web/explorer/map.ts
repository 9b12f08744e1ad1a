import {
  type GeoJSONSource,
  type LineLayerSpecification,
  Map as MapLibre,
  Marker,
  NavigationControl,
  Popup,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import type { Box } from '#domain/geography/country.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { classOfPrice, FEW, isApart, type PixelBox, spread } from '#site/server/clusters.ts';
import {
  boxAround,
  boxAt,
  boxOfMost,
  COUNTRY_BOX,
  type MapPosition,
  type Ring,
  readMapPosition,
  writeMapPosition,
} from '#site/server/explorer-place.ts';
import { elementOf } from '../element.ts';
import { data, format, texts } from './page.ts';
import { createPen, type Drawing } from './pen.ts';

interface Options {
  element: HTMLElement;
  /** Called after every movement. */
  onView(view: View): void;
  onMove(position: string): void;
  onPoint(id: number | null): void;
  /** Called with a chosen pin, or null when the visitor closes its card. */
  onSelect(id: number | null): void;
  onChoose(id: number): void;
  /** Null when drawing has ended. */
  onDrawing(drawing: Drawing | null): void;
  onDrawn(polygon: string, position: string): void;
  onPlace(point: string, position: string): void;
}

export interface View {
  box: Box;
  /** For tiles of 256 pixels, as in the API. */
  zoom: number;
  position: string;
  targetKey: string;
}

export interface Target {
  key: string;
  /** Takes precedence. */
  position: MapPosition | null;
  rings: readonly Ring[];
  /** Shown if there are no rings. Empty for all. */
  neighborhoods: readonly number[];
}

interface NamedCenter extends LatLng {
  id: number;
  name: string;
  count: number;
}

interface Area {
  id: number;
  ring: Ring;
}

interface Placed {
  id: number;
  lat: number | null;
  lng: number | null;
}

export interface Pin extends LatLng {
  id: number;
  price: number | null;
  /** Accessible name, which starts with the short price. */
  name: string;
}

/** Listings or deals that are drawn as one circle. */
export interface Circle extends LatLng {
  count: number;
  price: number | null;
  box: Box;
  name: string;
  label?: string;
  /** A city in the box, where the circle is drawn. */
  city?: LatLng & { name: string };
  /** Chosen by a click, which otherwise zooms in. */
  neighborhood?: number;
  /** Undefined if only their number is known. */
  members?: readonly Pin[];
}

export interface MapContent {
  pins: readonly Pin[];
  circles: readonly Circle[];
  limits: readonly number[];
  describe(count: number, price: number | null): string;
}

export type MapView = Awaited<ReturnType<typeof openMap>>;

const LABEL = { width: 96, height: 30 };
const MARKER = { width: 62, height: 44 };
/** Pixels between circles, and between a circle and its name. */
const GAP = 2;
/** Maximum number of neighborhood names, and the zoom from which there are any. */
const NAMES = 24;
const NAMES_ZOOM = 8;
const NEAREST = 17;
/** Milliseconds without movement after which the position is final. */
const SETTLED_MS = 300;
const POPUP_OFFSET = 24;
const PADDING = 40;
/** Marks movements that the page makes. All others are the visitor's. */
const OWN = { isOwn: true };
const CARD_MARGIN = 8;

/** The map loads no external tiles or fonts. */
export async function openMap(options: Options) {
  const { element, onView, onMove, onPoint, onSelect, onChoose } = options;
  setWorkerUrl(data.files.worker ?? '');
  const map = new MapLibre({
    container: element,
    style: {
      version: 8,
      sources: {
        land: { type: 'geojson', data: new URL(data.files.land ?? '', location.href).href },
        cells: { type: 'geojson', data: collection([]) },
        shapes: { type: 'geojson', data: collection([]) },
        drawing: { type: 'geojson', data: collection([]) },
      },
      layers: layersIn((name) => resolveColor(element, name)),
    },
    center: [45, 24],
    zoom: 4.2,
    minZoom: 3.5,
    maxZoom: NEAREST,
    attributionControl: false,
    locale: {
      'Map.Title': texts.map,
      'NavigationControl.ZoomIn': texts.zoom_in,
      'NavigationControl.ZoomOut': texts.zoom_out,
      'Popup.Close': texts.close,
      'CooperativeGesturesHandler.MobileHelpText': texts.two_fingers,
    },
    // On a touch screen, one finger scrolls the page and two fingers move the map.
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  await map.once('load');

  let centers: readonly NamedCenter[] = [];
  let areas: readonly Area[] = [];
  let content: MapContent | null = null;
  let markers: Marker[] = [];
  let popup: Popup | null = null;
  let selected: Placed | null = null;
  let pointed: Placed | null = null;
  let drawn: { element: HTMLElement; shows(placed: Placed): boolean }[] = [];
  let targetKey = '';

  /**
   * Markers are HTML elements, so that the browser renders their text, including Arabic.
   * @param key identifies the marker when it is drawn again
   */
  const mark = (element: HTMLElement, key: string, at: LatLng, offset: [x: number, y: number] = [0, 0]): void => {
    element.dataset.key = key;
    markers.push(new Marker({ element, offset }).setLngLat(at).addTo(map));
  };

  const focus = (focused: HTMLElement | undefined): void => (focused ?? map.getCanvas()).focus({ preventScroll: true });

  const place = <Item extends LatLng>(item: Item) => ({ ...item, ...map.project(item) });

  const inView = ({ x, y }: { x: number; y: number }): boolean =>
    x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;

  const removePopup = (): void => {
    const removed = popup;
    popup = null;
    selected = null;
    removed?.remove();
    emphasize();
  };

  /** When the visitor closes the popup, the focus returns. @param shown the pin that the popup is about */
  const openPopup = (inside: HTMLElement, { lat, lng }: LatLng, shown: Placed): Popup => {
    const before = document.activeElement;
    removePopup();
    const opened = new Popup({ focusAfterOpen: false, offset: POPUP_OFFSET, maxWidth: 'none' })
      .setLngLat([lng, lat])
      .setDOMContent(inside)
      .addTo(map);
    opened.on('close', () => {
      if (popup !== opened) return;
      popup = null;
      if (selected !== null) onSelect(null);
      selected = null;
      emphasize();
      if (document.activeElement !== document.body) return;
      const canReturn = before instanceof HTMLElement && before.isConnected && before !== document.body;
      focus(canReturn ? before : drawn.find(({ shows }) => shows(shown))?.element);
    });
    popup = opened;
    return opened;
  };

  element.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') popup?.remove();
  });

  const moveInView = (opened: Popup): void => {
    const card = opened.getElement().getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const beyond = (from: number, to: number, start: number, end: number): number =>
      from < start + CARD_MARGIN ? from - start - CARD_MARGIN : Math.max(to - end + CARD_MARGIN, 0);
    const x = beyond(card.left, card.right, box.left, box.right);
    const y = beyond(card.top, card.bottom, box.top, box.bottom);
    if (x !== 0 || y !== 0) map.panBy([x, y], { animate: false }, OWN);
  };

  /** Lists the listings if they are at one place. Counts as a movement by the visitor. */
  const openCircle = ({ box, neighborhood, members = [], ...at }: Circle, event: Event): void => {
    const [west, south, east, north] = box;
    const isPlace = map.project([west, south]).dist(map.project([east, north])) < 1;
    // A click on the map closes the list.
    event.stopPropagation();
    const [first] = members;
    if (neighborhood !== undefined) {
      onChoose(neighborhood);
    } else if (first && (isPlace || map.getZoom() >= NEAREST)) {
      const items = members.map((member) => elementOf('li', {}, pinButton(member, 'map-link')));
      const list = elementOf('ul', { className: 'map-list' }, ...items);
      if (selected !== null) onSelect(null);
      moveInView(openPopup(list, at, first));
      list.querySelector('button')?.focus();
    } else {
      map.fitBounds([west, south, east, north], { padding: 60, maxZoom: NEAREST });
    }
  };

  const pinButton = ({ id, price, name }: Pin, className: string): HTMLButtonElement => {
    const button = markerButton(className, priceText(price));
    button.dataset.id = String(id);
    button.setAttribute('aria-label', name);
    button.setAttribute('aria-haspopup', 'dialog');
    for (const event of ['pointerenter', 'focus']) button.addEventListener(event, () => onPoint(id));
    for (const event of ['pointerleave', 'blur']) button.addEventListener(event, () => onPoint(null));
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      // The map prevents the focus by a press of the mouse.
      button.focus({ preventScroll: true });
      onSelect(id);
    });
    return button;
  };

  const classOf = (price: number | null): string =>
    price === null ? '' : `price-${classOfPrice(price, content?.limits ?? [])}`;

  const circleButton = (circle: Circle): HTMLButtonElement => {
    const { count, price, name, label, members } = circle;
    const button = markerButton(`map-cluster ${classOf(price)}`, format.number(count));
    // A circle of pins is not hatched, because zooming in shows their prices.
    button.classList.toggle('few', !members && count < FEW);
    if (price !== null) button.append(elementOf('small', { className: 'median' }, priceText(price)));
    if (label !== undefined) button.append(elementOf('small', { className: 'place' }, label));
    button.title = name;
    button.addEventListener('click', (event) => openCircle(circle, event));
    return button;
  };

  const controls = () => {
    const box = element.getBoundingClientRect();
    const { left, top, width, height } =
      element.querySelector('.maplibregl-ctrl-group')?.getBoundingClientRect() ?? new DOMRect(box.left, box.top);
    return { x: left - box.left + width / 2, y: top - box.top + height / 2, width, height };
  };

  /**
   * Prices that overlap become one circle, so that every listing in view is drawn or counted once. @returns the
   * boxes of the markers
   */
  const drawContent = (): PixelBox[] => {
    if (!content) return [];
    const { pins, describe } = content;
    const pinned = pins.map((pin) => ({ ...place(circleOf(pin)), pin, ...MARKER }));
    const near = spread(pinned, 0);
    const alone = near.filter(({ members }) => members.length === 1);
    const circles = [
      ...near.filter(({ members }) => members.length > 1).map(({ members }) => joined(members, describe)),
      // Cells of the whole country extend into the sea and the desert, so their circles are drawn at a city.
      ...content.circles.map(({ city, ...circle }) =>
        city ? { ...circle, lat: city.lat, lng: city.lng, label: city.name } : circle,
      ),
    ];
    // A circle far from its neighborhood would seem to be that of another one.
    const farthest = circles.some(({ neighborhood }) => neighborhood !== undefined) ? 30 : 150;
    const obstacles = [controls(), ...alone.map(({ x, y }) => ({ x, y, ...MARKER }))];
    const placed = spread(measured(circles.map(place)), farthest, obstacles);
    for (const { members } of alone) {
      const [{ pin }] = members;
      const button = pinButton(pin, `map-pin ${classOf(pin.price)}`);
      mark(button, `pin ${pin.id}`, pin);
      drawn.push({ element: button, shows: ({ id }) => id === pin.id });
    }
    // The largest is drawn last, above the others.
    for (const { members, x, y } of placed.toReversed()) {
      const [first] = members;
      const circle = members.length === 1 ? first : joined(members, describe);
      const button = members.length === 1 ? first.button : circleButton(circle);
      mark(button, `circle ${circle.box}`, first, [x - first.x, y - first.y]);
      drawn.push({ element: button, shows: (placed) => isInCircle(placed, circle) });
    }
    return [...alone, ...placed];
  };

  /** Adds the buttons of circles, their sizes on the screen with their names, and the centers of these boxes. */
  const measured = <Item extends Circle & { x: number; y: number }>(circles: readonly Item[]) => {
    const drawn = circles.map((circle) => ({ ...circle, button: circleButton(circle) }));
    element.append(...drawn.map(({ button }) => button));
    const sized = drawn.map((circle) => {
      const { offsetWidth, offsetHeight } = circle.button;
      const name = circle.button.querySelector<HTMLElement>('.place');
      const below = name ? name.offsetHeight + 2 * GAP : 0;
      const width = Math.max(offsetWidth, name?.offsetWidth ?? 0) + GAP;
      return { ...circle, y: circle.y + below / 2, width, height: offsetHeight + below + GAP };
    });
    for (const { button } of drawn) button.remove();
    return sized;
  };

  const drawNames = (drawn: readonly PixelBox[]): void => {
    if (map.getZoom() < NAMES_ZOOM) return;
    const taken = [...drawn];
    for (const center of centers.map(place).filter(inView)) {
      if (taken.length >= drawn.length + NAMES) break;
      const box = { x: center.x, y: center.y, ...LABEL };
      if (!taken.every((other) => isApart(other, box))) continue;
      taken.push(box);
      const button = markerButton('map-label', center.name);
      button.addEventListener('click', () => onChoose(center.id));
      mark(button, `neighborhood ${center.id}`, center);
    }
  };

  const emphasize = (): void => {
    for (const { element, shows } of drawn) {
      const isEmphasized = [pointed, selected].some((placed) => placed && shows(placed));
      element.classList.toggle('pointed', isEmphasized);
    }
  };

  const draw = (): void => {
    const focused = markers.map((marker) => marker.getElement()).find((each) => each === document.activeElement);
    for (const marker of markers) marker.remove();
    markers = [];
    drawn = [];
    drawNames(drawContent());
    emphasize();
    if (!focused) return;
    // The focused marker was removed. A circle can contain its pin now.
    const { key, id } = focused.dataset;
    const same = markers.map((marker) => marker.getElement()).find(({ dataset }) => dataset.key === key);
    focus(same ?? drawn.find(({ shows }) => shows({ id: Number(id), lat: null, lng: null }))?.element);
  };

  const viewOf = (): View => {
    const { lat, lng } = map.getCenter();
    const position = writeMapPosition({ lat, lng, zoom: map.getZoom() });
    // The URL contains the rounded position, so it gives the same box.
    const rounded = readMapPosition(position) ?? { lat, lng, zoom: map.getZoom() };
    return {
      box: boxAt(rounded, [element.clientWidth, element.clientHeight]),
      // Tiles of the map have 512 pixels.
      zoom: Math.floor(map.getZoom()) + 1,
      position,
      targetKey,
    };
  };

  let settling: ReturnType<typeof setTimeout> | undefined;
  let position = '';
  /** Whether the visitor has moved the map since `onMove` was called. */
  let hasMoved = false;
  map.on('movestart', () => {
    clearTimeout(settling);
    element.ariaBusy = 'true';
  });
  map.on('moveend', (event) => {
    draw();
    const view = viewOf();
    onView(view);
    // MapLibre names the input of most movements by the visitor, but not of one notch of a wheel.
    const isOwn = 'isOwn' in event;
    hasMoved = !isOwn && (hasMoved || view.position !== position);
    position = view.position;
    settling = setTimeout(
      () => {
        if (hasMoved) onMove(view.position);
        hasMoved = false;
        element.ariaBusy = 'false';
      },
      hasMoved ? SETTLED_MS : 0,
    );
  });

  const pen = createPen(map, {
    onChange: options.onDrawing,
    onDrawn: (polygon) => options.onDrawn(polygon, viewOf().position),
  });

  /** Whether a click, or the space bar for the center of the map, chooses a point. */
  let isPlacing = false;
  const choose = ({ lat, lng }: LatLng): void => {
    if (isPlacing) options.onPlace(`${lat.toFixed(5)},${lng.toFixed(5)}`, viewOf().position);
  };
  map.on('click', ({ lngLat }) => choose(lngLat));
  map.getCanvas().addEventListener('keydown', (event) => {
    if (!isPlacing || event.key !== ' ') return;
    event.preventDefault();
    choose(map.getCenter());
  });

  const moveTo = ({ position, rings, neighborhoods }: Target): void => {
    if (position) {
      map.jumpTo({ center: position, zoom: position.zoom }, OWN);
      return;
    }
    const chosen = areas.filter(({ id }) => neighborhoods.includes(id)).map(({ ring }) => ring);
    const box = boxAround(rings.length > 0 ? rings : chosen) ?? boxOfMost(centers) ?? COUNTRY_BOX;
    map.fitBounds([...box], { padding: PADDING, maxZoom: 14, animate: false }, OWN);
  };

  return {
    pen,

    showNeighborhoods(shown: readonly NamedCenter[], bounded: readonly Area[]): void {
      centers = shown;
      areas = bounded;
    },

    showTarget(target: Target): void {
      const isNew = targetKey !== target.key;
      targetKey = target.key;
      const isChosen = ({ id }: Area): boolean => target.neighborhoods.includes(id);
      const outlined = areas.map((each) => area(each.ring, { chosen: isChosen(each) }));
      map.getSource<GeoJSONSource>('cells')?.setData(collection(outlined));
      map.getSource<GeoJSONSource>('shapes')?.setData(collection(target.rings.map((ring) => area(ring, {}))));
      if (!target.position || writeMapPosition(target.position) !== viewOf().position) moveTo(target);
      else if (isNew) map.fire('moveend', OWN);
    },

    /** Lets the visitor choose a point. @param point the chosen one; undefined ends the choice */
    choosePoint(point: LatLng | null | undefined): void {
      isPlacing = point !== undefined;
      element.classList.toggle('drawing', isPlacing);
      const coordinates = point && [point.lng, point.lat];
      const features: Features = coordinates
        ? [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates } }]
        : [];
      map.getSource<GeoJSONSource>('drawing')?.setData(collection(features));
    },

    showContent(shown: MapContent | null): void {
      content = shown;
      // The circle whose list is open may no longer exist.
      if (selected === null) popup?.remove();
      draw();
    },

    /** Moves the focus to the card if it is on the map. */
    openCard(id: number, at: LatLng, inside: HTMLElement): void {
      if (selected?.id === id) return;
      const isOnMap = element.contains(document.activeElement);
      if (!inView(map.project(at))) map.jumpTo({ center: at }, OWN);
      const placed = { id, ...at };
      const opened = openPopup(inside, at, placed);
      selected = placed;
      emphasize();
      moveInView(opened);
      if (isOnMap) inside.focus({ preventScroll: true });
    },

    closeCard(): void {
      if (selected !== null) removePopup();
    },

    point(placed: Placed | null): void {
      pointed = placed;
      emphasize();
    },

    close(): void {
      clearTimeout(settling);
      map.remove();
    },
  };
}

const priceText = (price: number | null): string => (price === null ? '–' : format.compact(price));

function isInCircle({ id, lat, lng }: Placed, { members, box: [west, south, east, north] }: Circle): boolean {
  if (members) return members.some((member) => member.id === id);
  return lat !== null && lng !== null && lng >= west && lng < east && lat >= south && lat < north;
}

const circleOf = (pin: Pin): Circle => {
  const { lat, lng, price, name } = pin;
  return { lat, lng, count: 1, price, box: [lng, lat, lng, lat], name, members: [pin] };
};

/**
 * Returns one circle for circles without space beside each other, with the median price if their pins are known: a
 * median of medians would be wrong.
 */
function joined(circles: readonly [Circle, ...Circle[]], describe: MapContent['describe']): Circle {
  const [{ lat, lng, box, label }] = circles;
  const members = circles.every((circle) => circle.members) ? circles.flatMap((each) => each.members ?? []) : undefined;
  const prices = (members ?? []).flatMap(({ price }) => price ?? []).sort((a, b) => a - b);
  const middle = (prices.length - 1) / 2;
  const price = ((prices[Math.floor(middle)] ?? 0) + (prices[Math.ceil(middle)] ?? 0)) / 2 || null;
  const count = circles.reduce((sum, circle) => sum + circle.count, 0);
  const corners = circles.map(
    ({ box: [west, south, east, north] }): Ring => [
      [west, south],
      [east, north],
    ],
  );
  const around = { lat, lng, count, price, box: boxAround(corners) ?? box, name: describe(count, price) };
  return { ...around, ...(members && { members }), ...(label && { label: `${label} …` }) };
}

const markerButton = (className: string, text: string): HTMLButtonElement =>
  elementOf('button', { type: 'button', className, dir: 'auto' }, text);

type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>['features'];
const collection = (features: Features) => ({ type: 'FeatureCollection' as const, features });

const area = (ring: Ring, properties: Readonly<Record<string, boolean>>): Features[number] => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [ring.map(([lng, lat]) => [lng, lat])] },
});

type Layer = StyleSpecification['layers'][number];
type Color = NonNullable<LineLayerSpecification['paint']>['line-color'];

const fill = (id: string, color: Color, opacity = 1): Layer => ({
  id,
  type: 'fill',
  source: id,
  paint: { 'fill-color': color, 'fill-opacity': opacity },
});

const line = (id: string, source: string, color: Color, width: number): Layer => ({
  id,
  type: 'line',
  source,
  paint: { 'line-color': color, 'line-width': width },
});

function layersIn(color: (name: string) => string): Layer[] {
  const either = (property: string, is: string, isNot: string): Color => [
    'case',
    ['get', property],
    color(is),
    color(isNot),
  ];
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': color('--map-sea') } },
    fill('land', either('home', '--map-home', '--map-land')),
    line('borders', 'land', color('--line'), 1),
    fill('cells', either('chosen', '--map-chosen', '--map-cell'), 0.75),
    line('cell-lines', 'cells', color('--ground'), 1),
    { ...line('chosen-lines', 'cells', color('--accent'), 2), filter: ['get', 'chosen'] } as Layer,
    fill('shapes', color('--warm'), 0.1),
    line('shape-lines', 'shapes', color('--warm'), 2),
    line('drawn-lines', 'drawing', color('--warm'), 2),
    {
      id: 'drawn-corners',
      type: 'circle',
      source: 'drawing',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': color('--warm'), 'circle-radius': 5 },
    },
  ];
}

/** Resolves a variable of the stylesheet, which differs in dark mode. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = elementOf('span', { className: 'map-color' });
  element.append(probe);
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
