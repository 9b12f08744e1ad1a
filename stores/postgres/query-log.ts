import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

const COLUMNS = {
  kind: sql.oneOf(['q', 'sentence']),
  text: sql.text,
  calls: sql.integer,
  empty: sql.integer,
  results: sql.integer,
  not_understood: sql.listOf(sql.text),
};

/** Returns the logged texts of the last days, most frequent first. */
export const readQueryLog = (db: Queryable, days: number, limit: number) =>
  sql.queryRows(
    db,
    COLUMNS,
    `select kind, text, sum(calls)::integer as calls, sum(empty)::integer as empty, max(results) as results,
            (array_agg(to_json(not_understood) order by day desc))[1] as not_understood
       from query_log where day > (now() at time zone 'UTC')::date - $1::integer
      group by kind, text order by 3 desc, text limit $2`,
    [days, limit],
  );
