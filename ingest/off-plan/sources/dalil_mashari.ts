import { csvFile } from '../../sources/kinds/csv-file.ts';
import { split } from '../../sources/kinds/fields.ts';
import { dailyFiles } from '../../sources/snapshots.ts';
import type { RawProject } from './raw.ts';

/** CSV feed in Arabic, without update times. Boundaries are WKT; unit types and payment shares are one cell each. */
export default dailyFiles('dalil_mashari', 'project-feeds', 'csv', (file) =>
  csvFile<RawProject>({
    ...file,
    delimiter: ';',
    required: ['رقم المشروع', 'اسم المشروع', 'الحالة', 'المدينة'],
    map: (row) => {
      const [down, during, end] = split(row['خطة الدفع'], '/');
      return {
        source_project_id: row['رقم المشروع'] ?? '',
        name: row['اسم المشروع'],
        developer: row.المطور,
        status: row.الحالة,
        city: row.المدينة,
        neighborhood: row.الحي,
        lat: row['خط العرض'],
        lng: row['خط الطول'],
        boundary: row['حدود المشروع'],
        price_min: row['السعر من'],
        price_max: row['السعر إلى'],
        unit_types: split(row['نماذج الوحدات'], '|').map((cell) => {
          const [property_type, bedrooms, bathrooms, area, price] = split(cell, '،');
          return { property_type, bedrooms, bathrooms, area, price };
        }),
        delivery: row['موعد التسليم'],
        payment_plan: { down_payment: down, during_construction: during, on_delivery: end },
        features: split(row.المزايا, '،'),
        amenities: split(row['مرافق الوحدات'], '،'),
        banks: split(row['جهات التمويل'], '،'),
        license_number: row['رقم الترخيص'],
        description: row.الوصف,
        photos: split(row.الصور, ' '),
      };
    },
  }),
);
