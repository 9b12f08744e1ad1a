import { setTimeout as sleep } from 'node:timers/promises';
import { digestsOnly } from '#queries/listings/search.ts';
import { indexNames } from '#search/client.ts';
import { opLines, sendBulk } from '#search/listing-index/bulk.ts';
import { type ScannedListing, scanListings } from '#search/reindex/scan.ts';
import { mergeIndex, readSegments } from '#search/segments.ts';
import type { Bench, Figure, Part, PartResult } from '../bench.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { cloneCopy, type IndexCopy, makeCopy, removeCopy } from '../index-copies.ts';
import { summarize } from '../load/generator.ts';
import type { SliceResult } from '../load/protocol.ts';
import { median } from '../load/statistics.ts';
import { readFacts } from '../requests/facts.ts';
import { makeFamily } from '../requests/families.ts';
import { bodyOf, engineRequest } from '../requests/http-requests.ts';
import { Random } from '../requests/random.ts';

/** Settings of the merge policy that are held against each other. The first is what the engine does on its own. */
const POLICIES: readonly { title: string; policy: Readonly<Record<string, unknown>> }[] = [
  { title: 'default', policy: {} },
  { title: '5 a tier', policy: { segments_per_tier: 5, max_merge_at_once: 5 } },
  { title: '5 a tier, floor 64 MB', policy: { segments_per_tier: 5, max_merge_at_once: 5, floor_segment: '64mb' } },
  { title: '20 a tier', policy: { segments_per_tier: 20, max_merge_at_once: 20 } },
];

/** Listings in the index: those of the corpus, as often as it takes. */
const LISTINGS = 1_000_000;
/** Listings written anew a second, in so many requests. */
const WRITES = 1_000;
const REQUESTS = 4;
/** Of these; each write is of one by chance. */
const WRITTEN = 20_000;
/** Connections that search, and milliseconds each rests between two searches. */
const CONNECTIONS = 4;
const PAUSE = 20;
/** Searches of a slice: about three seconds. */
const SLICE = 480;
/** Seconds of writing and searching, for each policy in each turn. */
const SECONDS = 30;
const TURNS = 3;

/** What a policy came to. */
interface Tally {
  title: string;
  alias: string;
  /** Writes so far, which are the versions' numbers. */
  written: number;
  during: SliceResult[];
  segments: number[];
  /** Of all merges while writing. */
  merged: { documents: number; seconds: number };
  /** What one merge into one segment came to, beside searches alone. */
  whole: { seconds: number; slices: SliceResult[] };
}

/** Settings of the merge policy: what writes and searches beside them come to. */
export const mergingPart: Part = {
  name: 'merging',
  summary: 'merge policies: segments and searches while listings are written, and while all is merged into one segment',
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const facts = await readFacts(corpus);
  const listings = await someListings(corpus);
  const families = await Promise.all([makeFamily('newest-25', corpus, facts), makeFamily('count', corpus, facts)]);
  const requests = families.flatMap(({ requests }) => requests);
  const times = bench.options.quick ? 1 : Math.ceil(LISTINGS / corpus.manifest.documents);
  const original: IndexCopy = { name: 'merging', sorted: true, settings: { refresh_interval: '-1' }, times };
  const clones = POLICIES.map(
    ({ policy }, at): IndexCopy => ({
      name: `policy${at}`,
      sorted: true,
      settings: { merge: { policy }, refresh_interval: '5s' },
    }),
  );
  try {
    // All of them begin with the same one segment, as after a large load.
    await mergeIndex(corpus.client, await makeCopy(bench, corpus, original));
    const aliases = await cloneCopy(corpus, original, clones);
    const tallies = POLICIES.map(({ title }, at): Tally => emptyTally(title, aliases[at] as string));
    const { origin } = new URL(corpus.config.opensearch.urls[0] as string);
    await bench.load.setSides(
      Object.fromEntries(
        tallies.map(({ alias }) => [
          alias,
          {
            kind: 'http' as const,
            origin,
            requests: requests.map((request) => {
              const body = bodyOf(request);
              return engineRequest(alias, request.limit === 0 ? body : digestsOnly(body), '?request_cache=false');
            }),
          },
        ]),
      ),
    );
    const random = new Random(1);
    for (let turn = 0; turn < (bench.options.quick ? 1 : TURNS); turn++)
      for (const tally of turn % 2 === 0 ? tallies : [...tallies].reverse()) {
        await writeAndSearch(bench, corpus, tally, listings, random);
        bench.screen.say(`  ${tally.title}: turn ${turn + 1}, ${median(tally.segments)} segments so far`);
      }
    for (const tally of tallies) await mergeAndSearch(bench, corpus, tally);
    return result(tallies, times * corpus.manifest.documents);
  } finally {
    for (const copy of [original, ...clones]) await removeCopy(corpus, copy);
  }
}

const emptyTally = (title: string, alias: string): Tally => ({
  title,
  alias,
  written: 0,
  during: [],
  segments: [],
  merged: { documents: 0, seconds: 0 },
  whole: { seconds: 0, slices: [] },
});

