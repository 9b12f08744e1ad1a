import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Homes for rent in Arabic words, some to be paid by the month through the source. */
export default defineCsvSnapshots({
  name: 'saknak_rent',
  required: ['رقم', 'النوع', 'الإيجار', 'المدينة'],
  map: (row) => {
    const [lat, lng] = split(row.الموقع, ',');
    return {
      source_listing_id: row.رقم ?? '',
      title: row.العنوان,
      description: row.التفاصيل,
      purpose: 'rent',
      property_type: row.النوع ?? '',
      price: row.الإيجار,
      price_period: row.الدفع,
      area: row.المساحة,
      bedrooms: row.الغرف,
      bathrooms: row.الحمامات,
      livings: row.الصالات,
      floor: row.الدور,
      age_years: row.العمر,
      furnished: row.التأثيث,
      amenities: split(row.المميزات, '،'),
      city: row.المدينة,
      neighborhood: row.الحي,
      lat,
      lng,
      photos: split(row.الصور, ' '),
      advertiser_type: row.المعلن,
      advertiser_key: row['رقم المعلن'],
      financing: { rent_now_pay_later_monthly_sar: row['قسط شهري'] ? Number(row['قسط شهري']) : null },
      created_at: row.النشر,
      updated_at: row.التحديث,
    };
  },
});
