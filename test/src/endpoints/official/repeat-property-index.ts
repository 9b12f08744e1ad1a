// Recomputes `residential_land_registered` of the property index from the deals that `/transactions` serves. Follows
// only the method in docs/property-index.md and shares no code with the service. For one city, or for all of them together.
//
//   node test/src/endpoints/official/repeat-property-index.ts http://127.0.0.1:8080/v1 <API_KEY> riyadh
//   node test/src/endpoints/official/repeat-property-index.ts http://127.0.0.1:8080/v1 <API_KEY> national

interface Deal {
  registration_month: string;
  neighborhood_id: number | null;
  ministry_city_ar: string | null;
  ministry_district_ar: string | null;
  city: string;
  price_per_sqm_sar: number;
}

interface Point {
  period: string;
  index: number;
  sample_size: number;
}

/** The index of deals, by quarter. `lastOf` is the last quarter that a city's deals count in. */
export function repeat(
  deals: readonly Deal[],
  through: string,
  lastOf: Readonly<Record<string, string>> = {},
): Point[] {
  // Step 1: quarters, 2023-Q2 and later, and one stratum a neighborhood.
  const quarters: Record<string, Record<string, number[]>> = {};
  const sizes: Record<string, number> = {};
  for (const deal of deals) {
    const [year, month] = deal.registration_month.split('-').map(Number) as [number, number];
    const quarter = `${year}-Q${Math.ceil(month / 3)}`;
    if (quarter < '2023-Q2' || quarter > through || quarter > (lastOf[deal.city] ?? '9999')) continue;
    sizes[quarter] = (sizes[quarter] ?? 0) + 1;
    if (deal.neighborhood_id === null && (deal.ministry_city_ar === null || deal.ministry_district_ar === null))
      continue;
    const stratum = `${deal.city} ${deal.neighborhood_id ?? `${deal.ministry_city_ar} ${deal.ministry_district_ar}`}`;
    quarters[quarter] ??= {};
    const strata = quarters[quarter] as Record<string, number[]>;
    strata[stratum] ??= [];
    (strata[stratum] as number[]).push(deal.price_per_sqm_sar);
  }
  // Step 2: the price of a stratum is its median; below five deals it has none, nor where its deals mix goods.
  const prices = Object.keys(quarters)
    .sort()
    .map((quarter) => ({
      quarter,
      strata: Object.fromEntries(
        Object.entries(quarters[quarter] as Record<string, number[]>)
          .filter(([, all]) => all.length >= 5 && percentile(all, 0.9) / percentile(all, 0.1) <= 4)
          .map(([stratum, all]) => [stratum, { price: median(all), worth: all.length * median(all) }]),
      ),
    }));
  while (prices[0] && Object.keys(prices[0].strata).length < 10) prices.shift();
  // Steps 3 to 5: every two quarters, by what both have.
  const links: Link[] = [];
  for (const [to, later] of prices.entries())
    for (const [from, earlier] of prices.slice(0, to).entries()) {
      const log = linkOf(earlier.strata, later.strata);
      if (log !== null) links.push({ from, to, log });
    }
  const linked = new Set([0]);
  for (const _ of prices)
    for (const { from, to } of links) if (linked.has(from) || linked.has(to)) linked.add(from).add(to);
  // Step 6: the index that fits the links best. Each quarter is the mean of the values that its links imply, repeated until
  // it converges.
  const logs = prices.map(() => 0);
  for (let moved = 1; moved > 1e-12; ) {
    moved = 0;
    for (const at of linked) {
      if (at === 0) continue;
      const said = links.flatMap(({ from, to, log }) =>
        to === at ? [(logs[from] as number) + log] : from === at ? [(logs[to] as number) - log] : [],
      );
      const mean = said.reduce((sum, each) => sum + each, 0) / said.length;
      moved = Math.max(moved, Math.abs(mean - (logs[at] as number)));
      logs[at] = mean;
    }
  }
  return prices.flatMap(({ quarter }, at) =>
    linked.has(at)
      ? [{ period: quarter, index: 100 * Math.exp(logs[at] as number), sample_size: sizes[quarter] as number }]
      : [],
  );
}

type Strata = Readonly<Record<string, { price: number; worth: number }>>;

interface Link {
  from: number;
  to: number;
  log: number;
}

