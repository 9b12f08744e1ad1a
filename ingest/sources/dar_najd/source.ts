import { split } from '../kinds/fields.ts';
import { defineCsvSnapshots } from '../snapshots.ts';

/** Rents and sales under an Arabic header, spelled as people type; rents are yearly. No points, no update times. */
export default defineCsvSnapshots({
  name: 'dar_najd',
  delimiter: ';',
  required: ['رقم الإعلان', 'الغرض', 'نوع العقار', 'السعر', 'المدينة'],
  map: (row) => ({
    source_listing_id: row['رقم الإعلان'] ?? '',
    title: row.العنوان,
    description: row.الوصف,
    purpose: row.الغرض ?? '',
    property_type: row['نوع العقار'] ?? '',
    price: row.السعر,
    price_period: 'yearly',
    area: row.المساحة,
    bedrooms: row['عدد الغرف'],
    bathrooms: row['دورات المياه'],
    floor: row.الدور,
    age_years: row['عمر العقار'],
    amenities: split(row.المميزات, ' - '),
    city: row.المدينة,
    neighborhood: row.الحي,
    street_width: row['عرض الشارع'],
    photos: split(row.الصور, ' '),
    advertiser_type: row.المعلن,
    advertiser_key: row['رمز المعلن'],
  }),
});
