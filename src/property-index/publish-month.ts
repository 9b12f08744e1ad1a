import type pg from 'pg';
import { monthLabel, monthOf } from '#domain/months.ts';
import { buildRelease } from '#domain/property-index/release.ts';
import type { Job } from '#postgres/job.ts';
import { readMaterials } from './material.ts';
import { allReleases, publish, type ReleaseRow, saveDraft } from './releases.ts';

/** Day of the month, because publishers are a few days late. */
const DUE_DAY = 5;

/** Must run in a transaction. */
export async function draftRelease(
  db: pg.ClientBase,
  { month, historyStart, note }: { month: number; historyStart: string; note: string | null },
): Promise<ReleaseRow & { series: number }> {
  const content = buildRelease(month, await readMaterials(db, month, historyStart));
  return { ...(await saveDraft(db, month, content, note)), series: content.series.length };
}

/** Publishes once, unless there is no data or an operator has built a draft. */
export const publishPropertyIndex = (historyStart: string): Job => ({
  name: 'publish-property-index',
  schedule: '47 4 * * *',
  run: async (db, now) => {
    if (now.getUTCDate() < DUE_DAY) return { published: 0 };
    return publishMonth(db, now, historyStart);
  },
});

/** Publishes the month that contains `now`, unless a release or a draft exists. */
export async function publishMonth(
  db: pg.ClientBase,
  now: Date,
  historyStart: string,
): Promise<{ published: number; series?: number; drafts?: number }> {
  const month = monthOf(now);
  await db.query('begin isolation level repeatable read');
  try {
    const existing = (await allReleases(db)).filter((release) => release.month === monthLabel(month));
    if (existing.length > 0) {
      await db.query('rollback');
      return { published: 0, drafts: existing.some(({ published_at }) => published_at !== null) ? 0 : 1 };
    }
    const { series } = await draftRelease(db, { month, historyStart, note: null });
    if (series > 0) await publish(db, monthLabel(month), now);
    await db.query(series > 0 ? 'commit' : 'rollback');
    return { published: series > 0 ? 1 : 0, series };
  } catch (error) {
    await db.query('rollback').catch(() => {});
    throw error;
  }
}
