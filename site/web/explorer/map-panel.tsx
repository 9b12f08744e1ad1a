import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { FEW } from '#site/server/clusters.ts';
import { radiusOf, readPoint } from '#site/server/explorer-place.ts';
import { elementOf } from '../element.ts';
import { session, useData } from './api-requests.ts';
import { Card, ProjectCard } from './cards.tsx';
import { ExplorerContext, useExplorer } from './context.ts';
import type { DrawingState } from './draw-boundary.ts';
import type { MapView, VisiblePart } from './map.ts';
import type { MapContent } from './map-circles.ts';
import type { MapRequest } from './map-content.ts';
import { fetchMap, importMap } from './map-files.ts';
import { addressOf, data, format, nameOf, texts } from './page-data.ts';
import { type Changes, hasShape, SHAPES } from './state.ts';

interface Props {
  request: MapRequest;
  listings: readonly Listing[];
  projects: readonly Project[];
  box: { current: HTMLDivElement | null };
  visible: VisiblePart | null;
  /** Whether the counts of neighborhoods are loaded or failed. */
  hasCounts: boolean;
  /** Whether the results are shown, or failed. */
  hasResults: boolean;
  handle: { current: MapView | null };
  onView(visible: VisiblePart): void;
  onPoint(id: number | null): void;
}

/** The map is loaded last, when there is data to show. */
export function MapPanel(props: Props) {
  const { request, box, visible } = props;
  const { target, content } = request;
  const after = useRef<HTMLSpanElement>(null);
  const [moved, setMoved] = useState('');
  const [drawing, setDrawing] = useState<DrawingState | null>(null);
  const { map, failed } = useMap(props, { setMoved, setDrawing });
  useShown(map, props);

  const card = useSelected(props);
  useEffect(() => {
    if (!map || visible?.targetKey !== target.key) return;
    if (card) map.openCard(card.id, card.at, card.inside);
    else map.closeCard();
  }, [map, visible === null, visible?.targetKey === target.key, card?.id]);

  return (
    <section class="map-panel" tabIndex={-1} aria-label={texts.map_panel}>
      <button type="button" class="skip" onClick={() => after.current?.focus()}>
        {texts.skip_map}
      </button>
      <div class="map-actions">
        {map && drawing ? (
          <DrawingActions pen={map.pen} drawing={drawing} />
        ) : map ? (
          <MapActions map={map} request={request} visible={visible} moved={moved} setMoved={setMoved} />
        ) : null}
      </div>
      <div class="map-box" ref={box} dir="ltr" />
      <div class="map-foot">
        {map && content ? <Legend content={content} /> : null}
        <p class="map-note" role="status">
          {failed ? texts.map_off : request.error ? texts.map_waits : ((map && request.note) ?? texts.loading)}
        </p>
        {map ? <BordersNote /> : null}
      </div>
      <span ref={after} tabIndex={-1} />
    </section>
  );
}

/** Zoom of a map that begins in a city, before it moves to the neighborhoods with most listings. */
const CITY_ZOOM = 10;

interface MapState {
  setMoved(position: string): void;
  setDrawing(drawing: DrawingState | null): void;
}

/** Opens the map when there is data to show, and again after a failure when the visitor retries. */
function useMap(props: Props, { setMoved, setDrawing }: MapState) {
  const { request, box, handle, hasResults } = props;
  const { change, keepPosition, search, select } = useExplorer();
  useEffect(() => {
    if (hasResults) fetchMap();
  }, [hasResults]);
  const { isReady } = request;
  const [map, setMap] = useState<MapView | null>(null);
  const [failedRetry, setFailedRetry] = useState(-1);
  const failed = failedRetry === session.retries;
  useEffect(() => {
    const { files } = data;
    if (!isReady || map || failed || !box.current || !files.map || !files.worker || !files.land) return;
    const container = box.current;
    let current = true;
    (async () => {
      const { openMap } = await importMap();
      const city = data.cities.find(({ slug }) => slug === search.values.get('city'));
      const opened = await openMap({
        element: container,
        start: request.target.position ?? (city ? { ...city.center, zoom: CITY_ZOOM } : null),
        onView: props.onView,
        onMove: (position) => {
          setMoved(position);
          keepPosition(position);
        },
        onPoint: props.onPoint,
        onSelect: select,
        onChoose: (id) => change({ neighborhood_id: String(id) }),
        onDrawing: setDrawing,
        onDrawn: (polygon, position) => {
          setMoved('');
          // The area replaces the neighborhood. The visitor did not draw their intersection.
          change({ polygon, neighborhood_id: '' }, { map: position });
        },
        onPlace: (near, position) => {
          setMoved('');
          change({ near, neighborhood_id: '' }, { map: position });
        },
      });
      if (!current) return opened.close();
      handle.current = opened;
      setMap(opened);
    })().catch(() => setFailedRetry(session.retries));
    return () => {
      current = false;
    };
  }, [isReady, failed]);
  return { map, failed };
}

