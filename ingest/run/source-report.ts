import type pg from 'pg';
import type { SourceReport } from './report.ts';

/** Why a live ad of a source is not found by a search that asks for nothing else, each ad under its first reason. */
const HIDDEN = {
  no_photos: `not needs_photos or photos <> '' or photos_pending <> 0`,
  photos_pending: 'served',
  no_price: 'price is not null',
  implausible: 'plausible_typed or plausible_pooled',
} as const;

interface Row {
  source: string;
  live: number;
  merged: number;
  found: number;
  hidden: Record<keyof typeof HIDDEN, number>;
}

/** What became of the live ads of each source of a run, beside what its feed had. */
export async function sourceReports(pool: pg.Pool, run: number): Promise<SourceReport[]> {
  const passed: string[] = [];
  const counts = Object.entries(HIDDEN).map(([reason, pass]) => {
    const before = passed.map((condition) => `(${condition}) and `).join('');
    passed.push(pass);
    return `'${reason}', count(*) filter (where duplicate_of is null and ${before}not (${pass}))`;
  });
  const { rows } = await pool.query<Row & { rows: number; rejected: Record<string, number> }>(
    `select s.source, coalesce((s.details->>'rows')::int, 0) as rows, s.dropped as rejected, coalesce(l.live, 0) as live,
            coalesce(l.merged, 0) as merged, coalesce(l.found, 0) as found, coalesce(l.hidden, '{}') as hidden
       from ingest_run_stages s
       left join (
         select source, count(*) as live, count(*) filter (where duplicate_of is not null) as merged,
                count(*) filter (where served and ${passed.map((condition) => `(${condition})`).join(' and ')}) as found,
                json_build_object(${counts.join(', ')}) as hidden
           from listings where withdrawn_at is null group by source) l using (source)
      where s.run_id = $1 and s.stage = 'fetch' order by s.source`,
    [run],
  );
  return rows.map(({ source, rows: read, rejected, live, merged, hidden, found }) => ({
    source,
    read,
    rejected,
    live,
    merged,
    hidden,
    found,
  }));
}
