import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FEW } from '#site/clusters.ts';
import { radiusOf } from '#site/explorer-place.ts';
import type { Context } from './context.ts';
import type { MapContent, MapView, View as VisiblePart } from './map.ts';
import { boxText, type MapRequest } from './map-content.ts';
import type { Drawing } from './pen.ts';
import type { Listing, Project } from './responses.ts';
import { type Changes, hasShape, type Search } from './state.ts';
import { useResponse } from './use.ts';
import { Card, ProjectCard } from './views.tsx';

interface Props {
  context: Context;
  search: Search;
  request: MapRequest;
  /** Rows of the lists. */
  listings: readonly Listing[];
  projects: readonly Project[];
  /** The element of the map. */
  box: { current: HTMLDivElement | null };
  visible: VisiblePart | null;
  /** Whether the counts of the neighborhoods are loaded, or cannot be loaded. */
  hasCounts: boolean;
  handle: { current: MapView | null };
  onView(visible: VisiblePart): void;
  onPoint(id: number | null): void;
  onSelect(id: number | null): void;
  onFollow(follows: boolean): void;
  change(changes: Changes, beside?: Partial<Search>): void;
  /** Stores the position of the map in the URL. */
  keepPosition(position: string): void;
}

/** Shows the results of the search on the map, which is loaded last, when there is data to show. */
export function MapPanel(props: Props) {
  const { context, search, request, box, visible, hasCounts, handle, change, keepPosition } = props;
  const { data, texts, format, api, neighborhoods, boundaries, nameOf, countOf } = context;
  const { values } = search;
  const { target, isReady, part, query, content } = request;
  const after = useRef<HTMLSpanElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapView | null>(null);
  const [failed, setFailed] = useState(false);
  const [moved, setMoved] = useState('');
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const drawn = useRef('');
  const isRefused = request.error?.status === 401;

  useEffect(() => {
    const { files } = data;
    if (!isReady || map || failed || !box.current || !files.map || !files.worker || !files.land) return;
    const element = box.current;
    let current = true;
    (async () => {
      if (files.mapStyles) addStyles(files.mapStyles);
      const { openMap } = (await import(/* @vite-ignore */ files.map as string)) as typeof import('./map.ts');
      const opened = await openMap({
        element,
        worker: files.worker as string,
        land: files.land as string,
        words: {
          controls: {
            'Map.Title': texts.map,
            'NavigationControl.ZoomIn': texts.zoom_in,
            'NavigationControl.ZoomOut': texts.zoom_out,
            'Popup.Close': texts.close,
            'CooperativeGesturesHandler.MobileHelpText': texts.two_fingers,
          },
          number: format.number,
          price: (value) => (value === null ? '–' : format.compact(value)),
        },
        covered: () => {
          const { bottom } = element.getBoundingClientRect();
          return bottom - (foot.current?.getBoundingClientRect().top ?? bottom);
        },
        onView: props.onView,
        onMove: (position) => {
          setMoved(position);
          keepPosition(position);
        },
        onPoint: props.onPoint,
        onSelect: props.onSelect,
        onChoose: (id) => change({ neighborhood_id: String(id) }),
        onDrawing: setDrawing,
        onDrawn: (polygon, position) => {
          setMoved('');
          change({ polygon }, { map: position });
        },
      });
      if (!current) return opened.close();
      handle.current = opened;
      setMap(opened);
    })().catch(() => setFailed(true));
    return () => {
      current = false;
    };
  }, [isReady]);

  // Whether the map can move to the target. The box of a whole city depends on the counts by neighborhood.
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
    // While the map moves, it shows the previous results of the same search, unless the key was refused.
    if (!content && drawn.current === query && !isRefused) return;
    drawn.current = query;
    map?.showContent(content);
  }, [map, content, query, isRefused]);

  const card = useSelected(props);
  useEffect(() => {
    if (!map || visible?.targetKey !== target.key) return;
    if (card?.element.current) map.openCard(card.id, card.at, card.element.current);
    else map.closeCard();
  }, [map, visible === null, visible?.targetKey === target.key, card?.id]);

  return (
    <section class="map-panel" tabIndex={-1} aria-label={texts.map}>
      <button type="button" class="skip" onClick={() => after.current?.focus()}>
        {texts.skip_map}
      </button>
      <div class="map-box" ref={box} dir="ltr" />
      {failed ? <p class="note">{texts.map_off}</p> : null}
      {map ? (
        <div class="map-foot" ref={foot}>
          {content ? <Legend context={context} content={content} search={search} /> : null}
          <p class="map-note" role="status">
            {request.error?.message ?? request.note ?? texts.loading}
          </p>
        </div>
      ) : null}
      {map && drawing ? <DrawingActions context={context} pen={map.pen} drawing={drawing} /> : null}
      {map && !drawing && !api.isDemo ? (
        <div class="map-actions">
          <button type="button" onClick={map.pen.start}>
            {texts.draw}
          </button>
          {hasShape(values) ? null : (
            <label>
              <input
                type="checkbox"
                checked={search.follows}
                onChange={(event) => props.onFollow(event.currentTarget.checked)}
              />{' '}
              {texts.follow}
            </label>
          )}
          {part && visible?.position === moved && (hasShape(values) || !search.follows) ? (
            <button
              type="button"
              onClick={() => {
                setMoved('');
                change({ bbox: boxText(part) }, { map: moved });
              }}
            >
              {texts.search_here}
            </button>
          ) : null}
          {values.has('near') ? <Radius context={context} values={values} change={change} /> : null}
          {target.rings.length > 0 ? (
            <button type="button" onClick={() => change({ bbox: '', near: '', polygon: '' })}>
              {texts.anywhere}
            </button>
          ) : null}
        </div>
      ) : null}
      <span ref={after} tabIndex={-1} />
    </section>
  );
}