/** The logarithm of the price change of what two quarters share; null where that is too little. */
function linkOf(before: Strata, now: Strata): number | null {
  const both = Object.keys(now).filter((stratum) => stratum in before);
  const ratio = (stratum: string): number =>
    (now[stratum] as { price: number }).price / (before[stratum] as { price: number }).price;
  const middle = Math.exp(median(both.map((stratum) => Math.log(ratio(stratum)))));
  const kept = both.filter((stratum) => ratio(stratum) <= 2 * middle && ratio(stratum) >= middle / 2);
  if (kept.length < 10) return null;
  const worths = (strata: Strata): number[] => kept.map((stratum) => (strata[stratum] as { worth: number }).worth);
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const covered = (strata: Strata): number =>
    total(worths(strata)) / total(Object.values(strata).map(({ worth }) => worth));
  if (Math.sqrt(covered(before) * covered(now)) < 0.5) return null;
  const [sharesBefore, sharesNow] = [capped(worths(before)), capped(worths(now))];
  return total(
    kept.map(
      (stratum, at) => (((sharesBefore[at] as number) + (sharesNow[at] as number)) / 2) * Math.log(ratio(stratum)),
    ),
  );
}

/** Shares capped at 5%: the excess is distributed to the others in proportion. Of 20 or fewer all are equal. */
function capped(worths: readonly number[]): number[] {
  if (worths.length <= 20) return worths.map(() => 1 / worths.length);
  const shares = worths.map((worth) => worth / worths.reduce((sum, each) => sum + each, 0));
  const full = new Set<number>();
  for (;;) {
    const above = shares.findIndex((share, at) => !full.has(at) && share > 0.05 + 1e-12);
    if (above === -1) return shares;
    full.add(above);
    const free = shares.reduce((sum, _, at) => (full.has(at) ? sum : sum + (worths[at] as number)), 0);
    for (const at of shares.keys())
      shares[at] = full.has(at) ? 0.05 : ((worths[at] as number) / free) * (1 - 0.05 * full.size);
  }
}

/** By linear interpolation between the two nearest values. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]] as [number, number];
  return low + (high - low) * (at - Math.floor(at));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return half % 1 === 0
    ? ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
    : (sorted[Math.floor(half)] as number);
}

interface Published {
  period: string;
  land_price_index: number;
  sample_size: number;
}

/** Returns the differences between the index and a published series. */
function compare(points: readonly Point[], published: readonly Published[]): string[] {
  if (points.length !== published.length) return [`${points.length} points here, ${published.length} published`];
  return published.flatMap(({ period, land_price_index: index, sample_size: size }, at) => {
    const mine = points[at] as Point;
    const same = mine.period === period && Math.abs(mine.index - index) <= 0.0051 && mine.sample_size === size;
    return same ? [] : [`${mine.period}: ${mine.index} of ${mine.sample_size}, published ${index} of ${size}`];
  });
}

/** Requests a path of the API. Responses are as documented. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of the service
type Ask = (path: string) => Promise<any>;

async function main(base: string, key: string, scope: string): Promise<void> {
  const ask: Ask = async (path) => {
    const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const wanted = scope === 'national' ? 'scope=national' : `city=${scope}`;
  const { data } = await ask(`/market/property-index?property=residential_land&${wanted}`);
  const [series] = data.series;
  if (!series) throw new Error(`No series: ${JSON.stringify(data.cities_without_series)}`);
  const slugs: string[] =
    scope === 'national' ? (await ask('/cities')).data.map(({ slug }: { slug: string }) => slug) : [scope];
  const deals = await page(ask, slugs, series.points.at(-1).period);
  // Deals of Riyadh end on 2026-05-18: 2026-Q1 is its last whole quarter.
  const points = repeat(deals, series.points.at(-1).period, { riyadh: '2026-Q1' });
  const differences = compare(points, series.points);
  console.log(`${data.release.id}, ${scope}: ${points.length} points from ${deals.length} deals.`);
  for (const { period, index } of points) console.log(`${period} ${index.toFixed(2)}`);
  console.log(differences.length === 0 ? 'They agree.' : `They differ:\n${differences.join('\n')}`);
  if (differences.length > 0) process.exitCode = 1;
}

/** All deals of cities, month by month so that a page never lies too deep for the plan. */
async function page(ask: Ask, cities: readonly string[], through: string): Promise<Deal[]> {
  const deals: Deal[] = [];
  const { page_size } = (await ask('/limits')).data;
  const [year, quarter] = through.split('-Q').map(Number) as [number, number];
  for (const city of cities) {
    for (let month = 2023 * 12 + 3; month < year * 12 + quarter * 3; month++) {
      const label = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
      for (let cursor = ''; ; ) {
        const answer = await ask(
          `/transactions?city=${city}&land_use_class=residential&month_from=${label}&month_to=${label}&limit=${page_size}${cursor}`,
        );
        deals.push(...answer.data);
        if (answer.pagination.result_window_reached)
          throw new Error(`${city} has more deals in ${label} than the plan pages through: use a higher plan.`);
        if (answer.pagination.next_cursor === null) break;
        cursor = `&cursor=${answer.pagination.next_cursor}`;
      }
    }
  }
  return deals;
}

if (import.meta.main) {
  const [base, key, scope] = process.argv.slice(2);
  if (!base || !key || !scope)
    throw new Error('Usage: node repeat-property-index.ts <base url> <key> <city or national>');
  await main(base, key, scope);
}
