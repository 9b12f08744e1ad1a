import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { NEIGHBORHOOD_REACH_M } from '#ingest/normalize/place.ts';
import { NeighborhoodVote } from '#ingest/places/neighborhood-vote.ts';
import { hashText } from '#sample/random.ts';
import { publicData, testWith } from './public-data.ts';

const AQAR = ['listings', 'aqar_riyadh_apartments_sale_2022.ndjson'] as const;
const BOUNDARIES = ['geography', 'riyadh_districts.geojson'] as const;
const FOLDS = 5;

for (const [city, count] of [
  ['riyadh', 187],
  ['jeddah', 139],
  ['dammam', 82],
] as const) {
  const file = ['geography', `${city}_districts.geojson`] as const;
  testWith(...file)(`all public boundaries of ${city} are read, except those with unknown names`, (t) => {
    t.is(readBoundaries(readFileSync(publicData(...file), 'utf8')).size, count);
  });
}

/** Reads the real ads whose neighborhood is known. Ads at one point are in the same fold, so that reposts do not vote for each other. */
async function readRealAds(): Promise<{ point: LatLng; neighborhood: number; fold: number }[]> {
  const ads = [];
  for await (const line of createInterface({ input: createReadStream(publicData(...AQAR)) })) {
    const row = JSON.parse(line) as { lat: number; lng: number; district_ar: string };
    const neighborhood = findNeighborhood('riyadh', row.district_ar)?.id;
    const point: LatLng = { lat: Number(row.lat), lng: Number(row.lng) };
    const fold = hashText(`${point.lat.toFixed(4)} ${point.lng.toFixed(4)}`) % FOLDS;
    if (neighborhood !== undefined) ads.push({ point, neighborhood, fold });
  }
  return ads;
}

testWith(...AQAR)(
  'real ads are assigned to their neighborhood, by boundaries most often, then by a vote of other ads',
  async (t) => {
    const ads = await readRealAds();
    const boundaries = readBoundaries(readFileSync(publicData(...BOUNDARIES), 'utf8'));
    // Five-fold cross-validation: each fifth of the ads is assigned by a vote of the others.
    const votes = Array.from({ length: FOLDS }, (_, fold) => {
      const vote = new NeighborhoodVote();
      for (const ad of ads) if (ad.fold !== fold) vote.add(ad.point, ad.neighborhood);
      return vote;
    });
    const right = { center: 0, boundary: 0, vote: 0 };
    let placed = 0;
    for (const { point, neighborhood, fold } of ads) {
      const nearest = nearestNeighborhood('riyadh', point, NEIGHBORHOOD_REACH_M)?.id;
      if (nearest === neighborhood) right.center++;
      if ((boundaries.neighborhoodAt(point)?.id ?? nearest) === neighborhood) right.boundary++;
      const voted = votes[fold]?.of(point);
      if (voted === undefined || voted === null) continue;
      placed++;
      if (voted === neighborhood) right.vote++;
    }
    t.log(ads.length, right, `${placed} placed`);
    t.true(right.center / ads.length >= 0.7 && right.boundary / ads.length > 0.98);
    t.true(right.vote / ads.length >= 0.95 && right.vote / placed >= 0.97);
  },
);
