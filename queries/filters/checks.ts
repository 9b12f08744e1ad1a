import { type Box, COUNTRY, inCountry, overlapsCountry, swapAxes } from '#domain/geography/country.ts';
import { cityCandidates, DIRECTIONS, type LatLng } from '#domain/geography/places.ts';
import {
  cornersOf,
  formatPolygon,
  type GeoPolygon,
  isClosed,
  parsePoints,
  parsePolygon,
  polygonFault,
} from '#domain/geography/shapes.ts';
import type { CheckContext, ValueCheck } from '#domain/value-check.ts';

const MAX_NAMED = 3;

export const coveredCity = (code: 'unknown_city' | 'city_not_found'): ValueCheck<string> => ({
  code,
  candidates: ({ places }) => cityCandidates(places),
  refuse: (slug, { places, explain }) => {
    if (places.hasCity(slug)) return null;
    return () => {
      const message = explain();
      return message.endsWith('?') ? message : `${message} GET /suggest finds places by name.`;
    };
  },
});

/** Returns the slugs of one or more cities, separated by commas. */
export const citiesOf = (text: string): string[] => [...new Set(text.split(',').map((slug) => slug.trim()))];

export const coveredCities: ValueCheck<string> = {
  ...coveredCity('unknown_city'),
  refuse: (text, { places, explain }) => {
    const unknown = citiesOf(text).find((slug) => !places.hasCity(slug));
    return unknown === undefined ? null : () => explain(unknown);
  },
};

/** Without a city, accepts any neighborhood. */
export const neighborhoodsOfCity: ValueCheck<readonly number[]> = {
  code: 'neighborhood_not_found',
  candidates: ({ places, values: { city = [] } }) =>
    [city]
      .flat()
      .flatMap((each) => citiesOf(String(each)))
      .flatMap((slug) => places.neighborhoods(slug) ?? [])
      .map(({ id, slug, name_en, name_ar, aliases }) => ({
        value: String(id),
        names: [slug, name_en, name_ar, ...aliases],
      })),
  refuse: (ids, { name, places, values: { city = [] } }) => {
    const cities = [city].flat().flatMap((each) => citiesOf(String(each)));
    const missing = ids.find((id) =>
      cities.length === 0 ? !places.neighborhood(id) : !cities.some((slug) => places.neighborhood(id, slug)),
    );
    if (missing === undefined) return null;
    return () => {
      const other = places.neighborhood(missing);
      const problem = other
        ? `\`${name}\` ${missing} (${other.name_en}) is in \`${other.city}\`, not in ${listCities(cities)}.`
        : `\`${name}\` ${missing} does not exist.`;
      const [only] = cities;
      return cities.length === 1
        ? `${problem} GET /cities/${only}/neighborhoods lists the ids of \`${only}\`.`
        : `${problem} GET /cities/{city}/neighborhoods lists the ids of a city.`;
    };
  },
};

/** Names of directions are rejected with a proposal of their ids. */
export const knownDirections: ValueCheck<readonly number[]> = {
  code: 'invalid_value',
  candidates: () =>
    DIRECTIONS.map(({ id, slug, name_en, name_ar }) => ({ value: String(id), names: [slug, name_en, name_ar] })),
  refuse: (ids, { name }) => {
    const missing = ids.find((id) => !DIRECTIONS.some((direction) => direction.id === id));
    if (missing === undefined) return null;
    const all = DIRECTIONS.map(({ id, slug }) => `${id} (${slug})`).join(', ');
    return () => `\`${name}\` ${missing} does not exist. The ids are ${all}.`;
  },
};

function listCities(cities: readonly string[]): string {
  const named = cities.slice(0, MAX_NAMED).map((city) => `\`${city}\``);
  return cities.length > MAX_NAMED ? `${named.join(', ')}, …` : named.join(' or ');
}

/** Requires that a box overlaps Saudi Arabia. The message names boxes with swapped coordinates (latitude first). */
export const boxInCountry: ValueCheck<Box> = {
  code: 'invalid_value',
  refuse: (box, { name, notation }) => {
    if (overlapsCountry(box)) return null;
    return () => {
      const swapped = swapAxes(box);
      const written = notation === 'url' ? swapped.join(',') : JSON.stringify(swapped);
      if (overlapsCountry(swapped))
        return `\`${name}\` has latitude before longitude. The order is min_lng,min_lat,max_lng,max_lat: use ${written}.`;
      const { west, east, south, north } = COUNTRY;
      return `\`${name}\` is outside Saudi Arabia, which extends from longitude ${west} to ${east} and from latitude ${south} to ${north}. The order is min_lng,min_lat,max_lng,max_lat.`;
    };
  },
};

