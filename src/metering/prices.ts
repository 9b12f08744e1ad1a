/**
 * `units` for every `per` items, rounded up. `parameter` is a number, or a list of which distinct values count. A
 * response without `result` costs `without` units. If `returned`, the parameter states the most that a call can cost, and
 * rows of the response count.
 */
export type Price =
  | { units: number; without?: number; result?: string }
  | { units: number; per: number; parameter: string; counted: string; returned?: true };

const byLimit = (units: number) =>
  ({ units, per: 10, parameter: 'limit', counted: 'results requested with `limit`' }) as const;

export const PRICES = {
  reference: { units: 0 },
  administration: { units: 0 },
  service: { units: 0 },
  search: byLimit(1),
  changes: { units: 1, per: 10, parameter: 'limit', counted: 'rows returned', returned: true },
  batch: { units: 1, per: 10, parameter: 'ids', counted: 'ids' },
  count: { units: 1 },
  parse: { units: 0 },
  facets: { units: 1 },
  map: { units: 1 },
  listing: { units: 1 },
  market: { units: 1 },
  price_band: { units: 10 },
  market_position: { units: 10 },
  comparables: { units: 15 },
  estimate: { units: 15, without: 1, result: 'an estimate' },
  estimates: { units: 0 },
  rental_yield: { units: 15 },
  compare: { units: 15 },
  trends: { units: 15 },
  deals: byLimit(2),
  projects: byLimit(1),
  project: { units: 1 },
  official: { units: 0 },
  exports: { units: 0 },
} as const satisfies Readonly<Record<string, Price>>;

/** By rows, charged once when they have been counted. */
export const EXPORT_PRICE = { units: 100, perRows: 1_000 } as const;

export const exportUnits = (rows: number): number => Math.ceil(rows / EXPORT_PRICE.perRows) * EXPORT_PRICE.units;

export function unitsOf(price: Price, query: Readonly<Record<string, unknown>>): number {
  if (!('per' in price)) return price.units;
  const value = query[price.parameter];
  const count = Array.isArray(value) ? new Set(value).size : Number(value);
  return price.units * Math.ceil(count / price.per);
}

/**
 * Units of a response.
 * @param units as requested
 * @param loaded whether it has the result that the price is for, and its rows that count
 */
export function loadedUnits(
  price: Price,
  units: number,
  { found = true, rows }: { found?: boolean; rows?: number },
): number {
  if ('per' in price) return price.returned && rows !== undefined ? price.units * Math.ceil(rows / price.per) : units;
  return found ? units : Math.min(units, price.without ?? units);
}

/** For example "Costs 2 units per 10 results requested with `limit`." */
export function describePrice(price: Price): string {
  const units = unitText(price.units);
  if ('per' in price) return `Costs ${units} per ${price.per} ${price.counted}.`;
  return price.without === undefined
    ? `Costs ${units}.`
    : `Costs ${units}, or ${unitText(price.without)} without ${price.result}.`;
}

const unitText = (units: number): string => (units === 1 ? '1 unit' : `${units} units`);
