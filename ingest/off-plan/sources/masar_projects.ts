import { ndjson } from '../../sources/kinds/ndjson-file.ts';
import { renamed } from '../../sources/kinds/renamed.ts';
import { dailyFiles } from '../../sources/snapshots.ts';
import type { RawProject, RawUnitType } from './raw.ts';

const unit = renamed<RawUnitType, object>({
  property_type: 'kind',
  bedrooms: 'bedrooms',
  bathrooms: 'bathrooms',
  area_min: 'area_from',
  area_max: 'area_to',
  price_min: 'price_from',
  price_max: 'price_to',
});

/** An NDJSON feed with names and texts in both languages. Boundaries are GeoJSON. Ranges are given as two numbers. */
export default dailyFiles(
  'masar_projects',
  'project-feeds',
  'ndjson',
  ndjson<RawProject>({
    map: renamed({
      source_project_id: 'project_no',
      name_en: 'name.en',
      name_ar: 'name.ar',
      developer_en: 'developer.en',
      developer_ar: 'developer.ar',
      status: 'stage',
      city: 'location.city',
      neighborhood: 'location.district',
      lat: 'location.lat',
      lng: 'location.lng',
      boundary: 'boundary',
      price_min: 'price_range.from',
      price_max: 'price_range.to',
      unit_types: ({ units }) => (Array.isArray(units) ? units.map((each) => unit(Object(each))) : []),
      delivery: 'handover',
      payment_plan: {
        down_payment: 'payment_plan.down',
        during_construction: 'payment_plan.construction',
        on_delivery: 'payment_plan.handover',
      },
      features: 'facilities',
      amenities: 'unit_amenities',
      banks: 'financed_by',
      license_number: 'license',
      description: 'about.ar',
      description_en: 'about.en',
      photos: 'gallery',
      updated_at: 'modified',
    }),
  }),
);
