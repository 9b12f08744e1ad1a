import type { Cleanup } from './cleanup.ts';
import type { Screen } from './screen.ts';

/** The arguments that a role receives. */
export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  screen: Screen;
  /** Actions to run when the process ends. */
  cleanup: Cleanup;
  /** Aborted when the process must stop. */
  signal: AbortSignal;
  /** Ends the process with a message because a dependency has failed. */
  fail(message: string): void;
}
