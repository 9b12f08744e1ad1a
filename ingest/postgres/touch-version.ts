/**
 * The assignments of every update that changes what is served of a listing, in `update listings l`. The version rises
 * once in a run however often the run touches the row, and a run that is taken up again changes nothing twice: so
 * versions, and the event ids made of them, do not depend on where a run was interrupted.
 * @param run the SQL parameter that holds the run's id
 */
export function touchVersion(run: string): string {
  return `
    version = l.version + (l.changed_run <> ${run}::integer)::integer,
    was_served = case when l.changed_run = ${run}::integer then l.was_served else l.served end,
    changed_run = ${run}::integer`;
}
