import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import type { FacetCounts } from '#src/site-data/responses.ts';
import { filterText } from './active-filters.tsx';
import { type LoadedRows, session, useData } from './api-requests.ts';
import { Card, ProjectCard } from './cards.tsx';
import { useExplorer } from './context.ts';
import { Bones } from './elements.tsx';
import { Failed } from './failed.tsx';
import { SortField } from './filters.tsx';
import { addressOf, format, labelOf, nameOf, pathOf, texts } from './page-data.ts';
import { type View, withValues } from './state.ts';

export interface ResultsProps {
  view: View;
  /** Filters of the search, with the visible part of the map if the list follows it. */
  values: URLSearchParams;
  isFollowing: boolean;
  listings: LoadedRows<Listing>;
  projects: LoadedRows<Project>;
  pointed: number | null;
  onPoint(placed: { id: number; lat: number | null; lng: number | null } | null): void;
  onSelect(id: number): void;
}

export function Results(props: ResultsProps) {
  const View = props.values.has('city') || props.view === 'projects' ? componentOf(props.view) : CitiesView;
  return <View {...props} />;
}

function ListingsView(props: ResultsProps) {
  const { values, listings, isFollowing } = props;
  const { total: found } = useExplorer();
  const { rows, more, loading } = listings;
  // Sorting by price drop omits listings without one, which the counts and the map include.
  const isDrop = values.get('sort') === 'price_drop';
  const total = more === false && (isDrop || rows.length === 0) ? rows.length : isDrop ? null : found;
  const count = total === null ? '' : format.count(isFollowing ? texts.in_area : texts.found, total);
  return (
    <>
      <div class="bar">
        <p class="count" role="status">
          {more !== null ? count : loading ? texts.loading : ''}
        </p>
        <SortField />
      </div>
      {isDrop ? <p class="note">{texts.only_drops}</p> : null}
      <List
        {...props}
        loaded={listings}
        nothing={<Nothing text={isFollowing ? texts.nothing_here : texts.nothing} values={values} />}
        nameOfRow={({ headline }) => headline}
        card={(listing) => <Card listing={listing} />}
      />
      <p class="note">
        <a href={pathOf(`/console/webhooks?${new URLSearchParams({ search: String(values) })}`)}>
          {texts.webhook_of_search}
        </a>
      </p>
    </>
  );
}

/** Says which filter to remove, or that the other offer has listings. */
function Nothing({ text, values }: { text: string; values: URLSearchParams }) {
  const context = useExplorer();
  const { search, countOf, change } = context;
  const other = search.values.get('listing_type') === 'rent' ? 'sale' : 'rent';
  const count = countOf('listing_type', other) ?? 0;
  const counting = addressOf('listFacets', withValues(values, { fields: 'filters' }));
  const given = useData<FacetCounts>(counting).data?.facets[0]?.values ?? [];
  const removable = given.flatMap(({ value: name, count: found }) => {
    const value = search.values.get(name);
    return value === null ? [] : [{ name, found, text: filterText(context, name, value) }];
  });
  return (
    <>
      <p>{text}</p>
      <p class="removals">
        {removable.slice(0, MOST_REMOVALS).map(({ name, found, text: filter }) => (
          <button type="button" key={name} onClick={() => change({ [name]: '' })}>
            {texts.without.replace('{filter}', filter)} · {format.count(texts.listings, found)}
          </button>
        ))}
        {count === 0 ? null : (
          <button type="button" class="main" onClick={() => change({ listing_type: other })}>
            {labelOf('listing_types', other)}: {format.count(texts.listings, count)}
          </button>
        )}
      </p>
    </>
  );
}

const MOST_REMOVALS = 3;

interface LocatedItem {
  id: number;
  location: { lat: number | null; lng: number | null };
}

interface ListProps<Item> extends ResultsProps {
  loaded: LoadedRows<Item>;
  nothing: ComponentChildren;
  nameOfRow(item: Item): string;
  card(item: Item): JSX.Element;
}

