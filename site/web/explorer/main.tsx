import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { boxAt, readMapPosition, readPosition, searchedPart } from '#site/server/explorer-place.ts';
import type { FacetCounts, KeyLimits } from '#src/site-data/responses.ts';
import { keepKey } from '../key.ts';
import { type Loaded, session, useData, useRows } from './api.ts';
import { type Boundaries, type Context, type Enums, ExplorerContext } from './context.ts';
import { Failed } from './failed.tsx';
import { Filters } from './filters.tsx';
import { keepFocus } from './focus.ts';
import type { MapView, View as VisiblePart } from './map.ts';
import { useMapRequest } from './map-content.ts';
import { MapPanel } from './map-panel.tsx';
import { addressOf, data, format, known, nameOf, pathOf, texts } from './page.ts';
import { keepScroll, recordScroll } from './scroll.ts';
import { SearchBox, Understood } from './search-box.tsx';
import { hasShape, readSearch, type Search, VIEWS, type View, withChanges, withValues, writeSearch } from './state.ts';
import { addressOfView, Bones, costOf, isComplete, operationOf, Results } from './views.tsx';

const TITLE = document.title;
const ALWAYS: readonly string[] = ['city', 'listing_type'];
/** Has a stable identity, so that dependent values are not recomputed. */
const NONE: readonly never[] = [];

