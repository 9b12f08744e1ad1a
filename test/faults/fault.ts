import type { ChildProcess } from 'node:child_process';
import type { Load } from '#test/load.ts';
import type { TcpProxy } from '#test/tcp-proxy.ts';

export type EngineName = 'OpenSearch' | 'Postgres' | 'S3';

/** The system under test: `npm start` with its engines, and a second API node on the same engines, both under load. */
export interface Stage {
  load: Load;
  /** Key for the requests of the fault, of a different organization than the load. */
  key: string;
  /** The data folder of `npm start`. */
  dataDir: string;
  /** The node that `npm start` runs. */
  main: { url: string; process: ChildProcess };
  /** The second node. It has two OpenSearch addresses, one of them `otherNode`. */
  second: { url: string; process: ChildProcess };
  /** Creates an organization without limits, in addition to the organization of the load. */
  organization(): Promise<{ id: number; key: string }>;
  /** Units charged to an organization so far. */
  unitsOf(organization: { id: number }): Promise<number>;
  /** Proxy to the second node of OpenSearch. The first is connected directly. */
  otherNode: TcpProxy;
  /** Sends a signal to an engine that `npm start` runs. */
  signal(engine: EngineName, signal: NodeJS.Signals): Promise<void>;
  /** Reports a failure that the load cannot detect. */
  fail(reason: string): void;
}

/** An injected fault. Each file `<name>.fault.ts` of this folder exports one. */
export interface Fault {
  /** Title in the result table. */
  title: string;
  /** Faults with a higher order run later: they leave processes behind that must be restarted. */
  order?: number;
  /**
   * Loss that the operator's guide allows: `calls` in flight in a killed process, or the last `moments` of metering
   * when Postgres crashes. Any other loss is a defect.
   */
  loses?: 'calls' | 'moments';
  /** `load`: every call of the load must succeed. */
  spares?: 'load';
  /** Injects the fault. @throws Error for a failure that the harness does not check for every fault */
  happen(stage: Stage): Promise<void>;
}
