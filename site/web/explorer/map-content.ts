import { useMemo } from 'preact/hooks';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { priceLimits } from '#site/server/clusters.ts';
import { readBox, readMapPosition, ringsOf, searchedPart } from '#site/server/explorer-place.ts';
import type { MapCells, RegisteredDeals } from '#src/site-data/responses.ts';
import { type CallFailed, type LoadedRows, useData } from './api-requests.ts';
import type { Context } from './context.ts';
import type { Target, VisiblePart } from './map.ts';
import type { Circle, MapContent } from './map-circles.ts';
import { addressOf, format, nameOf, quarterText, texts } from './page-data.ts';
import { hasShape, type Search, withValues } from './state.ts';
import { addressOfView } from './view-requests.ts';

/** Zoom, for tiles of 256 pixels, from which the map names neighborhoods instead of cities. */
const CITIES_ZOOM = 9;

export type MapRequest = ReturnType<typeof useMapRequest>;

/** Returns what the map shows: projects, registered deals by neighborhood, or listings. */
export function useMapRequest(
  context: Context,
  visible: VisiblePart | null,
  state: {
    isReady: boolean;
    placeError: CallFailed | null;
    hasAccess: boolean;
    isFollowing: boolean;
    projects: LoadedRows<Project>;
  },
) {
  const { isReady, placeError, hasAccess, isFollowing, projects } = state;
  const { search } = context;
  const { values, view } = search;
  const target = useMemo(() => targetOf(search), [search]);
  const isProjects = view === 'projects';
  const isDeals = view === 'deals' && values.has('city');
  // The map moves to a new place before its listings are requested.
  const isThere = isReady && visible?.targetKey === target.key;
  // Null if no part can have results, or while the map moves there.
  const part = isThere ? searchedPart(visible.box, readBox(values.get('bbox'))) : null;
  const zoom = visible?.zoom ?? 0;
  const hasCities = zoom < CITIES_ZOOM;
  // Larger cells would have several cities. The API returns no smaller cells for the whole country.
  const detail = Math.max(zoom, CITIES_ZOOM - 1);
  const ofListings =
    part && !isProjects && !isDeals
      ? addressOf('mapListings', withValues(values, { bbox: part.join(), zoom: String(detail) }))
      : null;
  const listings = useData<MapCells>(ofListings);
  const quarters = useData<RegisteredDeals>(isReady && isDeals && hasAccess ? addressOfView('deals', values) : null);
  const quarter = quarters.data?.cells.at(-1)?.quarter;
  const deals = useData<RegisteredDeals>(isDeals && quarter !== undefined ? dealsAddress(values, quarter) : null);

  const content = useMemo((): MapContent | null => {
    if (isProjects) return projects.more === null ? null : ofProjectRows(projects.rows);
    if (deals.data) return ofDealCells(context, deals.data.cells);
    if (listings.data) return ofMapData(context, listings.data, hasCities);
    return null;
  }, [
    isProjects,
    projects.rows,
    projects.more,
    deals.data,
    listings.data,
    hasCities,
    context.neighborhoods,
    context.cities,
  ]);

  // There is no data outside the country or outside the bounding box of the search.
  const isEmpty = isThere && !part && !isProjects && !isDeals;
  const isNone = isDeals && quarters.data !== null && quarter === undefined;
  const count = (content?.pins.length ?? 0) + (content?.circles ?? []).reduce((sum, circle) => sum + circle.count, 0);
  const isLocked = (isProjects || isDeals) && !hasAccess;
  const note = (): string => {
    if (isLocked) return '';
    if (isProjects) return `${format.count(texts.projects_on_map, count)}.`;
    if (isDeals)
      return `${format.count(texts.deals_on_map, count)}. ${quarter === undefined ? '' : quarterText(quarter)}`;
    const isPlaced = !values.has('city') || isFollowing || hasShape(values);
    const others = Math.max(0, (context.total ?? 0) - count);
    const rest = isPlaced ? texts.only_placed : others === 0 ? '' : format.count(texts.others, others);
    return `${format.count(texts.in_view, count)}. ${rest}`;
  };
  return {
    target,
    isReady,
    part,
    // Identifies the search that the content belongs to, for any part of the map.
    query: isProjects || isDeals ? `${view} ${values}` : addressOf('mapListings', values),
    content,
    error: placeError ?? listings.error ?? projects.error ?? quarters.error ?? deals.error,
    note: content || isEmpty || isNone || isLocked ? note() : null,
  };
}

