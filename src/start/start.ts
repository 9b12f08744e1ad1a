import type { Cleanup } from './cleanup.ts';
import type { Screen } from './screen.ts';

/** What a role gets when it starts. */
export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  screen: Screen;
  /** What to undo when the process ends. */
  cleanup: Cleanup;
  /** Aborted when the process is told to stop. */
  signal: AbortSignal;
  /** Ends the process with a message: something that it needs is gone. */
  fail(message: string): void;
}