/** Lists rows, with a button that loads more. */
function List<Item extends LocatedItem>({ loaded, nothing, nameOfRow, card, ...props }: ListProps<Item>) {
  const { openMore } = useExplorer();
  const { rows, more, loading, error } = loaded;
  return (
    <>
      {more === null && loading ? <Bones of="cards" /> : null}
      {more === false && rows.length === 0 ? <div>{nothing}</div> : null}
      <ul class="cards">
        {rows.map((row) => (
          <Row key={row.id} {...props} row={row} name={nameOfRow(row)}>
            {card(row)}
          </Row>
        ))}
      </ul>
      {error === null ? null : <Failed error={error} />}
      {more ? (
        <button type="button" aria-disabled={loading} onClick={loading ? undefined : openMore}>
          {loading ? texts.loading : texts.more}
        </button>
      ) : null}
    </>
  );
}

function Row(props: { row: LocatedItem; name: string; children: ComponentChildren } & ResultsProps) {
  const { pointed, onPoint, onSelect, name, children } = props;
  const { id, location } = props.row;
  const { lat, lng } = location;
  const item = useRef<HTMLLIElement>(null);
  const isSelected = useExplorer().search.selected === String(id);
  useEffect(() => {
    // A scroll to a list below the map would hide the map.
    if (isSelected && matchMedia('(min-width: 70rem)').matches) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const point = () => onPoint({ id, lat, lng });
  const leave = () => onPoint(null);
  return (
    <li
      ref={item}
      class={isSelected || id === pointed ? 'pointed' : undefined}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocusCapture={point}
      onBlurCapture={leave}
    >
      {children}
      {lat === null || lng === null ? null : (
        <button
          type="button"
          class="locate"
          aria-pressed={isSelected}
          aria-label={`${texts.on_map}: ${name}`}
          onClick={() => onSelect(id)}
        >
          {texts.on_map}
        </button>
      )}
    </li>
  );
}

function ProjectsView(props: ResultsProps) {
  const { values, projects } = props;
  const { change } = useExplorer();
  const developer = projects.rows[0]?.developer;
  return (
    <>
      {values.has('developer_id') && projects.more !== null ? (
        <p class="bar">
          <span>
            {texts.developer}: {developer ? nameOf(developer) : values.get('developer_id')}
          </span>
          <button type="button" onClick={() => change({ developer_id: '' })}>
            {texts.all_developers}
          </button>
        </p>
      ) : null}
      <List<Project>
        {...props}
        loaded={projects}
        nothing={texts.nothing}
        nameOfRow={nameOf}
        card={(project) => <ProjectCard project={project} />}
      />
    </>
  );
}

function CitiesView({ view }: ResultsProps) {
  const { cities, change } = useExplorer();
  return (
    <>
      <p role="status">{view === 'listings' ? texts.choose_city : texts.choose_city_for_view}</p>
      <ul class="cities">
        {cities.map((city) => (
          <li key={city.slug}>
            <button type="button" onClick={() => change({ city: city.slug })}>
              {nameOf(city)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

type ViewComponent = (props: ResultsProps) => JSX.Element;

/** Views with charts, which are loaded when one of them is opened. */
const LOADED_LATER: Partial<Record<View, () => Promise<ViewComponent>>> = {
  prices: async () => (await import('./market-views.tsx')).PricesView,
  neighborhoods: async () => (await import('./market-views.tsx')).NeighborhoodsView,
  trend: async () => (await import('./market-views.tsx')).TrendView,
  deals: async () => (await import('./market-views.tsx')).DealsView,
  estimate: async () => (await import('./estimate-view.tsx')).EstimateView,
};
const NOT_LOADED = { message: texts.offline, status: null, param: null, retryAt: null };

function LaterView(props: ResultsProps) {
  const { view } = props;
  const [loaded, setLoaded] = useState<{ view: View; Component: ViewComponent } | null>(null);
  const [failedRetry, setFailedRetry] = useState(-1);
  useEffect(() => {
    let current = true;
    LOADED_LATER[view]?.().then(
      (Component) => current && setLoaded({ view, Component }),
      () => current && setFailedRetry(session.retries),
    );
    return () => {
      current = false;
    };
  }, [view, session.retries]);
  if (loaded?.view === view) return <loaded.Component {...props} />;
  return failedRetry === session.retries ? <Failed error={NOT_LOADED} /> : <Bones of="statistics" />;
}

const componentOf = (view: View): ViewComponent =>
  view === 'listings' ? ListingsView : view === 'projects' ? ProjectsView : LaterView;
