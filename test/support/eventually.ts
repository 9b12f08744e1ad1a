import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds. @throws Error after `limitMs` milliseconds */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + limitMs; !(await condition()); await sleep(10))
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${condition}`);
}
