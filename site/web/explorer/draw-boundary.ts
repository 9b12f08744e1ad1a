import type { GeoJSONSource, LngLat, Map as MapLibre, MapMouseEvent } from 'maplibre-gl';
import { type DrawnPolygon, MAX_CORNERS, readDrawn } from '#site/server/explorer-place.ts';
import { collection, type Features } from './map-style.ts';

export interface DrawingState {
  corners: number;
  /** Why the polygon could not be finished. Null before the attempt. */
  fault: (DrawnPolygon & { fault: unknown })['fault'] | null;
}

/** Distance in pixels within which a click is on an existing corner. */
const NEAR_CORNER = 10;
/** The same for the second click of a double click. */
const SAME_CLICK = 4;

function drawingOf(corners: readonly LngLat[], pointer?: LngLat): Features {
  const coordinates = corners.map((each) => each.toArray());
  const next = pointer && corners.length > 0 ? [pointer.toArray()] : [];
  return [
    { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [...coordinates, ...next] } },
    { type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates } },
  ];
}

const isNear = (map: MapLibre, a: LngLat | undefined, b: LngLat, pixels: number): boolean =>
  a !== undefined && map.project(a).dist(map.project(b)) <= pixels;

/**
 * A click adds a corner, Space one at the center of the map. Enter, a double click or a click on the first corner
 * finishes.
 */
export function createPen(
  map: MapLibre,
  { onChange, onDrawn }: { onChange(drawing: DrawingState | null): void; onDrawn(polygon: string): void },
) {
  const element = map.getContainer();
  let corners: LngLat[] | null = null;

  /** @param pointer end of the side that is drawn next */
  const show = (pointer?: LngLat): void => {
    map.getSource<GeoJSONSource>('drawing')?.setData(collection(drawingOf(corners ?? [], pointer)));
  };
  const change = (to: LngLat[], fault: DrawingState['fault'] = null): void => {
    corners = to;
    show();
    onChange({ corners: to.length, fault });
  };
  const end = (): void => {
    corners = null;
    element.classList.remove('drawing');
    map.doubleClickZoom.enable();
    removeEventListener('keydown', onKeyDown);
    show();
    onChange(null);
    map.getCanvas().focus();
  };
  const finish = (): void => {
    if (!corners) return;
    const drawn = readDrawn(corners);
    if ('fault' in drawn) {
      change(corners, drawn.fault);
    } else {
      end();
      onDrawn(drawn.polygon);
    }
  };
  const add = (corner: LngLat): void => {
    if (!corners) return;
    if (corners.length > 2 && isNear(map, corners[0], corner, NEAR_CORNER)) finish();
    else if (corners.length < MAX_CORNERS && !isNear(map, corners.at(-1), corner, SAME_CLICK))
      change([...corners, corner]);
  };
  const undo = (): void => change((corners ?? []).slice(0, -1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, () => void>> = {
      Escape: end,
      Enter: finish,
      Backspace: undo,
      ' ': () => add(map.getCenter()),
    };
    const act = acts[event.key];
    // A focused button or field outside the map handles its keys, except Escape.
    if (!act || (event.key !== 'Escape' && !element.contains(event.target as Node))) return;
    event.preventDefault();
    act();
  };

  map.on('click', ({ lngLat }: MapMouseEvent) => add(lngLat));
  map.on('mousemove', ({ lngLat }: MapMouseEvent) => {
    if (corners) show(lngLat);
  });
  map.on('dblclick', (event: MapMouseEvent) => {
    if (!corners) return;
    // `finish` enables zooming by double click, which must not apply to this one.
    event.preventDefault();
    finish();
  });

  return {
    start(): void {
      addEventListener('keydown', onKeyDown);
      element.classList.add('drawing');
      map.doubleClickZoom.disable();
      change([]);
      map.getCanvas().focus();
    },
    undo,
    finish,
    cancel: end,
  };
}
