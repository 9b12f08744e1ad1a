import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { test } from '#test/test.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { type OffPlanGround, offPlanGround, project, testProjects } from './ground.ts';

/** Tests projects in complete ingest runs and in the API responses that follow. */
const HOUR = 3_600_000;

let ground: OffPlanGround;
test.before(async () => {
  ground = await offPlanGround('offplan');
});
test.after(() => ground.close());
let clock = Date.parse('2026-05-01T06:00:00Z');

const portal = testSource('portal');
const broker = testSource('broker');
const first = testProjects('portal');
const second = testProjects('guide');

async function run() {
  clock += 12 * HOUR;
  const report = await ground.pipeline.run([portal, broker], new Date(clock).toISOString(), {
    projectSources: [first, second],
  });
  await Promise.all([ground.app.services.sourceClock.refresh(), ground.pipeline.index.refresh()]);
  return report;
}

const get = async (path: string) => ground.app.request(`/v1${path}`, { key: ground.key });
// biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
const data = async (path: string): Promise<any> => (await get(path)).body.data;
const stageOf = (report: Awaited<ReturnType<typeof run>>, stage: string, source: string | null = null) =>
  report.stages.find((each) => each.stage === stage && each.source === source);

const saleUnit = (id: string, raw: Parameters<typeof ad>[1]) =>
  ad(id, { purpose: 'sale', price: 900_000 + Number(id.replace(/\D/g, '')) * 1_000, price_period: null, ...raw });
const near = { lat: 24.701, lng: 46.701 };
const OASIS: Partial<RawProject> = { name_en: 'Wahat Al Sidr', name_ar: 'واحة السدر', lat: 24.7, lng: 46.7 };

test('copies are merged into one project, and units are linked by reference and by name', async (t) => {
  first.feed = [project('p1', OASIS), project('p2'), project('p3'), project('p4'), project('p5', { photos: [] })];
  second.feed = [
    project('g1', {
      name_ar: 'مشروع واحه السدر',
      name_en: null,
      ...near,
      status: 'جاهز',
      banks: ['الأهلي'],
      updated_at: '2026-04-20T00:00:00Z',
    }),
    project('g3', { status: 'who knows' }),
  ];
  portal.feed = [
    ...Array.from({ length: 6 }, (_, at) => saleUnit(`u${at}`, { project: { id: 'p1' } })),
    saleUnit('u20', { project: { id: 'nowhere' } }),
    ad('plain'),
  ];
  broker.feed = [
    saleUnit('b1', { ...near, project: { name: 'واحة السدر', developer: 'شركة مسارات' } }),
    saleUnit('b2', { ...near, project: { name: 'واحة السدر', developer: 'شركة أخرى' } }),
    saleUnit('b3', { lat: 24.9, lng: 46.8, project: { name: 'Wahat Al Sidr' } }),
  ];
  const report = await run();
  t.like(stageOf(report, 'fetch', 'guide/projects'), { kept: 1, dropped: { unknown_status: 1 } });
  t.like(stageOf(report, 'projects')?.details, { merged: 1, linked_by_reference: 6, linked_by_name: 1, not_found: 3 });
  t.is(stageOf(report, 'projects')?.dropped.no_photos, 1);

  const { body } = await get('/projects?city=riyadh&limit=50');
  t.is(body.data.length, 4);
  t.is(body.price_source, 'developer');
  const oasis = body.data.find(({ id }: { id: number }) => id === 1);
  t.like(oasis, {
    name_en: 'Wahat Al Sidr',
    status: 'completed',
    banks: ['al_rajhi_bank', 'saudi_national_bank'],
    source: { name: 'portal' },
    also_listed_on: ['guide'],
    delivery_date: '2027-12-31',
    image_count: 2,
  });
  const units = await data('/projects/1/units?limit=100');
  t.is(units.length, 7);
  t.true(units.every(({ project_id }: { project_id: number }) => project_id === 1));
});

test('license numbers are stored only to compare copies', async (t) => {
  const { pool } = ground.pipeline;
  const tables = ['off_plan_projects', 'off_plan_developers', 'ingest_rejects', 'listing_records'];
  for (const table of tables) {
    const { rows } = await pool.query<{ text: string }>(`select ${table}::text as text from ${table}`);
    t.false(
      rows.some(({ text }) => /LIC-|PRIVATE/i.test(text)),
      table,
    );
  }
  const { rows } = await pool.query<{ record: string }>('select record from off_plan_records');
  t.false(rows.some(({ record }) => /LIC-|PRIVATE/i.test(record)));
  t.false(/lic.{0,3}p1.{0,3}private/i.test(JSON.stringify(await data('/projects/1'))));
});

test("a project change reaches the project's units within the same run", async (t) => {
  first.feed = [
    project('p1', { ...OASIS, status: 'planned', features: ['park', 'school'], updated_at: '2026-05-02T00:00:00Z' }),
    project('p2'),
    project('p3'),
    project('p4'),
  ];
  const report = await run();
  t.is(stageOf(report, 'projects')?.details.units_changed, 7);
  t.is((await data('/project-units?city=riyadh&status=planned&features=park,school,mosque&limit=100')).length, 7);
});

test('units of a withdrawn project remain without a link; a relisted project keeps its id', async (t) => {
  const all = first.feed;
  first.feed = all.slice(1);
  const copies = second.feed;
  second.feed = [project('g9', { name_en: 'Bawabat Al Murjan', lat: 24.62, lng: 46.92 }), ...copies.slice(1)];
  // One copy is missing from each feed, which is more than half of the copies from the source `guide`.
  const held = await run();
  t.regex(held.held['guide/projects'] ?? '', /1 of 1 ads are gone/);
  // The truncated feed is held: the project keeps its copy and id.
  t.is((await get('/projects/1')).status, 200);
  t.like(await data('/projects/1'), { source: { name: 'guide' }, also_listed_on: [] });
  t.is((await data('/projects/1/units?limit=100')).length, 7);

  await ground.pipeline.pool.query(`update source_states set released = true where source = 'guide/projects'`);
  await run();
  const { status, body } = await get('/projects/1');
  t.is(status, 404);
  t.is(body.error.code, 'project_not_found');
  t.is((await get('/projects/1/units')).status, 404);
  const { id } = await ground.pipeline.listing('portal', 'u0');
  t.is((await data(`/listings/${id}`)).project_id, null);
  t.is((await data('/project-units?city=riyadh&limit=100')).length, 0);

  first.feed = all;
  second.feed = [...copies, ...second.feed.slice(0, 1)];
  await run();
  t.like(await data('/projects/1'), { source: { name: 'portal' }, also_listed_on: ['guide'] });
  t.is((await data(`/listings/${id}`)).project_id, 1);
  t.is((await data('/projects/1/units?limit=100')).length, 7);
});
