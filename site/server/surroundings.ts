import { cellsOf } from '#domain/geography/cells.ts';
import type { Location } from '#domain/listings/listing.ts';
import type { Texts } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import type { Language } from '#src/documents/language.ts';
import type { PlacedNeighborhood } from './api-client.ts';

const WIDTH = 640;
const HEIGHT = 320;
/** Kilometers from the center to the left and right edges. */
const REACH = 5;
const KM_PER_DEGREE = 111.32;
const PER_KM = WIDTH / 2 / REACH;

/** Draws a map without scripts and map tiles; null if the listing has no location. */
export function surroundings(
  { lat, lng, neighborhood_id }: Location,
  neighborhoods: readonly PlacedNeighborhood[],
  { texts, language }: { texts: Texts; language: Language },
): Html | null {
  if (lat === null || lng === null) return null;
  const shrink = Math.cos((lat * Math.PI) / 180);
  const x = (to: number): number => WIDTH / 2 + (to - lng) * KM_PER_DEGREE * shrink * PER_KM;
  const y = (to: number): number => HEIGHT / 2 - (to - lat) * KM_PER_DEGREE * PER_KM;
  const placed = neighborhoods.flatMap(({ center, ...each }) => (center ? [{ ...each, ...center }] : []));
  const near = placed.filter(
    (each) => Math.abs(x(each.lng) - WIDTH / 2) < 2 * WIDTH && Math.abs(y(each.lat)) < 3 * HEIGHT,
  );
  // The cell of the listing is drawn last, so that its neighbors do not cover its outline.
  const ordered = cellsOf(near).sort((a, b) => Number(a.id === neighborhood_id) - Number(b.id === neighborhood_id));
  const cells = ordered.flatMap(({ id, ring }) => {
    const corners = ring.map(([toLng, toLat]) => [Math.round(x(toLng)), Math.round(y(toLat))] as const);
    const isVisible =
      corners.some(([left]) => left > 0) &&
      corners.some(([left]) => left < WIDTH) &&
      corners.some(([, top]) => top > 0) &&
      corners.some(([, top]) => top < HEIGHT);
    if (!isVisible) return [];
    return html`<polygon class="${id === neighborhood_id ? 'cell own' : 'cell'}" points="${corners.join(' ')}"/>`;
  });
  const names = near
    .filter(
      (each) =>
        Math.abs(x(each.lng) - WIDTH / 2) < WIDTH / 2 - 40 && Math.abs(y(each.lat) - HEIGHT / 2) < HEIGHT / 2 - 10,
    )
    .map(({ lat: toLat, lng: toLng, ...named }) => {
      const name = named[language === 'ar' ? 'name_ar' : 'name_en'];
      const [left, top] = [Math.round(x(toLng)), Math.round(y(toLat)) + 4];
      // A name that the listing's dot would cover is moved below it.
      const isCovered = Math.abs(left - WIDTH / 2) < 60 && Math.abs(top - HEIGHT / 2) < 24;
      return html`<text class="place" x="${left}" y="${isCovered ? HEIGHT / 2 + 34 : top}" text-anchor="middle">${name}</text>`;
    });
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${texts.map_label}">${cells}${names}<circle class="halo" cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="16"/><circle class="dot" cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="6"/><path class="scale" d="M16 ${HEIGHT - 16}h${PER_KM}"/><text class="place" x="${16 + PER_KM / 2}" y="${HEIGHT - 22}" text-anchor="middle">1 ${texts.kilometers}</text></svg>`;
}
