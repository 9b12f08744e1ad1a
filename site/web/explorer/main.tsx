import { render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '#site/explorer-data.ts';
import { readBox, readPosition } from '#site/explorer-place.ts';
import { formatter } from '#site/format.ts';
import { keepKey, readKey } from '../key.ts';
import { pageData } from '../page-data.ts';
import { Api, type Usage } from './api.ts';
import type { Context } from './context.ts';
import { Filters } from './filters.tsx';
import type { MapView } from './map.ts';
import type { City, Enums, Listing, Named, Neighborhood, Ranking } from './responses.ts';
import { keepScroll, recordScroll } from './scroll.ts';
import { SearchBox } from './search-box.tsx';
import { type Changes, readSearch, type Search, VIEWS, type View, withChanges, writeSearch } from './state.ts';
import { type LoadedListings, useListings, useResponse } from './use.ts';
import {
  addressOf,
  DealsView,
  ListingsView,
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
  const change = useCallback((changes: Changes) => go(withChanges(latest.current, changes)), []);
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
    enums: enums.answer?.body.data ?? null,
  };

  const address = key !== '' && view === 'listings' ? addressOf('listings', context, values) : null;
  const listings = useListings(api, address, pages);

  return (
    <div class="explorer">
      <KeyField
        value={key}
        onUse={(given) => {
          keepKey(given);
          setKey(given);
        }}
      />
      <SearchBox context={context} search={search} latest={() => latest.current} go={go} />
      <Filters context={context} values={values} set={set} clear={() => go({ ...readSearch('', data), view })} />
      <div class="results">
        <ul class="tabs" aria-label={texts.views}>
          {VIEWS.map((each) => (
            <li key={each}>
              <button type="button" aria-pressed={each === view} onClick={() => go({ ...latest.current, view: each })}>
                {texts[`view_${each}`]}
              </button>
            </li>
          ))}
        </ul>
        {key === '' ? (
          <p role="status">{texts.key_needed}</p>
        ) : (
          <Results context={context} values={values} view={view} listings={listings} openMore={openMore} set={set} />
        )}
        <RequestBar context={context} values={values} view={view} usage={usage} />
      </div>
      <MapPanel context={context} values={values} listings={listings.rows} active={key !== ''} set={set} />
    </div>
  );
}

interface PanelProps {
  context: Context;
  values: URLSearchParams;
  set(name: string, value: string): void;
}

interface ResultsProps extends PanelProps {
  view: View;
  listings: LoadedListings;
  openMore(): void;
}

function Results({ context, values, view, listings, openMore, set }: ResultsProps) {
  switch (view) {
    case 'listings':
      return (
        <ListingsView
          context={context}
          values={values}
          listings={listings}
          onSort={(sort) => set('sort', sort)}
          onMore={openMore}
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
  view: View;
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

/** Shows the map. It is loaded last, when there is data to show. */
function MapPanel({
  context,
  values,
  listings,
  active,
  set,
}: PanelProps & { listings: readonly Listing[]; active: boolean }) {
  const { api, neighborhoods, nameOf } = context;
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapView | null>(null);
  const [failed, setFailed] = useState(false);
  const [moved, setMoved] = useState<string | null>(null);
  const ranking = useResponse<Ranking>(api, active ? addressOf('neighborhoods', context, values) : null);
  const ready = active && neighborhoods.length > 0;
  const bbox = values.get('bbox');
  // An area selected by moving the map belongs to its city, so changing the city discards it.
  useEffect(() => setMoved(null), [values.get('city')]);
  // Statistics accept fewer filters than the search.
  const taken = data.operations[OPERATIONS.neighborhoods]?.parameters ?? [];
  const beside = [...values.keys()]
    .filter((name) => name !== 'sort' && !taken.includes(name))
    .map((name) => data.labels[name] ?? name);

  useEffect(() => {
    const { files, language } = data;
    if (!ready || map || failed || !box.current || !files.map || !files.worker || !files.land) return;
    const element = box.current;
    let current = true;
    (async () => {
      if (files.mapStyles) addStyles(files.mapStyles);
      const { openMap } = (await import(/* @vite-ignore */ files.map as string)) as typeof import('./map.ts');
      const opened = await openMap({
        element,
        language,
        worker: files.worker as string,
        land: files.land as string,
        words: {
          number: format.number,
          cluster: (listings, places) =>
            `${format.number(listings)} ${texts.cluster_listings} ${format.number(places)} ${texts.cluster_places}`,
        },
        onMove: setMoved,
      });
      if (current) setMap(opened);
      else opened.close();
    })().catch(() => setFailed(true));
    return () => {
      current = false;
    };
  }, [ready]);

  useEffect(() => {
    map?.showNeighborhoods(
      neighborhoods.flatMap((each) => (each.center ? [{ id: each.id, name: nameOf(each), ...each.center }] : [])),
    );
  }, [map, neighborhoods]);
  useEffect(() => map?.showArea(readBox(bbox)), [map, bbox]);
  useEffect(() => {
    // Old prices remain visible until the new ones are loaded, unless the city has changed.
    if (ranking.loading) return;
    const rows = ranking.answer?.body.data.neighborhoods ?? [];
    map?.showPrices(
      rows.map((row) => ({
        id: row.neighborhood_id,
        price: row.median_price_sar,
        text: row.median_price_sar === null ? '' : format.compact(row.median_price_sar),
        count: row.sample_size,
      })),
      (id) => set('neighborhood_id', String(id)),
    );
  }, [map, ranking.answer, ranking.loading]);
  useEffect(() => {
    map?.showListings(
      listings.flatMap(({ id, url, location: { lat, lng }, price, headline }) => {
        const path = new URL(url).pathname;
        if (lat === null || lng === null) return [];
        const text = price.yearly_sar === null ? '–' : format.compact(price.yearly_sar);
        return [
          {
            id,
            lat,
            lng,
            href: data.language === 'ar' ? `/ar${path}` : path,
            text,
            // The accessible name starts with the visible text.
            label: data.language === 'ar' ? text : `${text}, ${headline}`,
          },
        ];
      }),
    );
  }, [map, listings]);

  return (
    <section class="map-panel" aria-label={texts.map}>
      <div class="map-box" ref={box} dir="ltr" />
      {failed ? <p class="note">{texts.map_off}</p> : null}
      {map && ranking.answer ? (
        <p class="map-note">
          {texts.map_counts}
          {beside.length > 0 ? ` ${texts.map_beside} ${beside.join(data.language === 'ar' ? '، ' : ', ')}.` : ''}
        </p>
      ) : null}
      <p class="map-actions">
        {moved && moved !== bbox ? (
          <button type="button" onClick={() => set('bbox', moved)}>
            {texts.search_here}
          </button>
        ) : null}
        {bbox !== null ? (
          <button type="button" onClick={() => set('bbox', '')}>
            {texts.anywhere}
          </button>
        ) : null}
      </p>
    </section>
  );
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
  root.replaceChildren();
  render(<Explorer />, root);
}
