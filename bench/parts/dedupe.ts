import { sampleTruth } from '#sample/generate.ts';
import { type Bench, figure, type PartResult, resultOf } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { judgeProjects } from '../dedupe/judge-projects.ts';
import { judgeAqar, judgeSecondGenerator, judgeThirdGenerator } from '../dedupe/offline-results.ts';

/** Large enough to contain every kind of duplicate; independent of the corpus size in other parts. */
const LISTINGS = 50_000;

interface Found {
  /** Id of the canonical listing of the property. */
  cluster: number;
  neighborhood: number | null;
}

/** Seeds of off-plan projects: the first was used for tuning, the second only for reports. */
const SEEDS = [1, 20_261] as const;

/** Compares detected duplicates and neighborhoods with the ground truth. */
export async function dedupe(bench: Bench): Promise<PartResult> {
  const first = await firstGenerator(bench);
  const figures = [
    ...judgeSecondGenerator(),
    ...judgeThirdGenerator(),
    ...(await judgeAqar()),
    ...SEEDS.flatMap((seed) => {
      const { same, found, companies } = judgeProjects(seed);
      const name = `projects, seed ${seed}`;
      return [
        figure(`recall, ${name}`, same.joined / same.pairs, '', { atLeast: 0.95 }),
        figure(`precision, ${name}`, found.joined / found.pairs, '', { atLeast: 0.99 }),
        figure(`developers found over companies stated, ${name}`, companies.found / companies.stated),
      ];
    }),
  ];
  return { ...first, figures: [...first.figures, ...figures] };
}

async function firstGenerator(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus(Math.min(LISTINGS, bench.options.listings));
  const found = await readFound(corpus);
  const truth = new Counter();
  const predicted = new Counter();
  const both = new Counter();
  let ads = 0;
  let missing = 0;
  let placed = 0;
  let right = 0;
  for await (const row of sampleTruth(corpus.dir)) {
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
  return resultOf(
    'Pairs of ads of one property',
    ['ads', 'true pairs', 'pairs found', 'correct pairs', 'ads with a neighborhood'],
    [[ads, real, said, agreed, placed]],
    [
      figure('precision of duplicate pairs', agreed / said, '', { atLeast: 0.98 }),
      figure('recall of duplicate pairs', agreed / real, '', { atLeast: 0.93 }),
      figure('correct neighborhood, of all ads', right / ads, '', { atLeast: 0.97 }),
      figure('correct neighborhood, of ads with a neighborhood', right / placed),
    ],
    [
      `${ads.toLocaleString('en')} ads were ingested; ${missing} of the truth file were not, because their rows were quarantined.`,
      `Ingested on ${corpus.manifest.made_at.slice(0, 16).replace('T', ' ')} UTC; --reload repeats the ingest.`,
      'Any two ads of one property count as a pair, including ads without photos.',
    ],
  );
}

async function readFound({ pool }: Corpus): Promise<Map<string, Found>> {
  const { rows } = await pool.query<[string, number, number | null]>({
    text: `select source || ' ' || source_listing_id, coalesce(duplicate_of, id), neighborhood_id from listings`,
    rowMode: 'array',
  });
  return new Map(rows.map(([key, cluster, neighborhood]) => [key, { cluster, neighborhood }]));
}

/** Counts the clusters by size, and the pairs within them. */
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
