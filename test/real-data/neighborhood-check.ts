import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { findNeighborhood, nearestNeighborhood } from '#domain/geography/locate.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { NEIGHBORHOOD_REACH_M } from '#ingest/normalize/place.ts';
import { NeighborhoodVote } from '#ingest/places/neighborhood-vote.ts';
import { hashText } from '#sample/random.ts';
import { publicData } from './public-data.ts';

/** Ads with a point and a neighborhood, and boundaries of the same city. */
const FILE = publicData('listings', 'aqar_riyadh_apartments_sale_2022.ndjson');
const BOUNDARIES = publicData('geography', 'riyadh_districts.geojson');
const FOLDS = 5;

/** Reads the real ads whose neighborhood is known. Ads at one point are in the same fold, so that reposts do not vote for each other. */
async function* realAds() {
  for await (const line of createInterface({ input: createReadStream(FILE) })) {
    const row = JSON.parse(line) as { lat: number; lng: number; district_ar: string };
    const neighborhood = findNeighborhood('riyadh', row.district_ar)?.id;
    const point: LatLng = { lat: Number(row.lat), lng: Number(row.lng) };
    const fold = hashText(`${point.lat.toFixed(4)} ${point.lng.toFixed(4)}`) % FOLDS;
    if (neighborhood !== undefined) yield { point, neighborhood, fold };
  }
}

/** Counts the real ads that the nearest center, and a boundary, otherwise the nearest center, assign to their neighborhood. */
export async function checkBoundaries(): Promise<{ ads: number; byCenter: number; byBoundary: number }> {
  const boundaries = readBoundaries(readFileSync(BOUNDARIES, 'utf8'));
  const check = { ads: 0, byCenter: 0, byBoundary: 0 };
  for await (const { point, neighborhood } of realAds()) {
    const nearest = nearestNeighborhood('riyadh', point, NEIGHBORHOOD_REACH_M)?.id;
    check.ads++;
    if (nearest === neighborhood) check.byCenter++;
    if ((boundaries.neighborhoodAt(point)?.id ?? nearest) === neighborhood) check.byBoundary++;
  }
  return check;
}

/** Five-fold cross-validation: assigns each fifth of the real ads by a vote of the others. */
export async function checkNeighborhoods() {
  const ads: { point: LatLng; neighborhood: number; fold: number }[] = [];
  for await (const ad of realAds()) ads.push(ad);
  // `unplaced` are ads to which the vote assigns no neighborhood.
  const check = { ads: ads.length, right: 0, wrong: 0, unplaced: 0 };
  for (let fold = 0; fold < FOLDS; fold++) {
    const vote = new NeighborhoodVote();
    for (const ad of ads) if (ad.fold !== fold) vote.add(ad.point, ad.neighborhood);
    for (const ad of ads) {
      if (ad.fold !== fold) continue;
      const verdict = vote.of(ad.point);
      if (verdict === 'split' || verdict === 'none') check.unplaced++;
      else if (verdict.neighborhood === ad.neighborhood) check.right++;
      else check.wrong++;
    }
  }
  return check;
}
