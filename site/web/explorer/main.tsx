import { render } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '#site/explorer-data.ts';
import { boxAt, readMapPosition, readPosition, searchedPart } from '#site/explorer-place.ts';
import { formatter } from '#site/format.ts';
import { keepKey, readKey } from '../key.ts';
import { pageData } from '../page-data.ts';
import { Api, type Usage } from './api.ts';
import type { Context } from './context.ts';
import { Filters } from './filters.tsx';
import { keepFocus } from './focus.ts';
import type { MapView, View as VisiblePart } from './map.ts';
import { boxText, type MapRequest, useMapRequest } from './map-content.ts';
import { MapPanel } from './map-panel.tsx';
import type { Boundaries, City, Enums, Facets, Limits, Listing, Named, Neighborhood, Project } from './responses.ts';
import { keepScroll, recordScroll } from './scroll.ts';
import { SearchBox, Understood } from './search-box.tsx';
import {
  type Changes,
  hasShape,
  readSearch,
  type Search,
  type View as Tab,
  VIEWS,
  withChanges,
  writeSearch,
} from './state.ts';
import { type Loaded, type LoadedRows, useKept, useResponse, useRows } from './use.ts';
import {
  addressOf,
  Bones,
  CitiesView,
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
  withValues,
} from './views.tsx';

const data = pageData<ExplorerData>();
const format = formatter(data.language);
const { texts } = data;
/** An empty list with a stable identity, so that dependent values are not recomputed. */
const NONE: readonly never[] = [];
/** Filters that every search has. */
const ALWAYS: readonly string[] = ['city', 'listing_type'];

