import { attributionOf, type DatasetKey } from '#domain/official/attribution.ts';
import type { Terms } from '../files.ts';

/** Open government data may be stored, published and resold with the attribution. */
export function openDataTerms(key: DatasetKey, caveats: readonly string[]): Terms {
  const { notice, license, datasets } = attributionOf(key);
  const sources = datasets.flatMap(({ title, title_en, publisher, urls }) => [
    `${title_en} (${title}), ${publisher}`,
    ...urls.map((url) => `  ${url}`),
  ]);
  return {
    licence: {
      name: license.name,
      url: license.url,
      terms: [
        'These rows may be stored, published and resold, provided that ATTRIBUTION.txt, or its text with its links, is included.',
      ],
    },
    caveats,
    attribution: [
      notice,
      '',
      ...sources,
      '',
      `${license.name}: ${license.url}`,
      `Based on ${license.base_license}: ${license.base_license_url}`,
      '',
    ].join('\n'),
  };
}
