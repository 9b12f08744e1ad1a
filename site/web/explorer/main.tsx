import { render } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '#site/explorer-data.ts';
import { boxAt, readMapPosition, readPosition, searchedPart } from '#site/explorer-place.ts';
import { formatter } from '#site/format.ts';
import { keepKey, readKey } from '../key.ts';
import { pageData } from '../page-data.ts';
import { Api, type Usage } from './api.ts';
import type { Context } from './context.ts';
import { COUNTED, Filters } from './filters.tsx';
import type { MapView, View as VisiblePart } from './map.ts';
import { boxText, type MapRequest, useMapRequest } from './map-content.ts';
import { MapPanel } from './map-panel.tsx';
import type { Boundaries, City, Enums, Facets, Named, Neighborhood } from './responses.ts';
import { keepScroll, recordScroll } from './scroll.ts';
import { SearchBox } from './search-box.tsx';
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
import { type LoadedListings, useListings, useResponse } from './use.ts';
import {
  addressOf,
  CitiesView,
  DealsView,
  ListingsView,
  type ListingsViewProps,
  NeighborhoodsView,
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
  /** Changes the search without a new history entry. */
  const replace = useCallback((changes: Partial<Search>) => {
    latest.current = { ...latest.current, ...changes };
    setSearch(latest.current);
    history.replaceState(history.state, '', writeSearch(latest.current));
  }, []);
  const keepPosition = useCallback((map: string) => {
    const before = latest.current;
    if (!before.follows || hasShape(before.values)) return replace({ map });
    // Back returns to the search before the visitor moved the map: consecutive movements are one history entry.
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

  // The list shows the part of the map that the visitor chose, also before the map is loaded.
  const mapBox = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<readonly [number, number] | null>(null);
  const [visible, setVisible] = useState<VisiblePart | null>(null);
  useLayoutEffect(() => setSize([mapBox.current?.clientWidth ?? 0, mapBox.current?.clientHeight ?? 0]), []);
  const position = readMapPosition(search.map);
  const isFollowing = search.follows && position !== null && !hasShape(values) && size?.[0] !== 0;
  const box = visible?.position === search.map ? visible.box : position && size && boxAt(position, size);
  const part = isFollowing && box ? searchedPart(box, null) : null;
  /** Filters of the list. Null while they are unknown, and if the map shows no part of the country. */
  const listed = isFollowing ? part && withValues(values, { bbox: boxText(part) }) : values;

  const none = new URLSearchParams();
  const cities = useResponse<{ data: City[] }>(api, api.address('listCities', none));
  const enums = useResponse<{ data: Enums }>(api, api.address('listEnums', none));
  const neighborhoods = useResponse<{ data: Neighborhood[] }>(
    api,
    city === null ? null : api.address('listNeighborhoods', none, { city }),
  );
  const simplified = new URLSearchParams({ simplified: 'true' });
  const boundaries = useResponse<Boundaries>(
    api,
    city === null ? null : api.address('listBoundaries', simplified, { city }),
  );
  const facets = useResponse<Facets>(api, key === '' || city === null || !listed ? null : facetsAddress(api, listed));
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
    countOf: (filter, value) => {
      // Listings need all chosen amenities, so the counts of single ones do not add up.
      const counted = filter === 'amenities' && values.has(filter) ? undefined : counts.get(filter);
      return counted ? (counted.get(value) ?? 0) : null;
    },
  };

  // List and map emphasize the same listing.
  const map = useRef<MapView | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const address =
    key !== '' && view === 'listings' && city !== null && listed ? addressOf('listings', context, listed) : null;
  const loaded = useListings(api, address, pages);
  const isOutside = isFollowing && box !== null && !part;
  const listings = isOutside ? { ...loaded, more: false } : loaded;
  const request = useMapRequest(context, search, visible, {
    isReady: key !== '' && (city === null || (neighborhoods.answer !== null && !boundaries.loading)),
    listed,
  });

  return (
    <div class="explorer">
      <SearchBox context={context} search={search} latest={() => latest.current} go={go} />
      <KeyField
        value={key}
        onUse={(given) => {
          keepKey(given);
          setKey(given);
        }}
      />
      <Filters context={context} values={values} set={set} clear={() => go({ ...readSearch('', data), view })} />
      <div class="results">
        <ul class="tabs" aria-label={texts.views}>
          {VIEWS.map((each) => (
            <li key={each}>
              <button
                type="button"
                aria-pressed={each === view}
                onClick={() => go({ ...latest.current, view: each, selected: '' })}
              >
                {texts[`view_${each}`]}
              </button>
            </li>
          ))}
        </ul>
        {key === '' ? (
          <p role="status">{texts.key_needed}</p>
        ) : (
          <Results
            context={context}
            values={listed ?? values}
            view={view}
            listings={listings}
            isFollowing={isFollowing}
            pointed={pointed}
            selected={search.selected}
            onPoint={(placed) => map.current?.point(placed)}
            onSelect={(id) => {
              mapBox.current?.scrollIntoView({ block: 'nearest' });
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
        rows={listings.rows}
        listed={listed}
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

/** Returns the URL of the counts in the filters. A value is counted in place of the chosen ones. */
function facetsAddress(api: Api, values: URLSearchParams): string {
  const all = new URLSearchParams(values);
  all.set('fields', COUNTED.join());
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
    return <CitiesView context={context} request={props.request} onChoose={(city) => set('city', city)} />;
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

function KeyField({ value, onUse }: { value: string; onUse(key: string): void }) {
  const [typed, setTyped] = useState(value);
  return (
    <details class="key" open={value === ''}>
      <summary>
        {texts.key} <code dir="ltr">{value === '' ? '—' : `${value.slice(0, 9)}…${value.slice(-4)}`}</code>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onUse(typed.trim());
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
  root.replaceChildren();
  render(<Explorer />, root);
}
