import { scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Offices, shops and other commercial property; rents are yearly. */
export default defineNdjsonSnapshots({
  name: 'zawaya_offices',
  map: (row) => ({
    source_listing_id: text(row.space_id) ?? '',
    title: text(row.title),
    description: text(row.description),
    purpose: text(row.lease_or_sale) ?? '',
    property_type: text(row.space_type) ?? '',
    price: scalar(row.price_sar),
    price_period: 'yearly',
    area: scalar(row.area),
    floor: scalar(row.floor),
    age_years: scalar(row.fit_out_age),
    amenities: texts(row.features),
    city: text(row.city_ar),
    neighborhood: text(row.district_ar),
    lat: scalar(row.lat),
    lng: scalar(row.lng),
    street_width: scalar(row.street_width),
    photos: texts(row.photos),
    advertiser_type: text(row.broker_type),
    advertiser_key: text(row.broker),
    updated_at: scalar(row.updated),
  }),
});
