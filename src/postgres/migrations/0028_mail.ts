import type { Knex } from 'knex';

/**
 * Email outbox, written in the transaction of the event that an email reports. Also allows deletion of webhook
 * endpoints with a long history: the endpoint is deleted immediately, its history later in batches.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table mails (
      id bigint generated always as identity primary key,
      -- what it tells of: nobody is told twice
      reason text not null,
      recipient text not null,
      subject text not null,
      body text not null,
      created_at timestamptz not null,
      -- not to be claimed before; while it is being sent, the end of the worker's lease
      due_at timestamptz not null,
      -- Rises with every claim: what a worker that lost its lease finds out is not written.
      claims integer not null default 0,
      tries integer not null default 0,
      -- when it was sent, or given up
      finished_at timestamptz,
      -- why it was not sent, when last tried
      error text,
      unique (reason, recipient)
    );
    create index mails_waiting on mails (due_at) where finished_at is null;

    -- Endpoints that are gone, whose history is still to be deleted.
    create table webhook_remains (endpoint_id bigint primary key);
    create function keep_webhook_remains() returns trigger language plpgsql as $$
    begin
      insert into webhook_remains values (old.id);
      return null;
    end $$;
    create trigger webhook_endpoints_deleted after delete on webhook_endpoints
      for each row execute function keep_webhook_remains();
    alter table webhook_deliveries drop constraint webhook_deliveries_endpoint_id_fkey;
  `);
}