/** Shows the place and the results of the search on the map. */
function useShown(map: MapView | null, { request, hasCounts }: Props): void {
  const { search, neighborhoods, boundaries, countOf } = useExplorer();
  const { values, view } = search;
  const { target, isReady, query, content } = request;
  const drawn = useRef('');
  const isRefused = request.error?.status === 401;
  // The box of a whole city depends on the counts by neighborhood.
  const isCity = values.has('city') && !target.position && target.rings.length === 0 && !values.has('neighborhood_id');
  const canMove = isReady && (!isCity || hasCounts);
  const shown = useRef('');
  useEffect(() => {
    // Counts also change with the filters, which do not move the map.
    const place = `${target.key} ${search.map}`;
    if (!map || !canMove || shown.current === place) return;
    shown.current = place;
    map.showNeighborhoods(
      neighborhoods.flatMap(({ id, center, ...named }) =>
        center ? [{ id, name: nameOf(named), count: countOf('neighborhood_id', String(id)) ?? 0, ...center }] : [],
      ),
      boundaries.flatMap(({ id, geometry }) => (geometry?.coordinates ?? []).map(([ring = []]) => ({ id, ring }))),
    );
    map.showTarget(target);
  }, [map, canMove, target.key, search.map]);
  useEffect(() => {
    // While the map moves, it shows the previous results of the search, unless the key was refused.
    if (!content && drawn.current === query && !isRefused) return;
    drawn.current = query;
    map?.showContent(content);
  }, [map, content, query, isRefused]);

  const near = values.get('near');
  useEffect(() => {
    map?.choosePoint(view === 'estimate' ? readPoint(near) : undefined);
  }, [map, view, near]);
}

interface MapActionsProps {
  map: MapView;
  request: MapRequest;
  visible: VisiblePart | null;
  /** Position to which the visitor has moved the map. */
  moved: string;
  setMoved(position: string): void;
}

function MapActions({ map, request: { target, part }, visible, moved, setMoved }: MapActionsProps) {
  const { search, latest, go, change } = useExplorer();
  const { values, view } = search;
  return (
    <>
      {view === 'estimate' ? null : (
        <button type="button" onClick={map.pen.start}>
          {texts.draw}
        </button>
      )}
      {hasShape(values) ? null : (
        <label>
          <input
            type="checkbox"
            checked={search.follows}
            onChange={(event) => go({ ...latest(), follows: event.currentTarget.checked })}
          />{' '}
          {texts.follow}
        </label>
      )}
      {part && visible?.position === moved && (hasShape(values) || !search.follows) ? (
        <button
          type="button"
          onClick={() => {
            setMoved('');
            change({ bbox: part.join(), neighborhood_id: '' }, { map: moved });
          }}
        >
          {texts.search_here}
        </button>
      ) : null}
      {values.has('near') || values.has('near_any') ? <Radius /> : null}
      {target.rings.length > 0 || values.has('neighborhood_id') ? (
        <button type="button" onClick={() => change({ ...NO_SHAPE, neighborhood_id: '' })}>
          {texts.anywhere}
        </button>
      ) : null}
    </>
  );
}

