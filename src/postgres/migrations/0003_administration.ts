import type { Knex } from 'knex';

/**
 * Data for administrators of an organization (members, audit log, usage, request logs), and stored responses of POST
 * requests.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table members (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      email text not null,
      name text not null,
      role text not null check (role in ('owner', 'admin', 'developer', 'billing', 'viewer')),
      created_at timestamptz not null default now(),
      unique (organization_id, email)
    );

    create table audit_events (
      id bigint generated always as identity primary key,
      public_id text not null unique,
      organization_id bigint not null references organizations on delete cascade,
      at timestamptz not null default now(),
      -- 'key' with its public id, 'operator' for the command line, 'system' for the service itself
      actor_type text not null check (actor_type in ('key', 'operator', 'system')),
      actor_id text,
      action text not null,
      target_id text,
      details jsonb not null default '{}',
      request_id text
    );
    create index audit_events_organization on audit_events (organization_id, id desc);

    -- One row a call, dropped by month once no organization keeps it.
    create table request_logs (
      id bigint generated always as identity,
      at timestamptz not null,
      request_id text not null,
      organization_id bigint not null,
      key_id bigint not null,
      method text not null,
      route text not null,
      status smallint not null,
      code text,
      units integer not null,
      duration_ms real not null,
      ip inet,
      -- what the caller was told; null where the organization turned request details off
      message text,
      param text,
      primary key (at, id)
    ) partition by range (at);
    create index request_logs_organization on request_logs (organization_id, at desc, id desc);
    create index request_logs_request on request_logs (request_id);

    -- Partitions are whole UTC months; made ahead by a job, and here for a start.
    create function ensure_request_log_partition(p_month date) returns void language plpgsql as $$
    declare
      start timestamptz := date_trunc('month', p_month::timestamp) at time zone 'UTC';
      stop timestamptz := (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'UTC';
    begin
      execute format('create table if not exists %I partition of request_logs for values from (%L) to (%L)',
        'request_logs_' || to_char(p_month, 'YYYY_MM'), start, stop);
    end $$;
    select ensure_request_log_partition((now() at time zone 'UTC' + make_interval(months => m))::date) from generate_series(-3, 2) m;

    -- Calls by UTC day, key, endpoint and result: for people to look at. Billing reads unit_counters.
    create table usage_days (
      organization_id bigint not null references organizations on delete cascade,
      day date not null,
      key_id bigint not null,
      endpoint text not null,
      result text not null check (result in ('2xx', '4xx', '429', '5xx')),
      requests bigint not null,
      units bigint not null,
      primary key (organization_id, day, key_id, endpoint, result)
    );

    alter table api_keys add column last_used_at timestamptz;
    -- Two keys in use may not share a name.
    create unique index api_keys_name on api_keys (organization_id, name) where revoked_at is null;

    -- The first response to a POST, stored with its effect. Bodies are encrypted: one may hold a new key.
    create table idempotency_records (
      organization_id bigint not null references organizations on delete cascade,
      -- SHA-256 of the Idempotency-Key
      key_hash bytea not null,
      -- SHA-256 of method, path and body
      request_hash bytea not null,
      status smallint not null,
      body bytea not null,
      created_at timestamptz not null,
      primary key (organization_id, key_hash)
    );
    create index idempotency_records_age on idempotency_records (created_at);

    -- The last minute each job was due at and taken by a worker.
    create table job_runs (
      name text primary key,
      due_at timestamptz not null,
      finished_at timestamptz,
      result jsonb,
      error text
    );
  `);
}
