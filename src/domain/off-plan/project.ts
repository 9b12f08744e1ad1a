import type { Location } from '../geography/location.ts';
import type { Amenity, ListingCategory, PropertyType } from '../listings/vocabulary.ts';
import { monthOf } from '../months.ts';
import type { Boundary } from './boundary.ts';
import type { ProjectBank, ProjectFeature, ProjectStatus } from './vocabulary.ts';

/** Units of one kind, as the developer offers them. */
export interface UnitType {
  property_type: PropertyType;
  bedrooms: number | null;
  bathrooms: number | null;
  area_min_sqm: number | null;
  area_max_sqm: number | null;
  price_min_sar: number | null;
  price_max_sar: number | null;
}

/** Shares of the price by due date. */
export interface PaymentPlan {
  down_payment_pct: number;
  during_construction_pct: number;
  on_delivery_pct: number;
}

export interface DeveloperNames {
  id: number;
  name_en: string | null;
  name_ar: string | null;
}

/** The fields of a project in lists. Served as stored, except `images`, which are converted to URLs. */
export interface ProjectDisplay {
  id: number;
  name_en: string | null;
  name_ar: string | null;
  developer: DeveloperNames | null;
  status: ProjectStatus;
  category: ListingCategory;
  location: Omit<Location, 'street_width_m'>;
  price: { min_sar: number | null; max_sar: number | null };
  /** Latest delivery date, `YYYY-MM-DD`. */
  delivery_date: string | null;
  payment_plan: PaymentPlan | null;
  features: ProjectFeature[];
  banks: ProjectBank[];
  unit_types: UnitType[];
  /** Keys in the CDN bucket. */
  images: string[];
  image_count: number;
  source: { name: string };
  also_listed_on: string[];
  first_seen_at: string;
  updated_at: string;
}

/** The additional fields of the detail. */
export interface ProjectDetail {
  description: string | null;
  description_en: string | null;
  boundary: Boundary | null;
  amenities: Amenity[];
}

/** The `_source` of the `projects` index. */
export interface StoredProject {
  display: ProjectDisplay;
  detail: ProjectDetail;
}

/** Filtered fields of a unit's project, stored in the unit's document so that a search of units is one search. */
export interface UnitProject {
  id: number;
  developer_id: number | null;
  status: ProjectStatus;
  features: ProjectFeature[];
  banks: ProjectBank[];
}

export function unitProject({ id, developer, status, features, banks }: ProjectDisplay): UnitProject {
  return { id, developer_id: developer?.id ?? null, status, features, banks };
}

/** Builds the document of the `projects` index: stored fields, and fields for filters and sorts. Pure. */
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

/** A developer in responses. */
export interface DeveloperDisplay extends DeveloperNames {
  project_count: number;
  projects_by_status: Record<ProjectStatus, number>;
  /** City slugs, most projects first. */
  cities: { city: string; project_count: number }[];
}

/** Builds the document of the `developers` index. Pure. */
export function developerDocument(display: DeveloperDisplay) {
  const { id, project_count, cities } = display;
  return { display, filter: { id, project_count, city: cities.map(({ city }) => city) } };
}
