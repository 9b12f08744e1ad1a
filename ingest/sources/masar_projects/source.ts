import { record, scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Units in off-plan projects, which they reference by the ids in the source's project feed. */
export default defineNdjsonSnapshots({
  name: 'masar_projects',
  map: (row) => {
    const location = record(row.location);
    return {
      source_listing_id: text(row.unit_no) ?? '',
      title: text(row.title),
      description: text(row.description),
      purpose: text(row.offer) ?? '',
      property_type: text(row.kind) ?? '',
      price: scalar(row.price),
      price_period: 'yearly',
      area: scalar(row.area),
      bedrooms: scalar(row.bedrooms),
      bathrooms: scalar(row.bathrooms),
      livings: scalar(row.living_rooms),
      floor: scalar(row.floor),
      age_years: 0,
      amenities: texts(row.amenities),
      city: text(location.city),
      neighborhood: text(location.district),
      lat: scalar(location.lat),
      lng: scalar(location.lng),
      project: { id: scalar(row.project_no) },
      photos: texts(row.photos),
      advertiser_type: 'developer',
      updated_at: scalar(row.modified),
    };
  },
});
