import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { startPipeline, testSource } from '../ingest/run/pipeline.ts';
import type { Home, Random, Segment } from './home.ts';
import { KINDS, type Kind } from './kinds.ts';
import { makeHome, NEIGHBORHOODS, type Posting, rowOf, SEGMENTS } from './market.ts';
import { AREA, anyOf, PRICE, RENT, sentence } from './words.ts';

/** Number of ads per kind in each draw. */
const EACH = 12;
/** Smallest and largest gap of a deal below the median of its price band, in percent. */
const SMALLEST_GAP_PCT = 20;
const LARGEST_GAP_PCT = 45;
/**
 * An ordinary home is cheap up to this share of the price of comparable homes. At least 80% of the ordinary homes among the
 * deals must be cheap.
 */
const CHEAP = 0.85;
const CHEAP_DEALS = 0.8;
/**
 * Baits whose price is below the expected price by more than this share must have a flag. A smaller gap can be missed,
 * because the median estimated from a band differs from the true median.
 */
const CERTAIN_BAIT = 0.5;

/** A planted ad: its true home and the facts as posted. */
interface PlantedAd {
  kind: Kind;
  home: Home;
  posting: Posting;
}

interface Draw {
  market: FeedRow[];
  rows: FeedRow[];
  planted: Map<string, PlantedAd>;
  ordinary: Map<string, Home>;
}

/** Returns sentences that state the correct price and area, each with a probability of one half. */
function plainly(home: Home, random: Random): string[] {
  const facts = { amounts: { price: home.price }, numbers: { area: home.area } };
  const any = (wordings: typeof AREA) => anyOf(home, wordings, facts, random);
  return [
    ...(random() < 0.5 ? [any(home.purpose === 'sale' ? PRICE : RENT)] : []),
    ...(random() < 0.5 ? [any(AREA)] : []),
  ];
}

function plant(
  kind: Kind,
  index: number,
  key: string,
  built: Map<string, number>,
  random: Random,
  now: number,
): [PlantedAd, FeedRow] {
  const segment = kind.of[index % kind.of.length] as Segment;
  const at = Math.floor(random() * NEIGHBORHOODS.length);
  const home = makeHome(key, segment, at, built, random, { statesAge: true, ...kind.home });
  const { amounts, numbers, ...changes } = kind.post?.(home, random, index) ?? {};
  const posting: Posting = { price: home.price, area: home.area, bedrooms: home.bedrooms, ...changes };
  const posted = typeof posting.price === 'number' ? posting.price : home.price;
  const facts = {
    amounts: {
      price: home.price,
      posted,
      rest: home.price - posted,
      half: home.price / 2,
      month: Math.round(home.price / 12),
      per_sqm: Math.round(home.price / home.area),
      ...amounts,
    },
    numbers: { area: home.area, posted_area: Number(posting.area), ...numbers },
  };
  const says = kind.says ? [sentence(home, kind.says, facts, index, random)] : [];
  return [{ kind, home, posting }, rowOf(home, posting, says, random, now, kind.opens)];
}

/** Generates a market of comparable homes and the planted ads. */
function draw(seed: number, now: number): Draw {
  const random = seeded(seed);
  const ordinary = new Map<string, Home>();
  const built = new Map<string, number>();
  const market: FeedRow[] = [];
  for (const [segment, { count }] of Object.entries(SEGMENTS) as [Segment, (typeof SEGMENTS)[Segment]][]) {
    for (let index = 0; index < count * NEIGHBORHOODS.length; index++) {
      const home = makeHome(`home-${segment}-${index}`, segment, index, built, random);
      const posting = { price: home.price, area: home.area, bedrooms: home.bedrooms };
      ordinary.set(home.key, home);
      market.push(rowOf(home, posting, plainly(home, random), random, now));
    }
  }
  const planted = new Map<string, PlantedAd>();
  const rows: FeedRow[] = [];
  for (const [at, kind] of KINDS.entries()) {
    for (let index = 0; index < EACH; index++) {
      const key = `ad-${at}-${index}`;
      const [ad, row] = plant(kind, index, key, built, random, now);
      planted.set(key, ad);
      rows.push(row);
    }
  }
  return { market, rows, planted, ordinary };
}

/** Facts of a listing as clients of the API receive them. */
interface Seen {
  price: number | null;
  area: number | null;
  bedrooms: number | null;
  quality: readonly string[];
}

