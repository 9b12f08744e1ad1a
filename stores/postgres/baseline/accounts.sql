-- Organizations with their plans, projects, keys and members, and what their administrators see and do.

create table plans (
  name text primary key,
  -- A higher rank is a larger plan.
  rank smallint not null unique,
  -- Null means unlimited.
  units_per_minute integer,
  units_per_month bigint,
  page_size integer not null,
  paging_depth integer not null,
  active_keys integer not null,
  projects integer not null,
  scopes text[] not null,
  -- Whether an owner may set a spend cap, and the price of 1,000 units over the quota.
  overage boolean not null,
  overage_sar_per_1000 numeric(10, 4) not null default 0,
  -- Days of price history that responses contain. Null: all.
  price_history_days integer,
  -- Whether responses name the source of an ad.
  source_links boolean not null
);
comment on table plans is 'Plans with their limits and scopes. The rows are part of the schema.';

-- Exports of open data need no scope of the plan. Only Enterprise exports listings.
insert into plans
  (name, rank, units_per_minute, units_per_month, page_size, paging_depth, active_keys, projects, scopes, overage, overage_sar_per_1000, price_history_days, source_links)
values
  ('free', 0, 30, 250, 25, 500, 5, 1, '{reference,listings,official}', false, 0, 90, false),
  ('starter', 1, 60, 50000, 50, 5000, 25, 5, '{reference,listings,official,market}', true, 6, null, true),
  ('growth', 2, 150, 200000, 100, 5000, 25, 10, '{reference,listings,official,market,analytics}', true, 5, null, true),
  ('pro', 3, 300, 750000, 100, 20000, 25, 25, '{reference,listings,official,market,analytics,projects}', true, 4, null, true),
  ('enterprise', 4, 60000, null, 100, 100000, 100, 100, '{reference,listings,official,exports,market,analytics,projects}', false, 0, null, true);

create table organizations (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null unique,
  plan text not null references plans,
  -- Limits of this organization. Null means those of the plan.
  units_per_minute integer,
  units_per_month bigint,
  page_size integer,
  paging_depth integer,
  active_keys integer,
  projects integer,
  spend_cap_sar numeric(12, 2) not null default 0,
  suspended_at timestamptz,
  term_ends_at timestamptz,
  -- Networks from which calls are accepted; empty for all.
  ip_allowlist cidr[] not null default '{}',
  log_retention_days smallint not null default 30 check (log_retention_days in (7, 30, 90)),
  -- Whether request logs contain messages and parameters.
  log_request_details boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table organizations is 'Customers. A key, project or member belongs to one organization.';

create table projects (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  organization_id bigint not null references organizations on delete cascade,
  name text not null,
  -- Null means no limit other than that of the organization.
  monthly_unit_cap bigint,
  created_at timestamptz not null default now(),
  unique (organization_id, name)
);
comment on table projects is 'Projects of an organization, which divide its keys and may have a cap of units per month.';

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
comment on table members is 'Members of an organization with their roles.';

create table api_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  organization_id bigint not null references organizations on delete cascade,
  project_id bigint references projects on delete cascade,
  kind text not null check (kind in ('live', 'admin', 'test')),
  name text not null,
  -- HMAC-SHA256 of the whole key under the pepper. The key itself is not stored.
  hash bytea not null unique,
  -- The last four characters, by which users distinguish their keys.
  last_four text not null,
  -- Null means all scopes of the plan.
  scopes text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_to bigint references api_keys,
  -- When the key was received in a URL. It must be rotated.
  exposed_at timestamptz,
  last_used_at timestamptz,
  -- Identifies the pepper of the hash. Null for keys of releases that did not record it.
  pepper text,
  -- The member whose role limits an admin key. Null for keys that no role limits. A removed member's keys are revoked.
  member_id bigint references members on delete set null
);
create index api_keys_organization on api_keys (organization_id);
create unique index api_keys_name on api_keys (organization_id, name) where revoked_at is null;
comment on table api_keys is 'API keys, including revoked ones. The names of active keys are unique in an organization.';

create table audit_events (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  organization_id bigint not null references organizations on delete cascade,
  at timestamptz not null default now(),
  -- A key with its public id, the command line, or the service itself.
  actor_type text not null check (actor_type in ('key', 'operator', 'system')),
  actor_id text,
  action text not null,
  target_id text,
  details jsonb not null default '{}',
  request_id text
);
create index audit_events_organization on audit_events (organization_id, id desc);
comment on table audit_events is 'Audit log of an organization, written in the transaction of the change.';

create table idempotency_records (
  organization_id bigint not null references organizations on delete cascade,
  -- SHA-256 of the Idempotency-Key.
  key_hash bytea not null,
  -- SHA-256 of method, path and body.
  request_hash bytea not null,
  status smallint not null,
  -- Encrypted, because it may contain a new key.
  body bytea not null,
  created_at timestamptz not null,
  primary key (organization_id, key_hash)
);
create index idempotency_records_age on idempotency_records (created_at);
comment on table idempotency_records is 'The first response to a POST request with an Idempotency-Key, stored in the transaction of its effect.';