function Explorer() {
  const [key, setKey] = useState(() => readKey(data.key));
  const api = useMemo(() => new Api(data, key), [key]);
  const [search, setSearch] = useState<Search>(() => readSearch(location.search, data));
  const [pages, setPages] = useState(() => readPosition(history.state).pages);
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    setUsage(null);
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
  /** Changes the search without a new history entry. */
  const replace = useCallback((changes: Partial<Search>) => {
    latest.current = { ...latest.current, ...changes };
    setSearch(latest.current);
    history.replaceState(history.state, '', writeSearch(latest.current));
  }, []);
  const keepPosition = useCallback((map: string) => {
    const before = latest.current;
    if (!before.follows || hasShape(before.values)) return replace({ map });
    // Consecutive movements of the map are one history entry, so Back returns to the search before the first one.
    if (before.map === '') return go({ ...before, map });
    replace({ map });
    history.replaceState({ ...readPosition(history.state), pages: 1 }, '');
    setPages(1);
  }, []);
  const select = useCallback((id: number | null) => replace({ selected: id === null ? '' : String(id) }), []);
  const set = useCallback((name: string, value: string) => change({ [name]: value }), []);
  const openMore = useCallback(() => {
    const position = readPosition(history.state);
    const open = position.pages + 1;
    history.replaceState({ ...position, pages: open }, '');
    setPages(open);
  }, []);

  const { values, view } = search;
  const city = values.get('city');

  // The list shows the part of the map in the URL, even before the map is loaded.
  const mapBox = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<readonly [number, number] | null>(null);
  const [visible, setVisible] = useState<VisiblePart | null>(null);
  useLayoutEffect(() => setSize([mapBox.current?.clientWidth ?? 0, mapBox.current?.clientHeight ?? 0]), []);
  const position = readMapPosition(search.map);
  const isFollowing = !api.isDemo && search.follows && position !== null && !hasShape(values) && size?.[0] !== 0;
  const box = visible?.position === search.map ? visible.box : position && size && boxAt(position, size);
  const part = isFollowing && box ? searchedPart(box, null) : null;
  /** Filters of the list. Null while the size of the map is unknown, and if the map shows no part of the country. */
  const listed = isFollowing ? part && withValues(values, { bbox: boxText(part) }) : values;

  const none = new URLSearchParams();
  const useNames = <Body,>(address: string | null): Body | null => useKept(useResponse<Body>(api, address), address);
  const cities = useNames<{ data: City[] }>(api.address('listCities', none));
  const enums = useNames<{ data: Enums }>(api.address('listEnums', none));
  const neighborhoods = useNames<{ data: Neighborhood[] }>(
    city === null ? null : api.address('listNeighborhoods', none, { city }),
  );
  const simplified = new URLSearchParams({ simplified: 'true' });
  const boundaries = useResponse<Boundaries>(
    api,
    city === null ? null : api.address('listBoundaries', simplified, { city }),
  );
  const facets = useResponse<Facets>(api, city === null || !listed ? null : facetsAddress(api, listed));
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
    cities: cities?.data ?? NONE,
    neighborhoods: neighborhoods?.data ?? NONE,
    boundaries: boundaries.answer?.body.data.features ?? NONE,
    enums: enums?.data ?? null,
    total: facets.answer?.body.data.total ?? null,
    prices: facets.answer?.body.data.facets.find(({ field }) => field === 'price')?.ranges ?? NONE,
    countOf: (filter, value) => {
      // Listings match only with all chosen amenities, so counts of single amenities do not apply.
      const counted = filter === 'amenities' && values.has(filter) ? undefined : counts.get(filter);
      return counted ? (counted.get(value) ?? 0) : null;
    },
  };

  // List and map emphasize the same listing.
  const map = useRef<MapView | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const address = view === 'listings' && city !== null && listed ? addressOf('listings', context, listed) : null;
  const loaded = useRows<Listing>(api, address, pages);
  const isOutside = isFollowing && box !== null && !part;
  const listings = isOutside ? { ...loaded, more: false } : loaded;
  const access = (each: Tab): Access => accessTo(each, api, limits);
  const hasProjects = view === 'projects' && listed && access(view) === 'full';
  const projects = useRows<Project>(api, hasProjects ? addressOf('projects', context, listed) : null, pages);
  const request = useMapRequest(context, search, visible, {
    isReady: city === null || (neighborhoods !== null && !boundaries.loading),
    hasAccess: access(view) === 'full',
    isFollowing,
    projects,
  });
  const failure = listings.error ?? facets.error;
  const [isFiltering, setFiltering] = useState(false);
  const openFilters = useRef<HTMLButtonElement>(null);
  const active = data.filters.filter(({ name, hasField }) => hasField && values.has(name) && !ALWAYS.includes(name));
  const results = useRef<HTMLDivElement>(null);
  const tabs = useRef<HTMLUListElement>(null);
  // On a phone, the tabs are one line. `scrollIntoView` would scroll the page as well.
  useEffect(() => {
    const showChosen = (): void => {
      const start = tabs.current?.querySelector('[aria-pressed=true]')?.getBoundingClientRect().left ?? 0;
      tabs.current?.scrollBy({ left: start - tabs.current.getBoundingClientRect().left - 16 });
    };
    showChosen();
    // The typeface changes the widths.
    document.fonts.addEventListener('loadingdone', showChosen);
    return () => document.fonts.removeEventListener('loadingdone', showChosen);
  }, [view]);

  return (
    <div class={isFiltering ? 'explorer filtering' : 'explorer'}>
      <SearchBox context={context} search={search} latest={() => latest.current} go={go} />
      <button
        type="button"
        class="open-filters"
        ref={openFilters}
        aria-expanded={isFiltering}
        onClick={() => setFiltering((before) => !before)}
      >
        {texts.filters_and_key}
        {active.length > 0 ? ` (${active.length})` : ''}
      </button>
      <KeyField
        value={key}
        isRefused={limits.error?.status === 401}
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
        close={() => {
          setFiltering(false);
          openFilters.current?.focus();
        }}
      />
      <div class="results" ref={results} tabIndex={-1}>
        <Handle sheet={results} />
        {search.sentence === '' ? null : (
          <Understood context={context} search={search} latest={() => latest.current} go={go} />
        )}
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
                  onClick={() => go({ ...latest.current, view: each, selected: '' })}
                >
                  {texts[`view_${each}`]}
                  {needs === null ? null : <small class={api.isDemo ? 'visually-hidden' : undefined}> {needs}</small>}
                </button>
              </li>
            );
          })}
        </ul>
        {access(view) === 'full' && !api.isDemo && (city !== null || view === 'projects') ? (
          <Ignored text={texts.ignored} values={values} isApplied={isAppliedBy(view, context, values)} />
        ) : null}
        {access(view) === 'none' ? (
          <Locked view={view} api={api} plan={limits.answer?.body.data.plan ?? null} />
        ) : access(view) === 'unknown' ? (
          <Bones context={context} of="statistics" />
        ) : (
          <Results
            context={context}
            values={listed ?? values}
            view={view}
            listings={listings}
            projects={projects}
            isFollowing={isFollowing}
            pointed={pointed}
            selected={search.selected}
            onPoint={(placed) => map.current?.point(placed)}
            onSelect={(id) => {
              // On a phone, the list covers the map until the page is at the top.
              if (matchMedia('(max-width: 44rem)').matches) scrollTo({ top: 0 });
              else mapBox.current?.scrollIntoView({ block: 'nearest' });
              select(id);
            }}
            openMore={openMore}
            set={set}
            request={request}
          />
        )}
        {city === null && view !== 'projects' ? null : (
          <RequestBar context={context} values={listed ?? values} view={view} usage={usage} />
        )}
      </div>
      <MapPanel
        context={context}
        search={search}
        request={request}
        listings={listings.rows}
        projects={projects.rows}
        box={mapBox}
        visible={visible}
        hasCounts={!facets.loading}
        handle={map}
        onView={setVisible}
        onPoint={setPointed}
        onSelect={select}
        onFollow={(follows) => go({ ...latest.current, follows })}
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

