import { type Fence, fenceKey, type Judged, judge } from '#ingest/quality/fences.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, pipelineOfFile, testSource } from '../run/pipeline.ts';

const pipeline = pipelineOfFile('ingest-judged');

interface Row extends Judged {
  plausible: number;
  new_price: number | null;
}

/** Plausibility of all history rows: as stored, and recomputed with the current fences. */
async function verdicts(): Promise<{ kept: number[]; right: number[] }> {
  const { rows: fences } = await pipeline.pool.query<Fence>('select kind, tier, fence, low, high from quality_fences');
  const inForce = new Map(fences.map((fence) => [fenceKey(fence.kind, fence.tier, fence.fence), fence]));
  const { rows } = await pipeline.pool.query<Row>(
    `select h.plausible, h.price, h.new_price, h.listing_type, l.city, l.property_type, l.listing_category, l.neighborhood_id,
            l.bedrooms, l.area_sqm
       from listing_months h join listings l on l.id = h.listing_id order by h.listing_id, h.first_month`,
  );
  const flags = (row: Row, price: number | null): number =>
    price === null
      ? 0
      : (judge('typed', { ...row, price }, inForce) ? 0 : 1) + (judge('pooled', { ...row, price }, inForce) ? 0 : 2);
  return {
    kept: rows.map(({ plausible }) => plausible),
    right: rows.map((row) => flags(row, row.price) + 4 * flags(row, row.new_price)),
  };
}

test('an incremental run that evaluates only changed rows ends in the same state as a full run', async (t) => {
  const random = seeded(4);
  const source = testSource('judged');
  const homes = Array.from({ length: 260 }, (_, at) => ({
    id: `home${at}`,
    // Some prices are close to the lower or upper fence.
    price: Math.round(40_000 * Math.exp((random() - 0.5) * (at % 3 === 0 ? 5 : 0.8))),
    property_type: at % 10 === 0 ? 'land' : 'apartment',
    bedrooms: 1 + (at % 3),
    neighborhood: at % 2 === 0 ? 'النرجس' : 'الياسمين',
    lat: 24.6 + Math.floor(at / 20) * 0.02,
    lng: 46.6 + (at % 20) * 0.02,
    listed: true,
  }));
  let judged = 0;
  let rejudged = 0;
  let others = 0;
  for (const [month, level] of [1, 1.01, 1.02, 3, 1.02, 0.35, 1.02].entries()) {
    for (const home of homes) {
      if (month > 0 && random() < 0.12) home.listed = !home.listed;
      // Few prices change in most months; in two months, most prices and every fence change.
      if (random() < 0.06 || (Math.abs(level - 1) > 0.1 && random() < 0.8))
        home.price = Math.max(100, Math.round(home.price * level));
    }
    source.feed = homes
      .filter(({ listed }) => listed)
      .map(({ id, listed: _, ...home }) =>
        ad(id, { ...home, ...(home.property_type === 'land' ? { bedrooms: null } : {}) }),
      );
    const report = await pipeline.run([source], `2026-0${2 + month}-03T03:00:00Z`);
    const { kept, right } = await verdicts();
    t.deepEqual(kept, right, `run ${month}`);
    const details = report.stages.find(({ stage }) => stage === 'history')?.details;
    if (month > 0) {
      judged += Number(details?.judged);
      rejudged += Number(details?.rejudged);
      others += kept.length;
    }
  }
  const { rows } = await pipeline.pool.query('select 1 from listing_months where plausible not in (3, 15)');
  t.true(rows.length > 20, 'some are implausible');
  t.true(rejudged > 25, `${rejudged} verdicts changed`);
  t.true(judged < others / 2, `${judged} of ${others} rows were judged`);

  // If the rules change, all rows are evaluated again, even if no fence has changed.
  await pipeline.pool.query(`update listing_months set plausible = 0; update history_fences set rules = 'others'`);
  source.feed = source.feed.slice(1);
  await pipeline.run([source], '2026-09-04T03:00:00Z');
  const { kept, right } = await verdicts();
  t.deepEqual(kept, right);
});
