import { hasMore } from '../kinds/envelopes.ts';
import { record, scalar, text, texts } from '../kinds/fields.ts';
import { definePagedSnapshots } from '../snapshots.ts';

/** Rents and sales, Arabic, over HTTP; rooms, floor and age are a list of named values. */
export default definePagedSnapshots({
  name: 'wateed_aqari',
  readPage: hasMore,
  map: (row) => {
    const specs = new Map(
      (Array.isArray(row.specs) ? row.specs : []).map((spec) => [record(spec).name, record(spec).value]),
    );
    const map = record(row.map);
    const advertiser = record(row.advertiser);
    return {
      source_listing_id: text(row.code) ?? '',
      title: text(row.subject),
      description: text(row.details),
      purpose: text(row.op) ?? '',
      property_type: text(row.unit) ?? '',
      price: scalar(row.price),
      price_period: text(row.rent_type),
      area: scalar(row.space),
      bedrooms: scalar(specs.get('غرف النوم')),
      bathrooms: scalar(specs.get('دورات المياه')),
      livings: scalar(specs.get('الصالات')),
      floor: scalar(specs.get('الدور')),
      age_years: scalar(specs.get('عمر العقار')),
      amenities: texts(row.services),
      city: text(row.city),
      neighborhood: text(row.district),
      lat: scalar(map.y),
      lng: scalar(map.x),
      compound_name: text(row.compound),
      photos: texts(row.gallery),
      advertiser_type: text(advertiser.role),
      advertiser_key: text(advertiser.code),
      verified: text(row.licensed),
      updated_at: scalar(row.edit_date),
    };
  },
});
