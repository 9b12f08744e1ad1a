/** One Ctrl-C may arrive twice: from the terminal and from npm. Milliseconds within which both are one. */
const ECHO_MS = 1_000;

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP. A second one, unless an echo of the first, ends the process at once; its
 * guard then ends the processes it started.
 * @param say must not throw
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void, say: (line: string) => void): void {
  let first: number | undefined;
  const receive = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = Date.now();
      stop(signal);
    } else if (Date.now() - first > ECHO_MS) {
      say('Stopping at once.');
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
  // The reader of this output may end before this process does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.env.npm_lifecycle_event !== undefined) followParent(() => receive('SIGTERM'));
}

/**
 * A process that npm started ends with npm, even when npm is killed and passes no signal on. The scripts of package.json
 * say `exec`, so that the parent is npm and not a shell in between.
 */
function followParent(end: () => void): void {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    end();
  }, 1_000);
  watching.unref();
}
