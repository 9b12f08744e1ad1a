import { render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '#site/explorer-data.ts';
import {
  type Box,
  radiusOf,
  readBox,
  readMapPosition,
  readPosition,
  ringsOf,
  searchedPart,
} from '#site/explorer-place.ts';
import { formatter } from '#site/format.ts';
import { keepKey, readKey } from '../key.ts';
import { pageData } from '../page-data.ts';
import { Api, type Usage } from './api.ts';
import type { Context } from './context.ts';
import { Filters } from './filters.tsx';
import { keepFocus } from './focus.ts';
import type { MapView, Target, View } from './map.ts';
import type { Drawing } from './pen.ts';
import type { Boundaries, City, Enums, Facets, Limits, MapData, Named, Neighborhood } from './responses.ts';
import { keepScroll, recordScroll } from './scroll.ts';
import { SearchBox } from './search-box.tsx';
import { type Changes, readSearch, type Search, type View as Tab, VIEWS, withChanges, writeSearch } from './state.ts';
import { type Loaded, type LoadedListings, useListings, useResponse } from './use.ts';
import {
  addressOf,
  DealsView,
  ListingsView,
  type ListingsViewProps,
  NeighborhoodsView,
  OPERATIONS,
  PricesView,
  ProjectsView,
  TrendView,
  unitsOf,
  unitsText,
} from './views.tsx';

const data = pageData<ExplorerData>();
const format = formatter(data.language);
const { texts } = data;
/** An empty list with a stable identity, so that dependent values are not recomputed. */
const NONE: readonly never[] = [];

function Explorer() {
  const [key, setKey] = useState(() => readKey(data.key));
  const api = useMemo(() => new Api(data, key), [key]);
  const [search, setSearch] = useState<Search>(() => readSearch(location.search, data));
  const [pages, setPages] = useState(() => readPosition(history.state).pages);
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    api.onUsage = (latest) => {
      if (latest.leftMonth !== null || latest.leftMinute !== null) setUsage(latest);
    };
  }, [api]);
  // Event handlers change the latest search, not the search at the time of rendering.
  const latest = useRef(search);
  const show = useCallback((to: Search, open: number) => {
    latest.current = to;
    setSearch(to);
    setPages(open);
  }, []);
  useEffect(() => {
    const back = ({ state }: PopStateEvent) => show(readSearch(location.search, data), readPosition(state).pages);
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const go = useCallback((to: Search) => {
    recordScroll();
    history.pushState({ pages: 1, y: scrollY }, '', writeSearch(to));
    show(to, 1);
  }, []);
  const change = useCallback(
    (changes: Changes, beside?: Partial<Search>) => go({ ...withChanges(latest.current, changes), ...beside }),
    [],
  );
  const keepPosition = useCallback((map: string) => {
    latest.current = { ...latest.current, map };
    setSearch(latest.current);
    history.replaceState(history.state, '', writeSearch(latest.current));
  }, []);
  const set = useCallback((name: string, value: string) => change({ [name]: value }), []);
  const openMore = useCallback(() => {
    const position = readPosition(history.state);
    const open = position.pages + 1;
    history.replaceState({ ...position, pages: open }, '');
    setPages(open);
  }, []);

  const { values, view } = search;
  const city = values.get('city') ?? '';
  const none = new URLSearchParams();
  const cities = useResponse<{ data: City[] }>(api, api.address('listCities', none));
  const enums = useResponse<{ data: Enums }>(api, api.address('listEnums', none));
  const neighborhoods = useResponse<{ data: Neighborhood[] }>(api, api.address('listNeighborhoods', none, { city }));
  const simplified = new URLSearchParams({ simplified: 'true' });
  const boundaries = useResponse<Boundaries>(api, api.address('listBoundaries', simplified, { city }));
  const facets = useResponse<Facets>(api, facetsAddress(api, values));
  const limits = useResponse<Limits>(api, api.isDemo ? null : api.address('getLimits', none));
  const counts = useMemo(() => countsOf(facets.answer?.body ?? null), [facets.answer]);
  const nameOf = ({ name_en, name_ar }: Named): string =>
    (data.language === 'ar' ? (name_ar ?? name_en) : (name_en ?? name_ar)) ?? '';
  const context: Context = {
    data,
    texts,
    format,
    api,
    nameOf,
    cities: cities.answer?.body.data ?? NONE,
    neighborhoods: neighborhoods.answer?.body.data ?? NONE,
    boundaries: boundaries.answer?.body.data.features ?? NONE,
    enums: enums.answer?.body.data ?? null,
    total: facets.answer?.body.data.total ?? null,
    prices: facets.answer?.body.data.facets.find(({ field }) => field === 'price')?.ranges ?? NONE,
    countOf: (filter, value) => {
      // Listings need all chosen amenities, so the counts of single ones do not add up.
      const counted = filter === 'amenities' && values.has(filter) ? undefined : counts.get(filter);
      return counted ? (counted.get(value) ?? 0) : null;
    },
  };

  // List and map emphasize the same listing.
  const map = useRef<MapView | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const address = view === 'listings' ? addressOf('listings', context, values) : null;
  const listings = useListings(api, address, pages);
  const access = (each: Tab): Access => accessTo(each, api, limits);
  const failure = listings.error ?? facets.error;
  const [isFiltering, setFiltering] = useState(false);
  const results = useRef<HTMLDivElement>(null);
  const tabs = useRef<HTMLUListElement>(null);
  // On a phone, the tabs are one line. `scrollIntoView` would scroll the page as well.
  useEffect(() => {
    const start = tabs.current?.querySelector('[aria-pressed=true]')?.getBoundingClientRect().left ?? 0;
    tabs.current?.scrollBy({ left: start - tabs.current.getBoundingClientRect().left - 16 });
  }, [view]);

  return (
    <div class={isFiltering ? 'explorer filtering' : 'explorer'}>
      <SearchBox context={context} search={search} latest={() => latest.current} go={go} />
      <button
        type="button"
        class="open-filters"
        aria-expanded={isFiltering}
        onClick={() => setFiltering((before) => !before)}
      >
        {texts.filters_and_key}
      </button>
      <KeyField
        value={key}
        onUse={(given) => {
          keepKey(given);
          setKey(given);
        }}
      />
      <Filters
        context={context}
        values={values}
        failure={failure}
        set={set}
        change={change}
        clear={() => go({ ...readSearch('', data), view })}
      />
      <div class="results" ref={results} tabIndex={-1}>
        <Handle sheet={results} />
        {api.isDemo ? <DemoNotice values={values} /> : null}
        <ul class="tabs" ref={tabs} aria-label={texts.views}>
          {VIEWS.map((each) => {
            const needs = access(each) === 'none' ? planOf(each, api) : null;
            return (
              <li key={each}>
                <button
                  type="button"
                  class={needs === null ? undefined : 'needs'}
                  aria-pressed={each === view}
                  onClick={() => go({ ...latest.current, view: each })}
                >
                  {texts[`view_${each}`]}
                  {needs === null ? null : <small class={api.isDemo ? 'visually-hidden' : undefined}> {needs}</small>}
                </button>
              </li>
            );
          })}
        </ul>
        {access(view) === 'none' ? (
          <Locked view={view} api={api} plan={limits.answer?.body.data.plan ?? null} />
        ) : access(view) === 'unknown' ? null : (
          <Results
            context={context}
            values={values}
            view={view}
            listings={listings}
            pointed={pointed}
            onPoint={(listing) => map.current?.point(listing)}
            openMore={openMore}
            set={set}
          />
        )}
        <RequestBar context={context} values={values} view={view} usage={usage} />
      </div>
      <MapPanel
        context={context}
        search={search}
        hasNeighborhoods={neighborhoods.answer !== null && !boundaries.loading}
        hasCounts={!facets.loading}
        handle={map}
        onPoint={setPointed}
        change={change}
        keepPosition={keepPosition}
      />
    </div>
  );
}

/** On a phone, the list is a sheet above the map, which scrolls with the page. The button pulls it up or down. */
function Handle({ sheet }: { sheet: { readonly current: HTMLElement | null } }) {
  const handle = useRef<HTMLButtonElement>(null);
  const [isUp, setUp] = useState(false);
  useEffect(() => {
    const upperHalf = { rootMargin: '0px 0px -50% 0px' };
    const observer = new IntersectionObserver(([entry]) => setUp(entry?.isIntersecting ?? false), upperHalf);
    if (handle.current) observer.observe(handle.current);
    return () => observer.disconnect();
  }, []);
  const pull = (): void => {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    scrollTo({ top: isUp ? 0 : (sheet.current?.getBoundingClientRect().top ?? 0) + scrollY, behavior });
  };
  return (
    <button type="button" class="handle" ref={handle} aria-expanded={isUp} onClick={pull}>
      {isUp ? texts.show_map : texts.show_list}
    </button>
  );
}

/** Whether the key has access to a view. Unknown until the limits of the key are loaded. */
type Access = 'full' | 'none' | 'unknown';

function accessTo(view: Tab, api: Api, { answer, loading }: Loaded<Limits>): Access {
  const scope = data.operations[OPERATIONS[view]]?.scope ?? null;
  if (view === 'listings' || (scope === null && !api.isDemo)) return 'full';
  if (api.isDemo) return 'none';
  if (!answer) return loading ? 'unknown' : 'full';
  return scope === null || answer.body.data.apis.includes(scope) ? 'full' : 'none';
}

/** Returns the lowest plan that includes a view, or in the demo that a key is needed. */
const planOf = (view: Tab, api: Api): string | null =>
  api.isDemo ? texts.with_key : (data.operations[OPERATIONS[view]]?.plan ?? null);

/** Says which plan a view needs, without a request that would be refused. */
function Locked({ view, api, plan }: { view: Tab; api: Api; plan: string | null }) {
  const needed = planOf(view, api) ?? '';
  return (
    <div class="locked" role="status">
      <h2>{texts[`view_${view}`]}</h2>
      <p>{api.isDemo ? texts.view_needs_key : texts.view_needs_plan.replace('{plan}', needed)}</p>
      {plan === null ? null : (
        <p class="note">
          {texts.your_plan} <bdi>{plan}</bdi>
        </p>
      )}
    </div>
  );
}

/** Says that results are a demo, and which filters of the URL it does not follow. */
function DemoNotice({ values }: { values: URLSearchParams }) {
  const ignored = data.filters.flatMap(({ name }) =>
    values.has(name) && !data.demoFilters.includes(name) ? [data.labels[name] ?? texts.sort] : [],
  );
  return (
    <div class="demo" role="note">
      <p>
        <strong>{texts.demo}</strong> {texts.demo_text}
      </p>
      {ignored.length === 0 ? null : (
        <p>
          {texts.demo_ignored} {ignored.join(data.language === 'ar' ? '، ' : ', ')}
        </p>
      )}
    </div>
  );
}

/** Returns the URL of the counts in the filters. A value is counted in place of the chosen ones. */
function facetsAddress(api: Api, values: URLSearchParams): string {
  const all = new URLSearchParams(values);
  all.set('fields', data.counted.join());
  all.set('exclude_own', 'true');
  return api.address('listFacets', all);
}

/** Returns the counts by filter and value. */
const countsOf = (facets: Facets | null): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(
    facets?.data.facets.map(({ field, values }) => [field, new Map(values.map(({ value, count }) => [value, count]))]),
  );

interface PanelProps {
  context: Context;
  values: URLSearchParams;
  set(name: string, value: string): void;
}

interface ResultsProps extends PanelProps {
  view: Tab;
  listings: LoadedListings;
  pointed: number | null;
  onPoint: ListingsViewProps['onPoint'];
  openMore(): void;
}

function Results({ context, values, view, listings, pointed, onPoint, openMore, set }: ResultsProps) {
  switch (view) {
    case 'listings':
      return (
        <ListingsView
          context={context}
          values={values}
          listings={listings}
          onSort={(sort) => set('sort', sort)}
          onMore={openMore}
          pointed={pointed}
          onPoint={onPoint}
        />
      );
    case 'prices':
      return <PricesView context={context} values={values} />;
    case 'neighborhoods':
      return (
        <NeighborhoodsView context={context} values={values} onChoose={(id) => set('neighborhood_id', String(id))} />
      );
    case 'trend':
      return <TrendView context={context} values={values} />;
    case 'projects':
      return <ProjectsView context={context} values={values} onAll={() => set('developer_id', '')} />;
    case 'deals':
      return <DealsView context={context} values={values} />;
  }
}

function KeyField({ value, onUse }: { value: string; onUse(key: string): void }) {
  const [typed, setTyped] = useState(value);
  const panel = useRef<HTMLDetailsElement>(null);
  return (
    <details class="key" tabIndex={-1} ref={panel} open={value === ''}>
      <summary>
        {texts.key} <code dir="ltr">{value === '' ? '—' : `${value.slice(0, 9)}…${value.slice(-4)}`}</code>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const used = typed.trim();
          if (panel.current) panel.current.open = used === '';
          onUse(used);
        }}
      >
        <input
          aria-label={texts.key}
          dir="ltr"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="main">
          {texts.key_use}
        </button>
      </form>
    </details>
  );
}