interface Outcome {
  kind: Kind;
  shown: number;
  /** Number of ads shown with the price, area and rooms that they state. */
  asPosted: number;
  flagged: number;
  /** Number of ads shown with other figures than they state, within 5% of the true values and with a flag. */
  corrected: number;
  deals: number;
  /** Number of deals further below the median of their band than allowed. */
  tooFar: number;
  /** Number of listings that lack a required flag or show incorrect figures. */
  unflagged: number;
}

export interface Result {
  outcomes: Outcome[];
  ordinary: { count: number; shown: number; flagged: number; deals: number; cheap: number };
  /** Number of deals that have no price band or are not confirmed by it. */
  contradicted: number;
}

/** Position of a deal in its price band: percent below the median, and whether the price is below the lower quartile. */
interface Deal {
  gap: number;
  belowQuartile: boolean;
}

interface Installation {
  app: TestApp;
  key: string;
}

interface Found {
  id: number;
  source: { name: string; listing_id: string };
  price: { yearly_sar: number | null };
  area_sqm: number | null;
  bedrooms: number | null;
  quality?: readonly string[];
}

const pages = <Row>({ app, key }: Installation, path: string): Promise<Row[]> => allRows(app, `${path}&limit=100`, key);

const seenOf = ({ price, area_sqm, bedrooms, quality = [] }: Found): Seen => ({
  price: price.yearly_sar,
  area: area_sqm,
  bedrooms,
  quality,
});

const near = (a: number | null, b: number | null, share: number): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= share * Math.abs(b));

/** Returns true if a listing has the figures of its ad. Bedrooms are not compared for types without rooms. */
function isAsPosted(seen: Seen, { posting, home }: PlantedAd): boolean {
  return (
    near(seen.price, Number(posting.price), 0.001) &&
    near(seen.area, Number(posting.area), 0.01) &&
    (home.bedrooms === null || seen.bedrooms === posting.bedrooms)
  );
}

const isTrue = (seen: Seen, { home }: PlantedAd): boolean =>
  near(seen.price, home.price, 0.05) && near(seen.area, home.area, 0.05);

/** Runs the pipeline on a draw and reads the outcomes through the API. */
export async function outcomesOf(seed: number): Promise<Result> {
  const now = Date.parse('2026-07-20T12:00:00Z');
  const { market: homes, rows, planted, ordinary } = draw(seed, now);
  const pipeline = await startPipeline(`anomalies-${seed}`);
  const app = await startTestApp({
    env: { INDEX_PREFIX: pipeline.prefix },
    indexes: ['history', 'deals'],
    overrides: { clock: { now: () => now + 3_600_000, chargeTime: () => null } },
  });
  try {
    await app.addCity({ slug: 'riyadh' }, neighborhoodsOf('riyadh'));
    const installation = { app, key: (await createOrganization(app.services)).key };
    const market = Object.assign(testSource('market'), { feed: homes });
    const ads = Object.assign(testSource('planted'), { feed: rows });
    await pipeline.run([market, ads], new Date(now).toISOString());
    await pipeline.index.refresh();

    const seen = new Map<string, Seen>();
    /** Ids of the deals by ad. */
    const ids = new Map<string, number>();
    const plain = { count: ordinary.size, shown: 0, flagged: 0, deals: 0, cheap: 0 };
    for (const type of ['sale', 'rent']) {
      const own = `city=riyadh&listing_type=${type}`;
      for (const row of await pages<Found>(installation, `/v1/listings?${own}&source=planted`))
        seen.set(row.source.listing_id, seenOf(row));
      for (const row of await pages<Found>(installation, `/v1/listings?${own}&source=market`)) {
        plain.shown++;
        if ((row.quality ?? []).length > 0) plain.flagged++;
      }
      for (const { listing } of await pages<{ listing: Found }>(installation, `/v1/market/deals?${own}`)) {
        const home = ordinary.get(listing.source.listing_id);
        if (home) plain.deals++;
        if (home && home.price <= home.expected * CHEAP) plain.cheap++;
        ids.set(listing.source.listing_id, listing.id);
      }
    }
    const deals = new Map<string, Deal | null>();
    for (const [ad, id] of ids) deals.set(ad, await dealOf(installation, id));
    const contradicted = [...deals.values()].filter((deal) => !isConfirmed(deal)).length;
    await readUnpriced(installation, pipeline, planted, seen);
    return { outcomes: KINDS.map((kind) => tally(kind, planted, seen, deals)), ordinary: plain, contradicted };
  } finally {
    await app.close();
    await pipeline.close();
  }
}

/** Returns the position of a listing in its price band; null if it has no band. */
async function dealOf({ app, key }: Installation, id: number): Promise<Deal | null> {
  const { status, body, text } = await app.request(`/v1/listings/${id}/price-band`, { key });
  if (status !== 200) throw new Error(text);
  const { band, position, price_sar: price } = body.data;
  return band && { gap: -position.diff_from_median_pct, belowQuartile: price < band.price.p25_sar };
}

