/**
 * Assignments for `update listings l` that belong to every change of what is served. The version rises once in a run,
 * however often the run changes the row, and not again when the run is resumed: so versions, and the event ids made from
 * them, do not depend on interruptions.
 * @param run the SQL parameter that holds the run's id
 */
export function touchVersion(run: string): string {
  return `
    version = l.version + (l.changed_run <> ${run}::integer)::integer,
    was_served = case when l.changed_run = ${run}::integer then l.was_served else l.served end,
    changed_run = ${run}::integer`;
}
