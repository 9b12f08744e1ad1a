import type { ChildProcess } from 'node:child_process';
import type { Load } from '#test/load.ts';
import type { TcpProxy } from '#test/tcp-proxy.ts';

export type EngineName = 'OpenSearch' | 'Postgres' | 'S3';

/** What a fault befalls: `npm start` with its engines, and a second API node on the same engines, both under load. */
export interface Stage {
  load: Load;
  /** A key of another organization than the load's, for requests of the fault itself. */
  key: string;
  /** The data folder of `npm start`. */
  dataDir: string;
  /** `npm start`. */
  main: { url: string; process: ChildProcess };
  /** The second node: it reaches OpenSearch at two addresses, the other of which is `otherNode`. */
  second: { url: string; process: ChildProcess };
  /** Makes an organization without limits, in addition to that of the load. */
  organization(): Promise<{ id: number; key: string }>;
  /** Units charged to an organization so far. */
  unitsOf(organization: { id: number }): Promise<number>;
  /** The way to the second node of OpenSearch; the first is reached directly. */
  otherNode: TcpProxy;
  /** Sends a signal to an engine that `npm start` runs. */
  signal(engine: EngineName, signal: NodeJS.Signals): Promise<void>;
  /** Reports what went wrong beyond what the load sees. */
  fail(reason: string): void;
}

/** Something that goes wrong. Each file `<name>.fault.ts` of this folder is one. */
export interface Fault {
  /** As the table shows it. */
  title: string;
  /** Later ones go last: they leave processes behind that must be started again. */
  order?: number;
  /**
   * What it may lose, as the operator's guide says: `calls` that are under way at a process that dies, or the last
   * `moments` of counting of a Postgres that crashes. Anything else that is lost is a defect.
   */
  loses?: 'calls' | 'moments';
  /** Whether every call of the load must succeed. */
  spares?: 'load';
  /** @throws what was not as it must be, beside what the harness checks of every fault */
  happen(stage: Stage): Promise<void>;
}
