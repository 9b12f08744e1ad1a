import { nextLink } from '../kinds/envelopes.ts';
import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { definePagedSnapshots } from '../snapshots.ts';

/** Short and furnished lets, English codes, over HTTP. */
export default definePagedSnapshots({
  name: 'rimal_rentals',
  readPage: nextLink,
  map: (row) => {
    const at = record(row.at);
    return {
      source_listing_id: text(row.stay_id) ?? '',
      title: text(row.title),
      description: text(row.description),
      purpose: 'rent',
      property_type: text(row.stay_type) ?? '',
      price: scalar(row.rate),
      price_period: text(row.rate_unit),
      area: scalar(row.sqm),
      bedrooms: scalar(row.bedrooms),
      bathrooms: scalar(row.bathrooms),
      furnished: flag(row.furnished),
      amenities: texts(row.perks),
      city: text(row.city),
      lat: scalar(at.lat),
      lng: scalar(at.lng),
      photos: texts(row.pictures),
      advertiser_type: text(row.host_type),
      advertiser_key: text(row.host),
      updated_at: scalar(row.changed),
    };
  },
});
