import type { Knex } from 'knex';

/** Ensures that each call has a single row in the request logs, even if its batch is sent several times. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    delete from request_logs a using request_logs b
     where a.request_id = b.request_id and a.at = b.at and a.id > b.id;
    drop index request_logs_request;
    create unique index request_logs_request on request_logs (request_id, at);
  `);
}