function useSearch() {
  const [search, setSearch] = useState<Search>(() => readSearch(location.search));
  const [pages, setPages] = useState(() => readPosition(history.state).pages);
  // Event handlers change the latest search, not that of the last rendering.
  const current = useRef(search);
  const acts = useMemo(() => {
    const show = (to: Search, open: number): void => {
      current.current = to;
      setSearch(to);
      setPages(open);
    };
    const latest = () => current.current;
    const go = (to: Search): void => {
      recordScroll();
      history.pushState({ pages: 1, y: scrollY }, '', writeSearch(to));
      show(to, 1);
    };
    const replace = (changes: Partial<Search>): void => {
      current.current = { ...latest(), ...changes };
      setSearch(latest());
      history.replaceState(history.state, '', writeSearch(latest()));
    };
    const open = (count: number): void => {
      history.replaceState({ ...readPosition(history.state), pages: count }, '');
      setPages(count);
    };
    return {
      show,
      latest,
      go,
      change: ((changes, beside) => go({ ...withChanges(latest(), changes), ...beside })) as Context['change'],
      keepPosition(map: string) {
        const before = latest();
        if (!before.follows || hasShape(before.values)) return replace({ map });
        // Consecutive movements of the map are one history entry.
        if (before.map === '') return go({ ...before, map });
        replace({ map });
        open(1);
      },
      select: (id: number | null) => replace({ selected: id === null ? '' : String(id) }),
      openMore: () => open(readPosition(history.state).pages + 1),
    };
  }, []);
  useEffect(() => {
    const back = ({ state }: PopStateEvent) => acts.show(readSearch(location.search), readPosition(state).pages);
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  return { search, pages, ...acts };
}

function Explorer() {
  const [key, setKey] = useState(session.key);
  const { search, pages, latest, go, change, keepPosition, select, openMore } = useSearch();

  const { values, view } = search;
  const city = values.get('city');

  // The list shows the part of the map in the URL, even before the map is loaded.
  const mapBox = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<readonly [number, number] | null>(null);
  const [visible, setVisible] = useState<VisiblePart | null>(null);
  useLayoutEffect(() => setSize([mapBox.current?.clientWidth ?? 0, mapBox.current?.clientHeight ?? 0]), []);
  const position = readMapPosition(search.map);
  const isFollowing = search.follows && position !== null && !hasShape(values) && size?.[0] !== 0;
  const box = visible?.position === search.map ? visible.box : position && size && boxAt(position, size);
  const part = isFollowing && box ? searchedPart(box, null) : null;
  /** Null while the size of the map is unknown, and if the map shows no part of the country. */
  const listed = isFollowing ? part && withValues(values, { bbox: part.join() }) : values;

  const inCity = (operationId: string, more = {}) => (city === null ? null : addressOf(operationId, more, { city }));
  const cityList = useData<City[]>(addressOf('listCities'));
  const enumList = useData<Enums>(addressOf('listEnums'));
  const neighborhoods = useData<Neighborhood[]>(inCity('listNeighborhoods'));
  const cities = cityList.data ?? NONE;
  const enums = enumList.data;
  const boundaries = useData<Boundaries>(inCity('listBoundaries', { simplified: 'true' }));
  // The count of a value ignores the chosen values of its filter.
  const counting = { fields: data.counted.join(), exclude_own: 'true' };
  const isCounted = city !== null && listed;
  const facets = useData<FacetCounts>(isCounted ? addressOf('listFacets', withValues(listed, counting)) : null);
  const limits = useData<KeyLimits>(key !== '' ? addressOf('getLimits') : null);
  const context: Context = {
    search,
    latest,
    go,
    change,
    cities,
    neighborhoods: neighborhoods.data ?? NONE,
    boundaries: boundaries.data?.features ?? NONE,
    enums,
    labelOf: (enumeration, value) => nameOf(enums?.names[enumeration]?.[value] ?? { name_en: value, name_ar: null }),
    cityNameOf: (slug) => nameOf(cities.find((each) => each.slug === slug) ?? { name_en: slug, name_ar: null }),
    total: facets.data?.total ?? null,
    prices: facets.data?.facets.find(({ field }) => field === 'price')?.ranges ?? NONE,
    countOf: (filter, value) => {
      const counted = facets.data?.facets.find(({ field }) => field === filter);
      // Listings match only with all chosen amenities.
      if (!counted || (filter === 'amenities' && values.has(filter))) return null;
      return counted.values.find((each) => each.value === value)?.count ?? 0;
    },
  };

  const offer = values.get('listing_type');
  useEffect(() => {
    const named = [
      search.sentence || (city === null ? texts.every_city : context.cityNameOf(city)),
      search.sentence === '' && offer !== null ? context.labelOf('listing_types', offer) : null,
      view === 'listings' ? null : texts[`view_${view}`],
    ];
    document.title = `${format.list(known(named))} · ${TITLE}`;
  }, [search.sentence, city, offer, view, cities, enums]);

  const map = useRef<MapView | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const hasListings = view === 'listings' && city !== null && listed;
  const loaded = useRows<Listing>(hasListings ? addressOfView('listings', listed) : null, pages);
  const isOutside = isFollowing && box !== null && !part;
  const listings = isOutside ? { ...loaded, more: false } : loaded;
  const access = accessTo(view, limits);
  const hasProjects = view === 'projects' && listed && access === 'full';
  const projects = useRows<Project>(hasProjects ? addressOfView('projects', listed) : null, pages);
  const request = useMapRequest(context, visible, {
    isReady: city === null || (neighborhoods.data !== null && !boundaries.loading),
    placeError: neighborhoods.error,
    hasAccess: access === 'full',
    isFollowing,
    projects,
  });
  const [isFiltering, setFiltering] = useState(false);
  const openFilters = useRef<HTMLButtonElement>(null);
  const active = data.filters.filter(({ name, hasField }) => hasField && values.has(name) && !ALWAYS.includes(name));
  const results = useRef<HTMLDivElement>(null);
  const shown = listed ?? values;
  const sharedError = cityList.error ?? enumList.error ?? neighborhoods.error;

  return (
    <ExplorerContext value={context}>
      <div class={isFiltering ? 'explorer filtering' : 'explorer'}>
        <button type="button" class="skip" onClick={() => results.current?.focus()}>
          {texts.skip_results}
        </button>
        <button type="button" class="skip" onClick={() => mapBox.current?.closest<HTMLElement>('.map-panel')?.focus()}>
          {texts.skip_to_map}
        </button>
        <SearchBox />
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
            session.key = given;
            setKey(given);
          }}
        />
        <Filters
          failure={listings.error ?? facets.error}
          close={() => {
            setFiltering(false);
            openFilters.current?.focus();
          }}
        />
        <div class="results" ref={results} tabIndex={-1}>
          <Handle sheet={results} />
          {search.sentence === '' ? null : <Understood />}
          {sharedError && !listings.error ? <Failed error={sharedError} /> : null}
          <Tabs view={view} limits={limits} onChoose={(each) => go({ ...latest(), view: each, selected: '' })} />
          {access === 'full' && (city !== null || view === 'projects') ? <Ignored view={view} values={values} /> : null}
          {access === 'none' ? (
            <Locked view={view} plan={limits.data?.plan ?? null} />
          ) : access === 'unknown' ? (
            <Bones of="statistics" />
          ) : (
            <Results
              view={view}
              values={shown}
              isFollowing={isFollowing}
              listings={listings}
              projects={projects}
              pointed={pointed}
              onPoint={(placed) => map.current?.point(placed)}
              onSelect={(id) => {
                // On a phone, the list covers the map until the page is at the top.
                if (matchMedia('(max-width: 44rem)').matches) scrollTo({ top: 0 });
                else mapBox.current?.scrollIntoView({ block: 'nearest' });
                select(id);
              }}
              onMore={openMore}
            />
          )}
          {(city === null && view !== 'projects') || !isComplete(view, shown) ? null : (
            <RequestBar values={shown} view={view} />
          )}
        </div>
        <MapPanel
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
          keepPosition={keepPosition}
        />
      </div>
    </ExplorerContext>
  );
}

