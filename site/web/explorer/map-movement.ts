import type { Map as MapLibre } from 'maplibre-gl';
import type { Box } from '#domain/geography/country.ts';
import { boxAt, readMapPosition, writeMapPosition } from '#site/server/explorer-place.ts';

/** The visible part of the country. */
export interface MapExtent {
  box: Box;
  /** For tiles of 256 pixels, as in the API. */
  zoom: number;
  position: string;
}

/** Marks movements that the page makes. All others are the visitor's. */
export const OWN_MOVEMENT = { isOwn: true };
/** Milliseconds without movement after which the position is final. */
const SETTLED_MS = 300;

export function extentOf(map: MapLibre): MapExtent {
  const { clientWidth, clientHeight } = map.getContainer();
  const { lat, lng } = map.getCenter();
  const position = writeMapPosition({ lat, lng, zoom: map.getZoom() });
  // The URL contains the rounded position, so it gives the same box.
  const rounded = readMapPosition(position) ?? { lat, lng, zoom: map.getZoom() };
  return {
    box: boxAt(rounded, [clientWidth, clientHeight]),
    // Tiles of the map have 512 pixels.
    zoom: Math.floor(map.getZoom()) + 1,
    position,
  };
}

interface MovementEvents {
  /** Called after every movement. */
  onEnd(visible: MapExtent): void;
  /** Called after a movement by the visitor, when the map rests. */
  onMove(position: string): void;
}

/** @returns a function that stops the wait for the end of a movement */
export function watchMovements(map: MapLibre, { onEnd, onMove }: MovementEvents): () => void {
  const element = map.getContainer();
  let settling: ReturnType<typeof setTimeout> | undefined;
  let position = '';
  /** Whether the visitor has moved the map since `onMove` was called. */
  let hasMoved = false;
  map.on('movestart', () => {
    clearTimeout(settling);
    element.ariaBusy = 'true';
  });
  map.on('moveend', (event) => {
    const visible = extentOf(map);
    onEnd(visible);
    // MapLibre names the input of most movements by the visitor, but not of one notch of a wheel.
    const isOwn = 'isOwn' in event;
    hasMoved = !isOwn && (hasMoved || visible.position !== position);
    position = visible.position;
    settling = setTimeout(
      () => {
        if (hasMoved) onMove(visible.position);
        hasMoved = false;
        element.ariaBusy = 'false';
      },
      hasMoved ? SETTLED_MS : 0,
    );
  });
  return () => clearTimeout(settling);
}
