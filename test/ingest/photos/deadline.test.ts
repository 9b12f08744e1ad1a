import type { RunReport } from '#ingest/run/report.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, type Pipeline, startPipeline, testSource } from '../run/pipeline.ts';
import { image, type PhotoHost, startPhotoHost } from './host.ts';

/** Number of ads, in four batches of the photo stage. */
const ADS = 350;

let pipeline: Pipeline;
let host: PhotoHost;

test.before(async () => {
  pipeline = await startPipeline('photo-deadline');
  host = await startPhotoHost();
});
test.after(async () => {
  await host?.close();
  await pipeline?.close();
});

const detailsOf = (report: RunReport) => report.stages.find(({ stage }) => stage === 'photos')?.details ?? {};

/** Counts the batches of photo owners that a run reads. */
async function batchesOf(run: () => Promise<RunReport>): Promise<{ report: RunReport; batches: number }> {
  const { pool } = pipeline;
  const { query } = pool;
  let batches = 0;
  pool.query = function (this: typeof pool, ...given: unknown[]) {
    const [statement] = given as [{ name?: string } | string];
    if (typeof statement === 'object' && statement.name?.startsWith('photos-')) batches++;
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof pool.query;
  try {
    return { report: await run(), batches };
  } finally {
    pool.query = query;
  }
}

test('after its time limit the photo stage counts the remaining rows and reads none of them', async (t) => {
  host.answers.set('/photo.png', image(1)).set('/plan.png', image(2));
  const photos = [host.at('/photo.png')];
  const source = Object.assign(testSource('late'), {
    feed: Array.from({ length: ADS }, (_, at) => ad(`late${at}`, { photos })),
  });
  const projectSources = [testProjects('late', [project('p1', { photos: [host.at('/plan.png')] })])];
  const late = await batchesOf(() =>
    pipeline.run([source], '2026-04-02T03:00:00Z', { ...host.fetching({ budget: -1 }), projectSources }),
  );
  t.like(detailsOf(late.report), { fetched: 0, listings: 0, left_for_later: ADS + 1 });
  t.is(late.batches, 0);
  t.is(host.asked.size, 0);

  const next = await batchesOf(() =>
    pipeline.run([source], '2026-04-02T15:00:00Z', { ...host.fetching(), projectSources }),
  );
  t.like(detailsOf(next.report), { listings: ADS + 1, left_for_later: 0 });
  t.true(next.batches >= 5, `${next.batches} batches`);
});
