import { SAME_PROPERTY } from '#ingest/identity/points.ts';
import { sampleTruth } from '#ingest/sample/truth.ts';
import type { Bench, Part, PartResult, ResultTable } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { corpusDir } from '../corpus/corpus.ts';
import type { HomeTruth, Share } from '../dedupe/judge.ts';
import { judgeProjects } from '../dedupe/judge-projects.ts';
import { type Lesson, learnPoints, lessonsOf, precisionRecall } from '../dedupe/learn-points.ts';
import { measureLookAlikes } from '../dedupe/look-alikes.ts';
import { checkNeighborhoods, hasRealAds } from '../dedupe/neighborhood-check.ts';
import { aqarLessons, judgeAqar, judgeFrozen, judgeThirdGenerator, thirdLessons } from '../dedupe/offline-results.ts';

/** Compares detected duplicates and neighborhoods with the ground truth. */
export const dedupePart: Part = {
  name: 'dedupe',
  summary: 'duplicates and neighborhoods of generated ads against the ground truth, and of real ads',
  run,
};

/** Enough for every kind of duplicate, independent of the corpus of other parts. */
const LISTINGS = 50_000;

interface Found {
  id: number;
  /** Id of the canonical listing of the property. */
  cluster: number;
  neighborhood: number | null;
}

/** Seeds of off-plan projects: the first was used for tuning, the second only for reports. */
const SEEDS = [1, 20_261] as const;
/** Only one in this many pairs of the first generator is used, so that neither generator outweighs the other. */
const FIRST_SHARE = 2;
/** Number of similar ads in the memory measurement. */
const LOOK_ALIKES = 20_000;

async function run(bench: Bench): Promise<PartResult> {
  const lessons = new Map<string, Lesson[]>();
  const results = [await firstGenerator(bench, lessons)];
  results.push(judgeFrozen(), ...judgeThirdGenerator(bench.options.quick), await judgeAqar());
  lessons.set('third generator', thirdLessons(bench.options.quick));
  lessons.set('aqar', await aqarLessons());
  results.push(
    curve(lessons),
    pointsBesideLearned([...lessons.values()].flat()),
    await lookAlikes(),
    await neighborhoods(),
    ...SEEDS.map(projects),
  );
  return {
    tables: results.flatMap(({ tables }) => tables),
    figures: results.flatMap(({ figures }) => figures),
    notes: results.flatMap(({ notes }) => notes),
  };
}

/** Precision and recall of pairs by threshold, before ads are merged into clusters. */
function curve(lessons: ReadonlyMap<string, readonly Lesson[]>): PartResult {
  const sets = [...lessons].filter(([, { length }]) => length > 0);
  const columns = sets.map(([, own]) => precisionRecall(own));
  return {
    tables: [
      {
        title: `Recall and precision of compared pairs by threshold; ${SAME_PROPERTY} is in use`,
        head: ['threshold', ...sets.map(([name, { length }]) => `${name} (${length.toLocaleString('en')})`)],
        rows: (columns[0] ?? []).map(({ threshold }, row) => [
          threshold,
          ...columns.map((column) => {
            const { recall, precision } = column[row] as { recall: number; precision: number };
            return `${recall.toFixed(3)} / ${precision.toFixed(3)}`;
          }),
        ]),
      },
    ],
    figures: [],
    notes: [],
  };
}

function pointsBesideLearned(lessons: readonly Lesson[]): PartResult {
  const { rows, pairs, right, threshold } = learnPoints(lessons);
  return {
    tables: [
      {
        title: `Points, and the result of logistic regression over ${pairs.toLocaleString('en')} pairs of generators and labelled ads; thresholds ${SAME_PROPERTY} and ${threshold.toFixed(1)}`,
        head: ['outcome', 'points', 'learned', 'error', 'pairs', 'of one home'],
        rows: rows.map(({ part, outcome, points, learned, error, pairs: seen, same }) => [
          `${part} ${outcome}`.replaceAll('_', ' '),
          points,
          learned.toFixed(1),
          error.toFixed(1),
          seen,
          same,
        ]),
      },
    ],
    figures: [
      { name: 'hard pairs classified correctly by the points', value: right.points, unit: '' },
      { name: 'hard pairs classified correctly by the learned points', value: right.learned, unit: '' },
    ],
    notes: [],
  };
}

/** Resources of the identity stage for many similar ads, in a separate process. */
async function lookAlikes(): Promise<PartResult> {
  const { seconds, peak_rss_mb } = await measureLookAlikes(LOOK_ALIKES);
  const name = `${LOOK_ALIKES.toLocaleString('en')} look-alikes`;
  return {
    tables: [],
    figures: [
      { name: `memory of identity, ${name}`, value: peak_rss_mb, unit: 'MB', target: { atMost: 500 } },
      { name: `time of identity, ${name}`, value: seconds, unit: 's' },
    ],
    notes: [],
  };
}

