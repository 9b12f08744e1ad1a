import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Rents and sales, English words with the Arabic text beside the English. */
export default defineNdjsonSnapshots({
  name: 'diyar_gulf',
  map: (row) => {
    const geo = record(row.geo);
    const agent = record(row.agent);
    return {
      source_listing_id: text(row.reference) ?? '',
      url: text(row.permalink),
      title: text(row.headline),
      description: text(row.description_ar),
      description_en: text(row.description_en),
      purpose: text(row.purpose) ?? '',
      property_type: text(row.category) ?? '',
      price: scalar(row.price),
      price_period: text(row.rent_frequency),
      area: scalar(row.size),
      bedrooms: scalar(row.beds),
      bathrooms: scalar(row.baths),
      floor: scalar(row.floor),
      age_years: scalar(row.completion_age),
      furnished: text(row.furnishing),
      amenities: texts(row.amenities),
      city: text(row.city),
      neighborhood: text(row.district),
      lat: scalar(geo.latitude),
      lng: scalar(geo.longitude),
      compound_name: text(row.compound),
      project: { id: scalar(row.project_id) },
      photos: texts(row.photo_urls),
      advertiser_type: text(agent.type),
      advertiser_key: text(agent.key),
      verified: flag(agent.verified),
      financing: { accepts_bank_financing: typeof row.mortgage === 'boolean' ? row.mortgage : null },
      updated_at: scalar(row.updated_ts),
    };
  },
});
