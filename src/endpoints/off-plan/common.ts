import { oneOf } from '#domain/json-schema.ts';
import type { ProjectDisplay } from '#domain/off-plan/project.ts';
import type { Parameter } from '#http/endpoint.ts';
import { type List, pageOfRows } from '#http/pagination.ts';
import type { Config } from '#src/config.ts';

/** Properties common to all off-plan project endpoints. */
export const OFF_PLAN = { area: 'Off-plan projects', audience: 'data', scope: 'projects', load: 'light' } as const;

export const projectIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  description: 'Project id.',
  required: true,
  nonCanonicalError: 'project_not_found',
  example: '1',
} as const satisfies Parameter;

export const developerPrices = { price_source: oneOf(['developer']) } as const;

/** An OpenSearch response with projects or developers, sorted by two numbers. */
export interface Hits<Source> {
  hits: { hits: readonly { _source: Source; sort: [number, number] }[] };
}

/** Returns a page of the hits, of which the search read one more than the page has. */
export const pageOfHits = <Source, Row>(
  call: Parameters<typeof pageOfRows>[0],
  list: List,
  { hits }: Hits<Source>,
  present: (source: Source) => Row,
) =>
  pageOfRows(call, list, async (size) =>
    hits.hits.slice(0, size).map(({ _source, sort }) => ({ row: present(_source), position: sort })),
  );

/** Returns a project with its image URLs. */
export function presentProject(display: ProjectDisplay, { cdnUrl }: Pick<Config, 'cdnUrl'>): ProjectDisplay {
  return { ...display, images: display.images.map((key) => `${cdnUrl}/${key}`) };
}
