import { arrayOf, object, string } from '../json-schema.ts';

export const DATASETS = {
  justice_transactions: {
    title: 'الصفقات العقارية',
    title_en: 'Real estate transactions',
    publisher: 'Ministry of Justice',
    urls: ['https://www.moj.gov.sa/ar/opendata', 'https://open.data.gov.sa'],
  },
  regulator_rent_index: {
    title: 'المؤشرات الإيجارية',
    title_en: 'Rental indicators',
    publisher: 'Real Estate General Authority',
    urls: ['https://rega.gov.sa', 'https://open.data.gov.sa'],
  },
  statistics_price_index: {
    title: 'الرقم القياسي لأسعار العقارات',
    title_en: 'Real estate price index',
    publisher: 'General Authority for Statistics',
    urls: ['https://www.stats.gov.sa', 'https://open.data.gov.sa'],
  },
} as const;
export type DatasetKey = keyof typeof DATASETS;

const LICENSE = {
  name: 'KSA Open Data License',
  url: 'https://open.data.gov.sa/en/pages/policies/license',
  base_license: 'Open Data Commons Attribution License (ODC-By) v1.0',
  base_license_url: 'https://opendatacommons.org/licenses/by/1-0/',
} as const;

export function attributionOf(...keys: readonly DatasetKey[]) {
  const publishers = keys.map((key) => `${DATASETS[key].title_en}, ${DATASETS[key].publisher}`);
  return {
    notice: `Contains open government data of Saudi Arabia: ${publishers.join('; ')}. Districts matched and figures worked out by this service, which the publishers have not reviewed.`,
    license: LICENSE,
    datasets: keys.map((source) => ({ source, ...DATASETS[source], urls: [...DATASETS[source].urls] })),
  };
}

export const ATTRIBUTION_SCHEMA = object({
  notice: string,
  license: object({ name: string, url: string, base_license: string, base_license_url: string }),
  datasets: arrayOf(
    object({ source: string, title: string, title_en: string, publisher: string, urls: arrayOf(string) }),
  ),
});
