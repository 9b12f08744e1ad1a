import { readFile } from 'node:fs/promises';
import type { Knex } from 'knex';

/** Earlier releases used other migrations, which this release does not have. */
export const contract = true;

/** Files in `../baseline/`, by their references. */
const AREAS = ['service', 'accounts', 'metering', 'ingest', 'off-plan', 'official', 'exports', 'webhooks'];

/** The files never change; later migrations change the schema. */
export async function up(db: Knex): Promise<void> {
  for (const area of AREAS) await db.raw(await readFile(new URL(`../baseline/${area}.sql`, import.meta.url), 'utf8'));
}