/** Listings of all over the index. */
async function someListings({ client, config, manifest }: Corpus): Promise<ScannedListing[]> {
  const every = Math.max(1, Math.floor(manifest.documents / WRITTEN));
  const found: ScannedListing[] = [];
  let at = 0;
  for await (const page of scanListings(client, indexNames(config.opensearch.indexPrefix).listings, 2_000))
    for (const listing of page) if (at++ % every === 0) found.push(listing);
  return found;
}

async function writeAndSearch(
  bench: Bench,
  corpus: Corpus,
  tally: Tally,
  listings: readonly ScannedListing[],
  random: Random,
): Promise<void> {
  const { client } = corpus;
  const before = await readMerges(corpus, tally.alias);
  const end = performance.now() + (bench.options.quick ? 5_000 : SECONDS * 1000);
  const going = (): boolean => performance.now() < end && !bench.signal.aborted;
  const write = async (): Promise<void> => {
    while (going()) {
      const due = performance.now() + 1000 / REQUESTS;
      const some = new Map<number, ScannedListing>();
      while (some.size < WRITES / REQUESTS) {
        const listing = random.pick(listings);
        some.set(listing.id, listing);
      }
      tally.written++;
      const lines = [...some.values()].map(({ id, version, stored }) =>
        opLines({ op: 'index', id, version: version + tally.written, stored }, 'external'),
      );
      await sendBulk(client, tally.alias, [...some.keys()], lines, { requestTimeout: 60_000 });
      await sleep(Math.max(0, due - performance.now()));
    }
  };
  const look = async (): Promise<void> => {
    while (going()) {
      tally.segments.push((await readSegments(client, tally.alias)).segments);
      await sleep(1_000);
    }
  };
  const search = async (): Promise<void> => {
    while (going()) tally.during.push(await searches(bench, tally, SLICE));
  };
  await Promise.all([write(), look(), search()]);
  const after = await readMerges(corpus, tally.alias);
  tally.merged.documents += after.documents - before.documents;
  tally.merged.seconds += after.seconds - before.seconds;
}

async function mergeAndSearch(bench: Bench, { client }: Corpus, tally: Tally): Promise<void> {
  let merging = true;
  const begun = performance.now();
  const merge = mergeIndex(client, tally.alias).finally(() => {
    merging = false;
    tally.whole.seconds = (performance.now() - begun) / 1000;
  });
  const search = async (): Promise<void> => {
    while (merging) tally.whole.slices.push(await searches(bench, tally, SLICE / 4));
  };
  await Promise.all([merge, search()]);
}

const searches = ({ load }: Bench, { alias, during, whole }: Tally, count: number): Promise<SliceResult> =>
  load.run({
    side: alias,
    connections: CONNECTIONS,
    count,
    from: during.length * SLICE + whole.slices.length * count,
    pause: PAUSE,
  });

async function readMerges({ client }: Corpus, alias: string): Promise<{ documents: number; seconds: number }> {
  const { body } = await client.transport.request({ method: 'GET', path: `/${alias}/_stats/merge` });
  const { merges } = (body as { _all: { primaries: { merges: Merges } } })._all.primaries;
  return { documents: merges.total_docs, seconds: merges.total_time_in_millis / 1000 };
}

interface Merges {
  total_docs: number;
  total_time_in_millis: number;
}

function result(tallies: readonly Tally[], listings: number): PartResult {
  const figures: Figure[] = [];
  const rows = tallies.map(({ title, during, segments, written, merged, whole }) => {
    const beside = summarize(during);
    const whileMerging = summarize(whole.slices);
    figures.push(
      { name: `${title}: p99 of searches while listings are written`, value: beside.p99, unit: 'ms' },
      { name: `${title}: p99 of searches while all is merged into one segment`, value: whileMerging.p99, unit: 'ms' },
    );
    return [
      title,
      median(segments),
      Math.max(...segments),
      beside.p50,
      beside.p99,
      (written * WRITES) / REQUESTS,
      merged.documents,
      merged.seconds,
      whole.seconds,
      whileMerging.p50,
      whileMerging.p99,
    ];
  });
  return {
    tables: [
      {
        title: 'Merge policies, searches in milliseconds',
        head: [
          'Policy',
          'writing: segments',
          'most',
          'p50',
          'p99',
          'written',
          'merged',
          'merging s',
          'into one: s',
          'p50',
          'p99',
        ],
        rows,
      },
    ],
    figures,
    notes: [
      `${listings.toLocaleString('en')} listings in one segment, four times; these copies differ in the merge policy alone. In turns of ${SECONDS} s, ${WRITES} listings a second are written anew in ${REQUESTS} requests, with a refresh every 5 s, while ${CONNECTIONS} connections ask for pages of 25 and counts, each resting ${PAUSE} ms between two. At last each is merged into one segment with the same searches going on.`,
    ],
  };
}
