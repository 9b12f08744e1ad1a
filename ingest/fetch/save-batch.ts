import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import { advertiserHash } from '../hash.ts';
import { copyIn, copyNumber, copyText } from '../postgres/copy-in.ts';
import { saveAccepted } from '../postgres/save-accepted.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { Run } from '../run/run-state.ts';
import { AD_COLUMNS, type AdRow, adValues, contentDiffers, postedAmount, recordJson, recordLine } from './ad-row.ts';

interface ChangedAd extends AdRow {
  /** The row is the same; only how it is read has changed. */
  reread: boolean;
}

/** In feed order, so that a resumed run assigns the same ids. */
export type AdChange = { readonly id: number } & (
  | { kind: 'added'; ad: AdRow; row: unknown }
  | { kind: 'changed'; ad: ChangedAd; row: unknown; counted: 'changed' | 'relisted' }
  /** A withdrawn ad that the feed lists again without changes. */
  | { kind: 'relisted' }
  /** An ad without an update time from the source; its `updated_at` is due. */
  | { kind: 'touched' }
);

interface BatchContext {
  run: Run;
  source: string;
  assumePhotos: boolean;
  refuse: (change: AdChange, reason: string) => void;
}

/** An ad whose content makes the write fail is left out. */
export function saveChanges(
  client: pg.ClientBase,
  { refuse, ...context }: BatchContext,
  changes: readonly AdChange[],
): Promise<void> {
  return saveAccepted(
    client,
    changes,
    async (part) => {
      // Tables of an earlier part must not be merged again.
      if (part.length < changes.length) await client.query('drop table if exists changed_ads, changed_records');
      await saveBatch(client, context, part);
    },
    refuse,
  );
}

/** In one order for all writers, so that they do not block each other. */
function companiesOf(ads: readonly AdRow[]): string[] {
  const keys = ads.flatMap(({ listing: { advertiser_type, advertiser_key } }) =>
    advertiser_type === 'company' && advertiser_key !== null ? [advertiserHash(advertiser_key)] : [],
  );
  return [...new Set(keys)].sort();
}

const AD = AD_COLUMNS.join(', ');

const STAGING = `
  create temp table if not exists changed_ads on commit delete rows
    as select id, false as altered, false as reread, ${AD} from listings with no data;
  create temp table if not exists changed_records (id bigint, url text, record text) on commit delete rows;
`;

/** A correction is not a price change: the source's row or its posted amount is the same. */
const SAME_POSTED = `(c.reread or (l.listing_type = c.listing_type
  and coalesce(coalesce(l.posted_amount, l.price) = c.posted_amount, false)))`;
const CORRECTED = `(${SAME_POSTED} and l.price is distinct from c.price)`;
/** A first price or a correction is not a change. */
const MOVED = `l.price is not null and c.price is not null and l.price <> c.price and not ${SAME_POSTED}`;
/** The same ratio to its posted amount as the price of the ad. */
const isOnBasis = (entry: string, ad: string): string =>
  `abs(${entry}.price_yearly_sar * ${ad}.posted_amount - ${entry}.posted_amount * ${ad}.price)
     <= 1e-6 * ${entry}.posted_amount * ${ad}.price`;
const LATEST = '(select max(at) from listing_prices where listing_id = l.id)';
/**
 * The previous price, recomputed from its posted amount after a correction; null if that was not stored. A price per
 * square meter that the quality stage found is converted by it again.
 */
const CORRECTED_PREVIOUS = `case when l.per_sqm and not c.per_sqm then l.previous_price else
           (select nullif(p.price_yearly_sar, c.price) from listing_prices p
             where p.listing_id = l.id and p.at < l.price_changed_at and l.posted_amount = c.posted_amount
               and ${isOnBasis('p', 'c')} order by p.at desc limit 1) end`;
const PREVIOUS = `case when l.listing_type <> c.listing_type then null when ${MOVED} then l.price
           when ${CORRECTED} then ${CORRECTED_PREVIOUS} else l.previous_price end`;

/** `$1` is the run. An ad that its source never stopped listing does not count as relisted. */
const MARK_RELISTED = `relisted = l.relisted or (l.withdrawn_at is not null and l.withdrawn_reason is null),
         withdrawn_at = null, withdrawn_reason = null,
         listed_run = case when l.withdrawn_at is null then l.listed_run else $1::integer end`;

const PLAIN_COLUMNS = AD_COLUMNS.filter(
  (column) => !column.startsWith('photos') && column !== 'updated_at' && column !== 'priced',
);

/** The content of `c` replaces that of the ad `l`; `$1` is the run and `$2` its time. */
export const REPLACE_AD = `${PLAIN_COLUMNS.map((column) => `${column} = c.${column}`).join(', ')},
         ${touchVersion('$1')}, content_run = $1, ${MARK_RELISTED},
         -- a change that the source's own time does not show was made when it was detected; the time never goes back
         updated_at = case when c.updated_at > l.updated_at then c.updated_at
           when c.altered or l.withdrawn_at is not null then $2::timestamptz else l.updated_at end,
         priced = l.priced or c.priced,
         reread_run = case when c.reread then $1::integer else l.reread_run end,
         previous_price = ${PREVIOUS},
         price_changed_at = case when ${PREVIOUS} is null then null when ${MOVED} then $2::timestamptz
           else l.price_changed_at end,
         -- the earlier photos stay until those of the new list have been copied
         photos = case when l.photo_list = c.photo_list then l.photos when c.photos_pending = 1 then l.photos
           else c.photos end,
         photos_pending = case when l.photo_list = c.photo_list then l.photos_pending else c.photos_pending end,
         photos_checked_run = case when c.altered then -1 else l.photos_checked_run end`;

