import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { writeMeta } from '../indexes.ts';
import { readState } from './state.ts';

/** The highest assigned id for each type of resource. */
export interface LastIds {
  listing: number;
  project: number;
  developer: number;
  run: number;
}

/**
 * Record of the last ingest run that wrote to a listings index, stored in `_meta.run`. The record survives a Postgres
 * restore and then shows which ids were assigned after the backup.
 */
export interface RunRecord {
  /** Random mark, which is recorded in Postgres before it is written to the index. */
  mark: string;
  /** Id of the Postgres database that the run used. A restore does not change this id. */
  installation: string;
  ids: LastIds;
}

type Described = Record<string, { mappings: { _meta?: { run?: RunRecord } & Record<string, unknown> } }>;

/** Returns the records of all existing listings indexes, including earlier generations. */
export async function readRunRecords(client: Client, prefix: string): Promise<RunRecord[]> {
  const { listings } = indexNames(prefix);
  return Object.values(await describe(client, `${listings}-v*`)).flatMap(({ mappings }) => mappings._meta?.run ?? []);
}

/** Writes a run record to the serving index and to the index that a migration is filling. */
export async function writeRunRecord(client: Client, prefix: string, record: RunRecord): Promise<void> {
  for (let written = ''; ; ) {
    const { live, next } = await readState(client, prefix);
    // If a migration began during the write, the new index also needs the record.
    const present = `${live} ${next}`;
    if (present === written) return;
    for (const index of [live, next]) if (index !== null) await writeMeta(client, index, { run: record });
    written = present;
  }
}

/** Copies the run record of an index to its replacement. */
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
