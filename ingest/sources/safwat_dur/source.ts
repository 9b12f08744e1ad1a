import { totalPages } from '../kinds/envelopes.ts';
import { flag, marked, record, scalar, split, text, texts } from '../kinds/fields.ts';
import { definePagedSnapshots } from '../snapshots.ts';

const AMENITY_FLAGS = {
  hasAc: 'ac',
  hasKitchen: 'kitchen',
  hasElevator: 'lift',
  hasParking: 'parking',
  hasPool: 'pool',
  hasMaidRoom: 'maid_room',
  hasBalcony: 'balcony',
};

/** Rents and sales, English codes in capitals, over HTTP; amenities are a flag each. */
export default definePagedSnapshots({
  name: 'safwat_dur',
  readPage: totalPages,
  map: (row) => {
    const price = record(row.price);
    const publisher = record(row.publisher);
    const [lat, lng] = split(text(row.coordinates) ?? '', ',');
    return {
      source_listing_id: text(row.listingId) ?? '',
      title: text(row.titleAr),
      description: text(row.textAr),
      description_en: text(row.textEn),
      purpose: text(row.transaction) ?? '',
      property_type: text(row.propertyType) ?? '',
      // A price that is no object is the host's slip: as it stands, it is read, or rejected as unreadable.
      price: scalar(price.value) ?? scalar(row.price),
      price_period: text(price.unit),
      area: scalar(row.areaSqm),
      bedrooms: scalar(row.bedrooms),
      bathrooms: scalar(row.bathrooms),
      livings: scalar(row.livingRooms),
      floor: scalar(row.floorNumber),
      age_years: scalar(row.ageYears),
      furnished: flag(row.furnished),
      amenities: marked(row, AMENITY_FLAGS),
      city: text(row.cityName),
      neighborhood: text(row.districtName),
      lat,
      lng,
      compound_name: text(row.compoundName),
      photos: texts(row.images),
      advertiser_type: text(publisher.type),
      advertiser_key: text(publisher.id),
      verified: flag(row.verified),
      financing: {
        rent_now_pay_later_monthly_sar: typeof row.payLaterMonthly === 'number' ? row.payLaterMonthly : null,
      },
      updated_at: scalar(row.updatedAt),
    };
  },
});
