import { csv } from '../../sources/kinds/csv-file.ts';
import { split } from '../../sources/kinds/fields.ts';
import { renamed } from '../../sources/kinds/renamed.ts';
import { dailyFiles } from '../../sources/snapshots.ts';
import type { RawProject } from './raw.ts';

type Row = Readonly<Record<string, string>>;

const payment = (at: number) => (row: Row) => split(row['خطة الدفع'], '/')[at];

/** A CSV feed in Arabic, without update times. Boundaries are WKT; unit types and payment shares are one cell each. */
export default dailyFiles(
  'dalil_mashari',
  'project-feeds',
  'csv',
  csv<RawProject>({
    delimiter: ';',
    required: ['رقم المشروع', 'اسم المشروع', 'الحالة', 'المدينة'],
    map: renamed({
      source_project_id: 'رقم المشروع',
      name: 'اسم المشروع',
      developer: 'المطور',
      status: 'الحالة',
      city: 'المدينة',
      neighborhood: 'الحي',
      lat: 'خط العرض',
      lng: 'خط الطول',
      boundary: 'حدود المشروع',
      price_min: 'السعر من',
      price_max: 'السعر إلى',
      unit_types: (row) =>
        split(row['نماذج الوحدات'], '|').map((cell) => {
          const [property_type, bedrooms, bathrooms, area, price] = split(cell, '،');
          return { property_type, bedrooms, bathrooms, area, price };
        }),
      delivery: 'موعد التسليم',
      payment_plan: { down_payment: payment(0), during_construction: payment(1), on_delivery: payment(2) },
      features: (row) => split(row.المزايا, '،'),
      amenities: (row) => split(row['مرافق الوحدات'], '،'),
      banks: (row) => split(row['جهات التمويل'], '،'),
      license_number: 'رقم الترخيص',
      description: 'الوصف',
      photos: (row) => split(row.الصور, ' '),
    }),
  }),
);
