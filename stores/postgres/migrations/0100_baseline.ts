import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

/** Earlier releases used other migrations, which this release does not have. */
export const contract = true;

/** Files in `../baseline/`, in the order of their references. */
const AREAS = ['service', 'accounts', 'metering', 'ingest', 'off-plan', 'official', 'exports', 'webhooks'];

/** Creates the schema. Later migrations change it; the files never change. */
export async function up(db: Knex): Promise<void> {
  for (const area of AREAS) await db.raw(await readFile(new URL(`../baseline/${area}.sql`, import.meta.url), 'utf8'));
}
