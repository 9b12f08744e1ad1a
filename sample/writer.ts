import { join } from 'node:path';
import type { Example } from './examples.ts';
import type { FeedLayout } from './feeds.ts';
import { TextFiles, writeLine } from './files.ts';
import { type Ad, driftOf, posted } from './homes.ts';
import type { Random } from './random.ts';
import { type Step, startOf } from './timeline.ts';

export const TRUTH_FILE = 'truth.ndjson';

const DAY_S = 86_400;
const MONTH_DAYS = 30.44;
/** Number of days before the first feed over which its ads were posted. */
const STOCK_SPREAD_DAYS = 120;
/** Maximum age in days of a repost between two feeds that are far apart. */
const RENEWAL_DAYS = 25;
const OUTLIERS = 0.015;

/** @param firstStep cumulative share of ads first seen up to each step */
export function feedWriter(dir: string, steps: readonly Step[], firstStep: readonly number[]) {
  const files = new TextFiles();
  /** Valid ads, those of them in the feeds of the last day, and rows of all feeds. */
  const counts = { ads: 0, live: 0, rows: 0 };
  const newest = steps.at(-1) as Step;

  /** Writes an ad, which is mistyped, changes and is withdrawn by chance unless it is an example. */
  function write(random: Random, layout: FeedLayout, made: Ad, example?: Example): void {
    const mark = random.next();
    const first = example ? 0 : firstStep.findIndex((share, at) => mark < share || at === steps.length - 1);
    const listed = steps.slice(first);
    const start = listed[0] as Step;
    const outlier = !example && random.chance(OUTLIERS);
    const ad = dated(random, outlier ? mistyped(random, made) : made, start, first > 0);
    const states = [example ? ad : atLevelOf(ad, start, newest)];
    for (const [after, step] of listed.slice(1).entries()) {
      const before = states.at(-1) as Ad;
      if (!example && random.chance(step.withdrawn)) break;
      states.push(example ? exampleStep(before, step, example, after + 1) : nextStep(random, before, step));
    }
    const last = listed[states.length - 1] as Step;
    const stays = last === newest;
    // A withdrawn ad has only the picture of the street, because each picture takes time.
    const photos = stays ? ad.photos : ad.photos.slice(-1);
    const odd = Object.entries(example?.odd ?? {}).map(([of, spelling]) => [layout.columnOf(of as 'price'), spelling]);
    const spellings = Object.fromEntries(odd);
    let row: Record<string, unknown> = {};
    for (const [at, state] of states.entries()) {
      if (state !== states[at - 1]) row = { ...layout.row({ ...state, photos }), ...spellings };
      writeLine(files, join(dir, 'feeds', layout.source), layout, (listed[at] as Step).day, row);
    }
    counts.rows += states.length;
    if (example?.refused) return;
    const id = String(row[layout.columnOf('source_listing_id') as string]);
    const truth = truthOf(id, layout, ad, { start, last: stays ? null : last, outlier, photos });
    files.append(join(dir, TRUTH_FILE), `${JSON.stringify(truth)}\n`);
    counts.ads += 1;
    counts.live += Number(stays);
  }
  return { counts, write, close: () => files.close() };
}

export type TruthRow = ReturnType<typeof truthOf>;

/** The last day is null if the newest feed contains the ad. */
function truthOf(
  source_listing_id: string,
  { source }: FeedLayout,
  { property }: Ad,
  { start, last, outlier, photos }: { start: Step; last: Step | null; outlier: boolean; photos: readonly string[] },
) {
  const { id, city, neighborhood, listing_type, property_type } = property;
  return {
    source,
    source_listing_id,
    property: id,
    city: city.slug,
    neighborhood_id: neighborhood.id,
    listing_type,
    property_type,
    first_day: start.day,
    last_day: last?.day ?? null,
    outlier,
    photos: photos.length,
  };
}

/** Makes an ad implausible by a common typing error. */
function mistyped(random: Random, ad: Ad): Ad {
  const errors: Partial<Ad>[] = [{ area: random.chance(0.5) ? 1 : 99_999 }];
  if (ad.bedrooms !== null) errors.push({ bedrooms: 40 });
  const divided = ad.frequency === 'yearly' ? [0.1, 10, 12, 12] : [0.1, 10];
  if (ad.price !== null) for (const by of divided) errors.push({ price: Math.max(1, Math.round(ad.price / by)) });
  return { ...ad, ...random.pick(errors) };
}

function dated(random: Random, ad: Ad, { day, gap }: Step, isNew: boolean): Ad {
  const start = startOf(day);
  const age = isNew ? random.next() * gap : random.next() ** 1.6 * STOCK_SPREAD_DAYS;
  const created = Math.floor(start - age * DAY_S) - 60;
  const updated = Math.floor(start + Math.max(-35, 8 * Math.log(1 - random.next())) * DAY_S) - 60;
  return { ...ad, created, updated: isNew ? created : Math.max(created, updated) };
}

/** Converts a price to the market level on the day of posting. */
function atLevelOf(ad: Ad, first: Step, last: Step): Ad {
  const months = (startOf(last.day) - startOf(first.day)) / DAY_S / MONTH_DAYS;
  if (ad.price === null || months === 0) return ad;
  return { ...ad, price: posted(ad.price * (1 + driftOf(ad.property) / 100) ** -months, null) };
}

function nextStep(random: Random, ad: Ad, { day, gap, repriced, bumped }: Step): Ad {
  const what = random.next();
  if (what >= repriced + bumped) return ad;
  const updated = startOf(day) - random.int(60, Math.min(gap, RENEWAL_DAYS) * DAY_S - 60);
  if (what >= repriced || ad.price === null) return { ...ad, updated };
  // Fewer prices decrease in a rising market.
  const falling = Math.min(0.85, Math.max(0.4, 0.65 - driftOf(ad.property) / 5));
  const factor = random.pick(random.chance(falling) ? [0.9, 0.93, 0.95, 0.97] : [1.03, 1.05, 1.1]);
  return { ...ad, price: posted(ad.price * factor, null), updated };
}

function exampleStep(ad: Ad, { day, bumped }: Step, { prices }: Example, at: number): Ad {
  const factor = prices?.[at];
  if (factor === undefined && bumped < 0.5) return ad;
  const price =
    factor === undefined ? ad.price : factor === null ? null : posted((ad.price ?? ad.property.price) * factor, null);
  return { ...ad, price, updated: startOf(day) - DAY_S / 2 };
}
