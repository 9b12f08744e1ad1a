import { cellsOf } from '#domain/geography/cells.ts';
import type { LatLng } from '#domain/geography/places.ts';
import type { Location } from '#domain/listings/listing.ts';
import type { Texts } from '#site/text/index.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, nameIn } from '#src/documents/language.ts';
import type { PlacedNeighborhood } from './api-client.ts';

const WIDTH = 640;
const HEIGHT = 320;
/** Kilometers from the location of a listing to the left and right edges. */
const REACH_KM = 5;
/** Names overlap on a map that shows more. */
const MOST_NAMED_KM = 8;
const KM_PER_DEGREE = 111.32;
/** Estimated size of a name on the map. */
const CHARACTER = 7.5;
const LINE = 16;

interface Outline {
  center: LatLng;
  /** Neighborhood that is marked. */
  own: number | null;
  reachKm: number;
  dots: readonly { lat: number | null; lng: number | null }[];
  label: string;
}

/** Draws a map without scripts and map tiles; null if the listing has no location. */
export function surroundings(
  { lat, lng, neighborhood_id }: Location,
  neighborhoods: readonly PlacedNeighborhood[],
  words: { texts: Texts; language: Language },
): Html | null {
  if (lat === null || lng === null) return null;
  const shown = { center: { lat, lng }, own: neighborhood_id, reachKm: REACH_KM, dots: [{ lat, lng }] };
  return outline(neighborhoods, words, { ...shown, label: words.texts.map_label });
}

/** Draws the neighborhoods around a point, with a dot for each home. Pure. */
export function outline(
  neighborhoods: readonly PlacedNeighborhood[],
  { texts, language }: { texts: Pick<Texts, 'kilometers'>; language: Language },
  { center: { lat, lng }, own, reachKm, dots, label }: Outline,
): Html {
  const perKm = WIDTH / 2 / reachKm;
  const shrink = Math.cos((lat * Math.PI) / 180);
  const x = (to: number): number => WIDTH / 2 + (to - lng) * KM_PER_DEGREE * shrink * perKm;
  const y = (to: number): number => HEIGHT / 2 - (to - lat) * KM_PER_DEGREE * perKm;
  const placed = neighborhoods.flatMap(({ center, ...each }) => (center ? [{ ...each, ...center }] : []));
  const near = placed.filter(
    (each) => Math.abs(x(each.lng) - WIDTH / 2) < 2 * WIDTH && Math.abs(y(each.lat)) < 3 * HEIGHT,
  );
  // The marked cell is drawn last, so that its neighbors do not cover its outline.
  const ordered = cellsOf(near).sort((a, b) => Number(a.id === own) - Number(b.id === own));
  const cells = ordered.flatMap(({ id, ring }) => {
    const corners = ring.map(([toLng, toLat]) => [Math.round(x(toLng)), Math.round(y(toLat))] as const);
    const isVisible =
      corners.some(([left]) => left > 0) &&
      corners.some(([left]) => left < WIDTH) &&
      corners.some(([, top]) => top > 0) &&
      corners.some(([, top]) => top < HEIGHT);
    if (!isVisible) return [];
    return html`<polygon class="${id === own ? 'cell own' : 'cell'}" points="${corners.join(' ')}"/>`;
  });
  const named: { name: string; left: number; top: number }[] = [];
  // The marked neighborhood has its name in any case, others where it covers no name before.
  for (const each of near.toSorted((a, b) => Number(b.id === own) - Number(a.id === own))) {
    const [left, middle] = [Math.round(x(each.lng)), Math.round(y(each.lat))];
    const isInside = Math.abs(left - WIDTH / 2) < WIDTH / 2 - 40 && Math.abs(middle - HEIGHT / 2) < HEIGHT / 2 - 10;
    if (reachKm > MOST_NAMED_KM || !isInside) continue;
    const name = nameIn(language, each);
    // A name that the listing's dot would cover is moved below it.
    const isCovered = Math.abs(left - WIDTH / 2) < 60 && Math.abs(middle + 4 - HEIGHT / 2) < 24;
    const top = isCovered ? HEIGHT / 2 + 34 : middle + 4;
    const isFree = named.every(
      (other) =>
        Math.abs(other.top - top) > LINE ||
        Math.abs(other.left - left) > ((other.name.length + name.length) / 2) * CHARACTER,
    );
    if (isFree) named.push({ name, left, top });
  }
  const names = named.map(
    ({ name, left, top }) => html`<text class="place" x="${left}" y="${top}" text-anchor="middle">${name}</text>`,
  );
  const circles = dots.flatMap((dot) => {
    if (dot.lat === null || dot.lng === null) return [];
    const [cx, cy] = [Math.round(x(dot.lng)), Math.round(y(dot.lat))];
    return html`<circle class="halo" cx="${cx}" cy="${cy}" r="16"/><circle class="dot" cx="${cx}" cy="${cy}" r="6"/>`;
  });
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${cells}${names}${circles}<path class="scale" d="M16 ${HEIGHT - 16}h${Math.round(perKm)}"/><text class="place" x="${16 + Math.round(perKm / 2)}" y="${HEIGHT - 22}" text-anchor="middle">1 ${texts.kilometers}</text></svg>`;
}