/** Returns the card of the selected listing or project. Null if none is selected, or until its place is loaded. */
function useSelected({ context, search: { selected, view }, request, listings, projects }: Props) {
  const { api } = context;
  const element = useRef<HTMLElement | null>(null);
  const id = Number(selected);
  const isProject = view === 'projects';
  const project = isProject ? projects.find((each) => each.id === id) : undefined;
  const row = isProject ? undefined : listings.find((each) => each.id === id);
  const loaded = useResponse<{ data: Listing }>(
    api,
    selected === '' || isProject || row ? null : api.address('getListing', new URLSearchParams(), { id: selected }),
  );
  const listing = row ?? loaded.answer?.body.data;
  const pin = request.content?.pins.find((each) => each.id === id);
  const { lat = null, lng = null } = pin ?? (project ?? listing)?.location ?? {};
  const isShown = selected !== '' && lat !== null && lng !== null;
  useEffect(() => {
    if (!element.current) {
      element.current = document.createElement('div');
      element.current.className = 'map-card';
      // The map is left to right in both languages.
      element.current.dir = document.documentElement.dir;
      element.current.tabIndex = -1;
      element.current.role = 'dialog';
    }
    const { current } = element;
    current.ariaLabel = pin?.name ?? listing?.headline ?? context.texts.listing;
    render(
      project ? (
        <ProjectCard context={context} project={project} />
      ) : listing ? (
        <Card context={context} listing={listing} />
      ) : (
        <p class="note">{loaded.error?.message ?? context.texts.loading}</p>
      ),
      current,
    );
  });
  return isShown ? { id, at: { lat, lng }, element } : null;
}

/** Explains the colors and the hatched circles. */
function Legend({ context, content, search }: { context: Context; content: MapContent; search: Search }) {
  const { texts, format } = context;
  const { limits, circles } = content;
  if (limits.length === 0) return null;
  const { view, values } = search;
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

/** Instructions and buttons while the visitor draws a polygon. */
function DrawingActions({ context, pen, drawing }: { context: Context; pen: MapView['pen']; drawing: Drawing }) {
  const { texts } = context;
  const { corners, fault } = drawing;
  return (
    <div class="map-actions">
      <p role="status">{fault === 'crossing' ? texts.draw_crossing : texts.draw_help}</p>
      <button type="button" class="main" disabled={corners < 3} onClick={pen.finish}>
        {texts.draw_finish}
      </button>
      <button type="button" disabled={corners === 0} onClick={pen.undo}>
        {texts.draw_undo}
      </button>
      <button type="button" onClick={pen.cancel}>
        {texts.draw_cancel}
      </button>
    </div>
  );
}

const RADII = [500, 1_000, 2_000, 5_000, 10_000, 20_000];

function Radius({ context, values, change }: Pick<Props, 'context' | 'change'> & { values: URLSearchParams }) {
  const { texts, format } = context;
  const radius = radiusOf(values);
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

function addStyles(href: string): void {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
}
