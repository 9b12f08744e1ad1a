import { setTimeout as sleep } from 'node:timers/promises';
import { indexNames } from '#search/client.ts';
import { opLines, sendBulk } from '#search/listing-index/bulk.ts';
import { putSettings } from '#search/listing-index/state.ts';
import { type ScannedListing, scanListings } from '#search/reindex/scan.ts';
import { compileTemplates } from '#search/templates.ts';
import type { Bench } from './bench.ts';
import type { Corpus } from './corpus/corpus.ts';

/** A copy of the live index; what differs from the template is said here. */
export interface IndexCopy {
  name: string;
  /** In the order of the template, or as documents arrive. */
  sorted: boolean;
  settings?: Readonly<Record<string, unknown>>;
  /** How often it has each listing, under different ids; once, when left out. */
  times?: number;
}

/** What the ids of copies of one listing lie apart: further than listings have ids. */
const APART = 10_000_000_000;

const PAGE = 1_500;

type Settings = { index: Record<string, unknown>; analysis?: unknown };

/** Makes the copy unless it is there with as many documents. @returns the name to ask it by */
export async function ensureCopy(bench: Bench, corpus: Corpus, copy: IndexCopy): Promise<string> {
  const total = await count(corpus, indexNames(corpus.config.opensearch.indexPrefix).listings);
  const { index, alias } = namesOf(corpus, copy);
  if ((await count(corpus, index)) !== total) await makeCopy(bench, corpus, copy, total);
  return alias;
}

/**
 * Makes the copy anew. Documents come by id, the order of their arrival: read as they lie in the sorted index, they
 * would lie in its order in the plain one too.
 * @returns the name to ask it by
 */
export async function makeCopy(
  bench: Bench,
  corpus: Corpus,
  copy: IndexCopy,
  total = corpus.manifest.documents,
): Promise<string> {
  const { client, config } = corpus;
  const { times = 1 } = copy;
  const prefix = config.opensearch.indexPrefix;
  const live = indexNames(prefix).listings;
  const { index, alias } = namesOf(corpus, copy);
  await removeCopy(corpus, copy);
  await client.transport.request(
    { method: 'PUT', path: `/${index}`, body: definition(prefix, copy, alias) },
    { requestTimeout: 30_000 },
  );
  const bar = bench.screen.progress(`Copying the listings into the ${copy.name} index`, times * total);
  let done = 0;
  for (let time = 0; time < times; time++)
    for await (const page of scanListings(client, live, PAGE, 'id')) {
      bench.signal.throwIfAborted();
      const listings = page.map((listing) => moved(listing, time * APART));
      await sendBulk(
        client,
        alias,
        listings.map(({ id }) => id),
        listings.map((listing) => opLines({ op: 'index', ...listing }, 'external')),
        { requestTimeout: 60_000 },
      );
      done += page.length;
      bar.update(done);
    }
  bar.end();
  await client.indices.refresh({ index }, { requestTimeout: 120_000 });
  return alias;
}

/** The same listing under another id. */
function moved(listing: ScannedListing, by: number): ScannedListing {
  if (by === 0) return listing;
  const { version, stored } = listing;
  const id = listing.id + by;
  return { id, version, stored: { ...stored, display: { ...stored.display, id } } };
}

/**
 * Makes indexes with the same files as a copy and settings of their own, in place of any of these names. Nothing is
 * written to the copy afterwards.
 * @returns the names to ask them by
 */
export async function cloneCopy(corpus: Corpus, copy: IndexCopy, clones: readonly IndexCopy[]): Promise<string[]> {
  const { client } = corpus;
  const { index: original } = namesOf(corpus, copy);
  await putSettings(client, original, { blocks: { write: true } });
  const names: string[] = [];
  for (const clone of clones) {
    await removeCopy(corpus, clone);
    const { index, alias } = namesOf(corpus, clone);
    const settings = { index: { ...clone.settings, blocks: { write: null } } };
    const path = `/${original}/_clone/${index}?wait_for_active_shards=1`;
    await client.transport.request(
      { method: 'PUT', path, body: { settings, aliases: { [alias]: {} } } },
      { requestTimeout: 60_000 },
    );
    names.push(alias);
  }
  return names;
}

export async function removeCopy(corpus: Corpus, copy: IndexCopy): Promise<void> {
  const { index } = namesOf(corpus, copy);
  await corpus.client.transport.request(
    { method: 'DELETE', path: `/${index}`, querystring: { ignore_unavailable: 'true' } },
    { requestTimeout: 30_000 },
  );
}

function namesOf({ config }: Corpus, { name }: IndexCopy) {
  const index = `${config.opensearch.indexPrefix}${name}`;
  return { index, alias: `${index}-alias` };
}

/** Merges both into as many segments, so that neither has the advantage of fewer. */
export async function mergeAlike(corpus: Corpus, copies: readonly string[], segments: number): Promise<number[]> {
  const { client } = corpus;
  for (const copy of copies) {
    await client.indices.forcemerge({ index: copy, max_num_segments: segments } as never, {
      requestTimeout: 1_200_000,
      maxRetries: 0,
    });
    await client.indices.refresh({ index: copy }, { requestTimeout: 60_000 });
  }
  await sleep(1_000);
  return Promise.all(copies.map((copy) => segmentsOf(corpus, copy)));
}

async function segmentsOf({ client }: Corpus, index: string): Promise<number> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${index}/_segments`,
    querystring: { filter_path: 'indices.*.shards.*.num_search_segments' },
  });
  const { indices } = body as {
    indices: Record<string, { shards: Record<string, { num_search_segments: number }[]> }>;
  };
  const shards = Object.values(indices).flatMap((entry) => Object.values(entry.shards).flat());
  return shards.reduce((sum, shard) => sum + shard.num_search_segments, 0);
}

/** What the template gives, with or without `index.sort`, and what is to be changed. */
function definition(prefix: string, { sorted, settings: changes }: IndexCopy, alias: string): Record<string, unknown> {
  const { analysis, indexes } = compileTemplates(prefix);
  const { settings, mappings } = indexes.listings.template as unknown as { settings: Settings; mappings: unknown };
  const { sort, ...index } = settings.index;
  const { settings: analyzers } = analysis.template as unknown as { settings: Settings };
  return {
    aliases: { [alias]: {} },
    settings: {
      index: {
        ...index,
        ...(sorted ? { sort } : {}),
        // The usual way into depth is measured too.
        max_result_window: 100_000,
        ...changes,
      },
      analysis: analyzers.analysis,
    },
    mappings,
  };
}

async function count({ client }: Corpus, index: string): Promise<number> {
  const { body } = await client.transport.request({
    method: 'POST',
    path: `/${index}/_count`,
    querystring: { ignore_unavailable: 'true', allow_no_indices: 'true' },
  });
  return (body as { count: number }).count;
}
