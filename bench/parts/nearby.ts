import type { ListingDisplay } from '#domain/listings/listing.ts';
import { MAX_DISTANCE } from '#domain/statistics/deals.ts';
import { SHORT_STAYS } from '#domain/statistics/price-band.ts';
import { withinMeters } from '#queries/analytics/nearby.ts';
import { not } from '#queries/clause.ts';
import { startApi } from '../api-process.ts';
import { type Bench, type Figure, figure, type PartResult, type Row, resultOf } from '../bench.ts';
import { type Corpus, marketMoment, searchListings } from '../corpus/corpus.ts';
import { compare } from '../load/compare.ts';
import { fetchData } from '../requests/responses.ts';
import { apiSide, engineSide } from '../requests/sides.ts';

/** Number of subject listings; each slice uses different ones. */
const SUBJECTS = 480;
const SLICE = 48;
const SEED = 17;
/** Default number of comparables. The raw query returns the same number. */
const ROWS = 10;
const MAX_TIMES = 5;
const NAMES = ['price-band', 'comparables', 'geo'] as const;

/** Compares price band and comparables with a plain geo-distance query. */
export async function nearby(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const subjects = await drawSubjects(corpus);
  await using api = await startApi(corpus, { profileDir: bench.options.profileDir, clock: marketMoment(corpus) });
  const pathsOf = (operation: string) => subjects.map(({ id }) => `/v1/listings/${id}/${operation}`);
  let available = 0;
  for (const path of pathsOf('price-band').slice(0, SLICE))
    if ((await fetchData<{ status: string }>(api, path)).status === 'available') available++;
  await bench.load.setSides({
    'price-band': apiSide(api, pathsOf('price-band')),
    comparables: apiSide(api, pathsOf('comparables')),
    geo: engineSide(corpus, subjects.map(rawBody)),
  });
  const rows: Row[] = [];
  const figures: Figure[] = [];
  for (const connections of [1, 8]) {
    const { sides } = await compare(bench, NAMES, { connections, count: SLICE, from: SLICE });
    for (const name of NAMES) {
      const { p50, p95, p99 } = sides[name];
      const title = name === 'geo' ? `raw geo-distance query, ${ROWS} rows` : name;
      const times = p95 / sides.geo.p95;
      rows.push([title, connections, p50, p95, p99, times]);
      if (name !== 'geo')
        figures.push(figure(`${title}: p95 over the raw query's at ${connections}`, times, 'x', { atMost: MAX_TIMES }));
    }
  }
  return resultOf('Nearby listings, milliseconds', ['Request', 'Conn.', 'p50', 'p95', 'p99', 'p95 x'], rows, figures, [
    `Of ${subjects.length} random residential listings, alternately. The API finds the listing first, checks the key and charges. The raw query: same city, listing type and property type within ${MAX_DISTANCE / 1000} km, nearest first, whole _source, directly in OpenSearch.`,
    `Of the first ${SLICE} subjects ${available} have a price band.`,
  ]);
}

type Subject = ListingDisplay & { location: { lat: number; lng: number } };

async function drawSubjects(corpus: Corpus): Promise<Subject[]> {
  const { hits } = await searchListings<{ hits: { hits: { _source: { display: Subject } }[] } }>(corpus, {
    size: SUBJECTS,
    query: {
      function_score: {
        query: {
          bool: {
            filter: [
              { term: { 'filter.listing_category': 'residential' } },
              { term: { 'stats.plausible_typed': true } },
              { exists: { field: 'filter.location' } },
              { exists: { field: 'filter.area' } },
              // Without bedrooms there is no price band, and the response is trivial.
              { exists: { field: 'filter.beds' } },
              not({ terms: { 'filter.rent_frequency': SHORT_STAYS } }),
            ],
          },
        },
        random_score: { seed: SEED, field: 'filter.id' },
        boost_mode: 'replace',
      },
    },
  });
  return hits.hits.map(({ _source }) => _source.display);
}

function rawBody({ listing_type, property_type, location }: Subject): Record<string, unknown> {
  const { city, lat, lng } = location;
  return {
    size: ROWS,
    track_total_hits: false,
    query: {
      bool: {
        filter: [
          { term: { 'filter.city': city } },
          { term: { 'filter.listing_type': listing_type } },
          { term: { 'filter.property_type': property_type } },
          withinMeters({ lat, lng }, MAX_DISTANCE),
        ],
      },
    },
    sort: [{ _geo_distance: { 'filter.location': { lat, lon: lng }, order: 'asc', unit: 'm' } }],
  };
}
