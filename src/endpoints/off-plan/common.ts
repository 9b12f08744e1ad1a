import { oneOf } from '#domain/json-schema.ts';
import type { DeveloperDisplay, ProjectDisplay, StoredProject } from '#domain/off-plan/project.ts';
import type { Parameter } from '#http/endpoint.ts';
import type { Config } from '#src/config.ts';

/** What every endpoint of off-plan projects is. */
export const OFF_PLAN = { area: 'Off-plan projects', audience: 'data', scope: 'projects' } as const;

export const projectIdParameter = {
  name: 'id',
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  description: 'Project id.',
  required: true,
  otherwiseWritten: 'project_not_found',
  example: '1',
} as const satisfies Parameter;

/** Prices of projects are the developers' own; those of units are asking prices, as of any listing. */
export const developerPrices = { price_source: oneOf(['developer']) } as const;
export const askingPrices = { price_source: oneOf(['asking']) } as const;

/** The answer of the engine to a search of projects or developers, sorted by two numbers. */
export interface Hits<Source> {
  hits: { hits: readonly { _source: Source; sort: [number, number] }[] };
}
export type ProjectHits = Hits<Pick<StoredProject, 'display'>>;
export type DeveloperHits = Hits<{ display: DeveloperDisplay }>;

/** A project with the addresses of its images. */
export function presentProject(display: ProjectDisplay, { cdnUrl }: Pick<Config, 'cdnUrl'>): ProjectDisplay {
  return { ...display, images: display.images.map((key) => `${cdnUrl}/${key}`) };
}
