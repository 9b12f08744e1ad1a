import pg from 'pg';

/** Returns the columns, constraints, indexes, functions and triggers of a database as sorted lines. */
export async function describeSchema(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Monthly partitions are excluded because they depend on the date.
    const { rows } = await client.query<{ line: string }>(`
      with tables as (
        select oid, relname from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition)
      select format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
                    pg_get_expr(adbin, adrelid)) as line
        from tables join pg_attribute a on attrelid = tables.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select format('%s %s %s', relname, conname, pg_get_constraintdef(c.oid)) from tables join pg_constraint c on conrelid = tables.oid
      union all
      select pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = tables.oid
      union all
      select pg_get_triggerdef(g.oid) from tables join pg_trigger g on tgrelid = tables.oid and not tgisinternal
      union all
      select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by line`);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
