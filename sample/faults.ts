import type { Ad } from './ad.ts';
import { feedLine } from './feed-files.ts';
import type { FeedLayout } from './feeds.ts';
import type { Random } from './random.ts';

/** Faults of sample rows, each of which makes ingest reject the row. */
export const FAULTS = ['malformed', 'missing_id', 'unknown_type', 'unknown_city'] as const;
export type Fault = (typeof FAULTS)[number];

/** Renders an ad as a faulty feed line. No other ad in the feed may have the same id. */
export function brokenLine(feed: FeedLayout, ad: Ad, fault: Fault): string {
  const row = feed.row(fault === 'unknown_city' ? nowhere(ad) : { ...ad, price: ad.price ?? 1000 });
  const { fields } = feed;
  switch (fault) {
    case 'malformed':
      if (feed.kind === 'csv') return [ad.id, '?', '?\n'].join(feed.delimiter ?? ',');
      if (feed.kind === 'paged') return '"temporarily unavailable"\n';
      return `${JSON.stringify(row).slice(0, 40)}\n`;
    case 'missing_id':
      return feedLine(feed, { ...row, [fields.id]: '' });
    case 'unknown_type':
      return feedLine(feed, { ...row, [fields.type]: 'كوكب' });
    case 'unknown_city':
      return feedLine(feed, fields.city === undefined ? row : { ...row, [fields.city]: 'Nowhere, Atlantis' });
  }
}

/** Returns the ad with its point, if it has one, moved to the sea, outside all cities. */
function nowhere(ad: Ad): Ad {
  const atSea = { lat: 12.00001, lng: 60 };
  return { ...ad, point: ad.point === null ? null : atSea };
}

/** Makes an ad implausible by means of a common typing error. */
export function mistyped(random: Random, ad: Ad): Ad {
  const ways = ad.price === null ? ['area'] : ['ten_times', 'a_tenth', 'area'];
  if (ad.price !== null && ad.frequency === 'yearly') ways.push('month_as_year', 'month_as_year');
  if (ad.bedrooms !== null) ways.push('bedrooms');
  const price = ad.price ?? 0;
  switch (random.pick(ways)) {
    case 'ten_times':
      return { ...ad, price: price * 10 };
    case 'a_tenth':
      return { ...ad, price: Math.max(1, Math.round(price / 10)) };
    case 'month_as_year':
      return { ...ad, price: Math.max(1, Math.round(price / 12)) };
    case 'bedrooms':
      return { ...ad, bedrooms: 40 };
    default:
      return { ...ad, area: random.chance(0.5) ? 1 : 99_999 };
  }
}
