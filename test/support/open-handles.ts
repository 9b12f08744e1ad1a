import type { ChildProcess } from 'node:child_process';
import type { Server, Socket } from 'node:net';

/** The undocumented list of objects that keep the event loop running. Timers are only counted by Node. */
const activeHandles = (): object[] => (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();

/** Attributes what keeps a worker running to the test file in which it first appeared. */
export class OpenHandles {
  readonly #origin = new WeakMap<object, string>();
  #last = '';

  constructor() {
    this.note('the start of the worker');
  }

  /** Attributes everything that is new since the previous call to a file. */
  note(file: string): void {
    this.#last = file;
    for (const handle of activeHandles()) if (!this.#origin.has(handle)) this.#origin.set(handle, file);
  }

  /** Returns a line for each open socket, server, child process and pipe, and one for timers. */
  describe(): string[] {
    const lines = activeHandles().map(
      (handle) => `${describeHandle(handle)}, since ${this.#origin.get(handle) ?? this.#last}`,
    );
    const timers = process.getActiveResourcesInfo().filter((name) => /^Time|^Immediate/.test(name)).length;
    return timers === 0 ? lines : [...lines, `${timers} timers`];
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
