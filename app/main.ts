import { Cleanup } from '#app/start/cleanup.ts';
import { ROLES } from '#app/start/roles.ts';
import { openScreen } from '#app/start/screen.ts';
import { Problem } from '#domain/process/problem.ts';
import { onStopSignal } from '#domain/process/signals.ts';

/** The role is the first argument or the variable `ROLE`. Defaults to `all`, the role that `npm start` uses. */
const role = process.argv[2] ?? process.env.ROLE ?? 'all';
const screen = openScreen();
const cleanup = new Cleanup();
const stopping = new AbortController();
const ended = Promise.withResolvers<void>();
let exitCode = 0;

onStopSignal(() => {
  screen.say('\nStopping ...');
  stopping.abort();
  ended.resolve();
}, screen.say);

const fail = (message: string): void => {
  screen.say(`\n${message}\n`);
  exitCode = 1;
  stopping.abort();
  ended.resolve();
};

try {
  const startRole = ROLES[role];
  if (!startRole) throw new Problem(`There is no role "${role}".`, [`Roles: ${Object.keys(ROLES).join(', ')}`]);
  await startRole({ env: process.env, screen, cleanup, signal: stopping.signal, fail });
  await ended.promise;
} catch (error) {
  // A failure that is caused by stopping is not reported.
  if (!stopping.signal.aborted)
    fail(error instanceof Problem ? error.message : String((error as Error).stack ?? error));
}
await cleanup.run(screen.say);
if (exitCode === 0) screen.say('Stopped.');
process.exit(exitCode);
