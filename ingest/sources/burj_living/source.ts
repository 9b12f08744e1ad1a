import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Homes in towers and compounds, to rent and for sale; English words with the text in both languages. */
export default defineNdjsonSnapshots({
  name: 'burj_living',
  map: (row) => {
    const about = record(row.about);
    const position = record(row.position);
    return {
      source_listing_id: text(row.unit_id) ?? '',
      title: text(row.name),
      description: text(about.ar),
      description_en: text(about.en),
      purpose: text(row.offer) ?? '',
      property_type: text(row.unit_type) ?? '',
      price: scalar(row.asking_price),
      price_period: text(row.paid),
      area: scalar(row.net_area),
      bedrooms: scalar(row.bedrooms),
      bathrooms: scalar(row.bathrooms),
      floor: scalar(row.storey),
      furnished: flag(row.furnished),
      amenities: texts(row.facilities),
      city: text(row.city),
      neighborhood: text(row.district),
      lat: scalar(position.lat),
      lng: scalar(position.lng),
      compound_name: text(row.compound),
      photos: texts(row.pictures),
      advertiser_type: text(row.operator_type),
      advertiser_key: text(row.operator),
      verified: flag(row.inspected),
      created_at: scalar(row.created),
      updated_at: scalar(row.updated),
    };
  },
});
