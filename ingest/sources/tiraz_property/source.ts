import { scalar, split, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Rents and sales, English; rents are yearly, areas in square feet, amenities in one text. */
export default defineNdjsonSnapshots({
  name: 'tiraz_property',
  map: (row) => ({
    source_listing_id: text(row.ref) ?? '',
    title: text(row.title),
    description: text(row.description),
    description_en: text(row.description_english),
    purpose: text(row.offering) ?? '',
    property_type: text(row.type) ?? '',
    price: scalar(row.price),
    price_period: 'yearly',
    area: scalar(row.size),
    bedrooms: scalar(row.bedrooms),
    bathrooms: scalar(row.bathrooms),
    floor: scalar(row.floor),
    amenities: split(text(row.features) ?? '', ','),
    city: text(row.emirate_or_city),
    neighborhood: text(row.community),
    lat: scalar(row.latitude),
    lng: scalar(row.longitude),
    photos: texts(row.image_list),
    advertiser_type: text(row.agent_type),
    advertiser_key: text(row.agent_id),
    updated_at: scalar(row.updated),
  }),
});
