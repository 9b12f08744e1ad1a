import type { Boundary } from '#domain/geography/boundary.ts';
import type { ListingCategory } from '#domain/listing-vocabulary.ts';
import type { PaymentPlan, ProjectDetail, UnitType } from '#domain/off-plan/project.ts';
import type { ProjectBank, ProjectFeature, ProjectStatus } from '#domain/off-plan/project-vocabulary.ts';
import type { RawValue } from '../../normalize/plain-values.ts';

/**
 * Types of the fields of a project before normalization. Values are unparsed: words of the source, Arabic digits,
 * units.
 */
export const FIELDS = {
  source_project_id: 'scalar',
  /** Name in either language, if the source does not state the language. */
  name: 'text',
  name_en: 'text',
  name_ar: 'text',
  developer: 'text',
  developer_en: 'text',
  developer_ar: 'text',
  status: 'text',
  city: 'text',
  neighborhood: 'text',
  lat: 'scalar',
  lng: 'scalar',
  /** Boundary as GeoJSON (a value or a text) or WKT. */
  boundary: 'any',
  price_min: 'scalar',
  price_max: 'scalar',
  /** A list of `UNIT_FIELDS`. */
  unit_types: 'any',
  /** Day, month or quarter of the delivery, in either language. */
  delivery: 'text',
  /** Shares in percent. */
  payment_plan: { down_payment: 'scalar', during_construction: 'scalar', on_delivery: 'scalar' },
  features: 'texts',
  amenities: 'texts',
  banks: 'texts',
  license_number: 'scalar',
  description: 'text',
  description_en: 'text',
  photos: 'texts',
  /** ISO date-time, or epoch seconds as a number or a string of digits. */
  updated_at: 'scalar',
} as const;

export const UNIT_FIELDS = {
  property_type: 'text',
  bedrooms: 'scalar',
  bathrooms: 'scalar',
  /** One number, or two numbers separated by a dash. The same applies to `price`. */
  area: 'scalar',
  area_min: 'scalar',
  area_max: 'scalar',
  price: 'scalar',
  price_min: 'scalar',
  price_max: 'scalar',
} as const;

export type RawUnitType = RawValue<typeof UNIT_FIELDS>;

/** A project as its source's `map` has renamed the fields. */
export interface RawProject extends Omit<RawValue<typeof FIELDS>, 'source_project_id' | 'unit_types'> {
  source_project_id: string;
  unit_types?: readonly RawUnitType[] | null;
}

/** A normalized project. The license number is stored separately because it is never returned. */
export interface NormalizedProject extends Omit<ProjectDetail, 'boundary'> {
  source_project_id: string;
  name_en: string | null;
  name_ar: string | null;
  developer_en: string | null;
  developer_ar: string | null;
  status: ProjectStatus;
  category: ListingCategory;
  city: string;
  neighborhood_id: number | null;
  lat: number | null;
  lng: number | null;
  boundary: Boundary | null;
  price_min_sar: number | null;
  price_max_sar: number | null;
  unit_types: UnitType[];
  delivery_date: string | null;
  payment_plan: PaymentPlan | null;
  features: ProjectFeature[];
  banks: ProjectBank[];
  /** Photo URLs at the source, in order. */
  photos: string[];
  source_updated_at: string | null;
}
