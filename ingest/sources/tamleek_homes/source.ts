import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Homes and land for sale, with the project they belong to and whether a bank pays. */
export default defineNdjsonSnapshots({
  name: 'tamleek_homes',
  map: (row) => {
    const [lat, lng] = Array.isArray(row.at) ? row.at.map(scalar) : [];
    const seller = record(row.seller);
    return {
      source_listing_id: text(row.no) ?? '',
      title: text(row.title),
      description: text(row.text),
      description_en: text(row.text_en),
      purpose: 'sale',
      property_type: text(row.kind) ?? '',
      price: scalar(row.total_sar),
      area: scalar(row.sqm),
      bedrooms: scalar(row.rooms),
      bathrooms: scalar(row.baths),
      livings: scalar(row.halls),
      age_years: scalar(row.age),
      amenities: texts(row.features),
      city: text(row.city),
      neighborhood: text(row.district),
      lat,
      lng,
      street_width: scalar(row.street),
      project: { id: scalar(row.project) },
      photos: texts(row.images),
      advertiser_type: text(seller.kind),
      advertiser_key: text(seller.key),
      verified: flag(row.licensed),
      financing: { accepts_bank_financing: typeof row.bank === 'boolean' ? row.bank : null },
      created_at: scalar(row.listed),
      updated_at: scalar(row.changed),
    };
  },
});
