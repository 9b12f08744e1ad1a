import pg from 'pg';
import type { PropertyType } from '#domain/listing-vocabulary.ts';
import { CAPS } from '#domain/listings/caps.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type ComparableAd, KIND, kindOf } from '../identity/ads.ts';
import type { Evidence } from '../identity/evidence.ts';
import { adSets, ofCity } from '../identity/identity-stage.ts';
import { evidenceOf, SAME_PROPERTY, similarity } from '../identity/score.ts';
import type { NormalizedListing } from '../normalize/listing.ts';
import {
  type Bounds,
  boundsOf,
  cellName,
  FENCE_KINDS,
  type Fence,
  isConfirmedByPricePerSqm,
  isWithin,
  judgeWithin,
  KINDS,
  type Kind,
  type PlausibilityFacts,
  TIERS,
} from './fences.ts';
import { readFences } from './read-fences.ts';

/** Explains a listing in sentences for operators. */
export interface Explanation {
  id: number;
  source: string;
  source_listing_id: string;
  /** Whether `GET /listings/{id}` returns the listing. */
  served: boolean;
  /** `typed` by searches with exactly one property type, `pooled` by others. */
  searched: { typed: boolean; pooled: boolean };
  reasons: string[];
}

type Row = sql.RowOf<typeof ROW>;
const ROW = {
  id: sql.integer,
  source: sql.text,
  source_listing_id: sql.text,
  withdrawn_at: sql.nullable(sql.timestamp),
  withdrawn_reason: sql.nullable(sql.text),
  duplicate_of: sql.nullable(sql.integer),
  photos: sql.text,
  photos_pending: sql.integer,
  served: sql.boolean,
  plausible_typed: sql.boolean,
  plausible_pooled: sql.boolean,
  text_implausible: sql.boolean,
  per_sqm: sql.boolean,
  posted_amount: sql.nullable(sql.number),
  record: sql.nullable(sql.text),
  city: sql.text,
  listing_type: sql.text,
  listing_category: sql.text,
  property_type: sql.text,
  neighborhood_id: sql.nullable(sql.integer),
  bedrooms: sql.nullable(sql.number),
  area_sqm: sql.nullable(sql.number),
  price: sql.nullable(sql.number),
};

/**
 * Explains a listing by the current fences.
 * @throws Error if the listing does not exist
 */
export async function explainListing(
  pool: pg.Pool,
  key: number | Pick<Explanation, 'source' | 'source_listing_id'>,
): Promise<Explanation> {
  const [condition, values] =
    typeof key === 'number'
      ? ['id = $1', [key]]
      : ['source = $1 and source_listing_id = $2', [key.source, key.source_listing_id]];
  const ad = await sql.queryRow(
    pool,
    ROW,
    `select id, source, source_listing_id, withdrawn_at, withdrawn_reason, duplicate_of, photos, photos_pending, served, plausible_typed,
            plausible_pooled, text_implausible, per_sqm, posted_amount, record, city, listing_type, listing_category, property_type, neighborhood_id, bedrooms, area_sqm, price
       from listings left join listing_records using (id) where ${condition}`,
    values,
  );
  if (!ad)
    throw new Error(
      typeof key === 'number'
        ? `There is no listing ${key}.`
        : `There is no listing of ${key.source} with the id ${key.source_listing_id} there. See its rejected rows: npm run ingest -- rejects ${key.source}`,
    );
  const reasons = servedReasons(ad);
  if (ad.withdrawn_at === null) reasons.push(...(await explainDuplicates(pool, ad)));
  const cells = FENCE_KINDS.flatMap((kind) => TIERS.map((tier) => cellName(kind, tier, ad)));
  const fences = await readFences(pool, cells);
  if (ad.per_sqm && ad.posted_amount !== null)
    reasons.push(`It is posted at SAR ${whole.format(ad.posted_amount)} for each of its ${ad.area_sqm} m².`);
  const record = JSON.parse(ad.record ?? '{}') as Partial<NormalizedListing>;
  const { from_text: facts = [], text_readings: readings = [] } = record;
  const read = facts.map((fact) => (fact in record ? `${fact} ${record[fact as keyof typeof record]}` : fact));
  if (read.length > 0) reasons.push(`Read from its text, because the source does not state it: ${read.join(', ')}.`);
  for (const { flag, words, amount } of readings)
    reasons.push(
      `Its text gives it the flag ${flag}: "${words}"${amount === null ? '' : ` (${whole.format(amount)})`}.`,
    );
  if (ad.text_implausible) reasons.push('Its text makes its price implausible: searches omit it.');
  if (ad.price === null) reasons.push('It has no price: searches omit it.');
  for (const kind of KINDS) reasons.push(judgment(kind, ad, fences));
  return {
    id: ad.id,
    source: ad.source,
    source_listing_id: ad.source_listing_id,
    served: ad.served,
    searched: {
      typed: ad.served && ad.price !== null && ad.plausible_typed,
      pooled: ad.served && ad.price !== null && ad.plausible_pooled,
    },
    reasons,
  };
}

