import { SAME_PROPERTY } from '#ingest/identity/points.ts';
import { sampleTruth } from '#ingest/sample/truth.ts';
import type { Bench, Part, PartResult, ResultTable } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { corpusDir } from '../corpus/corpus.ts';
import { judge, type Share } from '../dedupe/judge.ts';
import { judgeProjects } from '../dedupe/judge-projects.ts';
import { type HomeTruth, type Lesson, learnPoints, lessonsOf, precisionRecall } from '../dedupe/learn-points.ts';
import { measureLookAlikes } from '../dedupe/look-alikes.ts';
import { checkNeighborhoods, hasRealAds } from '../dedupe/neighborhood-check.ts';
import { aqarLessons, judgeAqar, judgeThirdGenerator, thirdLessons } from '../dedupe/offline-results.ts';
import { withSecondCorpus } from '../dedupe/second-corpus.ts';

/** What was found to be one property, and where, against what the generator knows. */
export const dedupePart: Part = {
  name: 'dedupe',
  summary: 'duplicates and neighborhoods of three generators against their truth, and of real ads',
  run,
};

/** Enough for every kind of duplicate, whatever the other parts measure on. */
const LISTINGS = 50_000;

interface Found {
  id: number;
  /** The listing that stands for the property. */
  cluster: number;
  neighborhood: number | null;
}

/** Ads of the second generator, and the seeds: the first was worked with, the second is for reports alone. */
const SECOND_ADS = 20_000;
const SEEDS = [1, 20_261] as const;
/** Of the pairs of the first generator one in so many is learned from, so that neither generator outweighs the other. */
const FIRST_SHARE = 2;
/** Off-plan projects of the second generator. */
const SECOND_PROJECTS = 600;
/** Ads that look alike, of which the memory is measured. */
const LOOK_ALIKES = 20_000;

async function run(bench: Bench): Promise<PartResult> {
  const lessons = new Map<string, Lesson[]>();
  const results = [await firstGenerator(bench, lessons)];
  const ads = bench.options.quick ? 4_000 : SECOND_ADS;
  for (const seed of SEEDS) results.push(await secondGenerator(bench, { ads, seed, unseen: false }, lessons));
  results.push(await secondGenerator(bench, { ads, seed: SEEDS[1], unseen: true }, lessons));
  results.push(...judgeThirdGenerator(bench.options.quick), await judgeAqar());
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

/** How pairs are judged before ads are joined, over thresholds. */
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
        title: `Points, and what logistic regression finds in ${pairs.toLocaleString('en')} pairs of generators and labelled ads; threshold ${SAME_PROPERTY}, and ${threshold.toFixed(1)}`,
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
      { name: 'hard pairs on the right side, by the points', value: right.points, unit: '' },
      { name: 'hard pairs on the right side, by the learned points', value: right.learned, unit: '' },
    ],
    notes: [],
  };
}

async function secondGenerator(
  { context }: Bench,
  options: { ads: number; seed: number; unseen: boolean },
  lessons: Map<string, Lesson[]>,
): Promise<PartResult> {
  return withSecondCorpus(context, options, async ({ pool, ads, truthOf, runs }) => {
    const { same, sameOrdinary, ordinaryFound, units, noise, negatives } = judge(ads);
    const of = ({ joined, pairs }: { joined: number; pairs: number }): number => joined / pairs;
    const name = `second generator, seed ${options.seed}${options.unseen ? ', noise never looked at' : ''}`;
    const target = <T>(value: T): { target: T } | object => (options.unseen ? {} : { target: value });
    const shares = (title: string, rows: ReadonlyMap<string, Share>): ResultTable => ({
      title: `${title}, ${name}`,
      head: ['', 'pairs', 'taken for one', 'share'],
      rows: [...rows].sort().map(([kind, share]) => [kind, share.pairs, share.joined, of(share)]),
    });
    const tables = [shares('Pairs of one home by noise', noise), shares('Pairs of two homes', negatives)];
    if (options.seed === SEEDS[0])
      lessons.set('second generator', await lessonsOf({ pool, signal: context.signal }, (id) => truthOf.get(id), 2));
    const identity = runs.map(({ stages }) => stages.identity ?? 0);
    return {
      tables,
      figures: [
        { name: `recall, ${name}`, value: of(same), unit: '', ...target({ atLeast: 0.95 }) },
        { name: `recall of ordinary homes, ${name}`, value: of(sameOrdinary), unit: '' },
        {
          name: `precision of ordinary homes, ${name}`,
          value: ordinaryFound.right / ordinaryFound.pairs,
          unit: '',
          ...target({ atLeast: 0.985 }),
        },
        {
          name: `different units of one building taken for one, ${name}`,
          value: of(units),
          unit: '',
          ...target({ atMost: 0.02 }),
        },
      ],
      notes: [
        `The ${name}: ${ads.length.toLocaleString('en')} live ads after two days; identity took ${identity.map((seconds) => seconds.toFixed(1)).join(' and ')} s.`,
      ],
    };
  });
}

/** What identity needs when very many ads look alike, in a process of its own. */
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

/** Copies of off-plan projects by a generator of their own. */
function projects(seed: number): PartResult {
  const { copies, rejected, same, found, companies, noise, families, negatives } = judgeProjects({
    projects: SECOND_PROJECTS,
    seed,
  });
  const name = `projects, seed ${seed}`;
  const shares = (title: string, rows: ReadonlyMap<string, Share>): ResultTable => ({
    title: `${title}, ${name}`,
    head: ['', 'pairs', 'taken for one', 'share'],
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
      `The ${name}: ${copies.toLocaleString('en')} copies of ${SECOND_PROJECTS} projects, ${rejected} of them rejected and counted as missed; ${companies.mixed} developers are several companies.`,
    ],
  };
}

async function neighborhoods(): Promise<PartResult> {
  if (!hasRealAds())
    return { tables: [], figures: [], notes: ['The file of real ads is not there: neighborhoods are not checked.'] };
  const { ads, right, wrong } = await checkNeighborhoods();
  return {
    tables: [],
    figures: [
      { name: 'neighborhood by vote, real ads, five-fold', value: right / ads, unit: '', target: { atLeast: 0.95 } },
      { name: 'the same, of those that are placed', value: right / (right + wrong), unit: '' },
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
    truthOf.set(ad.id, { home: row.property, isUnit: false });
    truth.add(String(row.property));
    predicted.add(String(ad.cluster));
    both.add(`${row.property} ${ad.cluster}`);
    if (ad.neighborhood !== null) placed++;
    if (ad.neighborhood === row.neighborhood_id) right++;
  }
  // Of so many ads a part is enough.
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
