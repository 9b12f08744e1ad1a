import pg from 'pg';
import * as sql from '#postgres/rows.ts';
import { copyIn } from '../postgres/copy-in.ts';
import {
  type CopyOutContext,
  copyOut,
  flag,
  number,
  numberOrNaN,
  numberOrNull,
  text,
  textOrNull,
  words,
} from '../postgres/copy-out.ts';
import type { RowOf } from '../postgres/rows.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import { runStage } from '../run/run-state.ts';
import { type Ad, AdSet, KIND, photoHash, typeNumber } from './ads.ts';
import { findDuplicates } from './cluster.ts';
import { PhotoCounter } from './rarity.ts';
import { loadSamePhotos } from './same-photos.ts';
import { hasSharedPhotos } from './shared-photos.ts';

/** Minimum number of changes per COPY to the temporary table. Most sets are small, so their changes are combined. */
const CHUNK = 5_000;

/**
 * Finds ads for one property. Compares every set (city, listing type and property kind) that contains an ad changed by
 * this run, or contained it before the change. One ad represents the property and lists the other ads' sources in
 * `also_listed_on`; the other ads reference it in `duplicate_of`.
 */
export function identityStage(context: RunContext): Promise<void> {
  return runStage(context, 'identity', async ({ details }) => {
    const sets = await chooseSets(context, details.sets);
    const counts = { ads: 0, duplicates: 0, changed: 0 };
    if (sets > 0) await compareSets(context, counts);
    return async (client) => {
      await client.query('delete from identity_sets');
      return {
        kept: counts.ads - counts.duplicates,
        ...(counts.duplicates > 0 && { dropped: { duplicate: counts.duplicates } }),
        details: { sets, changed: counts.changed },
      };
    };
  });
}

async function compareSets(
  context: RunContext,
  counts: { ads: number; duplicates: number; changed: number },
): Promise<void> {
  let saved: Promise<void> = Promise.resolve();
  let lines: string[] = [];
  const saveLines = async (): Promise<void> => {
    const batch = lines;
    lines = [];
    // One batch is written while the next sets are read.
    await saved;
    saved = collect(context, batch);
    saved.catch(() => {});
  };
  await context.writer.transaction((db) => db.query(FOUND));
  for await (const { set, stored, names } of chosenSets(context)) {
    context.signal.throwIfAborted();
    const changes = compare(set, stored, names, findDuplicates(set));
    counts.ads += set.size;
    counts.duplicates += changes.duplicates;
    counts.changed += changes.lines.length;
    lines = lines.length === 0 ? changes.lines : lines.concat(changes.lines);
    if (lines.length >= CHUNK) await saveLines();
    context.onProgress({ stage: 'identity', source: null, done: counts.ads, total: null });
  }
  await saveLines();
  await saved;
  await markDuplicates(context);
}

/**
 * Stores the sets to compare, so that a resumed run makes the same choice. Ads that are only read differently change no
 * set, so that corrections cause no events. The former set of a moved ad is found through the ads with which it was
 * merged.
 * @param chosen the stored choice, if the stage was interrupted
 * @returns number of sets
 */
async function chooseSets({ run, writer }: RunContext, chosen: unknown): Promise<number> {
  return writer.transaction(
    async (client) => {
      if (chosen === undefined) {
        await client.query('delete from identity_sets');
        await client.query(
          `insert into identity_sets (city, listing_type, kind)
             with changed as (select id, city, listing_type, property_type, duplicate_of from listings
                              where content_run = $1 and reread_run is distinct from $1)
             select city, listing_type, ${KIND} from (
               select city, listing_type, property_type from changed
               union
               select d.city, d.listing_type, d.property_type from listings d join changed c on c.id = d.duplicate_of
               union
               select o.city, o.listing_type, o.property_type from listings o join changed c on o.id = c.duplicate_of) touched
             group by 1, 2, 3`,
          [run.id],
        );
        await client.query(
          `update ingest_run_stages set details = '{"sets": "chosen"}' where run_id = $1 and stage = 'identity'`,
          [run.id],
        );
      }
      return sql.countRows(client, 'from identity_sets');
    },
    { durable: true },
  );
}

