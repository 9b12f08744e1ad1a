/**
 * Every `update listings l` of served data must include these assignments. The version increases once per run, also if it
 * is resumed.
 * @param run the SQL parameter with the run's id
 */
export function touchVersion(run: string): string {
  return `
    version = l.version + (l.changed_run <> ${run}::integer)::integer,
    was_served = case when l.changed_run = ${run}::integer then l.was_served else l.served end,
    was_priced = case when l.changed_run = ${run}::integer then l.was_priced else l.priced end,
    changed_run = ${run}::integer`;
}