/** Copies of off-plan projects from a dedicated generator. */
function projects(seed: number): PartResult {
  const { copies, rejected, same, found, companies, noise, families, negatives } = judgeProjects(seed);
  const name = `projects, seed ${seed}`;
  const shares = (title: string, rows: ReadonlyMap<string, Share>): ResultTable => ({
    title: `${title}, ${name}`,
    head: ['', 'pairs', 'merged', 'share'],
    rows: [...rows].sort().map(([kind, { pairs, joined }]) => [kind, pairs, joined, joined / pairs]),
  });
  return {
    tables: [
      shares('Pairs of one project by noise', noise),
      shares('Pairs of one project by family', families),
      shares('Pairs of two projects', negatives),
    ],
    figures: [
      { name: `recall, ${name}`, value: same.joined / same.pairs, unit: '', target: { atLeast: 0.95 } },
      { name: `precision, ${name}`, value: found.right / found.pairs, unit: '', target: { atLeast: 0.99 } },
      { name: `developers found over companies stated, ${name}`, value: companies.found / companies.stated, unit: '' },
    ],
    notes: [
      `The ${name}: ${copies.toLocaleString('en')} copies of projects, ${rejected} of them rejected and counted as missed; ${companies.mixed} detected developers mix several companies.`,
    ],
  };
}

async function neighborhoods(): Promise<PartResult> {
  if (!hasRealAds())
    return {
      tables: [],
      figures: [],
      notes: ['The file of real ads is not available: neighborhoods are not checked.'],
    };
  const { ads, right, wrong } = await checkNeighborhoods();
  return {
    tables: [],
    figures: [
      { name: 'neighborhood by vote, real ads, five-fold', value: right / ads, unit: '', target: { atLeast: 0.95 } },
      { name: 'the same, of assigned ads', value: right / (right + wrong), unit: '' },
    ],
    notes: [`Neighborhoods were checked on ${ads.toLocaleString('en')} real ads that state point and neighborhood.`],
  };
}

async function firstGenerator(bench: Bench, lessons: Map<string, Lesson[]>): Promise<PartResult> {
  const corpus = await bench.corpus(Math.min(LISTINGS, bench.options.listings));
  const found = await readFound(corpus);
  const truth = new Counter();
  const predicted = new Counter();
  const both = new Counter();
  const truthOf = new Map<number, HomeTruth>();
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
    truthOf.set(ad.id, { home_id: String(row.property), kind: 'ordinary', compound_id: null });
    truth.add(String(row.property));
    predicted.add(String(ad.cluster));
    both.add(`${row.property} ${ad.cluster}`);
    if (ad.neighborhood !== null) placed++;
    if (ad.neighborhood === row.neighborhood_id) right++;
  }
  // A sample of the pairs is sufficient.
  const pairs = await lessonsOf({ pool: corpus.pool, signal: bench.signal }, (id) => truthOf.get(id), 1);
  lessons.set(
    'first generator',
    pairs.filter((_, at) => at % FIRST_SHARE === 0),
  );
  const [real, said, agreed] = [truth.pairs(), predicted.pairs(), both.pairs()];
  return {
    tables: [
      {
        title: 'Pairs of ads of one property',
        head: ['ads', 'true pairs', 'pairs found', 'correct pairs', 'ads with a neighborhood'],
        rows: [[ads, real, said, agreed, placed]],
      },
    ],
    figures: [
      { name: 'precision of duplicate pairs', value: agreed / said, unit: '', target: { atLeast: 0.98 } },
      { name: 'recall of duplicate pairs', value: agreed / real, unit: '', target: { atLeast: 0.93 } },
      { name: 'correct neighborhood, of all ads', value: right / ads, unit: '', target: { atLeast: 0.97 } },
      { name: 'correct neighborhood, of ads with a neighborhood', value: right / placed, unit: '' },
    ],
    notes: [
      `${ads.toLocaleString('en')} ads were ingested; ${missing} of the truth file were not, because their rows were quarantined.`,
      `Ingested on ${corpus.manifest.made_at.slice(0, 16).replace('T', ' ')} UTC; --reload repeats the ingest.`,
      'Any two ads of one property count as a pair, including ads without photos.',
    ],
  };
}

async function readFound({ pool }: Corpus): Promise<Map<string, Found>> {
  const { rows } = await pool.query<[string, number, number, number | null]>({
    text: `select source || ' ' || source_listing_id, id, coalesce(duplicate_of, id), neighborhood_id from listings`,
    rowMode: 'array',
  });
  return new Map(rows.map(([key, id, cluster, neighborhood]) => [key, { id, cluster, neighborhood }]));
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
