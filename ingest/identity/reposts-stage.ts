import { replaceAd } from '../fetch/save-batch.ts';
import { copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut, groupedRows, number, numberOrNaN, text, textOrNull, words } from '../postgres/copy-out.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { KIND } from './ads.ts';
import { findReposts, type PostedAd } from './reposts.ts';

/** Later, the ad is a new listing. */
const REPOST_WINDOW_DAYS = 60;

/**
 * Detects ads that were withdrawn and reposted under another id. The original listing keeps its id, `first_seen_at` and
 * prices and takes the content of the new ad, whose unpublished listing is deleted.
 */
export function repostsStage(context: RunContext): Promise<void> {
  const { run } = context;
  return runStage(context, 'reposts', async () => {
    const lines: string[] = [];
    for await (const ads of advertisers(context))
      for (const [added, kept] of findReposts(ads)) lines.push(`${added}\t${kept}`);
    return async (client) => {
      if (lines.length > 0) {
        await copyToTemporary(client, 'reposts (added bigint primary key, kept bigint)', lines);
        await client.query(TAKE_OUT);
        await client.query(KEEP_LISTINGS, [run.id, run.at]);
        await client.query('update listing_records r set id = p.kept from reposts p where r.id = p.added');
      }
      return { kept: lines.length };
    };
  });
}

/** The original listings take over the unique new source ids. */
const TAKE_OUT = `
  create temp table reposted_ads on commit drop as
    select p.kept, true as altered, false as reread, c.* from reposts p join listings c on c.id = p.added;
  delete from listings l using reposts p where l.id = p.added;
  delete from listing_records r using reposts p where r.id = p.kept`;

const KEEP_LISTINGS = `
  update listings l set source_listing_id = c.source_listing_id, ${replaceAd('$1', '$2')} from reposted_ads c where l.id = c.kept`;

const COLUMNS = {
  group: text(`l.source || ' ' || l.advertiser || ' ' || l.city || ' ' || l.listing_type`),
  id: number('l.id'),
  state: text<PostedAd['state']>(
    `case when l.withdrawn_at is not null then 'withdrawn' when is_new then 'new' else 'live' end`,
  ),
  kind: text(KIND),
  area: numberOrNaN('l.area_sqm'),
  textArea: numberOrNaN('l.text_area'),
  price: numberOrNaN('l.price'),
  bedrooms: numberOrNaN('l.bedrooms'),
  floor: textOrNull('l.floor'),
  unit: textOrNull('l.unit'),
  signature: text('l.signature'),
  photos: words('l.photos'),
  photoList: text('l.photo_list'),
};

/** Yields the ads of an advertiser on a source, if some are new and some just withdrawn. */
function advertisers(context: RunContext): AsyncIterable<readonly PostedAd[]> {
  const { run } = context;
  const at = `'${run.at.toISOString()}'::timestamptz`;
  const isNew = `(l.listed_run = ${run.id} and l.first_seen_at = ${at})`;
  const isWithdrawn = `l.withdrawn_at > ${at} - interval '${REPOST_WINDOW_DAYS} days'`;
  const query = `
      from (select *, ${isNew} as is_new from listings l where l.withdrawn_at is null or ${isWithdrawn}) l
      join (select source, advertiser, city, listing_type from listings l
             where advertiser is not null and (${isWithdrawn} or (${isNew} and withdrawn_at is null))
             group by 1, 2, 3, 4 having bool_or(withdrawn_at is null) and bool_or(withdrawn_at is not null)) chosen
        using (source, advertiser, city, listing_type)
     order by source, advertiser, city, listing_type, id`;
  return groupedRows(copyOut(context, COLUMNS, query), ({ group }) => group);
}