function targetOf({ values, map }: Search): Target {
  const places = ['city', 'neighborhood_id', 'bbox', 'near', 'near_any', 'radius_m', 'polygon'];
  const key = places.map((name) => values.get(name)).join('|');
  const neighborhoods = (values.get('neighborhood_id') ?? '').split(',').map(Number);
  return { key, position: readMapPosition(map), rings: ringsOf(values), neighborhoods };
}

const dealsAddress = (values: URLSearchParams, quarter: string): string =>
  addressOf('getMarketTransactions', {
    city: values.get('city') ?? '',
    land_use_class: 'residential',
    group_by: 'neighborhood',
    quarter_from: quarter,
    quarter_to: quarter,
  });

const describer =
  (noun: string, unit = ''): MapContent['describe'] =>
  (count, median) =>
    format.list([
      format.count(noun, count),
      median === null ? null : `${texts.cluster_median} ${format.sar(median)}${unit}`,
    ]);

/** Names in the label of a circle with several cities. */
const NAMED_CITIES = 2;

function ofMapData({ cities, cityNameOf }: Context, { pins, clusters }: MapCells, hasCities: boolean): MapContent {
  const describe = describer(texts.listings);
  const circles = clusters.map(({ bbox, lat, lng, count, cities: slugs, median_price_sar: price }): Circle => {
    const circle = { lat, lng, count, price, box: bbox, name: describe(count, price) };
    const named = slugs.filter((slug) => cities.some((city) => city.slug === slug)).map(cityNameOf);
    if (!hasCities || named.length === 0) return circle;
    const rest = named.length > NAMED_CITIES ? ` +${format.number(named.length - NAMED_CITIES)}` : '';
    return { ...circle, city: { lat, lng, name: `${format.list(named.slice(0, NAMED_CITIES))}${rest}` } };
  });
  return {
    pins: pins.map(({ price_sar: price, ...pin }) => ({
      ...pin,
      price,
      name: format.list([format.compact(price), `${texts.listing} ${pin.id}`]),
    })),
    circles,
    limits: priceLimits([...pins.map((pin) => ({ price: pin.price_sar, count: 1 })), ...circles]),
    describe,
  };
}

function ofProjectRows(rows: readonly Project[]): MapContent {
  const pins = rows.flatMap((project) => {
    const { id, location, price } = project;
    const { lat, lng } = location;
    if (lat === null || lng === null) return [];
    const name = format.list([price.min_sar === null ? '–' : format.compact(price.min_sar), nameOf(project)]);
    return [{ id, lat, lng, price: price.min_sar, name }];
  });
  return {
    pins,
    circles: [],
    limits: priceLimits(pins.map(({ price }) => ({ price, count: 1 }))),
    describe: (count) => format.count(texts.projects, count),
  };
}

function ofDealCells({ neighborhoods }: Context, cells: RegisteredDeals['cells']): MapContent {
  const describe = describer(texts.deals_counted, ` ${texts.per_sqm}`);
  const circles = cells.flatMap(({ neighborhood_id, deal_count: count, median_price_per_sqm_sar: price }): Circle[] => {
    const place = neighborhoods.find(({ id }) => id === neighborhood_id);
    if (!place?.center) return [];
    const { lat, lng } = place.center;
    const name = format.list([describe(count, price), nameOf(place)]);
    return [{ lat, lng, count, price, box: [lng, lat, lng, lat], name, label: nameOf(place), neighborhood: place.id }];
  });
  return { pins: [], circles, limits: priceLimits(circles), describe };
}
