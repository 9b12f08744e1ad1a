import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { barChart, timeChart } from '#site/charts.ts';
import { groupByCity } from '#site/clusters.ts';
import type { Html } from '#site/html.ts';
import type { CallFailed } from './api.ts';
import type { Context } from './context.ts';
import { Failed } from './failed.tsx';
import type { MapContent } from './map.ts';
import type { Deals, Distribution, Listing, Project, Ranking, Rows, Trend } from './responses.ts';
import type { View } from './state.ts';
import { type Loaded, type LoadedRows, useResponse } from './use.ts';

interface ViewProps {
  context: Context;
  values: URLSearchParams;
}

/** Draws a chart that server pages also use. Its texts are already escaped. */
const Drawing = ({ chart }: { chart: Html }) => <div dangerouslySetInnerHTML={{ __html: chart.markup }} />;

/** A table that scrolls sideways on a phone. It can be focused, so that the keyboard scrolls it. */
const Wide = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <div class="wide" tabIndex={0}>
    {children}
  </div>
);

/** Shows that a response is loading, or why it failed. */
function Waiting({ loaded, context }: { loaded: Loaded<unknown>; context: Context }) {
  const { error, loading, retry } = loaded;
  if (error !== null) return <Failed context={context} error={error} retry={retry} />;
  return loading ? <Bones context={context} of="statistics" /> : null;
}

/** Shapes in place of results that are loading. */
export function Bones({ context: { texts }, of }: { context: Context; of: 'cards' | 'statistics' }) {
  return (
    <>
      <p class="visually-hidden" role="status">
        {texts.loading}
      </p>
      <div class={`bones of-${of}`} aria-hidden="true">
        {Array.from({ length: 6 }, (_, at) => (
          <span key={at} />
        ))}
      </div>
    </>
  );
}

export const withValues = (values: URLSearchParams, more: Readonly<Record<string, string>>): URLSearchParams => {
  const all = new URLSearchParams(values);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
};

/** API operation id for each view. */
export const OPERATIONS: Readonly<Record<View, string>> = {
  listings: 'searchListings',
  prices: 'getPriceDistribution',
  neighborhoods: 'listMarketNeighborhoods',
  trend: 'getMarketTrends',
  projects: 'searchProjects',
  deals: 'getMarketTransactions',
};

/** Results per page, in the list and on the map. Every plan allows this page size; a page costs 2 units. */
const PAGE_SIZE = '20';

/** Returns the request URL for a view. */
export function addressOf(view: View, { api }: Context, values: URLSearchParams): string {
  const asked: Partial<Record<View, URLSearchParams>> = {
    listings: withValues(values, { limit: PAGE_SIZE }),
    neighborhoods: everywhere(values),
    projects: withValues(ofProjects(values), { limit: PAGE_SIZE }),
    deals: withValues(values, { land_use_class: 'residential' }),
  };
  return api.address(OPERATIONS[view], asked[view] ?? values);
}

/** Returns the filters of listings that have the same meaning for projects, whose prices are sale prices. */
function ofProjects(values: URLSearchParams): URLSearchParams {
  const prices = values.get('listing_type') === 'sale' ? ['price_min', 'price_max'] : [];
  const names = ['city', 'neighborhood_id', 'bbox', 'developer_id', ...prices];
  return new URLSearchParams([...values].filter(([name]) => names.includes(name)));
}

/** Returns the search without its neighborhood, so that all neighborhoods of the city are compared. */
function everywhere(values: URLSearchParams): URLSearchParams {
  const all = new URLSearchParams(values);
  all.delete('neighborhood_id');
  return all;
}

interface OnMapProps extends ViewProps {
  /** Id of the listing or project to emphasize. */
  pointed: number | null;
  /** Id of the listing or project whose card is open on the map. */
  selected: string;
  /** Called with the listing or project that has the pointer or the focus, or null. */
  onPoint(placed: { id: number; lat: number | null; lng: number | null } | null): void;
  /** Called with the id of a listing or project to show on the map. */
  onSelect(id: number): void;
}