function Tabs({ view, limits, onChoose }: { view: View; limits: Loaded<KeyLimits>; onChoose(view: View): void }) {
  const tabs = useRef<HTMLUListElement>(null);
  // On a phone, the tabs are one line. `scrollIntoView` would scroll the page as well.
  useEffect(() => {
    const start = tabs.current?.querySelector('[aria-pressed=true]')?.getBoundingClientRect().left ?? 0;
    tabs.current?.scrollBy({ left: start - tabs.current.getBoundingClientRect().left - 16 });
  }, [view]);
  return (
    <ul class="tabs" ref={tabs} aria-label={texts.views}>
      {VIEWS.map((each) => {
        const needs = accessTo(each, limits) === 'none' ? planOf(each) : null;
        return (
          <li key={each}>
            <button
              type="button"
              class={needs === null ? undefined : 'needs'}
              aria-pressed={each === view}
              onClick={() => onChoose(each)}
            >
              {texts[`view_${each}`]}
              {needs === null ? null : <small> {needs}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** On a phone, the list is a sheet above the map. The button pulls it up or down. */
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

/** Unknown until the limits of the key are loaded. */
type Access = 'full' | 'none' | 'unknown';

function accessTo(view: View, { data: limits, loading }: Loaded<KeyLimits>): Access {
  const { scope = null, isFree } = operationOf(view) ?? {};
  if (isFree) return 'full';
  if (session.key === '') return 'none';
  if (!limits) return loading ? 'unknown' : 'full';
  return scope === null || limits.apis.includes(scope) ? 'full' : 'none';
}

const planOf = (view: View): string | null => operationOf(view)?.plan ?? null;

/** Replaces a request that the API would refuse. */
const Locked = ({ view, plan }: { view: View; plan: string | null }) => (
  <div class="locked" role="status">
    <h2>{texts[`view_${view}`]}</h2>
    <p>{(session.key === '' ? texts.view_needs_key : texts.view_needs_plan).replace('{plan}', planOf(view) ?? '')}</p>
    {plan === null ? null : (
      <p class="note">
        {texts.your_plan} <bdi>{plan}</bdi>
      </p>
    )}
    <p>
      <a class="button" href={pathOf('/pricing')}>
        {texts.compare_plans}
      </a>{' '}
      <a href={pathOf('/pricing#key')}>{texts.get_key}</a>
    </p>
  </div>
);

/** Parameters that are never listed as ignored, because statistics have no order. */
const NOT_NEEDED = ['radius_m', 'sort'];

/** Lists the filters that the view does not apply. Projects and deals are sales, and the ranking marks neighborhoods. */
function Ignored({ view, values }: { view: View; values: URLSearchParams }) {
  const { searchParams } = new URL(addressOfView(view, values), location.href);
  const needless = [...NOT_NEEDED, view === 'neighborhoods' ? 'neighborhood_id' : ''];
  if (values.get('listing_type') === 'sale') needless.push('listing_type');
  const ignored = data.filters.filter(
    ({ name }) => values.has(name) && !searchParams.has(name) && !needless.includes(name),
  );
  return ignored.length === 0 ? null : (
    <p class="note">
      {texts.ignored} {format.list(ignored.map(({ name }) => data.labels[name] ?? texts.sort))}
    </p>
  );
}

function KeyField({ value, isRefused, onUse }: { value: string; isRefused: boolean; onUse(key: string): void }) {
  const [typed, setTyped] = useState(value);
  const panel = useRef<HTMLDetailsElement>(null);
  return (
    // A negative tabindex of `details` would exclude the field from Tab.
    <div class="key" tabIndex={-1}>
      <details ref={panel} open={value === '' || isRefused}>
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
        <p class="note">
          <a href={pathOf('/pricing#key')}>{texts.get_key}</a>
        </p>
      </details>
    </div>
  );
}

function RequestBar({ values, view }: { values: URLSearchParams; view: View }) {
  const address = addressOfView(view, values);
  const url = address.replace(data.sessionUrl, data.baseUrl);
  const command = `curl -H "Authorization: Bearer $KEY" '${url.replaceAll("'", '%27')}'`;
  return (
    <section class="request" aria-label={texts.request}>
      <p class="note">
        {texts.request}: <strong>{costOf(view, address)}</strong>
      </p>
      <div class="code" dir="ltr">
        <pre>
          <code>{command}</code>
        </pre>
        <button type="button">{texts.copy}</button>
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
