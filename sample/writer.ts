import { join } from 'node:path';
import type { ListingType, PropertyType } from '#domain/listings/vocabulary.ts';
import type { Example } from './examples.ts';
import type { FeedLayout } from './feeds.ts';
import { TextFiles, writeLine } from './files.ts';
import { type Ad, driftOf, posted } from './homes.ts';
import type { Random } from './random.ts';
import { type Step, startOf } from './timeline.ts';

export interface TruthRow {
  source: string;
  source_listing_id: string;
  /** Equal for all ads for one property. */
  property: number;
  city: string;
  neighborhood_id: number;
  listing_type: ListingType;
  property_type: PropertyType;
  /** Day of the first feed that contains the ad, `YYYY-MM-DD`. */
  first_day: string;
  /** Day of the last feed that contains the ad; null if the newest feed does. */
  last_day: string | null;
  outlier: boolean;
  photos: number;
}

export const TRUTH_FILE = 'truth.ndjson';

const DAY_S = 86_400;
const MONTH_DAYS = 30.44;
/** Number of days before the first feed over which its ads were posted. */
const STOCK_SPREAD_DAYS = 120;
/** Maximum age in days of a repost between two feeds that are far apart. */
const RENEWAL_DAYS = 25;
const OUTLIERS = 0.015;

export class FeedWriter {
  /** Valid ads, those of them in the feeds of the last day, and rows of all feeds. */
  readonly counts = { ads: 0, live: 0, rows: 0 };
  private readonly dir: string;
  private readonly steps: readonly Step[];
  private readonly firstStep: readonly number[];
  private readonly files = new TextFiles();
  private lastId = 1_000_000;

  /** @param firstStep cumulative share of ads first seen up to each step */
  constructor(dir: string, steps: readonly Step[], firstStep: readonly number[]) {
    this.dir = dir;
    this.steps = steps;
    this.firstStep = firstStep;
  }

  nextId(): string {
    return String(++this.lastId);
  }

  /** Writes an ad, which is mistyped, changes and is withdrawn by chance unless it is an example. */
  write(random: Random, layout: FeedLayout, made: Ad, example?: Example): void {
    const mark = random.next();
    const first = example
      ? 0
      : Math.max(
          0,
          this.firstStep.findIndex((share) => mark < share),
        );
    const steps = this.steps.slice(first);
    const [start, newest] = [steps[0] as Step, steps.at(-1) as Step];
    const outlier = !example && random.chance(OUTLIERS);
    const ad = dated(random, outlier ? mistyped(random, made) : made, start, first > 0);
    // The ad as each feed lists it, from the first on.
    const states = [example ? ad : atLevelOf(ad, start, newest)];
    for (const [after, step] of steps.slice(1).entries()) {
      const before = states.at(-1) as Ad;
      if (!example && random.chance(step.withdrawn)) break;
      states.push(example ? exampleStep(before, step, example, after + 1) : nextStep(random, before, step));
    }
    const last = steps[states.length - 1] as Step;
    const stays = last === newest;
    // A withdrawn ad has only the picture of the street, because no page shows the home and each picture takes time.
    const photos = stays ? ad.photos : ad.photos.slice(-1);
    const odd = Object.entries(example?.odd ?? {}).map(([of, spelling]) => [layout.columnOf(of as 'price'), spelling]);
    const spellings = Object.fromEntries(odd);
    let row: Record<string, unknown> = {};
    for (const [at, state] of states.entries()) {
      const { day } = steps[at] as Step;
      if (state !== states[at - 1]) row = { ...layout.row({ ...state, photos }), ...spellings };
      writeLine(this.files, join(this.dir, 'feeds', layout.source), layout, day, row);
    }
    this.counts.rows += states.length;
    if (example?.refused) return;
    const { property } = ad;
    const fact: TruthRow = {
      source: layout.source,
      source_listing_id: String(row[layout.columnOf('source_listing_id') as string]),
      property: property.id,
      city: property.city.slug,
      neighborhood_id: property.neighborhood.id,
      listing_type: property.listing_type,
      property_type: property.property_type,
      first_day: start.day,
      last_day: stays ? null : last.day,
      outlier,
      photos: photos.length,
    };
    this.files.append(join(this.dir, TRUTH_FILE), `${JSON.stringify(fact)}\n`);
    this.counts.ads += 1;
    this.counts.live += Number(stays);
  }

  close(): void {
    this.files.close();
  }
}

/** Makes an ad implausible by means of a common typing error. */
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

/** Converts a price from the market level on the last day to that on the day of posting. */
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
  // Fewer prices fall in a rising market.
  const falling = Math.min(0.85, Math.max(0.4, 0.65 - driftOf(ad.property) / 5));
  const factor = random.pick(random.chance(falling) ? [0.9, 0.93, 0.95, 0.97] : [1.03, 1.05, 1.1]);
  return { ...ad, price: posted(ad.price * factor, null), updated };
}

function exampleStep(ad: Ad, { day, bumped }: Step, { prices }: Example, at: number): Ad {
  const factor = prices?.[at];
  if (factor === undefined && bumped < 0.5) return ad;
  const price = factor === undefined || ad.price === null ? ad.price : posted(ad.price * factor, null);
  return { ...ad, price, updated: startOf(day) - DAY_S / 2 };
}
