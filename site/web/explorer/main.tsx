import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { boxAt, readMapPosition, searchedPart } from '#site/server/explorer-place.ts';
import type { KeyLimits } from '#src/site-data/responses.ts';
import { nextTask } from '../element.ts';
import { ActiveFilters } from './active-filters.tsx';
import { type CallFailed, keepRows, type LoadState, rememberKey, session, useRows } from './api-requests.ts';
import { type Context, ExplorerContext, useExplorer } from './context.ts';
import { Bones } from './elements.tsx';
import { Failed } from './failed.tsx';
import { Filters } from './filters.tsx';
import { keepFocus } from './focus.ts';
import type { MapView, VisiblePart } from './map.ts';
import { useMapRequest } from './map-content.ts';
import { fetchMap } from './map-files.ts';
import { MapPanel } from './map-panel.tsx';
import { data, format, labelOf, pathOf, texts } from './page-data.ts';
import { type Access, accessTo, Locked, Tabs } from './plan-access.tsx';
import { keepScroll } from './scroll.ts';
import { SearchBox, Understood } from './search-box.tsx';
import { useSearch } from './search-history.ts';
import { useSharedData } from './shared-data.ts';
import { hasShape, isOfSales, readSearch, type Search, type View, withValues } from './state.ts';
import { addressOfView, costOf, isComplete } from './view-requests.ts';
import { Results, type ResultsProps } from './views.tsx';

const TITLE = document.title;
const ALWAYS: readonly string[] = ['city', 'listing_type'];
/** The part of the map whose listings are shown: that of the URL, even before the map is loaded. */
function useVisiblePart(search: Search) {
  const { values } = search;
  const mapBox = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<readonly [number, number] | null>(null);
  const [visible, setVisible] = useState<VisiblePart | null>(null);
  const position = readMapPosition(search.map);
  useLayoutEffect(() => {
    // Measuring lays out the page.
    if (position) setSize([mapBox.current?.clientWidth ?? 0, mapBox.current?.clientHeight ?? 0]);
  }, [position === null]);
  const isFollowing = search.follows && position !== null && !hasShape(values) && size?.[0] !== 0;
  const box = visible?.position === search.map ? visible.box : position && size && boxAt(position, size);
  const part = isFollowing && box ? searchedPart(box, null) : null;
  /** Null while the size of the map is unknown, and if the map shows no part of the country. */
  const listed = isFollowing ? part && withValues(values, { bbox: part.join() }) : values;
  const isOutside = isFollowing && box !== null && !part;
  return { mapBox, visible, setVisible, isFollowing, isOutside, listed };
}

function useTitle({ search, cities, cityNameOf }: Context): void {
  const { sentence, values, view } = search;
  const city = values.get('city');
  const offer = values.get('listing_type');
  useEffect(() => {
    const named = [
      sentence || (city === null ? texts.every_city : cityNameOf(city)),
      sentence === '' && offer !== null ? labelOf('listing_types', offer) : null,
      view === 'listings' ? null : texts[`view_${view}`],
    ];
    document.title = `${format.list(named)} · ${TITLE}`;
  }, [sentence, city, offer, view, cities]);
}

function Explorer() {
  const [key, setKey] = useState(session.key);
  const history = useSearch();
  const { search, pages, select } = history;
  const { values, view } = search;
  const city = values.get('city');
  const { mapBox, visible, setVisible, isFollowing, isOutside, listed } = useVisiblePart(search);
  const { context, places, facets, limits, error } = useSharedData(history, listed, key);
  useTitle(context);
  const map = useRef<MapView | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const hasListings = view === 'listings' && city !== null && listed;
  const loaded = useRows<Listing>(hasListings ? addressOfView('listings', listed) : null, pages);
  const listings = isOutside ? { ...loaded, more: false } : loaded;
  const access = accessTo(view, limits);
  const hasProjects = view === 'projects' && listed && access === 'full';
  const projects = useRows<Project>(hasProjects ? addressOfView('projects', listed) : null, pages);
  const request = useMapRequest(context, visible, {
    isReady: places.isReady,
    placeError: places.error,
    hasAccess: access === 'full',
    isFollowing,
    projects,
  });
  const [isFiltering, setFiltering] = useState(false);
  const results = useRef<HTMLDivElement>(null);

  return (
    <ExplorerContext value={context}>
      <div class={isFiltering ? 'explorer filtering' : 'explorer'}>
        <SkipLinks results={results} mapBox={mapBox} />
        <SearchBox />
        <FilterPanel
          isOpen={isFiltering}
          setOpen={setFiltering}
          apiKey={key}
          isRefused={limits.error?.status === 401}
          failure={listings.error ?? facets.error}
          onKey={(given) => {
            rememberKey(given);
            setKey(given);
          }}
        />
        <ResultsPanel
          panel={results}
          access={access}
          limits={limits}
          sharedError={listings.error ? null : error}
          view={view}
          values={listed ?? values}
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
        />
        <MapPanel
          request={request}
          listings={listings.rows}
          projects={projects.rows}
          box={mapBox}
          visible={visible}
          hasCounts={!facets.loading}
          hasResults={hasListings ? !listings.loading : true}
          handle={map}
          onView={setVisible}
          onPoint={setPointed}
        />
      </div>
    </ExplorerContext>
  );
}

