import { flag, record, scalar, text, texts } from '../kinds/fields.ts';
import { defineNdjsonSnapshots } from '../snapshots.ts';

/** Homes for rent, English words with the text in both languages. */
export default defineNdjsonSnapshots({
  name: 'jiwar_homes',
  map: (row) => {
    const description = record(row.text);
    const position = record(row.position);
    const plans = texts(row.payment_plans);
    return {
      source_listing_id: text(row.home_id) ?? '',
      title: text(row.name),
      description: text(description.ar),
      description_en: text(description.en),
      purpose: 'rent',
      property_type: text(row.home_type) ?? '',
      price: scalar(row.rent),
      price_period: text(row.rent_per),
      area: scalar(row.area_sqm),
      bedrooms: scalar(row.bedrooms),
      bathrooms: scalar(row.bathrooms),
      floor: scalar(row.floor),
      furnished: flag(row.furnished),
      amenities: texts(row.features),
      city: text(row.city),
      neighborhood: text(row.neighbourhood),
      lat: scalar(position.lat),
      lng: scalar(position.lng),
      compound_name: text(row.community),
      photos: Array.isArray(row.photos) ? texts(row.photos.map((photo) => record(photo).src)) : [],
      advertiser_type: text(row.landlord_type),
      advertiser_key: text(row.landlord),
      verified: flag(row.checked),
      financing: {
        rent_now_pay_later_monthly_sar: typeof row.pay_later_from === 'number' ? row.pay_later_from : null,
        landlord_payment_plans: {
          monthly: plans.includes('monthly'),
          quarterly: plans.includes('quarterly'),
          semiannually: plans.includes('semi-annually'),
        },
      },
      updated_at: scalar(row.refreshed_at),
    };
  },
});