/** Shows the request of the view as a command, with its cost and the units left. */
function RequestBar({
  context,
  values,
  view,
  usage,
}: {
  context: Context;
  values: URLSearchParams;
  view: Tab;
  usage: Usage | null;
}) {
  const address = addressOf(view, context, values);
  const units = unitsOf(context, view, address);
  const command = `curl -H "Authorization: Bearer $KEY" '${address.replaceAll("'", '%27')}'`;
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <section class="request" aria-label={texts.request}>
      <p class="note">
        {texts.request}: <strong>{unitsText(context, units)}</strong>
        {usage?.leftMonth == null ? null : (
          <span>
            {' · '}
            <output>{format.number(usage.leftMonth)}</output> {texts.left_month}
          </span>
        )}
        {usage?.leftMinute == null ? null : ` · ${format.number(usage.leftMinute)} ${texts.left_minute}`}
      </p>
      <div class="code" dir="ltr">
        <pre>
          <code>{command}</code>
        </pre>
        <button type="button" onClick={copy}>
          {copied ? texts.copied : texts.copy}
        </button>
      </div>
    </section>
  );
}

interface MapPanelProps {
  context: Context;
  search: Search;
  /** Whether the neighborhoods of the city are loaded, and their boundaries, unless they cannot be loaded. */
  hasNeighborhoods: boolean;
  /** Whether the counts of the neighborhoods are loaded, or cannot be loaded. */
  hasCounts: boolean;
  handle: { current: MapView | null };
  onPoint(id: number | null): void;
  change(changes: Changes, beside?: Partial<Search>): void;
  /** Stores the position of the map in the URL. */
  keepPosition(position: string): void;
}

