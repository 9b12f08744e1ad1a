import type { RunContext } from './context.ts';

/** Confirming an ad does not count. */
export async function marketChanged({ pool, run }: RunContext): Promise<boolean> {
  const { rows } = await pool.query<{ changed: boolean }>(
    'select exists (select from listings where changed_run = $1 and (content_run = $1 or served <> was_served)) as changed',
    [run.id],
  );
  return rows[0]?.changed === true;
}
