import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cleanDescription } from '#ingest/normalize/text.ts';
import { readTextFacts } from '#ingest/normalize/text-facts.ts';
import { publicData, testWith } from './public-data.ts';

const ADS = ['listings', 'aqar_riyadh_apartments_sale_2022.ndjson'] as const;
/** Hand-labelled facts for 200 ads in the public file, by ad id. */
const LABELS = JSON.parse(readFileSync(new URL('text-facts.labels.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

testWith(...ADS)('of 200 real ads facts are read with a precision of 0.97 and a recall of 0.80', async (t) => {
  let [right, read, all, judged] = [0, 0, 0, 0];
  for await (const line of createInterface({ input: createReadStream(publicData(...ADS)) })) {
    const ad = JSON.parse(line) as { id: string; description_ar: string };
    const label = LABELS[ad.id];
    if (label === undefined) continue;
    judged++;
    const { amenities, ...others } = readTextFacts(cleanDescription(ad.description_ar), 'apartment');
    const facts = [
      ...amenities,
      ...Object.entries(others).flatMap(([field, value]) => (value === null ? [] : [`${field}=${value}`])),
    ];
    const truth = new Set(label.split(' ').filter(Boolean));
    read += facts.length;
    all += truth.size;
    right += facts.filter((fact) => truth.has(fact)).length;
  }
  t.is(judged, 200);
  t.log(`precision ${(right / read).toFixed(3)}, recall ${(right / all).toFixed(3)} of ${all} facts`);
  t.true(right / read >= 0.97);
  t.true(right / all >= 0.8);
});
