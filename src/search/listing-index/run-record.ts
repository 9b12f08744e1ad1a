import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { writeMeta } from '../indexes.ts';
import { readState } from './state.ts';

/** The highest assigned id of each kind. */
export interface LastIds {
  listing: number;
  project: number;
  developer: number;
  run: number;
}

/**
 * The record of the last ingest run that wrote to a listings index, in `_meta.run`. It survives a restore of Postgres and
 * shows which ids were assigned later.
 */
export interface RunRecord {
  /** Random mark, recorded in Postgres before it is written to the index. */
  mark: string;
  /** Id of the database that the run belongs to. A restore does not change it. */
  installation: string;
  ids: LastIds;
}

type Described = Record<string, { mappings: { _meta?: { run?: RunRecord } & Record<string, unknown> } }>;

/** Returns the records of all existing listings indexes, including earlier generations. */
export async function readRunRecords(client: Client, prefix: string): Promise<RunRecord[]> {
  const { listings } = indexNames(prefix);
  return Object.values(await describe(client, `${listings}-v*`)).flatMap(({ mappings }) => mappings._meta?.run ?? []);
}

/** Records a run in the serving index and in the index that is being filled. */
export async function writeRunRecord(client: Client, prefix: string, record: RunRecord): Promise<void> {
  for (let written = ''; ; ) {
    const { live, next } = await readState(client, prefix);
    // If a migration began during the write, its index also needs the record.
    const present = `${live} ${next}`;
    if (present === written) return;
    for (const index of [live, next]) if (index !== null) await writeMeta(client, index, { run: record });
    written = present;
  }
}

/** Copies the record of an index to its replacement. */
export async function copyRunRecord(client: Client, from: string, to: string): Promise<void> {
  const record = (await describe(client, from))[from]?.mappings._meta?.run;
  if (record !== undefined) await writeMeta(client, to, { run: record });
}

async function describe(client: Client, index: string): Promise<Described> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${index}/_mapping`,
    querystring: { filter_path: '*.mappings._meta' },
  });
  return (body ?? {}) as Described;
}
