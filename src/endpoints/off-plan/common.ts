import { oneOf } from '#domain/json-schema.ts';
import type { DeveloperDisplay, ProjectDisplay, StoredProject } from '#domain/off-plan/project.ts';
import type { Parameter } from '#http/endpoint.ts';
import type { Config } from '#src/config.ts';

/** Properties common to all off-plan project endpoints. */
export const OFF_PLAN = { area: 'Off-plan projects', audience: 'data', scope: 'projects' } as const;

export const projectIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  description: 'Project id.',
  required: true,
  nonCanonicalError: 'project_not_found',
  example: '1',
} as const satisfies Parameter;

/** Project prices are stated by the developer; unit prices are asking prices in listings. */
export const developerPrices = { price_source: oneOf(['developer']) } as const;
export const askingPrices = { price_source: oneOf(['asking']) } as const;

/** An OpenSearch response with projects or developers, sorted by two numbers. */
export interface Hits<Source> {
  hits: { hits: readonly { _source: Source; sort: [number, number] }[] };
}
export type ProjectHits = Hits<Pick<StoredProject, 'display'>>;
export type DeveloperHits = Hits<{ display: DeveloperDisplay }>;

/** Returns a project with its image URLs. */
export function presentProject(display: ProjectDisplay, { cdnUrl }: Pick<Config, 'cdnUrl'>): ProjectDisplay {
  return { ...display, images: display.images.map((key) => `${cdnUrl}/${key}`) };
}
