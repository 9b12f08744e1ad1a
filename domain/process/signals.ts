/** Ctrl-C may arrive twice in these milliseconds: from the terminal and from npm. */
const ECHO_MS = 1_000;

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP. A later one ends the process at once; the guard then ends its
 * processes.
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
  // The reader of the output may end before this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.env.npm_lifecycle_event !== undefined) followParent(() => receive('SIGTERM'));
}

/**
 * If npm is killed, it forwards no signal. Scripts of package.json use `exec`, so that npm is the parent, not a shell.
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
