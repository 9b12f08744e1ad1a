import pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import type { RowOf } from '../postgres/column-rows.ts';
import { copyToTemporary } from '../postgres/copy-in.ts';
import {
  type CopyOutContext,
  copyOut,
  flag,
  groupedRows,
  number,
  numberOrNaN,
  numberOrNull,
  text,
  textOrNull,
  words,
} from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { type Ad, adSet, type ComparableAd, KIND, photoHash } from './ads.ts';
import { findDuplicates } from './cluster.ts';
import { PhotoCounter } from './sharing.ts';

/**
 * Compares every set (city, listing type and property kind) that contains an ad changed by this run, or contained it
 * before the change. One ad represents a property; the others reference it in `duplicate_of`.
 */
export function identityStage(context: RunContext): Promise<void> {
  return runStage(context, 'identity', async ({ details }) => {
    const sets = await chooseSets(context, details.sets);
    const counts = { ads: 0, duplicates: 0 };
    const lines: string[] = [];
    for await (const loaded of sets > 0 ? chosenSets(context) : []) {
      context.signal.throwIfAborted();
      const changes = compare(loaded);
      counts.ads += loaded.set.length;
      counts.duplicates += changes.duplicates;
      for (const line of changes.lines) lines.push(line);
      context.onProgress({ stage: 'identity', source: null, done: counts.ads, total: null });
    }
    return async (client) => {
      if (lines.length > 0) await markDuplicates(client, context.run.id, lines);
      await client.query('delete from identity_sets');
      return {
        kept: counts.ads - counts.duplicates,
        ...(counts.duplicates > 0 && { dropped: { duplicate: counts.duplicates } }),
        details: { sets, changed: lines.length },
      };
    };
  });
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

/** `price` is yearly, `posted_amount` is one payment. */
const PAYMENTS = `case when listing_type = 'rent' and not per_sqm then round(price / nullif(posted_amount, 0)) else 1 end`;

const AD_COLUMNS = {
  id: number('id'),
  source: text('source'),
  type: text('property_type'),
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
  previousPrice: numberOrNaN('coalesce(posted_before, previous_price)'),
  lat: numberOrNaN('lat'),
  lng: numberOrNaN('lng'),
  advertiser: textOrNull('advertiser'),
  leader: number('coalesce(duplicate_of, id)'),
  servable: flag(`not needs_photos or photos <> ''`),
  photos: words('photos'),
  signature: text('signature'),
};
const AD_FIELDS = Object.keys(AD_COLUMNS) as (keyof typeof AD_COLUMNS)[];

const STORED_COLUMNS = {
  duplicateOf: numberOrNull('duplicate_of'),
  alsoListedOn: text('also_listed_on'),
  sharedPhotos: flag('shared_photos'),
};
type StoredIdentity = RowOf<typeof STORED_COLUMNS>;

const COLUMNS = {
  ...AD_COLUMNS,
  ...STORED_COLUMNS,
  key: text(`city || '/' || listing_type || '/' || ${KIND}`),
  city: text('city'),
};

const adOf = (row: RowOf<typeof COLUMNS>): Ad =>
  Object.fromEntries(AD_FIELDS.map((field) => [field, row[field]])) as unknown as Ad;

interface IdentitySet {
  set: ComparableAd[];
  stored: ReadonlyMap<number, StoredIdentity>;
}

const chosenSets = (context: RunContext): AsyncGenerator<IdentitySet> =>
  adSets(context, {
    join: `join (select city as its_city, listing_type as its_type, kind from identity_sets) chosen
             on its_city = city and its_type = listing_type and kind = ${KIND}`,
    cities: 'city in (select city from identity_sets)',
  });

interface SetSelection {
  /** Join that restricts rows to these sets; empty for all sets of the cities. */
  join: string;
  /** Condition that selects the cities of the sets. Photos on all ads in these cities are counted. */
  cities: string;
}

export const ofCity = (city: string, join = ''): SetSelection => ({ join, cities: `city = ${pg.escapeLiteral(city)}` });

/** Only one set is in memory at a time. */
export async function* adSets(context: CopyOutContext, { join, cities }: SetSelection): AsyncGenerator<IdentitySet> {
  const photoOf = await loadSamePhotos(context);
  const photos = await countPhotos(context, cities, photoOf);
  const query = `
      from listings ${join}
     where ${cities} and withdrawn_at is null
     order by city, listing_type, ${KIND}, id`;
  const chunks = copyOut(context, COLUMNS, query, `set work_mem = '64MB'`);
  for await (const rows of groupedRows(chunks, ({ key }) => key)) {
    const city = photoHash(rows[0].city);
    const isCommon = (photo: number): boolean => photos.isCommon(photo, city);
    yield {
      set: adSet(rows.map(adOf), { isCommon, photoOf }),
      stored: new Map(rows.map((row) => [row.id, row])),
    };
  }
}

const SAME_PHOTOS = { key: text('key'), sameAs: text('same_as'), isFlat: flag('phash is null') };

/**
 * Returns photo numbers by image key, equal for all images of one photo; null for nearly uniform images, which identify
 * no property. Images without a hash are compared by their bytes.
 */
async function loadSamePhotos(context: CopyOutContext) {
  const numbers = new Map<number, number | null>();
  for await (const rows of copyOut(context, SAME_PHOTOS, 'from photo_images where phash is null or same_as <> key'))
    for (const { key, sameAs, isFlat } of rows) numbers.set(photoHash(key), isFlat ? null : photoHash(sameAs));
  return (key: string): number | null => {
    const own = photoHash(key);
    const same = numbers.get(own);
    return same === undefined ? own : same;
  };
}

const PHOTOS = { city: text('city'), photos: words('photos') };

/** Counts all ads in the cities, because a placeholder may be on few ads of one type. */
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

/** Only leaders have `shared_photos`. */
function compare({ set, stored }: IdentitySet) {
  const leaders = findDuplicates(set);
  const merged = Map.groupBy(set, ({ at }) => leaders[at] as ComparableAd);
  const lines: string[] = [];
  for (const [leader, ads] of merged) {
    const sources = new Set(ads.map(({ source }) => source));
    sources.delete(leader.source);
    for (const ad of ads) {
      const isLeader = ad === leader;
      const duplicateOf = isLeader ? null : leader.id;
      const alsoListedOn = isLeader ? [...sources].sort().join(',') : '';
      const sharedPhotos = isLeader && hasSharedPhotos(ad, leaders);
      const before = stored.get(ad.id) as StoredIdentity;
      const isSame = before.duplicateOf === duplicateOf && before.alsoListedOn === alsoListedOn;
      if (!isSame || before.sharedPhotos !== sharedPhotos)
        lines.push(`${ad.id}\t${duplicateOf ?? '\\N'}\t${alsoListedOn}\t${sharedPhotos ? 't' : 'f'}`);
    }
  }
  return { lines, duplicates: set.length - merged.size };
}

/** Minimum number of photos that are on ads for other properties, or common in the city. */
const MIN_SHARED_PHOTOS = 2;
const MIN_SHARE = 0.5;

function hasSharedPhotos(
  { photos, ownPhotos, commonPhotos, at }: ComparableAd,
  leaders: readonly ComparableAd[],
): boolean {
  const elsewhere = photos.filter(({ ads }) => ads.some((other) => leaders[other] !== leaders[at]));
  const shared = commonPhotos + elsewhere.length;
  return shared >= MIN_SHARED_PHOTOS && shared >= (ownPhotos + commonPhotos) * MIN_SHARE;
}

/** Writes all changes in one pass: a write per set would scan the table, over which its ads are scattered, per set. */
async function markDuplicates(client: Transaction, run: number, lines: readonly string[]): Promise<void> {
  const table = 'found_duplicates (id bigint, duplicate_of bigint, also_listed_on text, shared_photos boolean)';
  await copyToTemporary(client, table, lines);
  await client.query('analyze found_duplicates');
  await client.query(
    `update listings l set duplicate_of = f.duplicate_of, also_listed_on = f.also_listed_on,
       shared_photos = f.shared_photos, ${touchVersion('$1')}
       from found_duplicates f where f.id = l.id`,
    [run],
  );
}