const swapped = ({ lat, lng }: LatLng): LatLng => ({ lat: lng, lng: lat });
const EXTENT = `which extends from latitude ${COUNTRY.south} to ${COUNTRY.north} and from longitude ${COUNTRY.west} to ${COUNTRY.east}`;

/** Requires a point in Saudi Arabia. The message names points with swapped coordinates (longitude first). */
export const pointInCountry: ValueCheck<readonly [number, number]> = {
  code: 'invalid_value',
  refuse: ([lat, lng], { name, notation }) => {
    if (inCountry({ lat, lng })) return null;
    const [order, meant] = notation === 'url' ? ['lat,lng', `${lng},${lat}`] : ['[lat, lng]', `[${lng},${lat}]`];
    return () =>
      inCountry({ lat: lng, lng: lat })
        ? `\`${name}\` has longitude before latitude. The order is ${order}: use ${meant}.`
        : `\`${name}\` is outside Saudi Arabia, ${EXTENT}. The order is ${order}.`;
  },
};

/** Requires points in Saudi Arabia, and not `near` too, because the radius would be that of both. */
export const pointsInCountry: ValueCheck<string> = {
  code: 'invalid_value',
  refuse: (text, context) => {
    const points = parsePoints(text);
    if (!points.every(inCountry)) return () => explainForeign(points, { ...context, notation: 'url' });
    return context.values.near === undefined
      ? null
      : () => `\`${context.name}\` cannot be combined with \`near\`. Send one of them.`;
  },
};

/** Refuses a radius without `near`, the center of the circle, or `near_any`. */
export const onlyWithNear: ValueCheck = {
  code: 'invalid_value',
  refuse: (_, { name, values }) =>
    values.near === undefined && values.near_any === undefined
      ? () => `\`${name}\` requires \`${name.replace('radius_m', 'near')}\`, the center of the circle.`
      : null,
};

/** All points in Saudi Arabia, as text or as GeoJSON. */
export const simplePolygonInCountry: ValueCheck<string | GeoPolygon> = {
  code: 'invalid_value',
  refuse: (value, context) => {
    const { name } = context;
    const isText = typeof value === 'string';
    if (!isText && !isClosed(value))
      return () => `\`${name}\` is not closed. Repeat its first position at the end of the ring.`;
    const corners = isText ? (parsePolygon(value) ?? []) : cornersOf(value);
    if (!corners.every(inCountry)) return () => explainForeign(corners, context);
    const fault = polygonFault(corners);
    if (fault === null) return null;
    if (fault === 'no area') return () => `\`${name}\` encloses no area: its points are on one line.`;
    return () => {
      const [first, second] = fault.map((edge) => edge.map((point) => position(point, context)).join(' to '));
      return `\`${name}\` crosses or touches itself: the edges from ${first} and from ${second} meet. List the points in their order along the outline.`;
    };
  },
};

const position = ({ lat, lng }: LatLng, { notation }: Pick<CheckContext, 'notation'>): string =>
  notation === 'url' ? formatPolygon([{ lat, lng }]) : JSON.stringify([lng, lat]);

function explainForeign(corners: readonly LatLng[], context: CheckContext): string {
  const { name, notation } = context;
  const order = notation === 'url' ? 'The order is lat,lng' : 'The order of a GeoJSON position is [lng, lat]';
  const foreign = corners.find((corner) => !inCountry(corner)) as LatLng;
  const shown = position(foreign, context);
  if (!corners.every((corner) => inCountry(swapped(corner))))
    return `\`${name}\` has the point ${shown} outside Saudi Arabia, ${EXTENT}. ${order}.`;
  const [first, second] = notation === 'url' ? ['longitude', 'latitude'] : ['latitude', 'longitude'];
  return `\`${name}\` has ${first} before ${second}. ${order}: use ${position(swapped(foreign), context)} instead of ${shown}.`;
}
