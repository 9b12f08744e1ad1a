import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#domain/message-of.ts';
import type { Screen } from './screen.ts';

/** What a role needs to start. */
export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  screen: Screen;
  cleanup: Cleanup;
  /** Aborted when the process must stop. */
  signal: AbortSignal;
  /** Ends the process because a dependency has failed. */
  fail(message: string): void;
}

/** Actions to run when the process ends, in reverse order. */
export class Cleanup {
  readonly #steps: { what: string; run(): Promise<void>; limitMs: number }[] = [];

  /** Adds an action. After `limitMs` milliseconds, the next action starts. */
  add(what: string, run: () => Promise<void>, limitMs = 10_000): void {
    this.#steps.push({ what, run, limitMs });
  }

  /** Runs all actions, even if some fail. */
  async run(complain: (message: string) => void): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      const { what, run, limitMs } = step;
      const limit = sleep(limitMs, 'late' as const, { ref: false });
      try {
        if ((await Promise.race([run(), limit])) === 'late') complain(`${what}: not done after ${limitMs / 1000} s.`);
      } catch (error) {
        complain(`${what}: ${messageOf(error)}`);
      }
    }
  }
}
