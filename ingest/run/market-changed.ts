import * as sql from '#postgres/rows.ts';
import type { RunContext } from './context.ts';

/** Returns whether the run changed the content or visibility of ads. Confirming an unchanged ad does not count. */
export const marketChanged = ({ pool, run }: RunContext): Promise<boolean> =>
  sql.hasRows(pool, 'from listings where changed_run = $1 and (content_run = $1 or served <> was_served)', [run.id]);
