import type { ChildProcess } from 'node:child_process';
import type { Server, Socket } from 'node:net';

/** The undocumented list of objects that keep the event loop running. Timers are only counted by Node. */
const activeHandles = (): object[] => (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
const timerCount = (): number =>
  process.getActiveResourcesInfo().filter((name) => /^Time|^Immediate/.test(name)).length;

/** Attributes what keeps a worker running to the test file in which it first appeared. */
export class OpenHandles {
  readonly #origin = new WeakMap<object, string>();
  readonly #timers = new Map<string, number>();
  #timerCount = 0;
  #last = '';

  constructor() {
    this.note('the start of the worker');
  }

  /** Attributes everything that is new since the previous call to a file. */
  note(file: string): void {
    this.#last = file;
    for (const handle of activeHandles()) if (!this.#origin.has(handle)) this.#origin.set(handle, file);
    const timers = timerCount();
    if (timers > this.#timerCount) this.#timers.set(file, timers - this.#timerCount);
    this.#timerCount = timers;
  }

  /** Returns a line for each open socket, server, child process and pipe, and one for timers. */
  describe(): string[] {
    const lines = activeHandles().map(
      (handle) => `${describeHandle(handle)}, since ${this.#origin.get(handle) ?? this.#last}`,
    );
    const timers = timerCount();
    if (timers === 0) return lines;
    const files = [...this.#timers].map(([file, count]) => `${count} more after ${file}`);
    return [...lines, `${timers} timers (${files.join(', ') || `since ${this.#last}`})`];
  }
}

function describeHandle(handle: object): string {
  const name = handle.constructor.name;
  if ('spawnargs' in handle) {
    const { pid, spawnargs } = handle as ChildProcess;
    return `child process ${pid} (${spawnargs.join(' ').slice(0, 120)})`;
  }
  if ('remotePort' in handle && (handle as Socket).remotePort) {
    const { localPort, remoteAddress, remotePort } = handle as Socket;
    return `socket ${localPort} to ${remoteAddress}:${remotePort}`;
  }
  if ('listening' in handle) return `server on ${JSON.stringify((handle as Server).address())}`;
  return name;
}
