import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { getData } from '#test/market.ts';
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

/** What became of a planted ad. */
interface Outcome extends PlantedAd {
  /**
   * Figures of its listing: those that the ad states, or others within 5% of the true values with a flag. `wrong` are all
   * others.
   */
  shown: 'hidden' | 'posted' | 'corrected' | 'wrong';
  flagged: boolean;
  /** Percent below the median of its price band; undefined if it is no deal. */
  gap: number | undefined;
}

export interface Result {
  outcomes: Outcome[];
  ordinary: { count: number; shown: number; flagged: number; deals: number; cheap: number };
  /** Number of deals that have no price band or are not confirmed by it. */
  contradicted: number;
}

interface Found {
  id: number;
  source: { name: string; listing_id: string };
  price: { yearly_sar: number | null };
  area_sqm: number | null;
  bedrooms: number | null;
  quality: readonly string[];
}

const near = (a: number | null, b: number | null, share: number): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) <= share * Math.abs(b));

/** Returns true if a listing has the figures of its ad. Bedrooms are not compared for types without rooms. */
const isAsPosted = ({ price, area_sqm, bedrooms }: Found, { kind, posting, home }: PlantedAd): boolean =>
  kind.expect === 'unpriced'
    ? price.yearly_sar === null
    : near(price.yearly_sar, Number(posting.price), 0.001) &&
      near(area_sqm, Number(posting.area), 0.01) &&
      (home.bedrooms === null || bedrooms === posting.bedrooms);

const isTrue = ({ price, area_sqm }: Found, { home }: PlantedAd): boolean =>
  near(price.yearly_sar, home.price, 0.05) && near(area_sqm, home.area, 0.05);

function outcomeOf(ad: PlantedAd, listing: Found | undefined, gap: number | undefined): Outcome {
  const flagged = (listing?.quality ?? []).length > 0;
  if (listing === undefined) return { ...ad, shown: 'hidden', flagged, gap };
  const shown = isAsPosted(listing, ad) ? 'posted' : flagged && isTrue(listing, ad) ? 'corrected' : 'wrong';
  return { ...ad, shown, flagged, gap };
}

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
    const { key } = await createOrganization(app.services);
    const market = Object.assign(testSource('market'), { feed: homes });
    const ads = Object.assign(testSource('planted'), { feed: rows });
    await pipeline.run([market, ads], new Date(now).toISOString());
    await pipeline.index.refresh();

    const listings = new Map<string, Found>();
    const gaps = new Map<string, number>();
    const plain = { count: ordinary.size, shown: 0, flagged: 0, deals: 0, cheap: 0 };
    let contradicted = 0;
    for (const type of ['sale', 'rent']) {
      const own = `city=riyadh&listing_type=${type}&limit=100`;
      const search = (source: string): Promise<Found[]> => allRows(app, `/v1/listings?${own}&source=${source}`, key);
      for (const row of await search('planted')) listings.set(row.source.listing_id, row);
      for (const { quality } of await search('market')) {
        plain.shown++;
        if (quality.length > 0) plain.flagged++;
      }
      const deals: { listing: Found }[] = await allRows(app, `/v1/market/deals?${own}`, key);
      for (const { listing } of deals) {
        const home = ordinary.get(listing.source.listing_id);
        if (home) plain.deals++;
        if (home && home.price <= home.expected * CHEAP) plain.cheap++;
        const { band, position, price_sar } = await getData(app, key, `/v1/listings/${listing.id}/price-band`);
        const gap = band === null ? 0 : -position.diff_from_median_pct;
        gaps.set(listing.source.listing_id, gap);
        const isConfirmed = gap >= SMALLEST_GAP_PCT && gap <= LARGEST_GAP_PCT && price_sar < band.price.p25_sar;
        if (!isConfirmed) contradicted++;
      }
    }
    // Listings without a price are returned only by id.
    for (const [ad, { kind }] of planted) {
      if (kind.expect !== 'unpriced') continue;
      const { status, body } = await app.request(`/v1/listings/${(await pipeline.listing('planted', ad)).id}`, { key });
      if (status === 200) listings.set(ad, body.data);
    }
    const outcomes = [...planted].map(([name, ad]) => outcomeOf(ad, listings.get(name), gaps.get(name)));
    return { outcomes, ordinary: plain, contradicted };
  } finally {
    await app.close();
    await pipeline.close();
  }
}

/** Returns the differences from the expected outcome of a kind; empty if there are none. */
function faultsOf({ name, expect }: Kind, ads: readonly Outcome[]): string[] {
  const faults: string[] = [];
  const hold = (condition: boolean, fault: string): void => {
    if (!condition) faults.push(`${name}: ${fault}`);
  };
  const count = (test: (ad: Outcome) => boolean): number => ads.filter(test).length;
  const posted = count(({ shown }) => shown === 'posted');
  const hidden = count(({ shown }) => shown === 'hidden');
  const wrong = count(({ shown }) => shown === 'wrong');
  const deals = count(({ gap }) => gap !== undefined);
  if (expect === 'bait') {
    const tooFar = count(({ gap }) => gap !== undefined && gap > LARGEST_GAP_PCT);
    const isCertain = ({ posting, home }: Outcome) => Number(posting.price) / home.expected < 1 - CERTAIN_BAIT;
    const unflagged = wrong + count((ad) => ad.shown === 'posted' && isCertain(ad) && !ad.flagged);
    hold(hidden <= 2, `${hidden} hidden`);
    hold(tooFar === 0, `${tooFar} deals over ${LARGEST_GAP_PCT}% below their band's median`);
    hold(unflagged === 0, `${unflagged} without a flag`);
  } else if (expect === 'bargain') {
    hold(posted === EACH, `${EACH - posted} not shown`);
    hold(deals >= EACH / 2, `only ${deals} deals`);
  } else {
    const right = expect === 'control' || expect === 'unpriced';
    // About 1% of correct ads are 20% below their band by chance.
    hold(deals <= (right ? 1 : 0), `${deals} deals`);
    if (right) hold(posted === EACH, `${EACH - posted} not shown as posted`);
    if (expect === 'hidden') {
      hold(posted <= 2, `${posted} shown as posted`);
      hold(wrong === 0, `${wrong} corrected wrongly or without a flag`);
    }
    const unflagged = count(({ shown, flagged }) => shown !== 'hidden' && !flagged);
    if (expect === 'flagged') hold(unflagged === 0, `${unflagged} without a flag`);
  }
  return faults;
}

/** Returns the differences from the expected result: planted ads by kind, then the ordinary homes. */
export function resultFaults({ outcomes, ordinary, contradicted }: Result): string[] {
  const { count, shown, flagged, deals, cheap } = ordinary;
  const hold = (condition: boolean, fault: string): string[] => (condition ? [] : [fault]);
  return [
    ...[...Map.groupBy(outcomes, ({ kind }) => kind)].flatMap(([kind, ads]) => faultsOf(kind, ads)),
    ...hold(shown >= 0.985 * count, `ordinary homes: ${count - shown} of ${count} not shown`),
    ...hold(flagged <= 0.01 * count, `ordinary homes: ${flagged} of ${count} with a flag`),
    ...hold(contradicted === 0, `${contradicted} deals are not confirmed by their own price band`),
    ...hold(cheap >= CHEAP_DEALS * deals, `ordinary homes: only ${cheap} of ${deals} deals are cheap`),
  ];
}
