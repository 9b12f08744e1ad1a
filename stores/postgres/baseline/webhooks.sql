-- Webhook endpoints with their offsets in the event log, deliveries, and the outcome of each attempt.

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  organization_id bigint not null references organizations on delete cascade,
  url text not null,
  -- Host and port, for which concurrent requests are limited across organizations.
  host text not null,
  event_types text[] not null,
  -- After validation. The type json retains the order of the request.
  filters json not null,
  -- Encrypted. During a rotation, the previous secret signs too.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('exhausted', 'operator')),
  disabled_at timestamptz,
  created_at timestamptz not null,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  -- Sequence number of its last delivery.
  sequence bigint not null default 0,
  -- The last event that was matched with it, by run and listing.
  matched_run integer not null,
  matched_listing bigint not null,
  -- The latest run that had events for it, and their number.
  round_run integer not null default 0,
  round_count integer not null default 0,
  -- Uuid of the percolator index that contains its filters.
  indexed_in text,
  enabled_at timestamptz not null default now(),
  -- Events up to this time were deleted before all of them were matched with it.
  missed_until timestamptz
);
create index webhook_endpoints_organization on webhook_endpoints (organization_id, id desc);
comment on table webhook_endpoints is 'Webhook endpoints of an organization.';

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  -- Not a foreign key: the deliveries of a deleted endpoint are deleted later, in batches.
  endpoint_id bigint not null,
  sequence bigint not null,
  event_id text not null,
  event_type text not null,
  listing_id bigint,
  test boolean not null default false,
  -- Whether the owner requested it. It is sent even if failures disabled the endpoint.
  requested boolean not null default false,
  -- The bytes that every attempt sends.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  created_at timestamptz not null,
  -- The earliest time to claim the delivery; while it is being sent, the end of the worker's lease.
  due_at timestamptz not null,
  -- Increases with each claim. A worker that lost its lease has an earlier number, and writes nothing.
  claims integer not null default 0,
  attempts integer not null default 0,
  -- Attempts since the delivery was created or last replayed.
  tries integer not null default 0,
  finished_at timestamptz,
  unique (endpoint_id, sequence),
  unique (endpoint_id, event_id)
) with (fillfactor = 80);
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where status <> 'pending';
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, finished_at) where status = 'failed';
comment on table webhook_deliveries is 'Deliveries of events to endpoints, which are also the queue of the webhook workers.';

create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  -- HTTP status of the response, or null without a response.
  status integer,
  duration_ms integer not null,
  error text,
  -- The first 500 characters of the response.
  reply text not null,
  primary key (delivery_id, number)
);
comment on table webhook_attempts is 'The outcome of each attempt of a delivery.';

create table webhook_remains (endpoint_id bigint primary key);
comment on table webhook_remains is 'Deleted endpoints whose deliveries are still to be deleted.';

create function keep_webhook_remains() returns trigger language plpgsql as $$
begin
  insert into webhook_remains values (old.id);
  return null;
end $$;
create trigger webhook_endpoints_deleted after delete on webhook_endpoints
  for each row execute function keep_webhook_remains();
