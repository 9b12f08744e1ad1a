import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds. @throws Error after `limitMs` */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + limitMs; !(await condition()); await sleep(10))
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${condition}`);
}
