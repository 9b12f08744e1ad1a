import type { RawListing } from '#ingest/normalize/listing.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, ads, testSource } from '../run/pipeline.ts';
import { type Served, startServed } from './served.ts';

let served: Served;
test.before(async () => {
  served = await startServed('isolation');
  await served.app.addCity({ slug: 'riyadh' });
});
test.after(() => served?.close());

test('an event that cannot be matched is skipped with its reason, later ones are delivered, and an unavailable datastore skips none', async (t) => {
  const { pipeline, skipped } = served;
  const { pool } = pipeline;
  const source = testSource('unmatched');
  source.feed = Array.from({ length: 20 }, (_, index) => ad(`u${index}`));
  await pipeline.run([source], '2026-04-03T03:00:00Z');
  const unavailable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await t.throwsAsync(served.match({ readListings: () => Promise.reject(unavailable) }));
  t.deepEqual(skipped, []);
  const spoiled = await Promise.all(['u7', 'u9'].map(async (id) => (await pipeline.listing('unmatched', id)).id));
  const [broken, priced] = spoiled;
  await pool.query(`create table sound as select id, record from listing_records where id = $1`, [broken]);
  await pool.query(`update listing_records set record = '{"city": 1' where id = $1`, [broken]);
  await pool.query(`update listing_events set price_yearly_sar = 'NaN' where listing_id = $1`, [priced]);
  t.is((await served.match()).length, 18);
  const { rows } = await pool.query<{ id: string; listing: number; reason: string }>(
    'select id, listing_id as listing, skipped_reason as reason from listing_events where skipped_at is not null',
  );
  t.deepEqual(rows.map(({ listing }) => listing).sort(), [...spoiled].sort());
  t.true(rows.every(({ id, reason }) => skipped.includes(id) && reason !== ''));
  t.deepEqual(await served.match(), [], 'the offset has moved past the events');
  await pool.query('update listing_records r set record = s.record from sound s where s.id = r.id; drop table sound');
});

/** Returns the rejects of a feed by reason: their details and rows. */
async function rejectsOf(feed: string): Promise<Record<string, { detail: string; row: string }[]>> {
  const { rows } = await served.pipeline.pool.query<{ reason: string; detail: string; row: string }>(
    'select reason, detail, row from ingest_rejects where source = $1 order by position',
    [feed],
  );
  return Object.groupBy(rows, ({ reason }) => reason) as Record<string, { detail: string; row: string }[]>;
}

const servedIds = async (source: string): Promise<string[]> => {
  const { rows } = await served.pipeline.pool.query<{ id: string }>(
    'select source_listing_id as id from listings where source = $1 and served order by source_listing_id',
    [source],
  );
  return rows.map(({ id }) => id);
};

test('a row that Postgres does not accept is one rejected row with its reason', async (t) => {
  const { pool, run, listing } = served.pipeline;
  const [source, projects] = [testSource('checked'), testProjects('checked')];
  source.feed = [...ads(1_100, 'c'), ad('changes')];
  await run([source], '2026-05-02T03:00:00Z');
  await pool.query(`
    alter table listings add constraint refused check (floor is distinct from '77') not valid;
    alter table off_plan_records add constraint refused check (name_en <> 'Refused') not valid`);
  const { id } = await listing('checked', 'changes');
  const recordOf = async () => (await pool.query('select record from listing_records where id = $1', [id])).rows[0];
  const before = await recordOf();
  source.feed = [
    ...ads(1_100, 'c'),
    ad('first', { floor: 77 }),
    ad('changes', { floor: 77 }),
    ...ads(1_100, 'new', { title: 'شقة' }),
    ad('last', { floor: 77 }),
  ];
  projects.feed = ['Palms', 'Refused', 'Cedars'].map((name_en) => project(name_en, { name_en }));
  const report = await run([source], '2026-05-03T03:00:00Z', { projectSources: [projects] });
  t.deepEqual(report.failed, {});
  t.is((await servedIds('checked')).length, 2_201);
  const rejects = await rejectsOf('checked');
  t.deepEqual(Object.keys(rejects), ['refused_by_store']);
  t.deepEqual(rejects.refused_by_store?.map(({ row }) => JSON.parse(row).source_listing_id).sort(), [
    'changes',
    'first',
    'last',
  ]);
  t.regex(rejects.refused_by_store?.[0]?.detail ?? '', /check constraint "refused"/);
  t.deepEqual(await recordOf(), before, 'a stored ad keeps its content');
  t.deepEqual(Object.keys(await rejectsOf('checked/projects')), ['refused_by_store']);
  t.is((await pool.query(`select from off_plan_records where source = 'checked'`)).rowCount, 2);

  await pool.query(`
    alter table listings drop constraint refused;
    alter table off_plan_records drop constraint refused`);
  t.deepEqual((await run([source], '2026-05-04T03:00:00Z', { projectSources: [projects] })).failed, {});
  t.is((await servedIds('checked')).length, 2_203, 'once they are accepted, the rows are served');
});

