import type { Cleanup } from './cleanup.ts';
import type { Screen } from './screen.ts';

/** What a role is started with. */
export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  screen: Screen;
  /** What to undo when the process ends. */
  cleanup: Cleanup;
  /** Aborted when the process was asked to end. */
  signal: AbortSignal;
  /** Ends the process, saying why: something it cannot do without is gone. */
  fail(message: string): void;
}
