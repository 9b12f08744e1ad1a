import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds, which is checked every `everyMs` milliseconds.
 * @throws Error after `limitMs` milliseconds
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
  everyMs = 10,
): Promise<void> {
  for (const deadline = Date.now() + limitMs; !(await condition()); await sleep(everyMs))
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${condition}`);
}
