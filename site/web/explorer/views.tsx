import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listing, Location } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { barChart, timeChart } from '#site/server/charts.ts';
import { estimatePart } from '#site/server/estimate.ts';
import type { Html } from '#src/documents/html.ts';
import type {
  Distribution,
  HomeEstimate,
  NeighborhoodRanking,
  RegisteredDeals,
  Trends,
} from '#src/site-data/responses.ts';
import { type Loaded, type LoadedRows, useData } from './api.ts';
import { type Context, useExplorer } from './context.ts';
import { Failed } from './failed.tsx';
import { addressOf, data, format, known, nameOf, pathOf, texts } from './page.ts';
import { type View, valuesOf, withValues } from './state.ts';

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
  onMore(): void;
}

/** The markup is escaped. */
const Drawing = ({ chart }: { chart: Html }) => <div dangerouslySetInnerHTML={{ __html: chart.markup }} />;

interface TableRow {
  key: string | number;
  cells: readonly ComponentChildren[];
  isChosen?: boolean;
}

/** Scrolls sideways on a phone. The focus lets the keyboard scroll it. */
const Table = ({ kind, columns, rows }: { kind?: string; columns: readonly string[]; rows: readonly TableRow[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <div class="wide" tabIndex={0}>
    <table class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, isChosen }) => (
          <tr key={key} class={isChosen ? 'chosen' : undefined}>
            {cells.map((cell, at) =>
              kind === 'ranking' && at === 0 ? (
                <th key={columns[at]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={columns[at]}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function Waiting({ loaded: { error, loading } }: { loaded: Loaded<unknown> }) {
  if (error !== null) return <Failed error={error} />;
  return loading ? <Bones of="statistics" /> : null;
}

export const Bones = ({ of }: { of: 'cards' | 'statistics' }) => (
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

const OPERATIONS: Readonly<Record<View, string>> = {
  listings: 'searchListings',
  prices: 'getPriceDistribution',
  neighborhoods: 'listMarketNeighborhoods',
  trend: 'getMarketTrends',
  projects: 'searchProjects',
  deals: 'getMarketTransactions',
  estimate: 'estimatePrice',
};
export const operationOf = (view: View) => data.operations[OPERATIONS[view]];

/** Every plan allows this page size; a page costs 2 units. */
const PAGE_SIZE = '20';

export function addressOfView(view: View, values: URLSearchParams): string {
  const asked: Partial<Record<View, URLSearchParams>> = {
    listings: withValues(values, { limit: PAGE_SIZE }),
    // All neighborhoods of the city are compared.
    neighborhoods: withValues(values, { neighborhood_id: '' }),
    projects: withValues(ofProjects(values), { limit: PAGE_SIZE }),
    deals: withValues(values, { land_use_class: 'residential' }),
    estimate: homeOf(values),
  };
  return addressOf(OPERATIONS[view], asked[view] ?? values);
}

/** Returns the filters that have the same meaning for projects, whose prices are sale prices. */
function ofProjects(values: URLSearchParams): URLSearchParams {
  const prices = values.get('listing_type') === 'sale' ? ['price_min', 'price_max'] : [];
  return valuesOf(values, ['city', 'neighborhood_id', 'bbox', 'developer_id', ...prices]);
}

/** Returns the home that the filters describe: of one type, with one number of bedrooms, at one place. */
function homeOf(values: URLSearchParams): URLSearchParams {
  const single = (name: string): string => (/^[^,]+$/.exec(values.get(name) ?? '') ?? [''])[0];
  return withValues(values, {
    property_type: data.homeTypes.find((type) => type === single('property_type')) ?? '',
    beds: single('beds'),
    neighborhood_id: values.has('near') ? '' : single('neighborhood_id'),
  });
}

export function isComplete(view: View, values: URLSearchParams): boolean {
  const home = homeOf(values);
  const isPlaced = home.has('near') || home.has('neighborhood_id');
  return view !== 'estimate' || (isPlaced && home.has('property_type') && home.has('area'));
}

export function Results(props: ResultsProps) {
  const View = props.values.has('city') || props.view === 'projects' ? COMPONENTS[props.view] : CitiesView;
  return <View {...props} />;
}

function ListingsView(props: ResultsProps) {
  const { values, listings, isFollowing } = props;
  const { labelOf, total: found, change } = useExplorer();
  const { rows, more, loading } = listings;
  // Sorting by price drop omits listings without one, which the counts and the map include.
  const isDrop = values.get('sort') === 'price_drop';
  const total = more === false && (isDrop || rows.length === 0) ? rows.length : isDrop ? null : found;
  const sorts = data.filters.find(({ name }) => name === 'sort')?.schema.enum as readonly string[] | undefined;
  const offered = sorts?.filter((sort) => sort !== 'distance' || values.has('near'));
  const count = total === null ? '' : format.count(isFollowing ? texts.in_area : texts.found, total);
  return (
    <>
      <div class="bar">
        <p class="count" role="status">
          {more !== null ? count : loading ? texts.loading : ''}
        </p>
        <label class="sort">
          {texts.sort}{' '}
          <select
            value={values.get('sort') ?? 'newest'}
            onChange={(event) => change({ sort: event.currentTarget.value })}
          >
            {offered?.map((sort) => (
              <option key={sort} value={sort}>
                {labelOf('sorts', sort)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isDrop ? <p class="note">{texts.only_drops}</p> : null}
      <List
        {...props}
        loaded={listings}
        nothing={<Nothing text={isFollowing ? texts.nothing_here : texts.nothing} />}
        nameOfRow={({ headline }) => headline}
        card={(listing) => <Card listing={listing} />}
      />
    </>
  );
}

function Nothing({ text }: { text: string }) {
  const { search, labelOf, countOf, change } = useExplorer();
  const other = search.values.get('listing_type') === 'rent' ? 'sale' : 'rent';
  const count = countOf('listing_type', other) ?? 0;
  return (
    <>
      <p>{text}</p>
      {count === 0 ? null : (
        <p>
          <button type="button" class="main" onClick={() => change({ listing_type: other })}>
            {labelOf('listing_types', other)}: {format.count(texts.listings, count)}
          </button>
        </p>
      )}
    </>
  );
}

interface Placed {
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
function List<Item extends Placed>({ loaded, nothing, nameOfRow, card, ...props }: ListProps<Item>) {
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
        <button type="button" aria-disabled={loading} onClick={loading ? undefined : props.onMore}>
          {loading ? texts.loading : texts.more}
        </button>
      ) : null}
    </>
  );
}

function Row(props: { row: Placed; name: string; children: ComponentChildren } & ResultsProps) {
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

/** Time for which a listing is new. */
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

const Photo = ({ images: [first] }: { images: readonly string[] }) =>
  first ? (
    <img src={first} alt="" loading="lazy" width="132" height="99" />
  ) : (
    <span class="no-photo">{texts.no_photo}</span>
  );

const placeOf = ({
  neighborhood_name_en,
  neighborhood_name_ar,
}: Pick<Location, 'neighborhood_name_en' | 'neighborhood_name_ar'>) =>
  nameOf({ name_en: neighborhood_name_en, name_ar: neighborhood_name_ar }) || null;

const factsOf = ({ property_type, bedrooms, area_sqm }: Listing, labelOf: Context['labelOf']): string[] =>
  known([
    labelOf('property_types', property_type),
    bedrooms === null ? null : format.count(texts.beds, bedrooms),
    area_sqm === null ? null : format.area(area_sqm),
  ]);

const priceOf = ({ price: { yearly_sar } }: Listing): string =>
  yearly_sar === null ? texts.no_price : format.sar(yearly_sar);

const pageOf = ({ url }: Listing): string => pathOf(new URL(url).pathname);

export function Card({ listing }: { listing: Listing }) {
  const { labelOf } = useExplorer();
  const { yearly_sar: now, previous_yearly_sar: before } = listing.price;
  const cut = now === null || before === null ? null : (100 * (now - before)) / before;
  return (
    <a class="card" href={pageOf(listing)}>
      <Photo images={listing.images} />
      <span class="about">
        <strong>
          {priceOf(listing)}
          {now !== null && listing.listing_type === 'rent' ? ` ${texts.a_year}` : ''}
          {cut !== null && cut < 0 ? (
            <span class="badge">
              {texts.price_cut} {format.percent(Math.round(cut))}
            </span>
          ) : null}
          {Date.now() - Date.parse(listing.first_seen_at) < NEW_MS ? <span class="badge">{texts.is_new}</span> : null}
        </strong>
        <Facts facts={known([...factsOf(listing, labelOf), placeOf(listing.location)])} />
        <small>{listing.source.name}</small>
      </span>
    </a>
  );
}

const amountOr = (value: number | null, missing = '–'): string =>
  value === null ? missing : format.sar(Math.round(value));

const numberOr = (value: number | null): string => (value === null ? '–' : format.number(Math.round(value)));

function PricesView({ values }: ResultsProps) {
  const loaded = useData<Distribution>(addressOfView('prices', values));
  const found = loaded.data;
  if (!found) return <Waiting loaded={loaded} />;
  if (found.sample_size === 0) return <p>{texts.nothing}</p>;
  const { median_price_sar: median, p25_price_sar: low, p75_price_sar: high } = found;
  const figures = {
    [texts.median]: median === null ? '–' : format.sar(median),
    [texts.middle_half]: low === null || high === null ? '–' : `${format.sar(low)} – ${format.sar(high)}`,
    [texts.recent]: format.number(found.sample_size),
  };
  const bars = found.bins.map(({ from, to, count }) => {
    const name =
      from === null ? `< ${format.compact(to ?? 0)}` : to === null ? `≥ ${format.compact(from)}` : format.compact(from);
    const range = from === null || to === null ? name : `${name} – ${format.compact(to)}`;
    return {
      name,
      value: count,
      marked: median !== null && (from ?? 0) <= median && median < (to ?? Number.POSITIVE_INFINITY),
      title: `${range}: ${format.number(count)}`,
    };
  });
  return (
    <>
      <dl class="figures">
        {Object.entries(figures).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{texts.price_chart}</h2>
      <Drawing chart={barChart({ label: texts.price_chart, value: format.compact, bars })} />
      <p class="note">{texts.asking_note}</p>
    </>
  );
}

function NeighborhoodsView({ values }: ResultsProps) {
  const { change } = useExplorer();
  const loaded = useData<NeighborhoodRanking>(addressOfView('neighborhoods', values));
  const rows = loaded.data?.neighborhoods;
  if (!rows) return <Waiting loaded={loaded} />;
  if (rows.length === 0) return <p>{texts.nothing}</p>;
  const chosen = values.get('neighborhood_id')?.split(',') ?? [];
  const highest = Math.max(...rows.map((row) => row.median_price_sar ?? 0), 1);
  return (
    <>
      <h2>{texts.rank_chart}</h2>
      <Table
        kind="ranking"
        columns={[texts.neighborhood, texts.median, texts.per_sqm, texts.sample]}
        rows={rows.map((row) => ({
          key: row.neighborhood_id,
          isChosen: chosen.includes(String(row.neighborhood_id)),
          cells: [
            <button
              type="button"
              key="name"
              class="plain"
              onClick={() => change({ neighborhood_id: String(row.neighborhood_id) })}
            >
              {nameOf(row) || row.neighborhood_id}
            </button>,
            <Fragment key="median">
              <meter min={0} max={highest} value={row.median_price_sar ?? 0} aria-hidden="true" />{' '}
              {numberOr(row.median_price_sar)}
            </Fragment>,
            numberOr(row.median_price_per_sqm_sar),
            <Fragment key="sample">
              {format.number(row.sample_size)} {row.small_sample ? <small>{texts.small_sample}</small> : null}
            </Fragment>,
          ],
        }))}
      />
      <p class="note">{texts.asking_note}</p>
    </>
  );
}

const COVERAGES: Readonly<Record<string, string>> = texts.coverages;

function TrendView({ values }: ResultsProps) {
  const address = addressOfView('trend', values);
  // Loaded only on request, because it costs more than the other views.
  const [wanted, setWanted] = useState<string | null>(null);
  const loaded = useData<Trends>(wanted === address ? address : null);
  if (wanted !== address)
    return (
      <p>
        {texts.trend_cost}{' '}
        <button type="button" class="main" onClick={() => setWanted(address)}>
          {texts.show_for} {costOf('trend', address)}
        </button>
      </p>
    );
  const series = loaded.data?.series[0];
  if (!series) return <Waiting loaded={loaded} />;
  const points = series.points.map((point) => ({
    ...point,
    at: Date.parse(`${point.month.slice(0, 7)}-01T00:00:00Z`),
    value: point.median_price_sar,
  }));
  return (
    <>
      <h2>
        {texts.trend_chart} {series.change_pct === null ? null : <small>{changeText(series.change_pct, points)}</small>}
      </h2>
      <Drawing
        chart={timeChart({
          label: texts.trend_chart,
          value: format.compact,
          time: format.month,
          points: points.map(({ at, value, coverage, small_sample }) => ({
            at,
            value,
            weak: coverage !== 'complete' || small_sample === true,
            title: `${format.month(at)}: ${value === null ? '–' : format.sar(value)}`,
          })),
        })}
      />
      <Table
        columns={[texts.month, texts.median, texts.sample, texts.coverage]}
        rows={points.map(({ month, at, value, sample_size, coverage }) => ({
          key: month,
          cells: [format.month(at), amountOr(value), numberOr(sample_size), COVERAGES[coverage] ?? coverage],
        }))}
      />
    </>
  );
}

/** Returns a change between the first and the last complete month. */
function changeText(change: number, points: readonly { at: number; value: number | null; coverage: string }[]): string {
  const complete = points.filter(({ value, coverage }) => value !== null && coverage === 'complete');
  const [first, last] = [complete[0], complete.at(-1)];
  const text = format.percent(change);
  if (!first || !last || first === last) return text;
  return texts.change_over
    .replace('{change}', text)
    .replace('{from}', format.month(first.at))
    .replace('{to}', format.month(last.at));
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

export function ProjectCard({ project }: { project: Project }) {
  const { labelOf } = useExplorer();
  const { price, developer, delivery_date, status, location } = project;
  const facts = known([
    price.min_sar === null ? null : `${texts.from_price} ${format.sar(price.min_sar)}`,
    labelOf('project_statuses', status),
    placeOf(location),
  ]);
  return (
    <div class="card project">
      <Photo images={project.images} />
      <div class="about">
        <strong>{nameOf(project)}</strong>
        <Facts facts={facts} />
        <small>
          {developer ? `${texts.developer}: ${nameOf(developer)} · ` : ''}
          {delivery_date ? `${texts.delivery}: ${format.day(delivery_date)} · ` : ''}
          {project.source.name}
        </small>
        <Units project={project.id} />
      </div>
    </div>
  );
}

/** Loads the units when the visitor opens the list. */
function Units({ project }: { project: number }) {
  const { labelOf } = useExplorer();
  const [isOpen, setOpen] = useState(false);
  const address = addressOf('listProjectUnits', { limit: '10' }, { id: String(project) });
  const loaded = useData<Listing[]>(isOpen ? address : null);
  const rows = loaded.data;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.project_units}</summary>
      {rows ? (
        <ul>
          {rows.map((listing) => (
            <li key={listing.id}>
              <a href={pageOf(listing)}>{[priceOf(listing), ...factsOf(listing, labelOf)].join(' · ')}</a>
            </li>
          ))}
        </ul>
      ) : (
        <Waiting loaded={loaded} />
      )}
      {rows?.length === 0 ? <p class="note">{texts.no_units}</p> : null}
    </details>
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

const QUARTERS: Readonly<Record<string, string>> = texts.quarters;

/** Formats a quarter such as `2025-Q3`. */
export function quarterText(quarter: string): string {
  const [year = '', number = ''] = quarter.split('-');
  return `${QUARTERS[number] ?? number} ${year}`;
}

function DealsView({ values }: ResultsProps) {
  const { labelOf } = useExplorer();
  const loaded = useData<RegisteredDeals>(addressOfView('deals', values));
  const found = loaded.data;
  if (!found) return <Waiting loaded={loaded} />;
  const { cells, attribution } = found;
  if (cells.length === 0) return <p>{texts.nothing}</p>;
  const bars = cells.map(({ quarter, deal_count }) => ({
    name: quarterText(quarter),
    value: deal_count,
    title: `${quarterText(quarter)}: ${format.number(deal_count)}`,
  }));
  return (
    <>
      <p class="note">{texts.deals_note}</p>
      <h2>{texts.deals_chart}</h2>
      <Drawing chart={barChart({ label: texts.deals_chart, value: format.compact, bars })} />
      <Table
        columns={[texts.quarter, texts.deals, texts.median, `${texts.median} ${texts.per_sqm}`, texts.coverage]}
        rows={cells.map((cell) => ({
          key: cell.quarter,
          cells: [
            <Fragment key="quarter">
              {quarterText(cell.quarter)} {cell.coverage_flag === 'full' ? null : <small>{texts.not_final}</small>}
            </Fragment>,
            format.number(cell.deal_count),
            amountOr(cell.median_price_sar, texts.not_shown),
            amountOr(cell.median_price_per_sqm_sar, texts.not_shown),
            labelOf('coverage_flags', cell.coverage_flag),
          ],
        }))}
      />
      <p class="note">
        {texts.each_deal}{' '}
        <a href={pathOf('/reference/list-transactions')}>
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

const WORDS = { texts: data.shared, format, language: data.language };

/** The place of the home is chosen on the map, and its attributes in a form. */
function EstimateView({ values }: ResultsProps) {
  const { change, labelOf } = useExplorer();
  const home = homeOf(values);
  const loaded = useData<HomeEstimate>(isComplete('estimate', values) ? addressOfView('estimate', values) : null);
  const { area, age } = texts.home_fields;
  const fields = [
    { name: 'area', label: area, min: 1, max: 1_000_000, required: true },
    { name: 'beds', label: data.labels.beds, min: 0, max: 20 },
    { name: 'age', label: age, min: 0, max: 100 },
  ];
  const names = ['property_type', ...fields.map(({ name }) => name)];
  const form = useRef<HTMLFormElement>(null);
  // Only when the described home changes, so that a click on the map keeps what is being typed.
  useEffect(() => {
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]') ?? [])
      field.value = home.get(field.name) ?? (field.name === 'property_type' ? data.homeTypes[0] : '');
  }, [names.map((name) => home.get(name)).join()]);
  return (
    <>
      <p class="note" role="status">
        {home.has('near')
          ? texts.home_placed
          : home.has('neighborhood_id')
            ? texts.home_in_neighborhood
            : texts.home_place}
      </p>
      <form
        class="home-form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget);
          change(Object.fromEntries(names.map((name) => [name, String(typed.get(name))])));
        }}
      >
        <label>
          {data.labels.property_type}
          <select name="property_type">
            {data.homeTypes.map((type) => (
              <option key={type} value={type}>
                {labelOf('property_types', type)}
              </option>
            ))}
          </select>
        </label>
        {fields.map(({ name, label, ...limits }) => (
          <label key={name}>
            {label}
            <input type="number" name={name} step={name === 'area' ? 'any' : 1} {...limits} />
          </label>
        ))}
        <button type="submit" class="main">
          {texts.home_estimate}
        </button>
      </form>
      {loaded.data ? <Drawing chart={estimatePart(loaded.data, WORDS)} /> : <Waiting loaded={loaded} />}
    </>
  );
}

const COMPONENTS: Readonly<Record<View, (props: ResultsProps) => JSX.Element>> = {
  listings: ListingsView,
  prices: PricesView,
  neighborhoods: NeighborhoodsView,
  trend: TrendView,
  projects: ProjectsView,
  deals: DealsView,
  estimate: EstimateView,
};

export function costOf(view: View, address: string): string {
  const { units, per, parameter } = operationOf(view)?.units ?? { units: 0 };
  const results = parameter === undefined ? null : new URL(address, data.baseUrl).searchParams.get(parameter);
  const cost = per === undefined || parameter === undefined ? units : units * Math.ceil(Number(results) / per);
  return cost === 0 ? texts.free : format.count(texts.units, cost);
}
