import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#domain/process/problem.ts';
import { chownTo } from './identity.ts';
import { distributionFolder } from './install/opensearch.mjs';
import { findJava, OLDEST_JAVA } from './java.mjs';
import { type LaunchContext, launch, type Variables } from './launch.ts';

interface SearchNode {
  /** End of the names of the node and of its folder: `-2`. Empty for the first node. */
  suffix: string;
  http: number;
  transport: number;
}

interface OpenSearchOptions {
  node: SearchNode;
  /** All nodes, this one included. A node that is alone discovers no others. */
  cluster: readonly SearchNode[];
  /** In Java notation: `2g`. */
  heap: string;
  /** For tests, which delete indexes by prefix. */
  throwaway: boolean;
  /** Uses only Java's fast compiler (C1): half the work at startup, lower peak performance. */
  quickStart: boolean;
  /** Folder of indexes and cluster state. Defaults to one in the data folder. */
  dataDir?: string | undefined;
}

/**
 * All files are in the data folder. `bin/opensearch` starts Java five times, longer than the rest of the start, and
 * fails if the path contains a space.
 */
export async function startOpenSearch(context: LaunchContext, options: OpenSearchOptions): Promise<Variables> {
  const java = findJava(process.env).found;
  if (!java) throw new Problem(`Java ${OLDEST_JAVA} or newer is missing; OpenSearch runs on it.`);
  const home = distributionFolder(context.project);
  const { suffix, http } = options.node;
  const folder = join(context.folder, `opensearch${suffix}`);
  const at = (name: string) => join(folder, name);
  const data = options.dataDir ?? at('data');
  // Nodes must share it.
  const snapshots = join(context.folder, 'opensearch', 'snapshots');
  const folders = ['config', 'logs', 'tmp'];
  for (const path of [data, snapshots, ...folders.map(at)]) await mkdir(path, { recursive: true });
  await cp(join(home, 'config', 'log4j2.properties'), at('config/log4j2.properties'));
  await writeFile(at('config/opensearch.yml'), settings(at, { data, snapshots }, options));
  for (const name of ['.', ...folders, 'config/opensearch.yml', 'config/log4j2.properties'])
    await chownTo(context.identity, at(name));
  for (const path of [data, snapshots]) await chownTo(context.identity, path);

  const engine = await launch(context, {
    name: `OpenSearch${suffix}`,
    command: join(java.home, 'bin', 'java'),
    args: [...javaOptions(at, options, java.version), ...serverOptions(home, at('config'))],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', OPENSEARCH_JAVA_HOME: java.home, HOME: folder },
    cwd: home,
    logFile: join(context.folder, 'logs', `opensearch${suffix}.log`),
    signal: 'SIGTERM',
  });
  const health = `http://127.0.0.1:${http}/_cluster/health?wait_for_status=yellow&timeout=1s`;
  const isUp = async () => {
    const response = await fetch(health, { signal: AbortSignal.timeout(3_000) });
    await response.arrayBuffer();
    return response.ok;
  };
  // The start takes 12 seconds when idle, up to 2 minutes when busy.
  await engine.ready(isUp, 300_000);
  return { OPENSEARCH_URL: `http://127.0.0.1:${http}` };
}

const nodeName = ({ suffix }: SearchNode): string => `embedded${suffix}`;

function settings(
  at: (name: string) => string,
  folders: { data: string; snapshots: string },
  { node, cluster, throwaway }: OpenSearchOptions,
): string {
  const values = {
    'cluster.name': 'listings',
    'node.name': nodeName(node),
    'path.data': folders.data,
    'path.logs': at('logs'),
    'path.repo': folders.snapshots,
    'network.host': '127.0.0.1',
    'http.port': node.http,
    'transport.port': node.transport,
    ...(cluster.length === 1
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': cluster.map(({ transport }) => `127.0.0.1:${transport}`),
          'cluster.initial_cluster_manager_nodes': cluster.map(nodeName),
        }),
    // Otherwise OpenSearch stops writing on a nearly full disk, common on development machines.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    // Tests delete indexes by prefix.
    'action.destructive_requires_name': !throwaway,
    'cluster.max_shards_per_node': 3000,
    // Searches have timeouts; checking each step for a cancellation costs up to two thirds of a count.
    'search.low_level_cancellation': false,
  };
  // JSON strings are valid YAML for any path.
  return `${Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n`;
}

/** As `config/jvm.options`, with paths in the data folder and without logs of garbage collection. */
function javaOptions(at: (name: string) => string, { heap, quickStart }: OpenSearchOptions, version: number): string[] {
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-Xss1m',
    '-Xshare:auto',
    ...(quickStart ? ['-XX:TieredStopAtLevel=1'] : []),
    '-XX:+UseG1GC',
    '-XX:G1ReservePercent=25',
    '-XX:InitiatingHeapOccupancyPercent=30',
    '-XX:-OmitStackTraceInFastThrow',
    ...(version >= 25 ? ['-XX:+UseCompactObjectHeaders'] : []),
    `-XX:ErrorFile=${at('logs/hs_err_pid%p.log')}`,
    `-Djava.io.tmpdir=${at('tmp')}`,
    `-Djna.tmpdir=${at('tmp')}`,
    '-Djna.nosys=true',
    '-Djava.awt.headless=true',
    '-Dfile.encoding=UTF-8',
    '-Djava.locale.providers=SPI,CLDR',
    '-Dopensearch.networkaddress.cache.ttl=60',
    '-Dopensearch.networkaddress.cache.negative.ttl=10',
    '-Dio.netty.noUnsafe=true',
    '-Dio.netty.noKeySetOptimization=true',
    '-Dio.netty.recycler.maxCapacityPerThread=0',
    '-Dio.netty.allocator.numDirectArenas=0',
    '-Dlog4j.shutdownHookEnabled=false',
    '-Dlog4j2.disable.jmx=true',
    '-Dorg.apache.lucene.store.MMapDirectory.sharedArenaMaxPermits=1',
    '--add-modules=jdk.incubator.vector',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
  ];
}

function serverOptions(home: string, config: string): string[] {
  return [
    `-javaagent:${join(home, 'agent', 'opensearch-agent.jar')}`,
    `-Dopensearch.path.home=${home}`,
    `-Dopensearch.path.conf=${config}`,
    '-Dopensearch.distribution.type=zip',
    '-Dopensearch.bundled_jdk=false',
    '-cp',
    join(home, 'lib', '*'),
    'org.opensearch.bootstrap.OpenSearch',
  ];
}
