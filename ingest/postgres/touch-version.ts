/**
 * Returns SQL for the searches that return a listing, as bits: 1 those for one property type, 2 all others.
 * @param l the name of its row in the query
 */
export const shown = (l: string): string =>
  `(case when ${l}.served and ${l}.price is not null then ${l}.plausible_typed::int + ${l}.plausible_pooled::int * 2 else 0 end)`;

/**
 * Every `update listings l` of served data must include these assignments. The version increases once per run, also if it
 * is resumed.
 * @param run the SQL parameter with the run's id
 */
export function touchVersion(run: string): string {
  const before = (column: string, value: string): string =>
    `${column} = case when l.changed_run = ${run}::integer then l.${column} else ${value} end`;
  return `
    version = l.version + (l.changed_run <> ${run}::integer)::integer,
    ${before('was_served', 'l.served')},
    ${before('was_priced', 'l.priced')},
    ${before('was_shown', shown('l'))},
    ${before('was_delisted', 'l.delisted')},
    ${before('was_city', 'l.city')},
    ${before('was_listing_type', 'l.listing_type')},
    changed_run = ${run}::integer`;
}
