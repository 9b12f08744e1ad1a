import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LookAlikesMeasurement {
  seconds: number;
  peak_rss_mb: number;
}

/** Compares the given number of similar ads in a separate process so that peak memory can be measured. */
export async function measureLookAlikes(ads: number): Promise<LookAlikesMeasurement> {
  const child = fork(fileURLToPath(new URL('./look-alikes-process.ts', import.meta.url)));
  child.send({ ads });
  const [measured] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the look-alikes process exited (${code})`);
    }),
  ])) as [LookAlikesMeasurement];
  return measured;
}
