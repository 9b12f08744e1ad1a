import { sampleTruth } from '#ingest/sample/truth.ts';
import type { Bench, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { corpusDir } from '../corpus/corpus.ts';

/** What was found to be one property, and where, against what the generator knows. */
export const dedupePart: Part = {
  name: 'dedupe',
  summary: 'duplicates and neighborhoods against the truth file',
  run,
};

/** Enough for every kind of duplicate, whatever the other parts measure on. */
const LISTINGS = 50_000;

interface Found {
  /** The listing that stands for the property. */
  cluster: number;
  neighborhood: number | null;
}

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus(Math.min(LISTINGS, bench.options.listings));
  const found = await readFound(corpus);
  const truth = new Counter();
  const predicted = new Counter();
  const both = new Counter();
  let ads = 0;
  let missing = 0;
  let placed = 0;
  let right = 0;
  for await (const row of sampleTruth(corpusDir(bench.dataDir, corpus.listings))) {
    const ad = found.get(`${row.source} ${row.source_listing_id}`);
    if (!ad) {
      missing++;
      continue;
    }
    ads++;
    truth.add(String(row.property));
    predicted.add(String(ad.cluster));
    both.add(`${row.property} ${ad.cluster}`);
    if (ad.neighborhood !== null) placed++;
    if (ad.neighborhood === row.neighborhood_id) right++;
  }
  const [real, said, agreed] = [truth.pairs(), predicted.pairs(), both.pairs()];
  return {
    tables: [
      {
        title: 'Pairs of ads of one property',
        head: ['ads', 'pairs in truth', 'pairs found', 'of them right', 'ads with a neighborhood'],
        rows: [[ads, real, said, agreed, placed]],
      },
    ],
    figures: [
      { name: 'precision of duplicate pairs', value: agreed / said, unit: '', target: { atLeast: 0.98 } },
      { name: 'recall of duplicate pairs', value: agreed / real, unit: '', target: { atLeast: 0.93 } },
      { name: 'neighborhood as in truth, of all ads', value: right / ads, unit: '', target: { atLeast: 0.97 } },
      { name: 'neighborhood as in truth, of ads that got one', value: right / placed, unit: '' },
    ],
    notes: [
      `${ads.toLocaleString('en')} ads were taken in; ${missing} of the truth file were not, because their rows were kept aside.`,
      `As ingested on ${corpus.manifest.made_at.slice(0, 16).replace('T', ' ')} UTC; --reload ingests anew.`,
      'Every two ads of one property count as a pair, ads without photos included.',
    ],
  };
}

async function readFound({ pool }: Corpus): Promise<Map<string, Found>> {
  const { rows } = await pool.query<[string, number, number | null]>({
    text: `select source || ' ' || source_listing_id, coalesce(duplicate_of, id), neighborhood_id from listings`,
    rowMode: 'array',
  });
  return new Map(rows.map(([key, cluster, neighborhood]) => [key, { cluster, neighborhood }]));
}

/** Sizes of groups, and the pairs within them. */
class Counter {
  readonly #sizes = new Map<string, number>();

  add(group: string): void {
    this.#sizes.set(group, (this.#sizes.get(group) ?? 0) + 1);
  }

  pairs(): number {
    let pairs = 0;
    for (const size of this.#sizes.values()) pairs += (size * (size - 1)) / 2;
    return pairs;
  }
}