async function saveBatch(
  client: pg.ClientBase,
  { run, source, assumePhotos }: Omit<BatchContext, 'refuse'>,
  changes: readonly AdChange[],
): Promise<void> {
  const at = run.at.toISOString();
  const added = changes.flatMap((change) => (change.kind === 'added' ? change.ad : []));
  const changed = changes.flatMap((change) => (change.kind === 'changed' ? change.ad : []));
  const fixed = 'id, source, source_listing_id, first_seen_at, changed_run, content_run, listed_run';
  const listings = added.map((ad) => {
    const values = `${ad.id}\t${source}\t${copyText(ad.sourceListingId)}\t${at}\t${run.id}\t${run.id}\t${run.id}`;
    return `${values}\t${adValues(ad, at, assumePhotos)}`;
  });
  await copyIn(client, `listings (${fixed}, ${AD})`, listings);
  const records = added.map((ad) => recordLine(ad, recordJson(ad.listing)));
  await copyIn(client, 'listing_records (id, url, record)', records);
  const prices = added.flatMap(({ id, listing }) =>
    listing.price_yearly_sar === null
      ? []
      : `${id}\t${at}\t${copyNumber(listing.price_yearly_sar)}\t${copyNumber(postedAmount(listing))}`,
  );
  await copyIn(client, 'listing_prices (listing_id, at, price_yearly_sar, posted_amount)', prices);
  const companies = companiesOf([...added, ...changed]);
  if (companies.length > 0)
    await client.query(
      'insert into advertiser_refs (advertiser) select unnest($1::text[]) on conflict (advertiser) do nothing',
      [companies],
    );
  if (changed.length > 0) await saveChanged(client, run, changed, assumePhotos);
  const idsOf = (kind: AdChange['kind']): number[] =>
    changes.filter((change) => change.kind === kind).map(({ id }) => id);
  const relisted = idsOf('relisted');
  if (relisted.length > 0) {
    await client.query(
      `update listings l set ${touchVersion('$1')}, content_run = $1, ${MARK_RELISTED}, updated_at = $2
       where id = any ($3::bigint[])`,
      [run.id, run.at, relisted],
    );
  }
  const touched = idsOf('touched');
  if (touched.length > 0) {
    await client.query(`update listings l set ${touchVersion('$1')}, updated_at = $2 where id = any ($3::bigint[])`, [
      run.id,
      run.at,
      touched,
    ]);
  }
}

async function saveChanged(
  client: pg.ClientBase,
  run: Run,
  changed: readonly ChangedAd[],
  assumePhotos: boolean,
): Promise<void> {
  const stored = await sql.queryRows(
    client,
    { id: sql.integer, record: sql.text },
    'select id, record from listing_records where id = any ($1::bigint[])',
    [changed.map(({ id }) => id)],
  );
  const recordOf = new Map(stored.map(({ id, record }) => [id, record]));
  const ads: string[] = [];
  const records: string[] = [];
  for (const ad of changed) {
    const record = recordJson(ad.listing);
    // Whether the content has changed, and not only the row's hash or how the row is read.
    const altered = !ad.reread && contentDiffers(recordOf.get(ad.id) ?? '{}', record);
    const values = adValues(ad, run.at.toISOString(), assumePhotos);
    ads.push(`${ad.id}\t${altered ? 't' : 'f'}\t${ad.reread ? 't' : 'f'}\t${values}`);
    records.push(recordLine(ad, record));
  }
  await client.query(STAGING);
  await copyIn(client, `changed_ads (id, altered, reread, ${AD})`, ads);
  await copyIn(client, 'changed_records (id, url, record)', records);
  await saveChangedPrices(client, run);
  await client.query(`update listings l set ${REPLACE_AD} from changed_ads c where l.id = c.id`, [run.id, run.at]);
  await client.query(
    'update listing_records r set url = c.url, record = c.record from changed_records c where r.id = c.id',
  );
}

/**
 * A correction replaces the last price, and the earlier ones that were derived from their posted amounts in the same
 * way.
 */
async function saveChangedPrices(client: pg.ClientBase, run: Run): Promise<void> {
  const changed = 'changed_ads c join listings l on l.id = c.id';
  await client.query(
    `update listing_prices p set price_yearly_sar = round((p.price_yearly_sar * c.price / l.price)::numeric, 2)
       from ${changed}
      where p.listing_id = l.id and ${CORRECTED} and p.at < ${LATEST} and l.posted_amount = c.posted_amount
        and l.per_sqm = c.per_sqm and ${isOnBasis('p', 'l')}`,
  );
  await client.query(
    `update listing_prices p set price_yearly_sar = c.price, posted_amount = c.posted_amount from ${changed}
      where p.listing_id = l.id and ${SAME_POSTED} and p.at = ${LATEST}
        and (p.price_yearly_sar, p.posted_amount) is distinct from (c.price, c.posted_amount)`,
  );
  await client.query(
    `insert into listing_prices (listing_id, at, price_yearly_sar, posted_amount)
       select l.id, $1, c.price, c.posted_amount from ${changed}
        where case when ${SAME_POSTED} then ${CORRECTED} and not exists (select from listing_prices where listing_id = l.id)
                else l.price is distinct from c.price or l.listing_type <> c.listing_type end
     on conflict (listing_id, at) do update
       set price_yearly_sar = excluded.price_yearly_sar, posted_amount = excluded.posted_amount`,
    [run.at],
  );
  // The first price by a correction does not announce a listing as new.
  await client.query(
    'update listings l set priced = true from changed_ads c where l.id = c.id and c.reread and c.priced and not l.priced',
  );
}
