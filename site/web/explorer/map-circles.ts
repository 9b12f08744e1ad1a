import type { Box } from '#domain/geography/country.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { boxAround, type Ring } from '#site/server/explorer-place.ts';
import { elementOf } from '../element.ts';
import { format } from './page-data.ts';

export interface MapItem {
  id: number;
  lat: number | null;
  lng: number | null;
}

export interface Pin extends LatLng {
  id: number;
  price: number | null;
  /** Accessible name, which starts with the short price. */
  name: string;
}

/** Listings or deals that are drawn as one circle. */
export interface Circle extends LatLng {
  count: number;
  price: number | null;
  box: Box;
  name: string;
  label?: string;
  /** A city in the box, where the circle is drawn. */
  city?: LatLng & { name: string };
  /** Chosen by a click, which otherwise zooms in. */
  neighborhood?: number;
  /** Undefined if only their number is known. */
  members?: readonly Pin[];
}

export interface MapContent {
  pins: readonly Pin[];
  circles: readonly Circle[];
  limits: readonly number[];
  describe(count: number, price: number | null): string;
}

export const priceText = (price: number | null): string => (price === null ? '–' : format.compact(price));

export function isInCircle({ id, lat, lng }: MapItem, { members, box: [west, south, east, north] }: Circle): boolean {
  if (members) return members.some((member) => member.id === id);
  return lat !== null && lng !== null && lng >= west && lng < east && lat >= south && lat < north;
}

export const circleOf = (pin: Pin): Circle => {
  const { lat, lng, price, name } = pin;
  return { lat, lng, count: 1, price, box: [lng, lat, lng, lat], name, members: [pin] };
};

/**
 * Returns one circle for circles without space beside each other, with the median price if their pins are known: a
 * median of medians would be wrong.
 */
export function joined(circles: readonly [Circle, ...Circle[]], describe: MapContent['describe']): Circle {
  const [{ lat, lng, box, label }] = circles;
  const members = circles.every((circle) => circle.members) ? circles.flatMap((each) => each.members ?? []) : undefined;
  const prices = (members ?? []).flatMap(({ price }) => price ?? []).sort((a, b) => a - b);
  const middle = (prices.length - 1) / 2;
  const price = ((prices[Math.floor(middle)] ?? 0) + (prices[Math.ceil(middle)] ?? 0)) / 2 || null;
  const count = circles.reduce((sum, circle) => sum + circle.count, 0);
  const corners = circles.map(
    ({ box: [west, south, east, north] }): Ring => [
      [west, south],
      [east, north],
    ],
  );
  const around = { lat, lng, count, price, box: boxAround(corners) ?? box, name: describe(count, price) };
  return { ...around, ...(members && { members }), ...(label && { label: `${label} …` }) };
}

export const markerButton = (className: string, text: string): HTMLButtonElement =>
  elementOf('button', { type: 'button', className, dir: 'auto' }, text);