export interface ListingsViewProps extends OnMapProps {
  listings: LoadedRows<Listing>;
  /** Whether the list shows the visible part of the map. */
  isFollowing: boolean;
  onSort(sort: string): void;
  onMore(): void;
}

export function ListingsView(props: ListingsViewProps) {
  const { context, values, listings, isFollowing, onSort, onMore } = props;
  const { texts, format, data, enums, nameOf } = context;
  const { rows, more, loading } = listings;
  // Sorting by price drop omits listings without one. Filters do not, so the counts and the map include them.
  const isDrop = values.get('sort') === 'price_drop';
  const total = more === false && (isDrop || rows.length === 0) ? rows.length : isDrop ? null : context.total;
  const sorts = data.filters.find(({ name }) => name === 'sort')?.schema.enum as readonly string[] | undefined;
  const offered = sorts?.filter((sort) => sort !== 'distance' || values.has('near'));
  return (
    <>
      <div class="bar">
        <p class="count" role="status">
          {more === null
            ? loading
              ? texts.loading
              : ''
            : total === null
              ? ''
              : format.count(isFollowing ? texts.in_area : texts.found, total)}
        </p>
        <label class="sort">
          {texts.sort}{' '}
          <select
            value={values.get('sort') ?? 'newest'}
            disabled={context.api.isDemo}
            onChange={(event) => onSort(event.currentTarget.value)}
          >
            {offered?.map((sort) => (
              <option key={sort} value={sort}>
                {nameOf(enums?.names.sorts?.[sort] ?? { name_en: sort, name_ar: null })}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isDrop ? <p class="note">{texts.only_drops}</p> : null}
      {more === null && loading ? <Bones context={context} of="cards" /> : null}
      {more === false && rows.length === 0 ? <p>{isFollowing ? texts.nothing_here : texts.nothing}</p> : null}
      <ul class="cards">
        {rows.map((listing) => (
          <Row key={listing.id} {...props} placed={listing} name={listing.headline}>
            <Card context={context} listing={listing} />
          </Row>
        ))}
      </ul>
      {context.api.isDemo && total !== null && total > rows.length ? (
        <p class="note">{texts.demo_end.replace('{n}', format.number(total))}</p>
      ) : null}
      <More context={context} loaded={listings} onMore={onMore} />
    </>
  );
}

/** Shows why rows could not be loaded, and a button that loads more. */
function More({ context, loaded, onMore }: { context: Context; loaded: LoadedRows<unknown>; onMore(): void }) {
  const { texts } = context;
  const { error, retry, more, loading } = loaded;
  return (
    <>
      {error === null ? null : <Failed context={context} error={error} retry={retry} />}
      {more ? (
        <button type="button" aria-disabled={loading} onClick={loading ? undefined : onMore}>
          {loading ? texts.loading : texts.more}
        </button>
      ) : null}
    </>
  );
}

interface RowProps extends OnMapProps {
  placed: { id: number; location: { lat: number | null; lng: number | null } };
  name: string;
  children: ComponentChildren;
}

/** A row of the list, which is linked with its pin. */
function Row({ context, pointed, selected, onPoint, onSelect, placed, name, children }: RowProps) {
  const { id, location } = placed;
  const { lat, lng } = location;
  const row = useRef<HTMLLIElement>(null);
  const isSelected = selected === String(id);
  useEffect(() => {
    // Only if the list is next to the map. A scroll to a list below the map would hide the map.
    if (isSelected && matchMedia('(min-width: 70rem)').matches) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const point = () => onPoint({ id, lat, lng });
  const leave = () => onPoint(null);
  return (
    <li
      ref={row}
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
          aria-label={`${context.texts.on_map}: ${name}`}
          onClick={() => onSelect(id)}
        >
          {context.texts.on_map}
        </button>
      )}
    </li>
  );
}

/** Time in milliseconds for which a listing is marked as new. */
const NEW_MS = 3 * 24 * 3_600_000;

/** Facts of a card. A line ends after a fact, not within it or before a dot. */
const Facts = ({ facts }: { facts: readonly string[] }) => (
  <span>
    {facts.map((fact, at) => (
      <Fragment key={fact}>
        {at === 0 ? '' : ' '}
        <span class="fact">{at === facts.length - 1 ? fact : `${fact} ·`}</span>
      </Fragment>
    ))}
  </span>
);

export function Card({ context, listing }: { context: Context; listing: Listing }) {
  const { texts, format, nameOf, enums } = context;
  const { price, location } = listing;
  const type = enums?.names.property_types?.[listing.property_type];
  const place = nameOf({ name_en: location.neighborhood_name_en, name_ar: location.neighborhood_name_ar });
  const facts = [
    type ? nameOf(type) : listing.property_type,
    listing.bedrooms === null ? null : format.count(texts.beds, listing.bedrooms),
    listing.area_sqm === null ? null : format.area(listing.area_sqm),
    place || null,
  ].filter((fact) => fact !== null);
  const { yearly_sar: now, previous_yearly_sar: before } = price;
  const cut = now === null || before === null ? null : (100 * (now - before)) / before;
  return (
    <a class="card" href={pathOf(context, listing)}>
      {listing.images[0] ? (
        <img src={listing.images[0]} alt="" loading="lazy" width="132" height="99" />
      ) : (
        <span class="no-photo">{texts.no_photo}</span>
      )}
      <span class="about">
        <strong>
          {price.yearly_sar === null ? texts.no_price : format.sar(price.yearly_sar)}
          {price.yearly_sar !== null && listing.listing_type === 'rent' ? ` ${texts.a_year}` : ''}
          {cut !== null && cut < 0 ? (
            <span class="badge">
              {texts.price_cut} {format.percent(Math.round(cut))}
            </span>
          ) : null}
          {Date.now() - Date.parse(listing.first_seen_at) < NEW_MS ? <span class="badge">{texts.is_new}</span> : null}
        </strong>
        <Facts facts={facts} />
        <small>{listing.source.name}</small>
      </span>
    </a>
  );
}

export function PricesView({ context, values }: ViewProps) {
  const { texts, format, api } = context;
  const loaded = useResponse<Distribution>(api, addressOf('prices', context, values));
  const found = loaded.answer?.body.data;
  if (!found) return <Waiting loaded={loaded} context={context} />;
  if (found.sample_size === 0) return <p>{texts.nothing}</p>;
  const { median_price_sar: median, p25_price_sar: low, p75_price_sar: high } = found;
  const name = (from: number | null, to: number | null): string =>
    from === null ? `< ${format.compact(to ?? 0)}` : to === null ? `≥ ${format.compact(from)}` : format.compact(from);
  const marked = (from: number | null, to: number | null): boolean =>
    median !== null && (from ?? 0) <= median && median < (to ?? Number.POSITIVE_INFINITY);
  return (
    <>
      <dl class="figures">
        <Figure name={texts.median} value={median === null ? '–' : format.sar(median)} />
        <Figure
          name={texts.middle_half}
          value={low === null || high === null ? '–' : `${format.sar(low)} – ${format.sar(high)}`}
        />
        <Figure name={texts.sample} value={format.number(found.sample_size)} />
      </dl>
      <h2>{texts.price_chart}</h2>
      <Drawing
        chart={barChart({
          label: texts.price_chart,
          value: format.compact,
          bars: found.bins.map(({ from, to, count }) => ({
            name: name(from, to),
            value: count,
            marked: marked(from, to),
            title: `${name(from, to)}${from !== null && to !== null ? ` – ${format.compact(to)}` : ''}: ${format.number(count)}`,
          })),
        })}
      />
      <p class="note">{texts.asking_note}</p>
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

export function NeighborhoodsView({ context, values, onChoose }: ViewProps & { onChoose(id: number): void }) {
  const { texts, format, api, nameOf } = context;
  const loaded = useResponse<Ranking>(api, addressOf('neighborhoods', context, values));
  const rows = loaded.answer?.body.data.neighborhoods;
  if (!rows) return <Waiting loaded={loaded} context={context} />;
  if (rows.length === 0) return <p>{texts.nothing}</p>;
  const chosen = values.get('neighborhood_id')?.split(',') ?? [];
  const highest = Math.max(...rows.map((row) => row.median_price_sar ?? 0), 1);
  return (
    <>
      <h2>{texts.rank_chart}</h2>
      <Wide>
        <table class="ranking">
          <thead>
            <tr>
              <th scope="col">{texts.neighborhood}</th>
              <th scope="col">{texts.median}</th>
              <th scope="col">{texts.per_sqm}</th>
              <th scope="col">{texts.sample}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.neighborhood_id} class={chosen.includes(String(row.neighborhood_id)) ? 'chosen' : undefined}>
                <th scope="row">
                  <button type="button" class="plain" onClick={() => onChoose(row.neighborhood_id)}>
                    {nameOf(row) || row.neighborhood_id}
                  </button>
                </th>
                <td>
                  <meter min={0} max={highest} value={row.median_price_sar ?? 0} aria-hidden="true" />{' '}
                  {row.median_price_sar === null ? '–' : format.number(Math.round(row.median_price_sar))}
                </td>
                <td>
                  {row.median_price_per_sqm_sar === null
                    ? '–'
                    : format.number(Math.round(row.median_price_per_sqm_sar))}
                </td>
                <td>
                  {format.number(row.sample_size)} {row.small_sample ? <small>{texts.small_sample}</small> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="note">{texts.asking_note}</p>
    </>
  );
}

export function TrendView({ context, values }: ViewProps) {
  const { texts, format, api, data } = context;
  const address = addressOf('trend', context, values);
  // Loaded only on request, because it costs more than the other views.
  const [wanted, setWanted] = useState<string | null>(null);
  const loaded = useResponse<Trend>(api, wanted === address ? address : null);
  const units = data.operations.getMarketTrends?.units.units ?? 0;
  if (wanted !== address)
    return (
      <p>
        {texts.trend_cost}{' '}
        <button type="button" class="main" onClick={() => setWanted(address)}>
          {texts.show_for} {unitsText(context, units)}
        </button>
      </p>
    );
  const series = loaded.answer?.body.data.series[0];
  if (!series) return <Waiting loaded={loaded} context={context} />;
  const coverages: Readonly<Record<string, string>> = texts.coverages;
  const at = (month: string): number => Date.parse(`${month.slice(0, 7)}-01T00:00:00Z`);
  return (
    <>
      <h2>
        {texts.trend_chart} {series.change_pct === null ? null : <small>{format.percent(series.change_pct)}</small>}
      </h2>
      <Drawing
        chart={timeChart({
          label: texts.trend_chart,
          value: format.compact,
          time: format.month,
          points: series.points.map((point) => ({
            at: at(point.month),
            value: point.median_price_sar,
            weak: point.coverage !== 'complete' || point.small_sample === true,
            title: `${format.month(at(point.month))}: ${point.median_price_sar === null ? '–' : format.sar(point.median_price_sar)}`,
          })),
        })}
      />
      <Wide>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.month}</th>
              <th scope="col">{texts.median}</th>
              <th scope="col">{texts.sample}</th>
              <th scope="col">{texts.coverage}</th>
            </tr>
          </thead>
          <tbody>
            {series.points.map((point) => (
              <tr key={point.month}>
                <td>{format.month(at(point.month))}</td>
                <td>{point.median_price_sar === null ? '–' : format.sar(Math.round(point.median_price_sar))}</td>
                <td>{point.sample_size === null ? '–' : format.number(point.sample_size)}</td>
                <td>{coverages[point.coverage] ?? point.coverage}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}

interface ProjectsViewProps extends OnMapProps {
  projects: LoadedRows<Project>;
  onMore(): void;
  onAll(): void;
}

export function ProjectsView(props: ProjectsViewProps) {
  const { context, values, projects, onAll } = props;
  const { texts, nameOf } = context;
  const { rows, more, loading } = projects;
  const developer = rows[0]?.developer;
  return (
    <>
      {values.has('developer_id') && more !== null ? (
        <p class="bar">
          <span>
            {texts.developer}: {developer ? nameOf(developer) : values.get('developer_id')}
          </span>
          <button type="button" onClick={onAll}>
            {texts.all_developers}
          </button>
        </p>
      ) : null}
      {more === null && loading ? <Bones context={context} of="cards" /> : null}
      {more === false && rows.length === 0 ? <p>{texts.nothing}</p> : null}
      <ul class="cards">
        {rows.map((project) => (
          <Row key={project.id} {...props} placed={project} name={nameOf(project)}>
            <ProjectCard context={context} project={project} />
          </Row>
        ))}
      </ul>
      <More context={context} loaded={projects} onMore={props.onMore} />
    </>
  );
}

export function ProjectCard({ context, project }: { context: Context; project: Project }) {
  const { texts, format, nameOf, enums } = context;
  const { price, developer, delivery_date, status, location } = project;
  const named = enums?.names.project_statuses?.[status];
  const place = nameOf({ name_en: location.neighborhood_name_en, name_ar: location.neighborhood_name_ar });
  return (
    <div class="card project">
      {project.images[0] ? (
        <img src={project.images[0]} alt="" loading="lazy" width="132" height="99" />
      ) : (
        <span class="no-photo">{texts.no_photo}</span>
      )}
      <div class="about">
        <strong>{nameOf(project)}</strong>
        <Facts
          facts={[
            price.min_sar === null ? null : `${texts.from_price} ${format.sar(price.min_sar)}`,
            named ? nameOf(named) : status,
            place || null,
          ].filter((fact) => fact !== null)}
        />
        <small>
          {developer ? `${texts.developer}: ${nameOf(developer)} · ` : ''}
          {delivery_date ? `${texts.delivery}: ${format.day(delivery_date)} · ` : ''}
          {project.source.name}
        </small>
        <Units context={context} project={project.id} />
      </div>
    </div>
  );
}

/** Links to the first listings of a project's units, which are loaded when the visitor opens the list. */
function Units({ context, project }: { context: Context; project: number }) {
  const { texts, api } = context;
  const [isOpen, setOpen] = useState(false);
  const address = api.address('listProjectUnits', new URLSearchParams({ limit: '10' }), { id: String(project) });
  const loaded = useResponse<Rows<Listing>>(api, isOpen ? address : null);
  const rows = loaded.answer?.body.data;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.project_units}</summary>
      {rows ? (
        <ul>
          {rows.map((listing) => (
            <li key={listing.id}>
              <a href={pathOf(context, listing)}>{summaryOf(context, listing)}</a>
            </li>
          ))}
        </ul>
      ) : (
        <Waiting loaded={loaded} context={context} />
      )}
      {rows?.length === 0 ? <p class="note">{texts.no_units}</p> : null}
    </details>
  );
}

/** Returns the path of a listing's page in the language of the page. */
function pathOf({ data }: Context, { url }: Listing): string {
  const path = new URL(url).pathname;
  return data.language === 'ar' ? `/ar${path}` : path;
}

/** Returns price, type, bedrooms and area of a listing. */
function summaryOf({ texts, format, nameOf, enums }: Context, listing: Listing): string {
  const { price, property_type, bedrooms, area_sqm } = listing;
  const type = enums?.names.property_types?.[property_type];
  return [
    price.yearly_sar === null ? texts.no_price : format.sar(price.yearly_sar),
    type ? nameOf(type) : property_type,
    bedrooms === null ? null : format.count(texts.beds, bedrooms),
    area_sqm === null ? null : format.area(area_sqm),
  ]
    .filter((fact) => fact !== null)
    .join(' · ');
}

interface CitiesViewProps {
  context: Context;
  view: View;
  request: { content: MapContent | null; error: CallFailed | null; note: string | null };
  onChoose(city: string): void;
}

/** Lists the cities in view with their number of listings, because the view requires a city. */
export function CitiesView({ context, view, request, onChoose }: CitiesViewProps) {
  const { texts, format, data, cities, nameOf } = context;
  const { content, error, note } = request;
  const known = data.cities.flatMap((center) => {
    const named = cities.find(({ slug }) => slug === center.slug);
    return named ? [{ ...center, name: nameOf(named) }] : [];
  });
  const cells = [
    ...(content?.circles ?? []).map(({ box, ...circle }) => ({ ...circle, bbox: box })),
    ...(content?.pins ?? []).map((pin) => ({ ...pin, count: 1, bbox: [pin.lng, pin.lat, pin.lng, pin.lat] as const })),
  ];
  const groups = groupByCity(cells, known);
  const advice = view === 'listings' ? texts.choose_city : texts.choose_city_for_view;
  return (
    <>
      <p role="status">{error?.message ?? (content ? advice : (note ?? texts.loading))}</p>
      <ul class="cities">
        {groups.map((group) => (
          <li key={group.cities[0]?.slug}>
            <span>
              {group.cities.map(({ slug, name }) => (
                <button type="button" key={slug} onClick={() => onChoose(slug)}>
                  {name}
                </button>
              ))}
            </span>{' '}
            <span>{format.count(texts.listings, group.count)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Formats a quarter of the API such as `2025-Q3` in the language of the page. */
export function quarterText({ texts }: Context, quarter: string): string {
  const [year = '', number = ''] = quarter.split('-');
  const quarters: Readonly<Record<string, string>> = texts.quarters;
  return `${quarters[number] ?? number} ${year}`;
}

export function DealsView({ context, values }: ViewProps) {
  const { texts, format, api, data, enums, nameOf } = context;
  const loaded = useResponse<Deals>(api, addressOf('deals', context, values));
  const found = loaded.answer?.body.data;
  if (!found) return <Waiting loaded={loaded} context={context} />;
  const { cells, attribution } = found;
  if (cells.length === 0) return <p>{texts.nothing}</p>;
  const amount = (value: number | null): string => (value === null ? texts.not_shown : format.sar(Math.round(value)));
  return (
    <>
      <p class="note">{texts.deals_note}</p>
      <h2>{texts.deals_chart}</h2>
      <Drawing
        chart={barChart({
          label: texts.deals_chart,
          value: format.compact,
          bars: cells.map(({ quarter, deal_count }) => ({
            name: quarter,
            value: deal_count,
            title: `${quarterText(context, quarter)}: ${format.number(deal_count)}`,
          })),
        })}
      />
      <Wide>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.quarter}</th>
              <th scope="col">{texts.deals}</th>
              <th scope="col">{texts.median}</th>
              <th scope="col">
                {texts.median} {texts.per_sqm}
              </th>
              <th scope="col">{texts.coverage}</th>
            </tr>
          </thead>
          <tbody>
            {cells.map((cell) => (
              <tr key={cell.quarter}>
                <td>{quarterText(context, cell.quarter)}</td>
                <td>{format.number(cell.deal_count)}</td>
                <td>{amount(cell.median_price_sar)}</td>
                <td>{amount(cell.median_price_per_sqm_sar)}</td>
                <td>
                  {nameOf(
                    enums?.names.coverage_flags?.[cell.coverage_flag] ?? { name_en: cell.coverage_flag, name_ar: null },
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="note">
        {texts.each_deal}{' '}
        <a href={data.language === 'ar' ? '/ar/reference/list-transactions' : '/reference/list-transactions'}>
          <code dir="ltr">GET /transactions</code>
        </a>
      </p>
      {attribution ? (
        <div class="note">
          <p lang="en" dir="ltr">
            {attribution.notice}
          </p>
          <p>
            {texts.attribution}:{' '}
            {attribution.datasets.map((dataset) => (
              <a key={dataset.title} href={dataset.urls[0]} rel="noopener">
                {data.language === 'ar' ? dataset.title : `${dataset.title_en}, ${dataset.publisher}`}
              </a>
            ))}
            {' · '}
            <a href={attribution.license.url} rel="noopener" lang="en" dir="ltr">
              {attribution.license.name}
            </a>
          </p>
        </div>
      ) : null}
    </>
  );
}

/** Returns the cost of a view's request in units. */
export function unitsOf({ data }: Context, view: View, address: string): number {
  const { units, per, parameter } = data.operations[OPERATIONS[view]]?.units ?? { units: 0 };
  if (per === undefined || parameter === undefined) return units;
  return units * Math.ceil(Number(new URL(address, data.baseUrl).searchParams.get(parameter)) / per);
}

/** Formats a number of units in the language of the page, for example `15 units`. */
export const unitsText = ({ texts, format }: Context, units: number): string =>
  units === 0 ? texts.free : format.count(texts.units, units);
