/**
 * Returns the assignments that every `update listings l` of served data must include. The version increases once per
 * run, for any number of changes, and not again when the run is resumed. Versions, and the event ids derived from them,
 * therefore do not depend on interruptions.
 * @param run the SQL parameter with the run's id
 */
export function touchVersion(run: string): string {
  return `
    version = l.version + (l.changed_run <> ${run}::integer)::integer,
    was_served = case when l.changed_run = ${run}::integer then l.was_served else l.served end,
    was_priced = case when l.changed_run = ${run}::integer then l.was_priced else l.priced end,
    changed_run = ${run}::integer`;
}