interface Stored {
  duplicateOf: number | null;
  alsoListedOn: string;
  sharedPhotos: boolean;
}

interface LoadedSet {
  set: AdSet;
  stored: Stored[];
  /** Source names, indexed by `Ad.source`. */
  names: string[];
}

/** Payments per year, computed from `price`, which is yearly, and `posted_amount`, which is one payment. */
const PAYMENTS = `case when listing_type = 'rent' and not per_sqm then round(price / nullif(posted_amount, 0)) else 1 end`;

/** SQL for the fields of an ad. The columns have the names of the fields. */
const AD_COLUMNS = {
  id: number('id'),
  bedrooms: numberOrNaN('bedrooms'),
  bathrooms: numberOrNaN('bathrooms'),
  livings: numberOrNaN('livings'),
  age: numberOrNaN('age_years'),
  floor: textOrNull('floor'),
  unit: textOrNull('unit'),
  area: numberOrNaN('area_sqm'),
  textArea: numberOrNaN('text_area'),
  plotArea: numberOrNaN('plot_area'),
  streetWidth: numberOrNaN('street_width'),
  neighborhood: number('coalesce(neighborhood_id, 0)'),
  features: number('coalesce(features, 0)'),
  price: numberOrNaN('case when not text_implausible then price end'),
  payments: numberOrNaN(PAYMENTS),
  previousPrice: numberOrNaN('previous_price'),
  lat: numberOrNaN('lat'),
  lng: numberOrNaN('lng'),
  advertiser: textOrNull('advertiser'),
  leader: number('coalesce(duplicate_of, id)'),
  servable: flag(`not needs_photos or photos <> ''`),
};
const AD_FIELDS = Object.keys(AD_COLUMNS) as (keyof typeof AD_COLUMNS)[];

const COLUMNS = {
  ...AD_COLUMNS,
  key: text(`city || '/' || listing_type || '/' || ${KIND}`),
  city: text('city'),
  sourceName: text('source'),
  typeName: text('property_type'),
  photos: words('photos'),
  duplicateOf: numberOrNull('duplicate_of'),
  alsoListedOn: text('also_listed_on'),
  sharedPhotos: flag('shared_photos'),
  signature: text('signature'),
};

const adOf = (row: RowOf<typeof COLUMNS>, source: number): Ad => {
  const ad = Object.fromEntries(AD_FIELDS.map((field) => [field, row[field]])) as RowOf<typeof AD_COLUMNS>;
  return { ...ad, source, type: typeNumber(row.typeName) };
};

const PHOTOS = { city: text('city'), photos: words('photos') };

const chosenSets = (context: RunContext): AsyncGenerator<LoadedSet> =>
  adSets(context, {
    join: `join (select city as its_city, listing_type as its_type, kind from identity_sets) chosen
             on its_city = city and its_type = listing_type and kind = ${KIND}`,
    cities: 'city in (select city from identity_sets)',
  });

/** SQL that selects the sets to read. */
interface Chosen {
  /** Join that restricts rows to these sets; empty for all sets of the cities. */
  join: string;
  /** Condition that selects the cities of the sets. Photos on all ads in these cities are counted. */
  cities: string;
}

export const ofCity = (city: string, join = ''): Chosen => ({ join, cities: `city = ${pg.escapeLiteral(city)}` });

