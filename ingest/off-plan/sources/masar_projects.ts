import { record, scalar, text, texts } from '../../sources/kinds/fields.ts';
import { ndjsonFile } from '../../sources/kinds/ndjson-file.ts';
import { dailyFiles } from '../../sources/snapshots.ts';
import type { RawProject } from './raw.ts';

/** NDJSON feed with names and texts in both languages. Boundaries are GeoJSON. Ranges are given as two numbers. */
export default dailyFiles('masar_projects', 'project-feeds', 'ndjson', (file) =>
  ndjsonFile<RawProject>({
    ...file,
    map: (row) => {
      const name = record(row.name);
      const developer = record(row.developer);
      const location = record(row.location);
      const prices = record(row.price_range);
      const plan = record(row.payment_plan);
      const about = record(row.about);
      return {
        source_project_id: text(row.project_no) ?? '',
        name_en: text(name.en),
        name_ar: text(name.ar),
        developer_en: text(developer.en),
        developer_ar: text(developer.ar),
        status: text(row.stage),
        city: text(location.city),
        neighborhood: text(location.district),
        lat: scalar(location.lat),
        lng: scalar(location.lng),
        boundary: row.boundary,
        price_min: scalar(prices.from),
        price_max: scalar(prices.to),
        unit_types: (Array.isArray(row.units) ? row.units : []).map((each) => {
          const unit = record(each);
          return {
            property_type: text(unit.kind),
            bedrooms: scalar(unit.bedrooms),
            bathrooms: scalar(unit.bathrooms),
            area_min: scalar(unit.area_from),
            area_max: scalar(unit.area_to),
            price_min: scalar(unit.price_from),
            price_max: scalar(unit.price_to),
          };
        }),
        delivery: text(row.handover),
        payment_plan: {
          down_payment: scalar(plan.down),
          during_construction: scalar(plan.construction),
          on_delivery: scalar(plan.handover),
        },
        features: texts(row.facilities),
        amenities: texts(row.unit_amenities),
        banks: texts(row.financed_by),
        license_number: text(row.license),
        description: text(about.ar),
        description_en: text(about.en),
        photos: texts(row.gallery),
        updated_at: scalar(row.modified),
      };
    },
  }),
);
