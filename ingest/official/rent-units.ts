import type pg from 'pg';
import type { RentPropertyType } from '#domain/official/official-vocabulary.ts';
import { isPlausibleRent, rentUnitOf } from '#domain/official/rents.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { QuarterHold, RejectLines } from './official-file.ts';

const TYPE_OF_QUARTER = {
  scope: sql.text,
  quarter: sql.integer,
  property_type: sql.textAs<RentPropertyType>(),
  lines: sql.listOf(sql.integer),
  means: sql.listOf(sql.number),
};

/**
 * Determines the unit of staged rents by type, region and quarter. Moves means per square meter to their own column, and
 * rejects outliers.
 * @returns the quarters to hold, whose means fit neither unit
 */
export async function judgeRentUnits(db: pg.ClientBase, rejectLines: RejectLines): Promise<QuarterHold[]> {
  const rows = await sql.queryRows(
    db,
    TYPE_OF_QUARTER,
    `select scope, quarter, property_type, array_agg(line) as lines, array_agg(mean_rent_sar) as means
       from staged group by 1, 2, 3 order by 1, 2, 3`,
  );
  const judgements: QuarterHold[] = [];
  const perSqm: number[] = [];
  const outliers: number[] = [];
  for (const { scope, quarter, property_type, lines, means } of rows) {
    const unit = rentUnitOf(property_type, means);
    if (unit === null) {
      judgements.push({ scope, quarter, reason: reasonOf(property_type, means) });
      continue;
    }
    const fits = (mean: number): boolean => isPlausibleRent(property_type, unit, mean);
    outliers.push(...lines.filter((_, at) => !fits(means[at] as number)));
    if (unit === 'year_per_sqm') perSqm.push(...lines);
  }
  await db.query(
    `update staged set mean_rent_per_sqm_sar = coalesce(mean_rent_per_sqm_sar, mean_rent_sar), mean_rent_sar = null
      where line = any ($1::int[])`,
    [perSqm],
  );
  if (outliers.length > 0)
    await rejectLines(
      'implausible_rent',
      'the mean rent does not fit the unit of the other rows of its type',
      outliers,
    );
  return judgements;
}

function reasonOf(type: RentPropertyType, means: readonly number[]): string {
  const median = [...means].sort((a, b) => a - b)[Math.floor(means.length / 2)] as number;
  return (
    `the mean rents of type ${type} (median ${Math.round(median)}) fit neither a yearly rent nor a yearly rent per square ` +
    'meter; release it only if they are yearly rents'
  );
}
