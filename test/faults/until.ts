import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds. @throws Error after `limit` milliseconds, with `what` in the message */
export async function until(what: string, limit: number, isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + limit; !(await isDone()); await sleep(250))
    if (Date.now() > deadline) throw new Error(`${what} took over ${limit / 1_000} s`);
}
