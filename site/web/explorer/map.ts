import { AttributionControl, type GeoJSONSource, Map as MapLibre, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import type { LatLng } from '#domain/geography/places.ts';
import {
  boxAround,
  boxOfMost,
  COUNTRY_BOX,
  type MapPosition,
  type Ring,
  writeMapPosition,
} from '#site/server/explorer-place.ts';
import { nextTask } from '../element.ts';
import { createPen, type DrawingState } from './draw-boundary.ts';
import type { Circle, MapContent, MapItem } from './map-circles.ts';
import { MapMarkers, type MarkerEvents, type NamedCenter } from './map-markers.ts';
import { extentOf, type MapExtent, OWN_MOVEMENT, watchMovements } from './map-movement.ts';
import { MapPopup } from './map-popup.ts';
import { area, collection, type Features, layersIn, withColors } from './map-style.ts';
import { data, texts } from './page-data.ts';

interface Options extends Omit<MarkerEvents, 'onOpenCircle'> {
  element: HTMLElement;
  /** Where the map begins, so that it draws nothing far from its target. Null for the whole country. */
  start: MapPosition | null;
  /** Called after every movement. */
  onView(visible: VisiblePart): void;
  onMove(position: string): void;
  /** Null when drawing has ended. */
  onDrawing(drawing: DrawingState | null): void;
  onDrawn(polygon: string, position: string): void;
  onPlace(point: string, position: string): void;
}

export interface VisiblePart extends MapExtent {
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

interface Area {
  id: number;
  ring: Ring;
}

const NEAREST = 17;
const PADDING = 40;

/** The map loads nothing from other hosts. */
export async function openMap(options: Options): Promise<MapView> {
  setWorkerUrl(data.files.worker ?? '');
  const map = createMap(options);
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  const tiles = data.tiles === null ? null : import('./tile-layers.ts');
  await map.once('style.load');
  await nextTask();
  if (tiles) {
    map.addControl(new AttributionControl({ compact: false }));
    (await tiles).addTiles(map);
  }
  return new MapView(map, options);
}

function createMap({ element: container, start }: Options): MapLibre {
  const empty = { type: 'geojson' as const, data: collection([]) };
  return new MapLibre({
    container,
    style: {
      version: 8,
      sources: {
        land: { type: 'geojson', data: new URL(data.files.land ?? '', location.href).href },
        cells: empty,
        shapes: empty,
        drawing: empty,
      },
      layers: withColors(container, layersIn),
    },
    center: start ?? [45, 24],
    zoom: start?.zoom ?? 4.2,
    minZoom: 3.5,
    maxZoom: NEAREST,
    attributionControl: false,
    // The style is not a visitor's, and checking it delays the first frame.
    validateStyle: false,
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
}

/** The map with its markers and its card, as the page controls them. */
export class MapView {
  readonly #map: MapLibre;
  readonly #options: Options;
  readonly #markers: MapMarkers;
  readonly #popup: MapPopup;
  readonly #stopWatching: () => void;
  readonly pen: ReturnType<typeof createPen>;
  #areas: readonly Area[] = [];
  #targetKey = '';
  /** Whether a click, or the space bar for the center of the map, chooses a point. */
  #isPlacing = false;

  constructor(map: MapLibre, options: Options) {
    this.#map = map;
    this.#options = options;
    this.#markers = new MapMarkers(map, { ...options, onOpenCircle: (circle) => this.#openCircle(circle) });
    this.#popup = new MapPopup(map, this.#markers, options.onSelect);
    this.#stopWatching = watchMovements(map, {
      onEnd: (visible) => {
        this.#markers.draw();
        options.onView({ ...visible, targetKey: this.#targetKey });
      },
      onMove: options.onMove,
    });
    this.pen = createPen(map, {
      onChange: options.onDrawing,
      onDrawn: (polygon) => options.onDrawn(polygon, extentOf(map).position),
    });
    map.on('click', ({ lngLat }) => this.#choose(lngLat));
    map.getCanvas().addEventListener('keydown', (event) => {
      if (!this.#isPlacing || event.key !== ' ') return;
      event.preventDefault();
      this.#choose(map.getCenter());
    });
  }

  showNeighborhoods(shown: readonly NamedCenter[], bounded: readonly Area[]): void {
    this.#markers.centers = shown;
    this.#areas = bounded;
  }

  showTarget(target: Target): void {
    const isNew = this.#targetKey !== target.key;
    this.#targetKey = target.key;
    const isChosen = ({ id }: Area): boolean => target.neighborhoods.includes(id);
    this.#show(
      'cells',
      this.#areas.map((each) => area(each.ring, { chosen: isChosen(each) })),
    );
    this.#show(
      'shapes',
      target.rings.map((ring) => area(ring, {})),
    );
    if (!target.position || writeMapPosition(target.position) !== extentOf(this.#map).position) this.#moveTo(target);
    else if (isNew) this.#map.fire('moveend', OWN_MOVEMENT);
  }

  /** Lets the visitor choose a point. @param point the chosen one; undefined ends the choice */
  choosePoint(point: LatLng | null | undefined): void {
    this.#isPlacing = point !== undefined;
    this.#options.element.classList.toggle('drawing', this.#isPlacing);
    const coordinates = point && [point.lng, point.lat];
    this.#show(
      'drawing',
      coordinates ? [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates } }] : [],
    );
  }

  showContent(shown: MapContent | null): void {
    this.#markers.content = shown;
    // The circle whose list is open may no longer exist.
    if (this.#markers.selected === null) this.#popup.close();
    this.#markers.draw();
  }

  /** Moves the focus to the card if it is on the map. */
  openCard(id: number, at: LatLng, inside: HTMLElement): void {
    const { element } = this.#options;
    if (this.#markers.selected?.id === id) return;
    const isOnMap = element.contains(document.activeElement);
    const { x, y } = this.#map.project(at);
    const isInView = x > 0 && y > 0 && x < element.clientWidth && y < element.clientHeight;
    if (!isInView) this.#map.jumpTo({ center: at }, OWN_MOVEMENT);
    this.#popup.openCard(id, at, inside);
    if (isOnMap) inside.focus({ preventScroll: true });
  }

  closeCard(): void {
    if (this.#markers.selected !== null) this.#popup.remove();
  }

  point(placed: MapItem | null): void {
    this.#markers.pointed = placed;
    this.#markers.emphasize();
  }

  close(): void {
    this.#stopWatching();
    this.#map.remove();
  }

  #show(source: string, features: Features): void {
    this.#map.getSource<GeoJSONSource>(source)?.setData(collection(features));
  }

  #choose({ lat, lng }: LatLng): void {
    if (this.#isPlacing) this.#options.onPlace(`${lat.toFixed(5)},${lng.toFixed(5)}`, extentOf(this.#map).position);
  }

  /** Lists the listings if they are at one place. Counts as a movement by the visitor. */
  #openCircle(circle: Circle): void {
    const { box, neighborhood, members = [] } = circle;
    const [west, south, east, north] = box;
    const map = this.#map;
    const isPlace = map.project([west, south]).dist(map.project([east, north])) < 1;
    if (neighborhood !== undefined) this.#options.onChoose(neighborhood);
    else if (members.length > 0 && (isPlace || map.getZoom() >= NEAREST)) this.#popup.openList(circle);
    else map.fitBounds([west, south, east, north], { padding: 60, maxZoom: NEAREST });
  }

  #moveTo({ position, rings, neighborhoods }: Target): void {
    if (position) {
      this.#map.jumpTo({ center: position, zoom: position.zoom }, OWN_MOVEMENT);
      return;
    }
    const chosen = this.#areas.filter(({ id }) => neighborhoods.includes(id)).map(({ ring }) => ring);
    const box = boxAround(rings.length > 0 ? rings : chosen) ?? boxOfMost(this.#markers.centers) ?? COUNTRY_BOX;
    this.#map.fitBounds([...box], { padding: PADDING, maxZoom: 14, animate: false }, OWN_MOVEMENT);
  }
}