const SkipLinks = ({ results, mapBox }: Record<'results' | 'mapBox', { readonly current: HTMLElement | null }>) => (
  <>
    <button type="button" class="skip" onClick={() => results.current?.focus()}>
      {texts.skip_results}
    </button>
    <button type="button" class="skip" onClick={() => mapBox.current?.closest<HTMLElement>('.map-panel')?.focus()}>
      {texts.skip_to_map}
    </button>
  </>
);

/** Screens on which the filters are always shown. On others, rendering them would be a quarter of the longest task. */
const WIDE = matchMedia('(min-width: 70.01rem)');

function useWide(): boolean {
  const [isWide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const change = () => setWide(WIDE.matches);
    WIDE.addEventListener('change', change);
    return () => WIDE.removeEventListener('change', change);
  }, []);
  return isWide;
}

interface FilterPanelProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  apiKey: string;
  isRefused: boolean;
  failure: CallFailed | null;
  onKey(key: string): void;
}

/** On a phone, a button opens the filters and the field for the key. */
function FilterPanel({ isOpen, setOpen, apiKey, isRefused, failure, onKey }: FilterPanelProps) {
  const { values } = useExplorer().search;
  const button = useRef<HTMLButtonElement>(null);
  // Once rendered, the form keeps what was typed.
  const isRendered = useRef(false);
  const isWide = useWide();
  isRendered.current ||= isWide || isOpen;
  const active = data.filters.filter(({ name, hasField }) => hasField && values.has(name) && !ALWAYS.includes(name));
  return (
    <>
      <button type="button" class="open-filters" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.filters_and_key}
        {active.length > 0 ? ` (${active.length})` : ''}
      </button>
      <KeyField value={apiKey} isRefused={isRefused} onUse={onKey} />
      {isRendered.current ? (
        <Filters
          failure={failure}
          close={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}

interface ResultsPanelProps extends ResultsProps {
  panel: { readonly current: HTMLDivElement | null };
  access: Access;
  limits: LoadState<KeyLimits>;
  sharedError: CallFailed | null;
}

function ResultsPanel({ panel, access, limits, sharedError, ...results }: ResultsPanelProps) {
  const { search, latest, go } = useExplorer();
  const { view, values } = results;
  const hasCity = search.values.has('city');
  return (
    <div class="results" ref={panel} tabIndex={-1}>
      <Handle sheet={panel} />
      <ActiveFilters />
      {search.sentence === '' ? null : <Understood />}
      {sharedError ? <Failed error={sharedError} /> : null}
      <Tabs view={view} limits={limits} onChoose={(each) => go({ ...latest(), view: each, selected: '' })} />
      {access === 'full' && (hasCity || view === 'projects') ? <Ignored view={view} values={search.values} /> : null}
      {access === 'none' ? (
        <Locked view={view} plan={limits.data?.plan ?? null} />
      ) : access === 'unknown' ? (
        <Bones of="statistics" />
      ) : (
        <Results {...results} />
      )}
      {(!hasCity && view !== 'projects') || !isComplete(view, values) ? null : (
        <RequestBar values={values} view={view} />
      )}
    </div>
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

/** Parameters that are never listed as ignored, because statistics have no order. */
const NOT_NEEDED = ['radius_m', 'sort'];

/** Lists the filters that the view does not apply. The form shows that of sales, and the ranking marks neighborhoods. */
function Ignored({ view, values }: { view: View; values: URLSearchParams }) {
  const { searchParams } = new URL(addressOfView(view, values), location.href);
  const needless = [...NOT_NEEDED, view === 'neighborhoods' ? 'neighborhood_id' : ''];
  if (isOfSales(view)) needless.push('listing_type');
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
  if (data.first) {
    keepRows(addressOfView('listings', readSearch(location.search).values), data.first);
    fetchMap();
  }
  await nextTask();
  keepScroll();
  keepFocus(root);
  root.replaceChildren();
  render(<Explorer />, root);
}
