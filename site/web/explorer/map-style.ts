import type { GeoJSONSource, LineLayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { Ring } from '#site/server/explorer-place.ts';
import { elementOf } from '../element.ts';

export type Features = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>['features'];
export const collection = (features: Features) => ({ type: 'FeatureCollection' as const, features });

export const area = (ring: Ring, properties: Readonly<Record<string, boolean>>): Features[number] => ({
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

export function layersIn(color: (name: string) => string): Layer[] {
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

/** Returns what `draw` makes of the variables of the stylesheet, whose colors differ in dark mode. */
export function withColors<Drawn>(element: HTMLElement, draw: (color: (name: string) => string) => Drawn): Drawn {
  const probe = elementOf('span', { className: 'map-color' });
  element.append(probe);
  const drawn = draw((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return drawn;
}