function useSelected({ request, listings, projects }: Props) {
  const context = useExplorer();
  const { selected, view } = context.search;
  const id = Number(selected);
  const isProject = view === 'projects';
  const project = isProject ? projects.find((each) => each.id === id) : undefined;
  const row = isProject ? undefined : listings.find((each) => each.id === id);
  const loaded = useData<Listing>(
    selected === '' || isProject || row ? null : addressOf('getListing', {}, { id: selected }),
  );
  const listing = row ?? loaded.data ?? undefined;
  const pin = request.content?.pins.find((each) => each.id === id);
  const { lat = null, lng = null } = pin ?? (project ?? listing)?.location ?? {};
  // The map is left to right in both languages.
  const { dir } = document.documentElement;
  const inside = useMemo(() => elementOf('div', { className: 'map-card', dir, tabIndex: -1, role: 'dialog' }), []);
  const isShown = selected !== '' && lat !== null && lng !== null;
  useEffect(() => {
    if (!isShown) return;
    inside.ariaLabel = pin?.name ?? listing?.headline ?? texts.listing;
    render(
      <ExplorerContext value={context}>
        {project ? (
          <ProjectCard project={project} />
        ) : listing ? (
          <Card listing={listing} />
        ) : (
          <p class="note">{loaded.error?.message ?? texts.loading}</p>
        )}
      </ExplorerContext>,
      inside,
    );
  });
  return isShown ? { id, at: { lat, lng }, inside } : null;
}

function Legend({ content: { limits, circles } }: { content: MapContent }) {
  const { view, values } = useExplorer().search;
  if (limits.length === 0) return null;
  // Without a city, the map shows listings in the view of the deals.
  const isDeals = view === 'deals' && values.has('city');
  const isRent = view !== 'projects' && !isDeals && values.get('listing_type') === 'rent';
  const per = isDeals ? texts.per_sqm : isRent ? texts.a_year : '';
  const range = (at: number): string => {
    const [from, to] = [limits[at - 1], limits[at]];
    if (from === undefined) return texts.below.replace('{n}', format.compact(to ?? 0));
    return to === undefined
      ? texts.at_least.replace('{n}', format.compact(from))
      : `${format.compact(from)} – ${format.compact(to)}`;
  };
  return (
    <ul class="legend" aria-label={texts.legend}>
      <li>
        {texts.sar} {per}
      </li>
      {[...limits, null].map((_, at) => (
        <li key={range(at)}>
          <span class={`price-${at}`} /> <bdi>{range(at)}</bdi>
        </li>
      ))}
      {circles.some(({ count }) => count < FEW) ? (
        <li>
          <span class="few" /> {isDeals ? texts.few_deals : texts.few}
        </li>
      ) : null}
    </ul>
  );
}

/** Says that borders which nobody surveyed are estimated. */
function BordersNote() {
  const { boundaries } = useExplorer();
  const isEstimated = boundaries.some(({ geometry, properties }) => geometry && properties.approximate);
  return isEstimated ? <p class="borders-note">{texts.borders_approximate}</p> : null;
}

const IS_TOUCH = matchMedia('(pointer: coarse)').matches;

function DrawingActions({ pen, drawing: { corners, fault } }: { pen: MapView['pen']; drawing: DrawingState }) {
  return (
    <>
      <p role="status">{fault === 'crossing' ? texts.draw_crossing : IS_TOUCH ? texts.draw_touch : texts.draw_help}</p>
      <button type="button" class="main" disabled={corners < 3} onClick={pen.finish}>
        {texts.draw_finish}
      </button>
      <button type="button" disabled={corners === 0} onClick={pen.undo}>
        {texts.draw_undo}
      </button>
      <button type="button" onClick={pen.cancel}>
        {texts.draw_cancel}
      </button>
    </>
  );
}

const NO_SHAPE: Changes = Object.fromEntries(SHAPES.map((name) => [name, '']));

const RADII = [500, 1_000, 2_000, 5_000, 10_000, 20_000];

function Radius() {
  const { search, change } = useExplorer();
  const radius = radiusOf(search.values);
  const offered = [...new Set([...RADII, radius])].sort((a, b) => a - b);
  return (
    <label>
      {texts.within}{' '}
      <select value={String(radius)} onChange={(event) => change({ radius_m: event.currentTarget.value })}>
        {offered.map((each) => (
          <option key={each} value={String(each)}>
            {format.distance(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