const isConfirmed = (deal: Deal | null): boolean =>
  deal?.belowQuartile === true && deal.gap >= SMALLEST_GAP_PCT && deal.gap <= LARGEST_GAP_PCT;

/** Reads listings without a price, which the API returns only by id. */
async function readUnpriced(
  { app, key }: Installation,
  pipeline: Awaited<ReturnType<typeof startPipeline>>,
  planted: Draw['planted'],
  seen: Map<string, Seen>,
): Promise<void> {
  for (const [ad, { kind }] of planted) {
    if (kind.expect !== 'unpriced') continue;
    const { id } = await pipeline.listing('planted', ad);
    const { status, body } = await app.request(`/v1/listings/${id}`, { key });
    if (status === 200) seen.set(ad, seenOf(body.data));
  }
}

function tally(
  kind: Kind,
  planted: Draw['planted'],
  seen: Map<string, Seen>,
  deals: Map<string, Deal | null>,
): Outcome {
  const counts = { shown: 0, asPosted: 0, flagged: 0, corrected: 0, deals: 0, tooFar: 0, unflagged: 0 };
  const outcome: Outcome = { kind, ...counts };
  for (const [key, ad] of planted) {
    if (ad.kind !== kind) continue;
    const deal = deals.get(key);
    if (deal !== undefined) outcome.deals++;
    if (deal && deal.gap > LARGEST_GAP_PCT) outcome.tooFar++;
    const listing = seen.get(key);
    if (!listing) continue;
    const flagged = listing.quality.length > 0;
    outcome.shown++;
    if (flagged) outcome.flagged++;
    if (kind.expect === 'unpriced' ? listing.price === null : isAsPosted(listing, ad)) {
      outcome.asPosted++;
      const certain = kind.expect === 'bait' && Number(ad.posting.price) / ad.home.expected < 1 - CERTAIN_BAIT;
      if (certain && !flagged) outcome.unflagged++;
    } else if (flagged && isTrue(listing, ad)) outcome.corrected++;
    else outcome.unflagged++;
  }
  return outcome;
}

/** Returns the differences from the expected outcome of a kind; empty if there are none. */
function faultsOf({ kind, shown, asPosted, flagged, corrected, deals, tooFar, unflagged }: Outcome): string[] {
  const faults: string[] = [];
  const hold = (condition: boolean, fault: string): void => {
    if (!condition) faults.push(`${kind.name}: ${fault}`);
  };
  const { expect } = kind;
  if (expect === 'bait') {
    hold(shown >= EACH - 2, `${EACH - shown} hidden`);
    hold(tooFar === 0, `${tooFar} deals over ${LARGEST_GAP_PCT}% below their band's median`);
    hold(unflagged === 0, `${unflagged} without a flag`);
  } else if (expect === 'bargain') {
    hold(asPosted === EACH, `${EACH - asPosted} not shown`);
    hold(deals >= EACH / 2, `only ${deals} deals`);
  } else {
    const right = expect === 'control' || expect === 'unpriced';
    // About 1% of correct ads are 20% below their band by chance.
    hold(deals <= (right ? 1 : 0), `${deals} deals`);
    if (right) hold(asPosted === EACH, `${EACH - asPosted} not shown as posted`);
    if (expect === 'hidden') {
      hold(asPosted <= 2, `${asPosted} shown as posted`);
      hold(asPosted + corrected === shown, `${shown - asPosted - corrected} corrected wrongly or without a flag`);
    }
    if (expect === 'flagged') hold(flagged === shown, `${shown - flagged} without a flag`);
  }
  return faults;
}

/** Returns the differences from the expected result: planted ads by kind, then the ordinary homes. */
export function resultFaults({ outcomes, ordinary, contradicted }: Result): string[] {
  const { count, shown, flagged, deals, cheap } = ordinary;
  const hold = (condition: boolean, fault: string): string[] => (condition ? [] : [fault]);
  return [
    ...outcomes.flatMap(faultsOf),
    ...hold(shown >= 0.985 * count, `ordinary homes: ${count - shown} of ${count} not shown`),
    ...hold(flagged <= 0.01 * count, `ordinary homes: ${flagged} of ${count} with a flag`),
    ...hold(contradicted === 0, `${contradicted} deals are not confirmed by their own price band`),
    ...hold(cheap >= CHEAP_DEALS * deals, `ordinary homes: only ${cheap} of ${deals} deals are cheap`),
  ];
}
