import { type Html, html } from '#src/documents/html.ts';
import type { Language } from '#src/documents/language.ts';
import type { RegisteredDeals, Trends } from '#src/site-data/responses.ts';
import { timeChart } from './charts.ts';
import type { Formatter } from './format.ts';

/** Parts of statistics that pages and the explorer show. Pure, for server and browser. */

/** Returns a chart of medians by month. Those of incomplete months and of small samples are hollow. */
export const trendChart = (label: string, points: Trends['series'][number]['points'], format: Formatter): Html =>
  timeChart({
    label,
    value: format.compact,
    time: format.month,
    points: points.map(({ month, median_price_sar: value, coverage, small_sample }) => ({
      at: Date.parse(month),
      value,
      weak: coverage !== 'complete' || small_sample === true,
      title: `${format.month(month)}: ${value === null ? '–' : format.sar(value)}`,
    })),
  });

/** Names the sources of registered deals, as their license requires beside them. */
export function attributionPart(
  { datasets, license }: NonNullable<RegisteredDeals['attribution']>,
  { open_data }: { open_data: string },
  language: Language,
): Html {
  const sources = datasets.map(
    ({ title, title_en, publisher, urls }) =>
      html`<a href="${urls[0] ?? ''}" rel="noopener">${language === 'ar' ? title : `${title_en}, ${publisher}`}</a> `,
  );
  return html`<p class="note">${open_data} ${sources}<a href="${license.url}" rel="noopener" lang="en" dir="ltr">${license.name}</a></p>`;
}
