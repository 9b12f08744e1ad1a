import type { Knex } from 'knex';

/** Webhooks: endpoints with their offsets in the event log, deliveries, and the outcome of each attempt. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table webhook_endpoints (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      url text not null,
      -- host and port: how much goes there at once is bounded, whoever asked for it
      host text not null,
      event_types text[] not null,
      -- as validated; json keeps the order that the caller wrote
      filters json not null,
      -- encrypted; during a rotation the one before signs too
      secret bytea not null,
      previous_secret bytea,
      previous_secret_until timestamptz,
      status text not null default 'enabled' check (status in ('enabled', 'disabled')),
      disabled_reason text check (disabled_reason in ('exhausted', 'operator')),
      disabled_at timestamptz,
      created_at timestamptz not null,
      -- deliveries that exhausted their attempts since it was last enabled
      exhausted integer not null default 0,
      delivered bigint not null default 0,
      failed bigint not null default 0,
      -- of its last delivery
      sequence bigint not null default 0,
      -- the last event that it has been matched with, by run and listing
      matched_run integer not null,
      matched_listing bigint not null,
      -- the latest run when it last got events, and how many it got then
      round_run integer not null default 0,
      round_count integer not null default 0,
      -- uuid of the percolator index that holds its filters
      indexed_in text
    );
    create index webhook_endpoints_organization on webhook_endpoints (organization_id, id desc);

    create table webhook_deliveries (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      endpoint_id bigint not null references webhook_endpoints on delete cascade,
      sequence bigint not null,
      event_id text not null,
      event_type text not null,
      listing_id bigint,
      test boolean not null default false,
      -- its owner asked for it: it goes to an endpoint that was disabled for its failures, too
      requested boolean not null default false,
      -- the very bytes of every attempt
      body text not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      created_at timestamptz not null,
      -- not to be claimed before; while it is being sent, the end of the worker's lease
      due_at timestamptz not null,
      -- Rises with every claim: what a worker that lost its lease finds out is not written.
      claims integer not null default 0,
      attempts integer not null default 0,
      -- attempts since it was made or last replayed
      tries integer not null default 0,
      finished_at timestamptz,
      unique (endpoint_id, sequence),
      unique (endpoint_id, event_id)
    ) with (fillfactor = 80);
    create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
    create index webhook_deliveries_finished on webhook_deliveries (finished_at) where status <> 'pending';

    create table webhook_attempts (
      delivery_id bigint not null references webhook_deliveries on delete cascade,
      number integer not null,
      at timestamptz not null,
      -- of the receiver's answer; null where none came
      status integer,
      duration_ms integer not null,
      error text,
      -- its first 500 characters
      reply text not null,
      primary key (delivery_id, number)
    );
  `);
}
