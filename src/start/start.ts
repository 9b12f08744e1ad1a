import type { Cleanup } from './cleanup.ts';
import type { Screen } from './screen.ts';

export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  screen: Screen;
  cleanup: Cleanup;
  /** Aborted when the process must stop. */
  signal: AbortSignal;
  /** Ends the process because a dependency has failed. */
  fail(message: string): void;
}
