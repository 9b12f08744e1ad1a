import { scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Rents and sales, Arabic as people type it, without titles; every number is text. */
export default defineNdjsonSnapshots({
  name: 'rukn_estates',
  map: (row) => ({
    source_listing_id: text(row.id) ?? '',
    description: text(row.text),
    purpose: text(row.purpose) ?? '',
    property_type: text(row.type) ?? '',
    price: scalar(row.price),
    price_period: text(row.cycle),
    area: scalar(row.area),
    bedrooms: scalar(row.rooms),
    bathrooms: scalar(row.wc),
    livings: scalar(row.salas),
    floor: scalar(row.floor),
    age_years: scalar(row.age),
    furnished: text(row.furnished),
    amenities: texts(row.features),
    city: text(row.city),
    neighborhood: text(row.hay),
    lat: scalar(row.lat),
    lng: scalar(row.lng),
    photos: texts(row.photos),
    advertiser_type: text(row.office_kind),
    advertiser_key: text(row.office),
    updated_at: scalar(row.updated),
  }),
});
