import type { Boundary } from '#domain/geography/boundary.ts';
import type { ListingCategory } from '#domain/listings/vocabulary.ts';
import type { PaymentPlan, ProjectDetail, UnitType } from '#domain/off-plan/project.ts';
import type { ProjectBank, ProjectFeature, ProjectStatus } from '#domain/off-plan/vocabulary.ts';
import type { Scalar } from '../../normalize/numbers.ts';

export interface RawUnitType {
  /** Property type in the source's words. */
  property_type?: string | null;
  bedrooms?: Scalar;
  bathrooms?: Scalar;
  /** One number, or two numbers separated by a dash. */
  area?: Scalar;
  area_min?: Scalar;
  area_max?: Scalar;
  price?: Scalar;
  price_min?: Scalar;
  price_max?: Scalar;
}

/** A project as its source's `map` has renamed the fields, with unparsed values: words, Arabic digits, units. */
export interface RawProject {
  source_project_id: string;
  /** Name in either language, if the source does not state the language. */
  name?: string | null;
  name_en?: string | null;
  name_ar?: string | null;
  developer?: string | null;
  developer_en?: string | null;
  developer_ar?: string | null;
  status?: string | null;
  city?: string | null;
  neighborhood?: string | null;
  lat?: Scalar;
  lng?: Scalar;
  /** GeoJSON (as a value or as text) or WKT. */
  boundary?: unknown;
  price_min?: Scalar;
  price_max?: Scalar;
  unit_types?: readonly RawUnitType[] | null;
  /** Day, month or quarter, in either language. */
  delivery?: string | null;
  payment_plan?: { down_payment?: Scalar; during_construction?: Scalar; on_delivery?: Scalar } | null;
  features?: readonly string[] | null;
  amenities?: readonly string[] | null;
  banks?: readonly string[] | null;
  license_number?: string | number | null;
  description?: string | null;
  description_en?: string | null;
  photos?: readonly string[] | null;
  /** ISO date-time, or epoch seconds as a number or a string of digits. */
  updated_at?: string | number | null;
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
