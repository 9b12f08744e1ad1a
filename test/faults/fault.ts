import type { ApiProcess } from '#test/api-process.ts';
import type { OrganizationOptions } from '#test/factories.ts';
import type { TcpProxy } from '#test/tcp-proxy.ts';
import type { Load } from './load.ts';

export type EngineName = 'OpenSearch' | 'Postgres' | 'S3';

/** A node under load. */
export interface Node extends Pick<ApiProcess, 'url' | 'end'> {
  /** Restarts the process if it has ended. */
  ensure(): Promise<void>;
}

/**
 * The system under test: `npm start` with its engines and a second API node on the same engines. Both nodes are under
 * load.
 */
export interface Stage {
  load: Load;
  /** Calls of the load per second. */
  perSecond: number;
  /** Key for requests that the fault sends. It belongs to a different organization than the load. */
  key: string;
  /** Data folder of `npm start`. */
  dataDir: string;
  /** The node started by `npm start`. */
  main: Node;
  /** The second node. It is configured with two OpenSearch addresses, one of which is `otherNode`. */
  second: Node;
  /** Creates an organization without limits per minute, separate from the organization that sends the load. */
  organization(plan?: OrganizationOptions['plan']): Promise<{ id: number; key: string }>;
  /** Returns the number of units charged to an organization so far. */
  unitsOf(organization: { id: number }): Promise<number>;
  /** Proxy in front of the second OpenSearch address. Connections to the first address are direct. */
  otherNode: TcpProxy;
  /** Sends a signal to an engine started by `npm start`. */
  signal(engine: EngineName, signal: NodeJS.Signals): Promise<void>;
}

/** An injected fault. */
export interface Fault {
  /** Title in the table of results. */
  title: string;
  /** Faults are injected in ascending order. Faults that require a restart of processes have a higher order. */
  order?: number;
  /**
   * Losses that the operator's guide documents: `calls` in flight when a process is killed, the last `moments` of
   * metering when Postgres crashes, or `responses` of Postgres to charges when it is suspended. Any other loss is a
   * defect.
   */
  loses?: 'calls' | 'moments' | 'responses';
  /** If set to `load`, every call of the load must succeed. */
  spares?: 'load';
  /** Injects the fault. @throws Error for a failure that is not among those checked after every fault */
  happen(stage: Stage): Promise<void>;
}
