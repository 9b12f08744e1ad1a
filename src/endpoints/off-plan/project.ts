import { ApiError } from '#domain/errors.ts';
import { object } from '#domain/json-schema.ts';
import type { StoredProject } from '#domain/off-plan/project.ts';
import { PROJECT_DETAIL_SCHEMA } from '#domain/off-plan/schema.ts';
import { priceQuartiles, rounded } from '#domain/statistics/figures.ts';
import { type PercentilesResult, quartilesOf } from '#domain/statistics/quantiles.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { projectBody } from '#queries/off-plan/projects.ts';
import { unitSummaryBody } from '#queries/off-plan/units.ts';
import { searchIndex } from '../search-index.ts';
import { developerPrices, type Hits, OFF_PLAN, presentProject, projectIdParameter } from './common.ts';

interface Units {
  key: string;
  doc_count: number;
  price: PercentilesResult;
  area: PercentilesResult;
  with_area: { value: number };
}
interface Summary {
  aggregations: {
    listing_types: { buckets: readonly { key: string; property_types: { buckets: readonly Units[] } }[] };
  };
}

export const getProject = defineEndpoint({
  ...OFF_PLAN,
  path: '/v1/projects/{id}',
  operationId: 'getProject',
  summary: 'Get an off-plan project',
  description:
    'Returns a project with its description, its boundary as GeoJSON, its amenities, and a summary of the units currently on the market. Project prices are stated by the developer; prices in `unit_summary` are asking prices of listings.',
  price: PRICES.project,
  pathParameters: [projectIdParameter],
  response: object({ data: PROJECT_DETAIL_SCHEMA, ...developerPrices }),
  errors: ['project_not_found'],
  prefetch: (call) =>
    Promise.all([
      searchIndex<Hits<StoredProject>>(call, 'projects', projectBody(call.path.id)),
      searchIndex<Summary>(call, 'listings', unitSummaryBody(call.path.id)),
    ]),
  handle: async ({ services }, prefetch) => {
    const [{ hits }, { aggregations }] = await prefetch;
    const project = hits.hits[0]?._source;
    if (project === undefined) throw new ApiError('project_not_found', { param: 'id' });
    const data = {
      ...presentProject(project.display, services.config),
      ...project.detail,
      unit_summary: summaryOf(aggregations),
    };
    return { body: { data, price_source: 'developer' as const } };
  },
});

function summaryOf({ listing_types }: Summary['aggregations']) {
  return listing_types.buckets.flatMap(({ key: listing_type, property_types }) =>
    property_types.buckets.map(({ key, doc_count, price, area, with_area }) => {
      const areas = quartilesOf(area, with_area.value);
      return {
        listing_type,
        property_type: key,
        sample_size: doc_count,
        ...priceQuartiles(quartilesOf(price, doc_count)),
        median_area_sqm: rounded(areas?.median),
        p25_area_sqm: rounded(areas?.p25),
        p75_area_sqm: rounded(areas?.p75),
      };
    }),
  );
}
