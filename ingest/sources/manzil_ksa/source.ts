import { readFlag } from '../../normalize/flags.ts';
import { nextLink } from '../kinds/envelopes.ts';
import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { definePagedSnapshots } from '../snapshots.ts';

/** Rents and sales, Arabic, over HTTP; the particulars of the home lie one level down. */
export default definePagedSnapshots({
  name: 'manzil_ksa',
  readPage: nextLink,
  map: (row) => {
    const attributes = record(row.attributes);
    const owner = record(row.owner);
    const [lng, lat] = Array.isArray(row.location) ? row.location : [];
    return {
      source_listing_id: text(row.ad_id) ?? '',
      title: text(row.title),
      description: text(row.content),
      purpose: text(row.offer) ?? '',
      property_type: text(row.sub_category) ?? '',
      price: scalar(row.price_text),
      price_period: text(row.pay_every),
      area: scalar(attributes.area),
      bedrooms: scalar(attributes.bedrooms),
      bathrooms: scalar(attributes.bathrooms),
      livings: scalar(attributes.lounges),
      floor: scalar(attributes.floor),
      age_years: scalar(attributes.age),
      furnished: flag(attributes.furnished),
      amenities: texts(attributes.extras),
      city: text(row.city_name),
      neighborhood: text(row.area_name),
      lat: scalar(lat),
      lng: scalar(lng),
      street_width: scalar(attributes.street_width),
      photos: Array.isArray(row.pictures) ? texts(row.pictures.map((picture) => record(picture).url)) : [],
      advertiser_type: text(owner.kind),
      advertiser_key: text(owner.ref),
      verified: flag(row.is_verified),
      financing: { accepts_bank_financing: readFlag(flag(row.bank_accepted)) },
      updated_at: scalar(row.last_update),
    };
  },
});