/** Returns the lowest plan that includes a view, or in the demo a text about keys. Null if all plans do. */
const planOf = (view: Tab, api: Api): string | null =>
  api.isDemo ? texts.with_key : (data.operations[OPERATIONS[view]]?.plan ?? null);

/** Shows which plan a view needs, in place of a request that the API would refuse. */
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

/** Shows that the results are a demo, and which filters of the URL the demo ignores. */
function DemoNotice({ values }: { values: URLSearchParams }) {
  return (
    <div class="demo" role="note">
      <p>
        <strong>{texts.demo}</strong> {texts.demo_text}
      </p>
      <Ignored text={texts.demo_ignored} values={values} isApplied={(name) => data.demoFilters.includes(name)} />
    </div>
  );
}

interface IgnoredProps {
  text: string;
  values: URLSearchParams;
  isApplied(name: string): boolean;
}

/** Lists the filters that do not apply to the results. */
function Ignored({ text, values, isApplied }: IgnoredProps) {
  const ignored = data.filters.flatMap(({ name }) =>
    values.has(name) && !isApplied(name) ? [data.labels[name] ?? texts.sort] : [],
  );
  if (ignored.length === 0) return null;
  return (
    <p class="note">
      {text} {format.list(ignored)}
    </p>
  );
}

/** Parameters that are never listed as ignored: projects and deals are sales, and statistics have no order. */
const NOT_NEEDED = ['listing_type', 'radius_m', 'sort'];

/** Returns a predicate for filters that are not listed as ignored. The list of neighborhoods marks the chosen ones. */
function isAppliedBy(view: Tab, context: Context, values: URLSearchParams): (name: string) => boolean {
  const { searchParams } = new URL(addressOf(view, context, values), location.href);
  return (name) =>
    searchParams.has(name) || NOT_NEEDED.includes(name) || (view === 'neighborhoods' && name === 'neighborhood_id');
}

/** Returns the URL of the counts in the filters. The count of a value ignores the chosen values of its filter. */
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
  listings: LoadedRows<Listing>;
  projects: LoadedRows<Project>;
  isFollowing: boolean;
  pointed: number | null;
  selected: string;
  onPoint: ListingsViewProps['onPoint'];
  onSelect: ListingsViewProps['onSelect'];
  openMore(): void;
  request: MapRequest;
}

function Results(props: ResultsProps) {
  const { context, values, view, listings, isFollowing, pointed, selected, onPoint, onSelect, openMore, set } = props;
  if (!values.has('city') && view !== 'projects')
    return <CitiesView context={context} view={view} request={props.request} onChoose={(city) => set('city', city)} />;
  switch (view) {
    case 'listings':
      return (
        <ListingsView
          context={context}
          values={values}
          listings={listings}
          onSort={(sort) => set('sort', sort)}
          onMore={openMore}
          isFollowing={isFollowing}
          pointed={pointed}
          selected={selected}
          onPoint={onPoint}
          onSelect={onSelect}
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
      return (
        <ProjectsView
          context={context}
          values={values}
          projects={props.projects}
          onMore={openMore}
          pointed={pointed}
          selected={selected}
          onPoint={onPoint}
          onSelect={onSelect}
          onAll={() => set('developer_id', '')}
        />
      );
    case 'deals':
      return <DealsView context={context} values={values} />;
  }
}

function KeyField({ value, isRefused, onUse }: { value: string; isRefused: boolean; onUse(key: string): void }) {
  const [typed, setTyped] = useState(value);
  const panel = useRef<HTMLDetailsElement>(null);
  return (
    <details class="key" tabIndex={-1} ref={panel} open={value === '' || isRefused}>
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

const root = document.querySelector('#explorer');
if (root) {
  keepScroll();
  keepFocus(root);
  root.replaceChildren();
  render(<Explorer />, root);
}
