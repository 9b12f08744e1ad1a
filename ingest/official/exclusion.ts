import pg from 'pg';
import { parseQuarter } from '#domain/official/quarters.ts';
import { OFFICIAL_RULES } from '#domain/official/rules.ts';

/** Returns SQL for the rows that `isExcluded` does not exclude. */
export function servedSql(): string {
  const { excluded_quarters, cut_offs } = OFFICIAL_RULES;
  const excluded = [
    ...excluded_quarters.map(({ quarter }) => `quarter = ${parseQuarter(quarter)}`),
    ...cut_offs.map(({ city, last_day }) => `city = ${pg.escapeLiteral(city)} and day > ${pg.escapeLiteral(last_day)}`),
  ];
  return `not coalesce((${excluded.join(') or (')}), false)`;
}

/** Recomputes `served` and `last_day` after the rules have changed. */
export async function measureLoads(db: pg.PoolClient): Promise<void> {
  await db.query(`
    update official_loads l set served = m.served, last_day = m.last_day
      from official_loads o
      left join lateral (select count(*)::integer as served, max(day) as last_day
                           from transactions where load_id = o.id and ${servedSql()}) m on true
     where o.id = l.id and l.kind = 'transactions'`);
}
