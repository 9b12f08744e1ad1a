import pg from 'pg';
import { type Compared, KIND, kindOf } from './ads.ts';
import type { Evidence } from './evidence.ts';
import { evidenceOf, SAME_PROPERTY, similarity } from './score.ts';
import { adSets, ofCity } from './stage.ts';

export interface Explained {
  id: number;
  city: string;
  listing_type: string;
  property_type: string;
}

const MAX_NAMED = 5;

/** Returns a sentence for each ad with which the ad was merged. */
export async function explainDuplicates(pool: pg.Pool, ad: Explained): Promise<string[]> {
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

function describePair(ad: Compared, other: Compared): string {
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
