import { render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExplorerData } from '#site/explorer-data.ts';
import { formatter } from '#site/format.ts';
import { keepKey, readKey } from '../key.ts';
import { pageData } from '../page-data.ts';
import type { City, Enums, Listing, Listings, Named, Neighborhood, Ranking } from './answers.ts';
import { Api, type Usage } from './api.ts';
import type { Context } from './context.ts';
import { Filters } from './filters.tsx';
import type { MapView } from './map.ts';
import { readSearch, type Search, VIEWS, type View, withValue, writeSearch } from './state.ts';
import { useAnswer } from './use.ts';
import {
  addressOf,
  DealsView,
  ListingsView,
  NeighborhoodsView,
  OPERATIONS,
  PricesView,
  ProjectsView,
  TrendView,
  unitsText,
} from './views.tsx';

const data = pageData<ExplorerData>();
const format = formatter(data.language);
const { texts } = data;
/** Always the same, so that nothing is worked out anew for it. */
const NONE: readonly never[] = [];

function Explorer() {
  const [key, setKey] = useState(() => readKey(data.key));
  const api = useMemo(() => new Api(data, key), [key]);
  const [search, setSearch] = useState<Search>(() => readSearch(location.search, data));
  const [usage, setUsage] = useState<Usage | null>(null);
  useEffect(() => {
    api.onUsage = (latest) => {
      if (latest.leftMonth !== null || latest.leftMinute !== null) setUsage(latest);
    };
  }, [api]);
  useEffect(() => {
    const back = () => setSearch(readSearch(location.search, data));
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const go = useCallback((to: Search) => {
    history.pushState(null, '', writeSearch(to));
    setSearch(to);
    const other = document.querySelector<HTMLAnchorElement>('.language');
    if (other) other.search = writeSearch(to);
  }, []);
  const set = (name: string, value: string) => go(withValue(search, name, value));

  const { values, view } = search;
  const city = values.get('city') ?? '';
  const none = new URLSearchParams();
  const cities = useAnswer<{ data: City[] }>(api, api.address('listCities', none));
  const enums = useAnswer<{ data: Enums }>(api, api.address('listEnums', none));
  const neighborhoods = useAnswer<{ data: Neighborhood[] }>(api, api.address('listNeighborhoods', none, { city }));
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

  return (
    <div class="explorer">
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
        set={set}
        clear={() => go({ view, values: readSearch('', data).values })}
      />
      <div class="results">
        <ul class="tabs" aria-label={texts.views}>
          {VIEWS.map((each) => (
            <li key={each}>
              <button type="button" aria-pressed={each === view} onClick={() => go({ view: each, values })}>
                {texts[`view_${each}`]}
              </button>
            </li>
          ))}
        </ul>
        {key === '' ? (
          <p role="status">{texts.key_needed}</p>
        ) : (
          <Results context={context} values={values} view={view} set={set} />
        )}
        <RequestBar context={context} values={values} view={view} usage={usage} />
      </div>
      <MapPanel context={context} values={values} view={view} active={key !== ''} set={set} />
    </div>
  );
}

interface PanelProps {
  context: Context;
  values: URLSearchParams;
  view: View;
  set(name: string, value: string): void;
}

function Results({ context, values, view, set }: PanelProps) {
  switch (view) {
    case 'listings':
      return <ListingsView context={context} values={values} onSort={(sort) => set('sort', sort)} onRows={showRows} />;
    case 'prices':
      return <PricesView context={context} values={values} />;
    case 'neighborhoods':
      return (
        <NeighborhoodsView context={context} values={values} onChoose={(id) => set('neighborhood_id', String(id))} />
      );
    case 'trend':
      return <TrendView context={context} values={values} />;
    case 'projects':
      return <ProjectsView context={context} values={values} />;
    case 'deals':
      return <DealsView context={context} values={values} />;
  }
}

/** The map, once it is there, is told of rows that were added below. */
let showRows: (rows: readonly Listing[]) => void = () => {};

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

/** What the view asks for, as a command, with what it costs and what is left. */
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
  // A page of ten costs what ten results cost.
  const units = data.operations[OPERATIONS[view]]?.units.units ?? 0;
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

/** The map is loaded when there is something to show, after everything else, and only where there is room for it. */
function MapPanel({ context, values, view, active, set }: PanelProps & { active: boolean }) {
  const { api, neighborhoods, nameOf } = context;
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapView | null>(null);
  const [failed, setFailed] = useState(false);
  const [moved, setMoved] = useState<string | null>(null);
  const page = useAnswer<Listings>(api, active && view === 'listings' ? addressOf('listings', context, values) : null);
  const ranking = useAnswer<Ranking>(api, active ? addressOf('neighborhoods', context, values) : null);
  const ready = active && neighborhoods.length > 0;
  // Statistics take fewer filters than the search does.
  const taken = data.operations[OPERATIONS.neighborhoods]?.parameters ?? [];
  const beside = [...values.keys()]
    .filter((name) => name !== 'sort' && !taken.includes(name))
    .map((name) => texts.filters[name] ?? name);

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
  useEffect(() => {
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
  }, [map, ranking.answer]);
  useEffect(() => {
    showRows = (rows) =>
      map?.showListings(
        rows.flatMap(({ id, url, location: { lat, lng }, price, headline }) => {
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
              // What is read out begins with what is seen.
              label: data.language === 'ar' ? text : `${text}, ${headline}`,
            },
          ];
        }),
      );
    showRows(page.answer?.body.data ?? []);
  }, [map, page.answer]);

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
        {moved && moved !== values.get('bbox') ? (
          <button type="button" onClick={() => set('bbox', moved)}>
            {texts.search_here}
          </button>
        ) : null}
        {values.has('bbox') ? (
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
  root.replaceChildren();
  render(<Explorer />, root);
}