/** Shows the listings of the search on the map, which is loaded last, when there is data to show. */
function MapPanel(props: MapPanelProps) {
  const { context, search, hasNeighborhoods, hasCounts, handle, onPoint, change, keepPosition } = props;
  const { api, neighborhoods, boundaries, nameOf, countOf } = context;
  const { values } = search;
  const box = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLSpanElement>(null);
  const [map, setMap] = useState<MapView | null>(null);
  const [failed, setFailed] = useState(false);
  const [view, setView] = useState<View | null>(null);
  const [moved, setMoved] = useState('');
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const bbox = values.get('bbox');
  const target = useMemo(() => targetOf(search), [search]);
  // The map moves to a new place before its listings are requested.
  const isThere = hasNeighborhoods && view?.targetKey === target.key;
  const part = isThere ? searchedPart(view.box, readBox(bbox)) : null;
  const address = part ? api.address('mapListings', mapValues(values, part, (view as View).zoom)) : null;
  const loaded = useResponse<{ data: MapData }>(api, address);
  const query = api.address('mapListings', values);
  const drawn = useRef('');

  useEffect(() => {
    const { files } = data;
    if (!hasNeighborhoods || map || failed || !box.current || !files.map || !files.worker || !files.land) return;
    const element = box.current;
    let current = true;
    (async () => {
      if (files.mapStyles) addStyles(files.mapStyles);
      const { openMap } = (await import(/* @vite-ignore */ files.map as string)) as typeof import('./map.ts');
      const opened = await openMap({
        element,
        worker: files.worker as string,
        land: files.land as string,
        words: MAP_WORDS,
        pathOf: (id) => `${data.language === 'ar' ? '/ar' : ''}/listings/${id}`,
        onView: setView,
        onMove: (position) => {
          setMoved(position);
          keepPosition(position);
        },
        onPoint,
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
  }, [hasNeighborhoods]);

  // Whether the map can move to the target. A whole city is shown by the places of its listings.
  const isCity = !target.position && target.rings.length === 0 && !values.has('neighborhood_id');
  const canMove = hasNeighborhoods && (!isCity || hasCounts);
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
    // While the map moves, the listings of the same search remain visible.
    if (!loaded.answer && drawn.current === query) return;
    drawn.current = query;
    map?.showListings(loaded.answer?.body.data ?? null);
  }, [map, loaded.answer, query]);

  // Outside of the country, and of the box of the search, there is nothing to load.
  const total = isThere && !part ? 0 : loaded.answer?.body.data.total;
  return (
    <section class="map-panel" tabIndex={-1} aria-label={texts.map}>
      <button type="button" class="skip" onClick={() => after.current?.focus()}>
        {texts.skip_map}
      </button>
      <div class="map-box" ref={box} dir="ltr" />
      {failed ? <p class="note">{texts.map_off}</p> : null}
      {map ? (
        <p class="map-note" role="status">
          {loaded.error?.message ??
            (total === undefined
              ? texts.loading
              : `${format.count(texts.in_view, total)}. ${texts.legend} ${texts.unplaced}`)}
        </p>
      ) : null}
      {map && drawing ? <DrawingActions pen={map.pen} drawing={drawing} /> : null}
      {map && !drawing && !api.isDemo ? (
        <div class="map-actions">
          <button type="button" onClick={map.pen.start}>
            {texts.draw}
          </button>
          {part && view?.position === moved ? (
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
          {values.has('near') ? <Radius values={values} change={change} /> : null}
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

/** Instructions and buttons while the visitor draws a polygon. */
function DrawingActions({ pen, drawing: { corners, fault } }: { pen: MapView['pen']; drawing: Drawing }) {
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

function Radius({ values, change }: Pick<MapPanelProps, 'change'> & { values: URLSearchParams }) {
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

/** Texts of the map, which is a separate script. */
const MAP_WORDS: Parameters<typeof import('./map.ts')['openMap']>[0]['words'] = {
  controls: {
    'Map.Title': texts.map,
    'NavigationControl.ZoomIn': texts.zoom_in,
    'NavigationControl.ZoomOut': texts.zoom_out,
    'Popup.Close': texts.close,
    'CooperativeGesturesHandler.MobileHelpText': texts.two_fingers,
  },
  number: format.number,
  price: (value) => (value === null ? '–' : format.compact(value)),
  cluster: (count, median) =>
    [
      format.count(texts.listings, count),
      ...(median === null ? [] : [`${texts.cluster_median} ${format.sar(median)}`]),
    ].join(data.language === 'ar' ? '، ' : ', '),
  pin: (id, price) => `${format.compact(price)}, ${texts.listing} ${id}`,
};

/** Returns the place that a search is about, for the map. */
function targetOf({ values, map }: Search): Target {
  const places = ['city', 'neighborhood_id', 'bbox', 'near', 'radius_m', 'polygon'];
  const key = places.map((name) => values.get(name)).join('|');
  const neighborhoods = (values.get('neighborhood_id') ?? '').split(',').map(Number);
  return { key, position: readMapPosition(map), rings: ringsOf(values), neighborhoods };
}

/** Formats a box for the API. Coordinates are rounded to about ten meters. */
const boxText = (box: Box): string => box.map((each) => each.toFixed(4)).join();

/** Returns the search for a part of the map. */
function mapValues(values: URLSearchParams, part: Box, zoom: number): URLSearchParams {
  const all = new URLSearchParams(values);
  all.set('bbox', boxText(part));
  all.set('zoom', String(zoom));
  return all;
}

function addStyles(href: string): void {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
}

const root = document.querySelector('#explorer');
if (root) {
  keepScroll();
  keepFocus(root);
  root.replaceChildren();
  render(<Explorer />, root);
}
