import { dataTable, type Html, html } from '#src/documents/html.ts';
import { pathIn } from '#src/documents/language.ts';
import type { HomeEstimate, ListingEstimate } from '#src/site-data/responses.ts';
import { bandChart } from './charts.ts';
import { tenths } from './format.ts';
import type { Words as AllWords } from './listing-words.ts';

type Words = Omit<AllWords, 'name'>;

/** Number of comparables on a page: those of the largest weight. */
const SHOWN = 5;

/** Renders an estimate, or why there is none. Pure, for server and browser. */
export function estimatePart(
  { status, price_basis, estimate, evidence, comparables }: HomeEstimate,
  words: Words,
  { price_sar: price, diff_from_estimate_pct: difference }: Partial<ListingEstimate> = {},
): Html {
  const { texts, format, language } = words;
  if (!estimate || !evidence) return missingEstimate(status, words);
  const { price_per_sqm_sar, interval_80_sar: interval, limited_evidence } = estimate;
  const expected = hundreds(estimate.price_sar);
  const low = hundreds(interval.low);
  const high = hundreds(interval.high);
  const place =
    evidence.geography === 'neighborhood'
      ? texts.estimate_neighborhood
      : texts.estimate_within.replace('{distance}', format.distance(evidence.radius_m));
  const sums = texts.estimate_interval.replace('{low}', format.sar(low)).replace('{high}', format.sar(high));
  const columns = texts.estimate_columns;
  const rows = comparables.slice(0, SHOWN).map((home) => {
    const cells = [
      format.area(home.area_sqm),
      home.bedrooms ?? '–',
      home.age_years ?? '–',
      home.distance_m === null ? '–' : format.distance(home.distance_m),
      format.share(tenths(home.weight_pct)),
      format.sar(hundreds(home.adjusted_price_sar)),
    ];
    return html`<tr><th scope="row"><a href="${pathIn(language, `/listings/${home.listing_id}`)}">${format.sar(home.price_sar)}</a></th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  });
  return html`<div class="estimate"><p class="price">${format.sar(expected)}${price_basis === 'yearly_rent' ? ` ${texts.a_year}` : ''}<small>${format.sar(Math.round(price_per_sqm_sar))} ${texts.per_square_meter}</small></p>
${difference == null ? null : html`<p class="verdict">${positionText(difference, words)}</p>`}
${bandChart({ label: sums, low, median: expected, high, price: price ?? expected, value: format.sar })}
<p>${sums} ${limited_evidence ? texts.estimate_limited : null}</p>
<h3>${texts.comparables}</h3>
${dataTable(texts.comparables, [columns.price, columns.area, columns.bedrooms, columns.age, columns.distance, columns.weight, columns.adjusted], rows)}
<p class="note">${texts.estimate_weights.replace('{shown}', String(rows.length)).replace('{n}', String(comparables.length))} ${place} ${texts.estimate_note} <a href="${pathIn(language, '/accuracy')}">${texts.estimate_accuracy}</a>.</p></div>`;
}

export const missingEstimate = (status: HomeEstimate['status'], { texts }: Words): Html =>
  html`<p>${texts.estimate_none} ${texts.estimate_reasons[status]}</p>`;

function positionText(difference: number, { texts, format }: Words): string {
  const rounded = tenths(difference);
  const text = rounded > 0 ? texts.position_above : rounded < 0 ? texts.position_below : texts.position_equal;
  return text.replace('{pct}', format.share(Math.abs(rounded)));
}

const hundreds = (amount: number): number => Math.round(amount / 100) * 100;
