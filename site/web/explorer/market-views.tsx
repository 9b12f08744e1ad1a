import { useState } from 'preact/hooks';
import { barChart } from '#site/server/charts.ts';
import { attributionPart, trendChart } from '#site/server/market-parts.ts';
import { dataTable, type Html, html } from '#src/documents/html.ts';
import type { Distribution, NeighborhoodRanking, RegisteredDeals, Trends } from '#src/site-data/responses.ts';
import { useData } from './api-requests.ts';
import { useExplorer } from './context.ts';
import { Markup, Waiting } from './elements.tsx';
import { data, format, labelOf, nameOf, pathOf, quarterText, texts } from './page-data.ts';
import { addressOfView, costOf } from './view-requests.ts';

interface ViewProps {
  /** Filters of the search. */
  values: URLSearchParams;
}

const amountOr = (value: number | null, missing = '–'): string =>
  value === null ? missing : format.sar(Math.round(value));

const numberOr = (value: number | null): string => (value === null ? '–' : format.number(Math.round(value)));

const row = (cells: readonly (string | Html)[]): Html => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;

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
      <Markup of={barChart({ label: texts.price_chart, value: format.compact, bars })} />
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
      {/* Scrolls sideways on a phone. The focus lets the keyboard scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <div class="wide" tabIndex={0}>
        <table class="ranking">
          <thead>
            <tr>
              {[texts.neighborhood, texts.median, texts.per_sqm, texts.sample].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ neighborhood_id, median_price_sar, median_price_per_sqm_sar, sample_size, ...row }) => (
              <tr key={neighborhood_id} class={chosen.includes(String(neighborhood_id)) ? 'chosen' : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain"
                    onClick={() => change({ neighborhood_id: String(neighborhood_id) })}
                  >
                    {nameOf(row) || neighborhood_id}
                  </button>
                </th>
                <td>
                  <meter min={0} max={highest} value={median_price_sar ?? 0} aria-hidden="true" />{' '}
                  {numberOr(median_price_sar)}
                </td>
                <td>{numberOr(median_price_per_sqm_sar)}</td>
                <td>
                  {format.number(sample_size)} {row.small_sample ? <small>{texts.small_sample}</small> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
  const { points, change_pct } = series;
  const rows = points.map(({ month, median_price_sar, sample_size, coverage }) =>
    row([format.month(month), amountOr(median_price_sar), numberOr(sample_size), COVERAGES[coverage] ?? coverage]),
  );
  return (
    <>
      <h2>
        {texts.trend_chart} {change_pct === null ? null : <small>{changeText(change_pct, points)}</small>}
      </h2>
      <Markup of={trendChart(texts.trend_chart, points, format)} />
      <Markup of={dataTable(texts.trend_chart, [texts.month, texts.median, texts.sample, texts.coverage], rows)} />
    </>
  );
}

/** Returns a change between the first and the last complete month. */
function changeText(change: number, points: Trends['series'][number]['points']): string {
  const complete = points.filter((point) => point.median_price_sar !== null && point.coverage === 'complete');
  const [first, last] = [complete[0], complete.at(-1)];
  const text = format.percent(change);
  if (!first || !last || first === last) return text;
  return texts.change_over
    .replace('{change}', text)
    .replace('{from}', format.month(first.month))
    .replace('{to}', format.month(last.month));
}

export function DealsView({ values }: ViewProps) {
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
  const rows = cells.map(({ quarter, coverage_flag, ...cell }) =>
    row([
      html`${quarterText(quarter)} ${coverage_flag !== 'full' && html`<small>${texts.not_final}</small>`}`,
      format.number(cell.deal_count),
      amountOr(cell.median_price_sar, texts.not_shown),
      amountOr(cell.median_price_per_sqm_sar, texts.not_shown),
      labelOf('coverage_flags', coverage_flag),
    ]),
  );
  const perSqm = `${texts.median} ${texts.per_sqm}`;
  const columns = [texts.quarter, texts.deals, texts.median, perSqm, texts.coverage];
  return (
    <>
      <p class="note">{texts.deals_note}</p>
      <h2>{texts.deals_chart}</h2>
      <Markup of={barChart({ label: texts.deals_chart, value: format.compact, bars })} />
      <Markup of={dataTable(texts.deals_chart, columns, rows)} />
      <p class="note">
        {texts.each_deal}{' '}
        <a href={pathOf('/reference/list-transactions')}>
          <code dir="ltr">GET /transactions</code>
        </a>
      </p>
      {attribution ? <Markup of={attributionPart(attribution, texts, data.language)} /> : null}
    </>
  );
}
