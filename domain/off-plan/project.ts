import type { Boundary } from '../geography/boundary.ts';
import type { MutableValueOf } from '../json-schema.ts';
import type { Amenity } from '../listing-vocabulary.ts';
import { monthOf } from '../months.ts';
import type { DEVELOPER_SCHEMA, PROJECT_SCHEMA } from './project-schema.ts';

/** Served as stored, except `images`, whose keys in the CDN bucket are converted to URLs. */
export type ProjectDisplay = MutableValueOf<typeof PROJECT_SCHEMA>;
export type DeveloperNames = NonNullable<ProjectDisplay['developer']>;
export type UnitType = ProjectDisplay['unit_types'][number];
/** Shares of the price by due date. */
export type PaymentPlan = NonNullable<ProjectDisplay['payment_plan']>;

export interface ProjectDetail {
  description: string | null;
  description_en: string | null;
  boundary: Boundary | null;
  amenities: Amenity[];
}

export interface StoredProject {
  display: ProjectDisplay;
  detail: ProjectDetail;
}

export type UnitProject = ReturnType<typeof unitProject>;

/** Project data stored in the unit's document, so that finding units takes one search. */
export function unitProject({ id, developer, status, features, banks }: ProjectDisplay) {
  return { id, developer_id: developer?.id ?? null, status, features, banks };
}

export function projectDocument(project: StoredProject) {
  const { display } = project;
  const { location, price, delivery_date: delivery } = display;
  return {
    ...project,
    filter: {
      id: display.id,
      city: location.city,
      neighborhood_id: location.neighborhood_id,
      status: display.status,
      developer_id: display.developer?.id ?? null,
      price_min: price.min_sar,
      price_max: price.max_sar,
      delivery: delivery === null ? null : monthOf(Date.parse(delivery)),
      delivery_day: delivery === null ? null : Date.parse(delivery),
      features: display.features,
      banks: display.banks,
      lat: location.lat,
      lng: location.lng,
      first_seen_at: Date.parse(display.first_seen_at),
    },
  };
}

export type DeveloperDisplay = MutableValueOf<typeof DEVELOPER_SCHEMA>;

export function developerDocument(display: DeveloperDisplay) {
  const { id, project_count, cities } = display;
  return { display, filter: { id, project_count, city: cities.map(({ city }) => city) } };
}
