import { setTimeout as sleep } from 'node:timers/promises';

interface Step {
  what: string;
  run(): Promise<void>;
  limitMs: number;
}

/** What has to be undone when the process ends, in the opposite order of its making. */
export class Cleanup {
  readonly #steps: Step[] = [];

  /** `limitMs`: after it the step is left to itself and the next one begins. */
  add(what: string, run: () => Promise<void>, limitMs = 10_000): void {
    this.#steps.push({ what, run, limitMs });
  }

  /** Runs every step, whatever becomes of the others. */
  async run(complain: (message: string) => void): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      const { what, run, limitMs } = step;
      const limit = sleep(limitMs, 'late' as const, { ref: false });
      try {
        if ((await Promise.race([run(), limit])) === 'late') complain(`${what}: not done after ${limitMs / 1000} s.`);
      } catch (error) {
        complain(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
