import type { DeclaredRow } from './kinds.ts';
import * as kinds from './kinds.ts';

/** The filters of listings by place, a part of `table.ts`. */
export const PLACE_FILTERS = [
  {
    name: 'neighborhood_id',
    label: { en: 'Neighborhood', ar: 'الحي' },
    kind: kinds.anyOfNeighborhoods,
    description: 'One or more neighborhood ids; matches any of them. Listings without a neighborhood are excluded.',
    example: '1001,1003',
  },
  {
    name: 'neighborhood_id_exclude',
    label: { en: 'Not in these neighborhoods', ar: 'عدا هذه الأحياء' },
    kind: kinds.noneOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description: 'Neighborhood ids to exclude. Listings without a neighborhood are included.',
    example: '1003',
  },
  {
    name: 'direction_id',
    label: { en: 'Direction', ar: 'الجهة' },
    kind: kinds.anyOfDirections,
    description:
      'One or more directions of the city by `id` from `GET /cities/{city}/directions`, for example 1 for the north; matches listings in their neighborhoods.',
    example: '1',
  },
  {
    name: 'bbox',
    label: { en: 'Area on the map', ar: 'منطقة على الخريطة' },
    kind: kinds.bbox,
    setOnMap: true,
    field: 'filter',
    description: 'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees, including its borders.',
    example: '46.6,24.6,46.8,24.9',
  },
  {
    name: 'near',
    label: { en: 'Near a point', ar: 'بالقرب من نقطة' },
    kind: kinds.near,
    setOnMap: true,
    field: 'filter.location',
    description:
      'Point `lat,lng` in degrees, latitude first; matches listings within `radius_m` meters of it. Listings without coordinates are excluded.',
    example: '24.7742,46.6385',
  },
  {
    name: 'near_any',
    label: { en: 'Near any of these points', ar: 'بالقرب من إحدى هذه النقاط' },
    kind: kinds.nearAny,
    setOnMap: true,
    field: 'filter.location',
    description:
      'Up to 100 points `lat,lng;lat,lng;...`; matches listings within `radius_m` meters of any of them. Excludes `near`.',
    example: '24.76,46.64;24.72,46.66',
  },
  {
    name: 'radius_m',
    label: { en: 'Distance up to (m)', ar: 'المسافة حتى (م)' },
    kind: kinds.radius,
    setOnMap: true,
    field: 'filter.location',
    description: 'Radius in meters around `near` or `near_any`, one of which it requires. Defaults to 2000.',
    example: '5000',
  },
  {
    name: 'polygon',
    label: { en: 'Outline on the map', ar: 'حدود على الخريطة' },
    kind: kinds.polygon,
    setOnMap: true,
    field: 'filter.location',
    description:
      'Polygon of 3 to 100 points `lat,lng;lat,lng;...` in degrees, latitude first, in either direction; its edges must not cross or touch. In JSON filters, a GeoJSON `Polygon` without holes, longitude first. Listings without coordinates are excluded.',
    example: '24.55,46.50;24.55,46.90;24.95,46.70',
  },
  {
    name: 'compound',
    label: { en: 'Compound by name', ar: 'اسم المجمّع' },
    kind: kinds.nameOrAny,
    description:
      'Name of the compound (gated community), or `true` for any compound, or `false` for listings outside of compounds.',
    example: 'true',
  },
  {
    name: 'in_compound',
    label: { en: 'In a compound', ar: 'داخل مجمّع' },
    kind: kinds.present,
    field: 'filter.compound',
    description: 'Whether the listing is in a named compound (gated community).',
    example: 'false',
  },
] as const satisfies readonly DeclaredRow[];
