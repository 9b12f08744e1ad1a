import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { barChart, timeChart } from '#site/server/charts.ts';
import type { Distribution, NeighborhoodRanking, RegisteredDeals, Trends } from '#src/site-data/responses.ts';
import { useData } from './api-requests.ts';
import { useExplorer } from './context.ts';
import { amountOr, Chart, numberOr, Table, Waiting } from './elements.tsx';
import { data, format, nameOf, pathOf, quarterText, texts } from './page-data.ts';
import { addressOfView, costOf } from './view-requests.ts';

interface ViewProps {
  /** Filters of the search. */
  values: URLSearchParams;
}

export function PricesView({ values }: ViewProps) {
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
      <Chart chart={barChart({ label: texts.price_chart, value: format.compact, bars })} />
      <p class="note">{texts.asking_note}</p>
    </>
  );
}

export function NeighborhoodsView({ values }: ViewProps) {
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

export function TrendView({ values }: ViewProps) {
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
      <Chart
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

export function DealsView({ values }: ViewProps) {
  const { labelOf } = useExplorer();
  const loaded = useData<RegisteredDeals>(addressOfView('deals', values));
  const found = loaded.data;
  if (!found) return <Waiting loaded={loaded} />;
  const { cells, attribution } = found;
  if (cells.length === 0) return <p>{texts.nothing}</p>;
  const bars = cells.map(({ quarter, deal_count, coverage_flag }) => {
    const weak = coverage_flag !== 'full';
    const title = `${quarterText(quarter)}: ${format.number(deal_count)}${weak ? ` (${texts.not_final})` : ''}`;
    return { name: quarterText(quarter), value: deal_count, weak, isOpen: coverage_flag === 'incomplete', title };
  });
  return (
    <>
      <p class="note">{texts.deals_note}</p>
      <h2>{texts.deals_chart}</h2>
      <Chart chart={barChart({ label: texts.deals_chart, value: format.compact, bars })} />
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