const WITHDRAWN: Readonly<Record<string, string>> = {
  stale: 'the feed of its source had been too old for too long',
  refused: 'the index does not accept its content: see the rejects of its source',
  sold: 'its source states that it is sold',
  rented: 'its source states that it is rented',
  withdrawn: 'its source states that it is not offered',
  takedown: 'an operator took it down',
};

function servedReasons(ad: Row): string[] {
  if (ad.served) return ['It is served by its id.'];
  const reasons: string[] = [];
  if (ad.withdrawn_at) {
    const when = ad.withdrawn_at.toISOString();
    const because = WITHDRAWN[ad.withdrawn_reason ?? ''];
    reasons.push(
      because ? `It was withdrawn at ${when}, because ${because}.` : `Its source has not listed it since ${when}.`,
    );
  }
  if (ad.duplicate_of !== null)
    reasons.push(`It is the same property as listing ${ad.duplicate_of}, which is served for it.`);
  if (reasons.length === 0) {
    reasons.push(
      ad.photos_pending === 1
        ? 'None of its photos could be copied yet. The next run retries them.'
        : 'It has no photos, and is not land.',
    );
  }
  return reasons;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

function judgment(kind: Kind, ad: PlausibilityFacts, fences: ReadonlyMap<string, Fence>): string {
  const who = kind === 'typed' ? 'Among its own property type' : 'Among all types';
  const bounds = boundsOf(kind, ad, fences);
  const found = judgeWithin(ad, bounds);
  if (!found) return `${who} it is plausible (${describeBounds(ad, bounds)}).`;
  const caps = CAPS[ad.property_type as PropertyType];
  if (found === 'bedrooms') return `${who} it is hidden: ${ad.bedrooms} bedrooms are more than ${caps.bedrooms}.`;
  if (found === 'area')
    return `${who} it is hidden: ${ad.area_sqm} m² is not from ${caps.area[0]} to ${whole.format(caps.area[1])}.`;
  const rate = `${whole.format((ad.price ?? 0) / (ad.area_sqm ?? 1))} per m²`;
  const value = found.kind === 'per_sqm' ? rate : whole.format(ad.price ?? 0);
  return `${who} it is hidden: SAR ${value} is outside ${describeFence(found)}.`;
}

function describeBounds(ad: PlausibilityFacts, bounds: Bounds): string {
  const { fence, floor, perSqm, perSqmFloor } = bounds;
  const all = [fence, floor, perSqm, perSqmFloor].filter((bound) => bound !== undefined).map(describeFence);
  if (ad.price !== null && fence !== undefined && !isWithin(ad.price, fence) && isConfirmedByPricePerSqm(ad, perSqm)) {
    const rate = whole.format(ad.price / (ad.area_sqm ?? 1));
    all.push(`SAR ${rate} per m² is usual, which vouches for a price outside ${fence.tier} ${fence.fence}`);
  }
  return all.join('; ') || 'too few prices to compare with';
}

function describeFence({ kind, tier, fence, sample, median, low, high }: Fence): string {
  const range = high === null ? `at least ${whole.format(low)}` : `${whole.format(low)} to ${whole.format(high)}`;
  return `${tier} ${fence}${kind === 'per_sqm' ? ' per m²' : ''}: ${range}, median ${whole.format(median)} of ${sample}`;
}

const MAX_NAMED = 5;

/** Returns a sentence for each ad with which the ad was merged. */
async function explainDuplicates(pool: pg.Pool, ad: Row): Promise<string[]> {
  const [type, kind] = [ad.listing_type, kindOf(ad.property_type)].map(pg.escapeLiteral);
  const chosen = `join (values (${type}, ${kind})) as chosen (its_type, kind) on its_type = listing_type and kind = ${KIND}`;
  for await (const { set } of adSets({ pool, signal: new AbortController().signal }, ofCity(ad.city, chosen))) {
    const own = set.find(({ id }) => id === ad.id);
    if (own === undefined) return [];
    const others = set.filter((other) => other.leader === own.leader && other !== own);
    const named = others.map((other) => ({ other, score: similarity(own, other) }));
    named.sort((a, b) => b.score - a.score);
    const lines = named.slice(0, MAX_NAMED).map(({ other }) => describePair(own, other));
    if (named.length > MAX_NAMED) lines.push(`And ${named.length - MAX_NAMED} more ads of the same property.`);
    return lines;
  }
  return [];
}

function describePair(ad: ComparableAd, other: ComparableAd): string {
  const evidence = evidenceOf(ad, other);
  const score = evidence.reduce((sum, { points }) => sum + points, 0);
  const list = (chosen: Evidence[]): string => chosen.map(describeEvidence).join(', ');
  const against = evidence.filter(({ points }) => points < 0);
  const what = `Listing ${other.id} of ${other.source} is of the same property, with ${score.toFixed(1)} points (threshold ${SAME_PROPERTY})`;
  const why = `${what}: ${list(evidence.filter(({ points }) => points > 0))}`;
  const through = score < SAME_PROPERTY ? ' They are merged through other ads of the property.' : '';
  return `${against.length > 0 ? `${why}; against it ${list(against)}` : why}.${through}`;
}

const describeEvidence = ({ part, outcome, points }: Evidence): string =>
  `${part} ${outcome.replaceAll('_', ' ')} ${points > 0 ? '+' : ''}${Number(points.toFixed(1))}`;
