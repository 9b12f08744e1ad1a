import { flatMeters } from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { NOT_WHOLE_PRICE_FLAGS } from '#domain/listing-vocabulary.ts';
import type { Interval } from '#domain/statistics/bootstrap.ts';
import { clustersOf } from '#domain/statistics/clusters.ts';
import { estimateOf, type Neighbor } from '#domain/statistics/estimate.ts';
import { AREA_TOLERANCE_PCT, LARGEST_RADIUS, MAX_NEARBY } from '#domain/statistics/price-band.ts';
import { type ScoredRatio, scoreEstimates } from '#domain/statistics/ratio-study.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import type { TextReading } from '#ingest/normalize/text-price.ts';
import { Market } from '#ingest/quality/ad-market.ts';
import { boundsOf, judgeWithin } from '#ingest/quality/fences.ts';
import aqar from '#ingest/sources/aqar/source.ts';
import bayut from '#ingest/sources/bayut/source.ts';
import saAqar from '#ingest/sources/sa_aqar/source.ts';
import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult } from '../bench.ts';
import { marketMoment } from '../corpus.ts';
import { matchOffline, type OfflineAd, readAds } from '../dedupe/offline.ts';
import { LoadGenerator } from '../load/generator.ts';
import { summarize } from '../load/statistics.ts';
import { getFromApi } from '../requests/listing-requests.ts';

/** Number of homes from which on a group has its own figure. */
const LEAST = { city: 500, month: 200 } as const;
const FEEDS = [
  { source: aqar, type: 'apartment' },
  { source: bayut, type: 'villa' },
  { source: bayut, type: 'apartment' },
  { source: saAqar, type: 'villa' },
] as const;

type Type = (typeof FEEDS)[number]['type'];
type Home = Neighbor & { listing_type: string; city: string; neighborhood: number | null; month: string };
type Result = ScoredRatio & Pick<Home, 'city' | 'month'>;

/** Estimates each home of the public feeds without the homes of its building. */
export async function estimate(bench: Bench): Promise<PartResult> {
  const { feedsDir, screen, signal } = bench;
  const figures: Figure[] = [];
  const notes: string[] = [];
  for (const { source, type } of FEEDS) {
    const homes = homesOf(await readAds(source, feedsDir), type);
    if (homes.length === 0) continue;
    const title = `${source.name}, ${type}`;
    const results = await screen.step(`Estimating ${title}`, async () => estimateAll(homes, type, signal));
    figures.push(...figuresOf(results, title));
    notes.push(`${title}: ${results.length} of ${homes.length} homes have an estimate.`);
  }
  if (!bench.quick) figures.push(await timeOf(bench));
  return { figures, notes };
}

/** Measures estimates of different listings, which no cache contains. */
async function timeOf(bench: Bench): Promise<Figure> {
  const corpus = await bench.corpus();
  const { rows } = await corpus.pool.query<{ id: number }>(
    `select id from listings where served and property_type in ('apartment', 'villa') order by hashint8(id) limit 1000`,
  );
  await using api = await startApi(corpus, { clock: marketMoment(corpus) });
  const requests = rows.map(({ id }) => getFromApi(`/v1/listings/${id}/estimate`, api));
  const load = new LoadGenerator({ origin: api.origin, requests });
  const { p50 } = summarize([await load.run({ connections: 1, count: requests.length })]);
  await load.close();
  return figure('p50 of an estimate, 1 connection', p50, 'ms');
}