test('a row that the index does not accept is withdrawn with its reason, and creates no event', async (t) => {
  const { pool, run, document, listing, events } = served.pipeline;
  const source = testSource('unindexed');
  const projects = testProjects('unindexed');
  // The bulk request of the run has more than one listing, and the index accepts no more than 32,767 bedrooms.
  await pool.query(`
    create function spoil() returns trigger language plpgsql as $$
      begin
        new.record := replace(new.record, '"bedrooms":7', '"bedrooms":70000');
        if new.url like '%broken%' then new.record := '{'; end if;
        return new;
      end $$;
    create function spoil_project() returns trigger language plpgsql as $$
      begin
        if new.name_en = 'Broken' then new.record := '{'; end if;
        return new;
      end $$;
    create trigger spoil before insert or update on listing_records for each row execute function spoil();
    create trigger spoil before insert or update on off_plan_records for each row execute function spoil_project()`);
  source.feed = [...ads(12, 'i'), ad('changing', { bedrooms: 6 }), ad('refused', { bedrooms: 7 }), ad('broken')];
  projects.feed = [project('b1', { name_en: 'Broken' }), project('b2', { name_en: 'Whole' })];
  t.deepEqual((await run([source], '2026-05-05T03:00:00Z', { projectSources: [projects] })).failed, {});
  const refused = await listing('unindexed', 'refused');
  t.is(refused.withdrawn_reason, 'refused');
  t.is(await document(refused.id), null);
  t.deepEqual(await events(refused.id), []);
  t.is((await listing('unindexed', 'broken')).withdrawn_reason, 'refused');
  t.is((await servedIds('unindexed')).length, 13);
  const first = await rejectsOf('unindexed');
  t.deepEqual(Object.keys(first), ['refused_by_store']);
  t.is(first.refused_by_store?.length, 2);
  t.true(first.refused_by_store?.every(({ detail }) => detail !== ''));
  t.deepEqual(Object.keys(await rejectsOf('unindexed/projects')), ['refused_by_store']);
  const { rows } = await pool.query(`select source_project_id from off_plan_records r
    join off_plan_projects p on p.id = r.id where r.source = 'unindexed' and p.document is not null`);
  t.deepEqual(rows, [{ source_project_id: 'b2' }]);

  // A served listing whose new content is not accepted is delisted.
  source.feed = [...ads(12, 'i'), ad('changing', { bedrooms: 7 }), ad('refused', { bedrooms: 7 }), ad('broken')];
  await run([source], '2026-05-06T03:00:00Z');
  const changed = await listing('unindexed', 'changing');
  t.is(await document(changed.id), null);
  t.deepEqual(await events(changed.id), ['listing.created', 'listing.delisted']);

  await pool.query('drop trigger spoil on listing_records; drop trigger spoil on off_plan_records');
  source.feed = [...ads(12, 'i'), ad('changing', { bedrooms: 5 }), ad('refused', { bedrooms: 4 }), ad('broken')];
  await run([source], '2026-05-07T03:00:00Z');
  t.is((await document(refused.id))?.display.bedrooms, 4);
  t.deepEqual(await events(refused.id), ['listing.created']);
  t.false((await listing('unindexed', 'refused')).relisted as boolean);
});

test('a row that cannot be processed, and a source that fails, affect no other row or source', async (t) => {
  const [odd, failing, later] = [testSource('odd'), testSource('failing'), testSource('later')];
  const spoiled = (name: keyof RawListing): FeedRow => {
    const { raw, row } = ad(`spoiled-${name}`) as Extract<FeedRow, { ok: true }>;
    const get = () => {
      throw new Error(`${name} \0 cannot be read`);
    };
    return { ok: true, raw: Object.defineProperty({ ...raw }, name, { get, enumerable: true }), row };
  };
  odd.feed = [ad('o1'), spoiled('title'), spoiled('source_listing_id'), ad('o2')];
  failing.feed = [ad('f1'), new Error('the host sent \0 and closed')];
  later.feed = [ad('l')];
  const report = await served.pipeline.run([odd, failing, later], '2026-05-08T03:00:00Z');
  t.deepEqual(report.failed, { failing: 'the host sent  and closed' });
  t.deepEqual(await servedIds('odd'), ['o1', 'o2']);
  t.deepEqual(await servedIds('later'), ['l']);
  t.is((await rejectsOf('odd')).malformed_row?.length, 2);
});
