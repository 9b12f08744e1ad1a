import { addProtocol, type Map as MapLibre, type StyleSpecification } from 'maplibre-gl';
import { Protocol } from 'pmtiles';
import { withColors } from './map-style.ts';
import { data } from './page-data.ts';

type Layer = StyleSpecification['layers'][number];

const SOURCE = 'tiles';
const ATTRIBUTION = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>';
const MAJOR_ROADS = ['highway', 'major_road'];

/**
 * Draws roads, water and names from the operator's file under the data of the map, once that is shown. Names are drawn
 * with fonts of the browser, and Arabic ones shaped by MapLibre.
 */
export function addTiles(map: MapLibre): void {
  if (data.tiles === null) return;
  addProtocol('pmtiles', new Protocol().tile);
  const url = `pmtiles://${new URL(data.tiles, location.href).href}`;
  map.addSource(SOURCE, { type: 'vector', url, attribution: ATTRIBUTION });
  const { lines, names } = withColors(map.getContainer(), layersIn);
  for (const layer of lines) map.addLayer(layer, 'cell-lines');
  for (const layer of names) map.addLayer(layer, 'shapes');
}

function layersIn(color: (name: string) => string): { lines: Layer[]; names: Layer[] } {
  const roads = (id: string, isMajor: boolean, width: number): Layer => {
    const isOne: ['in', string, ['literal', string[]]] | unknown[] = ['in', ['get', 'kind'], ['literal', MAJOR_ROADS]];
    return {
      id,
      type: 'line',
      source: SOURCE,
      'source-layer': 'roads',
      minzoom: isMajor ? 6 : 12,
      filter: (isMajor ? isOne : ['!', isOne]) as never,
      paint: {
        'line-color': color(isMajor ? '--map-major-road' : '--map-road'),
        'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 7, width / 4, 12, width, 17, width * 6],
      },
    };
  };
  const names = (id: string, sourceLayer: string, minzoom: number, isLine = false): Layer => ({
    id,
    type: 'symbol',
    source: SOURCE,
    'source-layer': sourceLayer,
    minzoom,
    filter: ['has', 'name'],
    layout: {
      'symbol-placement': isLine ? 'line' : 'point',
      'text-field': ['coalesce', ['get', `name:${data.language}`], ['get', 'name']],
      'text-font': ['Readex Pro', 'sans-serif'],
      'text-size': 12,
    },
    paint: { 'text-color': color('--soft'), 'text-halo-color': color('--ground'), 'text-halo-width': 1.5 },
  });
  return {
    lines: [
      {
        id: 'water',
        type: 'fill',
        source: SOURCE,
        'source-layer': 'water',
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': color('--map-sea') },
      },
      roads('roads', false, 0.8),
      roads('major-roads', true, 1.6),
    ],
    names: [names('road-names', 'roads', 13, true), names('pois', 'pois', 14), names('places', 'places', 9)],
  };
}
