import { type Html, html } from '#documents/html.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { PriceBand } from '#site-data/responses.ts';
import { bandChart } from './charts.ts';
import { tenths } from './format.ts';
import { homeCards, type Words } from './listing-words.ts';

export interface Comparables {
  comparables: readonly {
    listing: Listing;
    similarity: { distance_m: number; price_diff_pct: number | null };
  }[];
}

/** Number of comparable homes on a page. */
export const COMPARABLES = 3;

export const comparison = (band: PriceBand, found: Comparables, city: string, words: Words): Html =>
  html`${bandPart(band, words)}<h3>${words.texts.comparables}</h3>${comparablesPart(found, city, words)}`;

function bandPart({ status, band, cohort, price_sar: price, position, stability }: PriceBand, words: Words): Html {
  const { texts, format } = words;
  if (!band || !cohort || price === null) return html`<p>${texts.band_none} ${texts.band_reasons[status]}</p>`;
  const { p25_sar: low, median_sar: median, p75_sar: high } = band.price;
  const difference = position?.diff_from_median_pct ?? null;
  const where =
    cohort.geography === 'neighborhood'
      ? texts.band_neighborhood
      : `${texts.band_within} ${format.distance(cohort.radius_m)}.`;
  return html`${difference === null ? null : html`<p class="verdict">${positionText(difference, cohort.distinct_units, words)}</p>`}${bandChart({ label: texts.price_band_label, low, median, high, price, value: format.sar })}
<p>${texts.band_middle} ${format.sar(low)} ${texts.band_and}${texts.band_and === 'و' ? '' : ' '}${format.sar(high)}${texts.semicolon} ${texts.band_median} ${format.sar(median)}.</p>
<p class="note">${where} ${stability?.limited_evidence ? `${texts.band_limited} ` : ''}${texts.band_not}</p>`;
}

/** Returns a text such as "3.5% above the median of 18 similar homes". Pure. */
export function positionText(difference: number, units: number, { texts, format }: Words): string {
  const rounded = tenths(difference);
  const text = rounded > 0 ? texts.position_above : rounded < 0 ? texts.position_below : texts.position_equal;
  return text
    .replace('{pct}', format.share(Math.abs(rounded)))
    .replace('{homes}', format.count(texts.similar_homes, units));
}

function comparablesPart({ comparables }: Comparables, city: string, words: Words): Html {
  const { texts, format } = words;
  const priced = (difference: number): string =>
    (difference < 0 ? texts.priced_lower : texts.priced_higher).replace('{pct}', format.share(Math.abs(difference)));
  if (comparables.length === 0) return html`<p>${texts.no_comparables}</p>`;
  const homes = comparables.map(({ listing, similarity: { distance_m, price_diff_pct } }) => ({
    listing,
    note: [
      `${format.distance(distance_m)} ${texts.away}`,
      ...(price_diff_pct ? [priced(tenths(price_diff_pct))] : []),
    ].join(' · '),
  }));
  return homeCards(homes, city, words);
}
