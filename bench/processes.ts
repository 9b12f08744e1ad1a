import { readdir, readFile } from 'node:fs/promises';
import * as sql from '#stores/postgres/rows.ts';
import type { Corpus } from './corpus.ts';
import { processorMs } from './machine.ts';

/** Processor time in milliseconds, by process or group of processes. Those on other machines are missing. */
export type ProcessorTimes = Partial<Record<'api' | 'opensearch' | 'postgres' | 'load', number>>;

/** Returns a function that reads the processor time of all processes that serve calls. Linux only. */
export async function openProcessorTimes(
  corpus: Corpus,
  apis: readonly number[],
): Promise<() => Promise<ProcessorTimes>> {
  const engine = await enginePids(corpus);
  const { pid } = await sql.queryOne(corpus.pool, { pid: sql.integer }, 'select pg_backend_pid() as pid');
  const postmaster = (await fieldsOf(pid))?.[1];
  const sum = async (pids: readonly number[]): Promise<number | null> => {
    const all = await Promise.all(pids.map((each) => processorMs(each).catch(() => null)));
    return all.reduce((total, each) => (total === null || each === null ? null : total + each), 0 as number | null);
  };
  return async () => {
    const { user, system } = process.cpuUsage();
    const found = {
      api: await sum(apis),
      opensearch: await sum(engine),
      postgres: postmaster === undefined ? null : await familyMs(postmaster),
      load: (user + system) / 1_000,
    };
    return Object.fromEntries(Object.entries(found).filter(([, ms]) => ms !== null));
  };
}

/** Ids of the processes of the OpenSearch nodes. */
export async function enginePids({ client }: Pick<Corpus, 'client'>): Promise<number[]> {
  const path = '/_nodes/process';
  const { nodes } = await client.send<{ nodes: Record<string, { process: { id: number } }> }>('GET', path);
  return Object.values(nodes).map(({ process: { id } }) => id);
}

/** Fields of `/proc/<pid>/stat` from the state on; null if there is no such process. */
const fieldsOf = async (pid: number | string): Promise<number[] | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, fields] = text.split(') ');
  return fields === undefined ? null : fields.split(' ').map(Number);
};

/** Processor time of a process and its children, ended ones included. */
async function familyMs(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(async (pid) => ({ pid: Number(pid), fields: await fieldsOf(pid) })));
  let ticks = 0;
  for (const { pid, fields } of all) {
    if (!fields) continue;
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15);
    if (pid === parent) ticks += user + system + userOfEnded + systemOfEnded;
    else if (fields[1] === parent) ticks += user + system;
  }
  return ticks * 10;
}
