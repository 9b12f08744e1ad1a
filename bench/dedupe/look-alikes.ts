import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LookAlikesMeasurement {
  seconds: number;
  peak_rss_mb: number;
}

/** Compares so many ads that look alike, in a process of its own, so that its memory can be measured. */
export async function measureLookAlikes(ads: number): Promise<LookAlikesMeasurement> {
  const child = fork(fileURLToPath(new URL('./look-alikes-process.ts', import.meta.url)));
  child.send({ ads });
  const [measured] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the comparison of look-alikes ended (${code})`);
    }),
  ])) as [LookAlikesMeasurement];
  return measured;
}
