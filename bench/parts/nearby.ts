import type { ListingDisplay } from '#domain/listings/listing.ts';
import { MAX_DISTANCE } from '#domain/statistics/deals.ts';
import { SHORT_STAYS } from '#domain/statistics/price-band.ts';
import { withinMeters } from '#queries/analytics/nearby.ts';
import { not } from '#queries/clause.ts';
import { indexNames } from '#search/client.ts';
import type { ApiProcess } from '../api-process.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { latencyAt, takeTurns } from '../load/turns.ts';
import { startApiOnTheDay } from '../market-day.ts';
import { fetchJson } from '../requests/answers.ts';
import { engineRequest } from '../requests/http-requests.ts';
import { getFromApi } from '../requests/market.ts';

/** Subject listings, used one slice at a time. */
const SUBJECTS = 480;
const SLICE = 48;
const SEED = 17;
/** Default number of rows of comparables. The raw query returns as many. */
const ROWS = 10;
const MAX_TIMES = 5;
const QUESTIONS = { band: 'price-band', comparables: 'comparables' } as const;
const NAMES = ['band', 'comparables', 'geo'] as const;

/** Compares price band and comparables with a plain geo-distance query. */
export const nearbyPart: Part = {
  name: 'nearby',
  summary: 'price band and comparables against one raw geo-distance query',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const subjects = await drawSubjects(corpus);
  const { listings } = indexNames(corpus.config.opensearch.indexPrefix);
  const api = await startApiOnTheDay(corpus, bench.options.profileDir);
  const rows: (string | number)[][] = [];
  const figures: Figure[] = [];
  const notes: string[] = [];
  try {
    const asked = (question: string) => ({
      kind: 'http' as const,
      origin: api.origin,
      requests: subjects.map(({ id }) => getFromApi(`/v1/listings/${id}/${question}`, api)),
    });
    const available = await countBands(api, subjects.slice(0, SLICE));
    notes.push(`Of the first ${SLICE} subjects ${available} have a price band.`);
    await bench.load.setSides({
      band: asked(QUESTIONS.band),
      comparables: asked(QUESTIONS.comparables),
      geo: {
        kind: 'http',
        origin: new URL(corpus.config.opensearch.urls[0] as string).origin,
        requests: subjects.map((subject) => engineRequest(listings, rawBody(subject))),
      },
    });
    for (const connections of [1, 8]) {
      await takeTurns(bench.load, NAMES, { connections, rounds: 2, count: SLICE, from: 0 });
      bench.signal.throwIfAborted();
      const slices = await takeTurns(bench.load, NAMES, {
        connections,
        rounds: bench.rounds,
        count: SLICE,
        from: SLICE,
      });
      const p95 = (name: (typeof NAMES)[number]): number => latencyAt(slices[name] ?? [], 0.95);
      const geo = p95('geo');
      for (const name of NAMES) {
        const title = name === 'geo' ? `raw geo-distance query, ${ROWS} rows` : QUESTIONS[name];
        const at = (share: number): number => latencyAt(slices[name] ?? [], share);
        rows.push([title, connections, at(0.5), at(0.95), at(0.99), at(0.95) / geo]);
        if (name === 'geo') continue;
        figures.push({
          name: `${title}: p95 over the raw query's at ${connections}`,
          value: at(0.95) / geo,
          unit: 'x',
          target: { atMost: MAX_TIMES },
        });
      }
    }
  } finally {
    await api.stop();
  }
  return {
    tables: [
      {
        title: 'Nearby listings, milliseconds',
        head: ['Question', 'Conn.', 'p50', 'p95', 'p99', 'p95 x'],
        rows,
      },
    ],
    figures,
    notes: [
      `Of ${subjects.length} random residential listings, alternately. The API finds the listing first, checks the key and charges. The raw query: same city, listing type and property type within ${MAX_DISTANCE / 1000} km, nearest first, whole _source, directly in OpenSearch.`,
      ...notes,
    ],
  };
}

async function countBands(api: ApiProcess, subjects: readonly Subject[]): Promise<number> {
  let available = 0;
  for (const { id } of subjects) {
    const body = await fetchJson(api.origin, getFromApi(`/v1/listings/${id}/${QUESTIONS.band}`, api));
    if ((body as { data: { status: string } }).data.status === 'available') available++;
  }
  return available;
}

type Subject = ListingDisplay & { location: { lat: number; lng: number } };

async function drawSubjects({ client, config }: Corpus): Promise<Subject[]> {
  const { body } = await client.search({
    index: indexNames(config.opensearch.indexPrefix).listings,
    body: {
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
                // Without bedrooms there is no band, and the response is trivial.
                { exists: { field: 'filter.beds' } },
                not({ terms: { 'filter.rent_frequency': SHORT_STAYS } }),
              ],
            },
          },
          random_score: { seed: SEED, field: 'filter.id' },
          boost_mode: 'replace',
        },
      },
    },
  } as never);
  const { hits } = (body as unknown as { hits: { hits: { _source: { display: Subject } }[] } }).hits;
  return hits.map(({ _source }) => _source.display);
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