/** Yields the chosen sets, with only one in memory at a time. */
export async function* adSets(context: CopyOutContext, { join, cities }: Chosen): AsyncGenerator<LoadedSet> {
  const photoOf = await loadSamePhotos(context);
  const photos = await countPhotos(context, cities, photoOf);
  const names: string[] = [];
  const indexes = new Map<string, number>();
  let key = '';
  let loaded: LoadedSet | null = null;
  const query = `
      from listings ${join}
     where ${cities} and withdrawn_at is null
     order by city, listing_type, ${KIND}, id`;
  for await (const rows of copyOut(context, COLUMNS, query, `set work_mem = '64MB'`)) {
    for (const row of rows) {
      if (row.key !== key || loaded === null) {
        if (loaded) yield loaded;
        key = row.key;
        const city = photoHash(row.city);
        loaded = { set: new AdSet((photo) => photos.isCommon(photo, city), photoOf), stored: [], names };
      }
      const { sourceName } = row;
      let source = indexes.get(sourceName);
      if (source === undefined) {
        source = names.push(sourceName) - 1;
        indexes.set(sourceName, source);
      }
      loaded.set.add(adOf(row, source), row.photos, row.signature);
      const { duplicateOf, alsoListedOn, sharedPhotos } = row;
      loaded.stored.push({ duplicateOf, alsoListedOn, sharedPhotos });
    }
  }
  if (loaded) yield loaded;
}

/** Counts the photos on all ads in the cities, because a placeholder may be on few ads of one type. */
async function countPhotos(
  context: CopyOutContext,
  cities: string,
  photoOf: (key: string) => number | null,
): Promise<PhotoCounter> {
  const counter = new PhotoCounter();
  const query = `from listings where ${cities} and withdrawn_at is null and photos <> ''`;
  for await (const rows of copyOut(context, PHOTOS, query))
    for (const { city, photos } of rows) {
      const number = photoHash(city);
      // Several images of one photo count once per ad.
      for (const photo of new Set(photos.map(photoOf))) if (photo !== null) counter.add(photo, number);
    }
  return counter;
}

/** Returns COPY lines for the changed ads, and the number of duplicates. Only leaders have `shared_photos`. */
function compare(set: AdSet, stored: readonly Stored[], names: readonly string[], leaders: Int32Array) {
  const others = new Map<number, Set<string>>();
  let duplicates = 0;
  for (let index = 0; index < set.size; index++) {
    const leader = leaders[index] as number;
    if (leader === index) continue;
    duplicates++;
    const sources = others.get(leader) ?? new Set<string>();
    sources.add(names[(set.ads[index] as Ad).source] as string);
    others.set(leader, sources);
  }
  const lines: string[] = [];
  for (let index = 0; index < set.size; index++) {
    const ad = set.ads[index] as Ad;
    const leader = leaders[index] as number;
    const duplicateOf = leader === index ? null : (set.ads[leader] as Ad).id;
    const sources = others.get(index);
    sources?.delete(names[ad.source] as string);
    const alsoListedOn = sources ? [...sources].sort().join(',') : '';
    const before = stored[index] as Stored;
    const sharedPhotos = leader === index && hasSharedPhotos(set, index, leaders);
    const isSame = before.duplicateOf === duplicateOf && before.alsoListedOn === alsoListedOn;
    if (!isSame || before.sharedPhotos !== sharedPhotos)
      lines.push(`${ad.id}\t${duplicateOf ?? '\\N'}\t${alsoListedOn}\t${sharedPhotos ? 't' : 'f'}`);
  }
  return { lines, duplicates };
}

/** Creates a temporary table on the writer's connection for the changes in all sets. */
const FOUND = `
  create temp table if not exists found_duplicates
    (id bigint, duplicate_of bigint, also_listed_on text, shared_photos boolean);
  truncate found_duplicates`;

async function collect({ writer }: RunContext, lines: readonly string[]): Promise<void> {
  await writer.transaction((db) =>
    copyIn(db, 'found_duplicates (id, duplicate_of, also_listed_on, shared_photos)', lines),
  );
}

/** Writes all changes in one pass: a write per set would scan the table, over which its ads are scattered, per set. */
async function markDuplicates({ run, writer }: RunContext): Promise<void> {
  await writer.transaction(async (db) => {
    await db.query('analyze found_duplicates');
    await db.query(
      `update listings l set duplicate_of = f.duplicate_of, also_listed_on = f.also_listed_on,
         shared_photos = f.shared_photos, ${touchVersion('$1')}
         from found_duplicates f where f.id = l.id`,
      [run.id],
    );
    await db.query('truncate found_duplicates');
  });
}