/** Returns the homes of a type as they are served: plausible, without repeated ads and without prices of a part. */
function homesOf(rows: readonly OfflineAd[], type: Type): Home[] {
  const ads = [...new Map(rows.map((ad) => [ad.raw.source_listing_id, ad])).values()];
  const leaders = matchOffline(ads);
  const market = new Market();
  const listings = ads.flatMap(({ source, raw }, id) => {
    const result = normalize({ name: source }, raw);
    if (!result.ok || leaders[id] !== id) return [];
    const { price_yearly_sar: price, area_sqm } = result.listing;
    const listing = { ...result.listing, id, price };
    market.add(String(id), () => listing, { id, price, area: area_sqm });
    return [listing];
  });
  const fences = market.fences();
  const isOfPart = ({ flag }: TextReading) => (NOT_WHOLE_PRICE_FLAGS as readonly string[]).includes(flag);
  return listings.flatMap((listing) => {
    const { price, area_sqm: area, age_years: age, neighborhood_id: neighborhood, lat, bedrooms } = listing;
    if (listing.property_type !== type || price === null || area === null || bedrooms === null) return [];
    if ((lat === null && neighborhood === null) || listing.text_readings.some(isOfPart)) return [];
    if (judgeWithin(listing, boundsOf('typed', listing, fences)) !== null) return [];
    const facts = { compound: listing.compound_name, advertiser: listing.advertiser_key, distance: 0 };
    const month = listing.source_updated_at?.slice(0, 7) ?? '';
    return [{ ...listing, price, area, age, bedrooms, neighborhood, month, ...facts }];
  });
}

function estimateAll(homes: readonly Home[], property_type: Type, signal: AbortSignal): Result[] {
  const { clusterOf: buildings } = clustersOf(
    homes.map(({ lat, lng }) => ({ lat, lng, compound: null, advertiser: null })),
  );
  return homes.flatMap(({ lat, lng, month, neighborhood, ...facts }, index): Result[] => {
    signal.throwIfAborted();
    const { price, city, area } = facts;
    const point = lat === null || lng === null ? null : { lat, lng };
    const nearby = homes
      .filter((other, at) => buildings[at] !== buildings[index] && other.city === city)
      .filter((other) => Math.abs(other.area - area) <= (area * AREA_TOLERANCE_PCT) / 100)
      .filter((other) => (point ? other.lat !== null : other.neighborhood === neighborhood))
      .map((other) => ({ ...other, distance: point ? flatMeters(point, other as LatLng) : -other.id }))
      .filter(({ distance }) => distance <= LARGEST_RADIUS)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_NEARBY);
    const place = point ?? { neighborhood_id: neighborhood as number };
    const found = estimateOf({ ...facts, ...place, property_type }, nearby);
    if (found === null) return [];
    const { interval80, interval50, price: estimated } = found;
    const reaches = { reach_80: interval80.high / estimated, reach_50: interval50.high / estimated };
    return [{ price, estimate: estimated, ...reaches, city, month }];
  });
}

function figuresOf(results: readonly Result[], title: string): Figure[] {
  const all = scoreEstimates(results);
  const { medianRatio, cod, prd, prb, intervals } = all;
  const groups = (['city', 'month'] as const).flatMap((key) =>
    [...Map.groupBy(results, (each) => each[key])].filter(([group, { length }]) => group && length >= LEAST[key]),
  );
  const covered = groups.map(([group, sample]): Figure => {
    const share = scoreEstimates(sample).coverage80;
    const range = text(wilson(share, sample.length), 100);
    return figure(`80% interval, ${group} (${sample.length}, 95% by Wilson: ${range})`, share * 100, '%');
  });
  const between = (interval: Interval | null | undefined): string => (interval ? `(${text(interval)})` : '');
  return [
    figure('median error', all.medianError * 100, '%'),
    figure('errors within 10%', all.within10 * 100, '%'),
    figure('errors within 20%', all.within20 * 100, '%'),
    figure('80% interval, coverage', all.coverage80 * 100, '%'),
    figure('50% interval, coverage', all.coverage50 * 100, '%'),
    ...covered,
    figure('median ratio', medianRatio ?? 0, between(intervals?.medianRatio)),
    figure('COD', cod ?? 0, between(intervals?.cod)),
    figure('PRD', prd ?? 0, between(intervals?.prd)),
    figure('PRB', prb ?? 0, between(intervals?.prb)),
  ].map((each) => ({ ...each, name: `${title}: ${each.name}` }));
}

/** Returns the 95% interval of a share. */
function wilson(share: number, size: number): Interval {
  const z = 1.959964;
  const center = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
  const reach = (z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))) / (1 + z ** 2 / size);
  return { low: center - reach, high: center + reach };
}

const text = ({ low, high }: Interval, factor = 1): string =>
  `${(low * factor).toFixed(3)} to ${(high * factor).toFixed(3)}`;
