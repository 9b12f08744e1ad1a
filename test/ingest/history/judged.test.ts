import { boundsOf, judgeWithin, type PlausibilityFacts } from '#ingest/quality/fences.ts';
import { readFences } from '#ingest/quality/read-fences.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, pipelineOfFile, testSource } from '../run/pipeline.ts';

const pipeline = pipelineOfFile('ingest-judged');

interface Row extends PlausibilityFacts {
  plausible: number;
  new_price: number | null;
}

test('all prices of the history are judged by the fences of the last run', async (t) => {
  const random = seeded(4);
  const source = testSource('judged');
  const homes = Array.from({ length: 260 }, (_, at) => ({
    id: `home${at}`,
    // Some prices are close to the lower or upper fence.
    price: Math.round(40_000 * Math.exp((random() - 0.5) * (at % 3 === 0 ? 5 : 0.8))),
    property_type: at % 10 === 0 ? 'land' : 'apartment',
    bedrooms: at % 10 === 0 ? null : 1 + (at % 3),
    neighborhood: at % 2 === 0 ? 'النرجس' : 'الياسمين',
    lat: 24.6 + Math.floor(at / 20) * 0.02,
    lng: 46.6 + (at % 20) * 0.02,
  }));
  let rejudged = 0;
  let implausible = false;
  for (const [month, level] of [1, 1.02, 3, 0.35].entries()) {
    // In two months, most prices and every fence change.
    for (const home of homes) if (random() < (Math.abs(level - 1) > 0.1 ? 0.8 : 0.06)) home.price *= level;
    source.feed = homes.filter(() => random() < 0.9).map(({ id, ...home }) => ad(id, home));
    const report = await pipeline.run([source], `2026-0${2 + month}-03T03:00:00Z`);
    if (month > 0) rejudged += Number(report.stages.find(({ stage }) => stage === 'history')?.details.rejudged);
    const fences = await readFences(pipeline.pool);
    const flags = (row: Row, price: number | null): number =>
      (['typed', 'pooled'] as const).reduce((sum, kind, bit) => {
        const isPlausible = price !== null && judgeWithin({ ...row, price }, boundsOf(kind, row, fences)) === null;
        return isPlausible ? sum + 2 ** bit : sum;
      }, 0);
    const { rows } = await pipeline.pool.query<Row>(
      `select h.plausible, h.price, h.new_price, h.listing_type, l.city, l.property_type, l.listing_category,
              l.neighborhood_id, l.bedrooms, l.area_sqm
         from listing_months h join listings l on l.id = h.listing_id order by h.listing_id, h.first_month`,
    );
    t.deepEqual(
      rows.map(({ plausible }) => plausible),
      rows.map((row) => flags(row, row.price) + 4 * flags(row, row.new_price)),
      `run ${month}`,
    );
    implausible ||= rows.some(({ plausible }) => plausible !== 3 && plausible !== 15);
  }
  // By later fences: prices that search never returned are not in the history.
  t.true(implausible);
  t.true(rejudged > 25, `${rejudged} verdicts changed`);
});
