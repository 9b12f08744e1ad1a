import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { copyIn, copyText } from '../postgres/copy-in.ts';
import { saveAccepted } from '../postgres/save-accepted.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { Run } from '../run/run-state.ts';
import { AD_COLUMNS, type AdRow, contentDiffers, recordLine } from './ad-row.ts';

interface AddedAd extends AdRow {
  id: number;
  sourceListingId: string;
  contentHash: string;
}

interface ChangedAd extends AddedAd {
  /** The row is the same; only how it is read has changed. */
  reread: boolean;
}

/** In feed order, so that a resumed run assigns the same ids. */
export type AdChange = { readonly id: number } & (
  | { kind: 'added'; ad: AddedAd; row: unknown }
  | { kind: 'changed'; ad: ChangedAd; row: unknown; counted: 'changed' | 'relisted' }
  /** A withdrawn ad that the feed lists again without changes. */
  | { kind: 'relisted' }
  /** An ad without an update time from the source; its `updated_at` is due. */
  | { kind: 'touched' }
);

interface BatchContext {
  run: Run;
  source: string;
  refuse: (change: AdChange, reason: string) => void;
}

/** An ad whose content makes the write fail is left out. */
export function saveChanges(
  client: Transaction,
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
  return [...new Set(ads.flatMap(({ company }) => company ?? []))].sort();
}

const AD = AD_COLUMNS.join(', ');

const STAGING = `
  create temp table if not exists changed_ads on commit delete rows
    as select id, false as altered, false as reread, ${AD} from listings with no data;
  create temp table if not exists changed_records (id bigint, url text, record text) on commit delete rows;
`;

/** The same row of the source, or the same posted amount: another price is a correction. */
const SAME_POSTED = `(c.reread or coalesce(coalesce(l.posted_amount, l.price) = c.posted_amount, false))`;

/** An ad that its source never stopped listing does not count as relisted. @param run the SQL parameter with the run's id */
const markRelisted = (run: string): string => `relisted = l.relisted or (l.withdrawn_at is not null
            and coalesce(l.withdrawn_reason, '') not in ('stale', 'refused')),
         withdrawn_at = null, withdrawn_reason = null,
         listed_run = case when l.withdrawn_at is null then l.listed_run else ${run}::integer end`;

const PLAIN_COLUMNS = AD_COLUMNS.filter(
  (column) => !column.startsWith('photos') && column !== 'updated_at' && column !== 'priced',
);

/**
 * Assignments by which the content of a row `c` replaces that of the ad `l`.
 * @param run the SQL parameter with the run's id, and `at` the one with its time
 */
export const replaceAd = (
  run: string,
  at: string,
): string => `${PLAIN_COLUMNS.map((column) => `${column} = c.${column}`).join(', ')},
         ${touchVersion(run)}, content_run = ${run}, ${markRelisted(run)},
         -- a change that the source's own time does not show was made when it was detected; the time never goes back
         updated_at = case when c.updated_at > l.updated_at then c.updated_at
           when c.altered or l.withdrawn_at is not null then ${at}::timestamptz else l.updated_at end,
         priced = l.priced or c.priced,
         reread_run = case when c.reread then ${run}::integer else l.reread_run end,
         posted_before = case when l.listing_type <> c.listing_type then null
           when l.price is distinct from c.price and not ${SAME_POSTED} then coalesce(l.price, l.posted_before)
           else l.posted_before end,
         -- the earlier photos stay until those of the new list have been copied
         photos = case when l.photo_list = c.photo_list then l.photos when c.photos_pending = 1 then l.photos
           else c.photos end,
         photos_pending = case when l.photo_list = c.photo_list then l.photos_pending else c.photos_pending end,
         photos_checked_run = case when c.altered then -1 else l.photos_checked_run end`;

async function saveBatch(
  client: Transaction,
  { run, source }: Omit<BatchContext, 'refuse'>,
  changes: readonly AdChange[],
): Promise<void> {
  const at = run.at.toISOString();
  const added = changes.flatMap((change) => (change.kind === 'added' ? change.ad : []));
  const changed = changes.flatMap((change) => (change.kind === 'changed' ? change.ad : []));
  const fixed = 'id, source, source_listing_id, first_seen_at, changed_run, content_run, listed_run';
  const listings = added.map((ad) => {
    const values = `${ad.id}\t${source}\t${copyText(ad.sourceListingId)}\t${at}\t${run.id}\t${run.id}\t${run.id}`;
    return `${values}\t${ad.contentHash}\t${ad.values}`;
  });
  await copyIn(client, `listings (${fixed}, ${AD})`, listings);
  const records = added.map((ad) => recordLine(ad.id, ad));
  await copyIn(client, 'listing_records (id, url, record)', records);
  const companies = companiesOf([...added, ...changed]);
  if (companies.length > 0)
    await client.query(
      'insert into advertiser_refs (advertiser) select unnest($1::text[]) on conflict (advertiser) do nothing',
      [companies],
    );
  if (changed.length > 0) await saveChanged(client, run, changed);
  const idsOf = (kind: AdChange['kind']): number[] =>
    changes.filter((change) => change.kind === kind).map(({ id }) => id);
  const relisted = idsOf('relisted');
  if (relisted.length > 0) {
    await client.query(
      `update listings l set ${touchVersion('$1')}, content_run = $1, ${markRelisted('$1')}, updated_at = $2
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

async function saveChanged(client: Transaction, run: Run, changed: readonly ChangedAd[]): Promise<void> {
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
    // Whether the content has changed, and not only the row's hash or how the row is read.
    const altered = !ad.reread && contentDiffers(recordOf.get(ad.id) ?? '{}', ad.record);
    ads.push(`${ad.id}\t${altered ? 't' : 'f'}\t${ad.reread ? 't' : 'f'}\t${ad.contentHash}\t${ad.values}`);
    records.push(recordLine(ad.id, ad));
  }
  await client.query(STAGING);
  await copyIn(client, `changed_ads (id, altered, reread, ${AD})`, ads);
  await copyIn(client, 'changed_records (id, url, record)', records);
  await client.query(`update listings l set ${replaceAd('$1', '$2')} from changed_ads c where l.id = c.id`, [
    run.id,
    run.at,
  ]);
  await client.query(
    'update listing_records r set url = c.url, record = c.record from changed_records c where r.id = c.id',
  );
}
