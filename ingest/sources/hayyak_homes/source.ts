import { scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Rents and sales, in short English codes; the place is a point and nothing else. */
export default defineNdjsonSnapshots({
  name: 'hayyak_homes',
  map: (row) => ({
    source_listing_id: text(row.uid) ?? '',
    url: text(row.web),
    title: text(row.name),
    description: text(row.about),
    purpose: text(row.deal) ?? '',
    property_type: text(row.kind) ?? '',
    price: scalar(row.amount),
    price_period: text(row.per),
    area: scalar(row.m2),
    bedrooms: scalar(row.br),
    bathrooms: scalar(row.ba),
    floor: scalar(row.storey),
    age_years: scalar(row.built_years_ago),
    amenities: texts(row.tags),
    lat: scalar(row.lat),
    lng: scalar(row.lon),
    photos: texts(row.media),
    advertiser_type: text(row.by),
    advertiser_key: text(row.by_id),
    updated_at: scalar(row.modified),
  }),
});
